/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Made by build-aux/texts.awk from data/metrics for translators; not compiled. tests/tty/texts.sh compares. */
static const char *const texts[] = {
	N_("energy of the processor package"),
	N_("energy of the CPU cores (PP0)"),
	N_("energy of the GPU plane (PP1)"),
	N_("energy of the memory"),
	N_("energy of the platform; what it includes depends on the board"),
	N_("energy of a discrete GPU's card"),
	N_("energy of the package since opening"),
	N_("energy of the CPU cores since opening"),
	N_("energy of the GPU plane since opening"),
	N_("energy of the memory since opening"),
	N_("energy of the platform since opening"),
	N_("how often the energy counters change"),
	N_("bytes read from memory, by everybody"),
	N_("bytes written to memory, by everybody"),
	N_("bytes to and from memory, by everybody"),
	N_("bytes to and from memory that processor graphics asked for"),
	N_("bytes to and from memory that the cores asked for"),
	N_("bytes to and from memory that devices asked for"),
	N_("time with the GPU in RC6, its power-saving state"),
	N_("time in which an engine had work"),
	N_("time in which an engine waited for an event"),
	N_("time in which an engine waited for a semaphore"),
	N_("interrupts of the whole device"),
	N_("1 while something holds the clock down"),
	N_("1 while the long-term power limit does"),
	N_("1 while the short-term power limit does"),
	N_("1 while the limit of the peak current does"),
	N_("1 while the GPU's temperature does"),
	N_("1 while PROCHOT# does"),
	N_("temperature of a discrete card"),
	N_("turns of the card's fan in a minute"),
	N_("memory of its own that a discrete card has"),
	N_("part of it that is taken, by whomever"),
	N_("GPU clock right now, 0 in RC6"),
	N_("GPU clock that the driver asked for"),
	N_("EUs present"),
	N_("slices present"),
	N_("subslices (Gen12: dual subslices) present"),
	N_("EUs that share row and EU number, where every subslice has all of its EUs"),
	N_("hardware threads of an EU"),
	N_("rate of the OA time stamp"),
	N_("lowest GPU clock"),
	N_("highest GPU clock"),
	N_("single precision operations of an EU in a clock; a multiply-add counts two"),
	N_("double precision operations of an EU in a clock"),
	N_("shared local memory bytes of a subslice in a clock"),
	N_("bytes between L3 and a subslice in a clock"),
	N_("bytes read over GTI in a clock"),
	N_("bytes written over GTI in a clock"),
	N_("peak bandwidth of the memory chips"),
	N_("long-term power limit of the package (PL1)"),
	N_("bit per slice present"),
	N_("bit per subslice present"),
	N_("PCI revision"),
	N_("Utilization"),
	/* xgettext:no-c-format */
	N_("% of time"),
	N_("FLOP/cycle"),
	N_("a clock at work"),
	N_("Bandwidth"),
	N_("memory controllers"),
	N_("Power and clocks"),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GPU busy"),
	N_("Share of GPU clocks in which the render engine had work."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GPU time"),
	N_("Length of the window by the GPU's own clock."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GPU clocks"),
	N_("GPU core clocks in the window."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("EU active"),
	N_("Share of EU clocks in which a pipe worked."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("EU stall"),
	N_("Share of EU clocks in which threads were loaded and no pipe worked: they wait for memory, the sampler or each other."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("EU idle"),
	N_("Share of EU clocks without a loaded thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("VS threads"),
	N_("Threads dispatched for vertex shaders."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("HS threads"),
	N_("Threads dispatched for hull shaders."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("DS threads"),
	N_("Threads dispatched for domain shaders."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("CS threads"),
	N_("Threads dispatched for compute kernels."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GS threads"),
	N_("Threads dispatched for geometry shaders."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("PS threads"),
	N_("Threads dispatched for pixel shaders."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("VS active"),
	N_("Share of EU clocks in which a pipe worked for a vertex shader thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("VS stall"),
	N_("Share of EU clocks in which a vertex shader thread was loaded and no pipe worked."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("HS active"),
	N_("Share of EU clocks in which a pipe worked for a hull shader thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("HS stall"),
	N_("Share of EU clocks in which a hull shader thread was loaded and no pipe worked."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("DS active"),
	N_("Share of EU clocks in which a pipe worked for a domain shader thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("DS stall"),
	N_("Share of EU clocks in which a domain shader thread was loaded and no pipe worked."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("CS active"),
	N_("Share of EU clocks in which a pipe worked for a compute thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("CS stall"),
	N_("Share of EU clocks in which a compute thread was loaded and no pipe worked."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GS active"),
	N_("Share of EU clocks in which a pipe worked for a geometry shader thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GS stall"),
	N_("Share of EU clocks in which a geometry shader thread was loaded and no pipe worked."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("PS active"),
	N_("Share of EU clocks in which a pipe worked for a pixel shader thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("PS stall"),
	N_("Share of EU clocks in which a pixel shader thread was loaded and no pipe worked."),
	N_("EU positions"),
	N_("each one the sum of all subslices"),
	N_("EU stall reasons"),
	/* xgettext:no-c-format */
	N_("% of XVE clocks"),
	N_("Sampled stalls"),
	/* xgettext:no-c-format */
	N_("% of samples"),
	/* TRANSLATORS: at most 16 columns wide */
	N_("B0 per clock"),
	N_("register list of the metric set"),
	N_("A working OA unit keeps it at 0, give or take one count in a window."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("B1 per clock"),
	N_("A working OA unit counts every clock, give or take one count in a window: the value stands at its roof."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("B2 per clock"),
	/* TRANSLATORS: at most 16 columns wide */
	N_("B3 per clock"),
	N_("A working OA unit counts every second clock, give or take one count in a window: the value stands at its roof."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("B4 per clock"),
	N_("A working OA unit counts every third clock, give or take one count in a window: the value stands at its roof."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("B5 per clock"),
	/* TRANSLATORS: at most 16 columns wide */
	N_("B6 per clock"),
	N_("A working OA unit counts every sixth clock, give or take one count in a window: the value stands at its roof."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("B7 per clock"),
	N_("A working OA unit counts two of three clocks, give or take one count in a window: the value stands at its roof."),
	N_("events of Xe2"),
	N_("Share of GPU clocks in which the GPU had work."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("L1 read"),
	N_("Bytes that the load/store caches of the Xe cores gave to their engines."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("L1 write"),
	N_("Bytes that the engines wrote to the load/store caches of the Xe cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("L1 accesses"),
	N_("Accesses to the load/store caches of all Xe cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("L1 hits"),
	N_("Share of the accesses to the load/store caches that found their line there."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("SLM read"),
	N_("Bytes read from shared local memory."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("SLM write"),
	N_("Bytes written to shared local memory."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("SLM conflicts"),
	N_("Accesses to shared local memory that had to wait for a bank."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("L3 reads"),
	N_("Reads that reached the L3."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("L3 writes"),
	N_("Writes that reached the L3."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("L3 hits"),
	N_("Share of the look-ups in the L3 that found their line there."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("TLB misses"),
	N_("Addresses whose translation had to be looked up in page tables."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Clock avg"),
	N_("Average GPU clock over the window, counted: what all roofs of this screen are computed with."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Clock act"),
	N_("GT frequency in sysfs"),
	N_("GPU clock at the end of the window, as the driver reads it. 0 in RC6."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Clock req"),
	N_("GPU clock that the driver asks for. The power unit may grant less."),
	N_("RC6 residency in sysfs or the i915 PMU"),
	N_("Share of time with the GPU in its power-saving state. Stays 0 while an OA stream is open."),
	N_("OA time stamp; its rate is the constant timestamp_hz"),
	N_("EU clocks with a pipe at work, all EUs"),
	N_("EU clocks with threads loaded and no pipe at work, all EUs"),
	N_("EU clocks with a pipe at work for a vertex shader thread"),
	N_("EU clocks with a vertex shader thread loaded and no pipe at work"),
	N_("vertex shader threads dispatched"),
	N_("EU clocks with a pipe at work for a hull shader thread"),
	N_("EU clocks with a hull shader thread loaded and no pipe at work"),
	N_("hull shader threads dispatched"),
	N_("EU clocks with a pipe at work for a domain shader thread"),
	N_("EU clocks with a domain shader thread loaded and no pipe at work"),
	N_("domain shader threads dispatched"),
	N_("EU clocks with a pipe at work for a compute thread"),
	N_("EU clocks with a compute thread loaded and no pipe at work"),
	N_("compute threads dispatched"),
	N_("EU clocks with a pipe at work for a geometry shader thread"),
	N_("EU clocks with a geometry shader thread loaded and no pipe at work"),
	N_("geometry shader threads dispatched"),
	N_("EU clocks with a pipe at work for a pixel shader thread"),
	N_("EU clocks with a pixel shader thread loaded and no pipe at work"),
	N_("pixel shader threads dispatched"),
	N_("pixels that failed the fast (hierarchical) depth test"),
	N_("pixels that failed the early depth test"),
	N_("pixels killed by pixel shaders"),
	N_("pixels that failed the alpha test"),
	N_("pixels that failed the stencil test after the pixel shader"),
	N_("pixels that failed the depth test after the pixel shader, killed ones among them"),
	N_("pixels written to render targets"),
	N_("clocks with the render engine busy"),
	N_("configurable counter: the signal that the set's register list routes to it"),
	N_("GPU core clocks, in every set of Intel's"),
	N_("Xe core counter: the event that the set programs, summed over all Xe cores"),
	N_("GPU counter: the event that the set programs"),
	N_("samples of EU threads that executed an instruction"),
	N_("samples of EU threads that waited for a ray tracing or thread dispatch resource"),
	N_("samples of EU threads that waited for something else"),
	N_("samples of EU threads that waited after a branch or another control instruction"),
	N_("samples of EU threads that waited because the pipe was in use"),
	N_("samples of EU threads that waited for a message to be taken"),
	N_("samples of EU threads that waited for the result of an earlier instruction or for the accumulator"),
	N_("samples of EU threads that waited for a scoreboard entry: a message, mostly memory, has not come back"),
	N_("samples of EU threads that waited at a barrier or another synchronisation"),
	N_("samples of EU threads that waited for the next instruction to be fetched"),
	N_("samples of EU threads, all reasons together"),
	N_("compute engines present"),
	N_("GPU core clocks, running or not at work; its rate is the clock frequency"),
	N_("clocks with the GPU busy; before Gen12 only the render engine is looked at"),
	N_("vertex shader threads dispatched; Gen12 counts fused pairs"),
	N_("hull shader threads dispatched; Gen12 counts fused pairs"),
	N_("domain shader threads dispatched; Gen12 counts fused pairs"),
	N_("compute threads dispatched; Gen12 counts fused pairs"),
	N_("geometry shader threads dispatched; Gen12 counts fused pairs"),
	N_("pixel shader threads dispatched; Gen12 counts fused pairs"),
	N_("flexible EU counter: the event that the set programs, summed over all EUs"),
	N_("2x2 pixel blocks rasterized"),
	N_("2x2 pixel blocks that failed the fast (hierarchical) depth test"),
	N_("2x2 pixel blocks that failed the early depth test"),
	N_("2x2 pixel blocks killed by pixel shaders"),
	N_("2x2 pixel blocks that failed tests after the pixel shader"),
	N_("2x2 pixel blocks written to render targets"),
	N_("2x2 pixel blocks blended"),
	N_("2x2 texel blocks requested from the samplers"),
	N_("2x2 texel blocks that missed the samplers' caches"),
	N_("64-byte reads of shared local memory"),
	N_("64-byte writes to shared local memory"),
	N_("shader memory messages other than textures, render targets and shared local memory"),
	N_("not described"),
	N_("atomic messages of shaders"),
	N_("barrier messages of shaders; manuals differ on whether each thread counts"),
	N_("Overview"),
	N_("Operations, clock, memory traffic, power."),
	N_("Precision"),
	N_("Single and double precision apart."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GFLOP/s SP"),
	N_("perf events of the processor"),
	N_("Single precision operations of all CPUs; a multiply-add counts two."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GFLOP/s DP"),
	N_("Double precision operations of all CPUs; a multiply-add counts two."),
	N_("Single precision apart from all operations: three events that fill all counters beside cycles, so they take turns."),
	N_("time at work: user, nice, system, interrupts"),
	N_("all time"),
	N_("time in programs"),
	N_("time in the kernel and its interrupts"),
	N_("time with nothing to do but wait for input and output"),
	N_("time that the hypervisor gave to others"),
	N_("clock"),
	N_("clocks while at work"),
	N_("instructions that retired"),
	N_("floating-point instructions of one element"),
	N_("floating-point instructions of two elements"),
	N_("floating-point instructions of four elements"),
	N_("floating-point instructions of eight elements"),
	N_("floating-point instructions of sixteen elements"),
	N_("single precision instructions of one element"),
	N_("single precision instructions of four elements"),
	N_("single precision instructions of eight elements"),
	N_("double precision instructions of one element"),
	N_("double precision instructions of two elements"),
	N_("double precision instructions of four elements"),
	N_("floating-point operations; a multiply-add counts two"),
	N_("single precision operations"),
	N_("double precision operations"),
	N_("single precision operations of instructions of one element"),
	N_("single precision operations of vector instructions"),
	N_("time with hardware counters for our events"),
	N_("time in which we wanted them"),
	N_("logical processors online"),
	N_("cores"),
	N_("single precision operations of a core in a clock; a multiply-add counts two"),
	N_("double precision operations of a core in a clock"),
	N_("Operations in a clock of a logical processor at work; a multiply-add counts two. Two of them that share a core share its roof."),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("peak FLOP/s"),
	N_("Operations of all CPUs, single and double precision together; a multiply-add counts two. x87 is not counted. The roof is that of single precision."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Instr/cycle"),
	N_("Instructions in a clock of a logical processor at work."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Counted"),
	/* xgettext:no-c-format */
	N_("Share of the window in which our events had hardware counters. Below 100 % there were more events than counters: they took turns, and the numbers are scaled to the whole window. An AMD event for operations takes two counters of six, the kernel's watchdog for lockups one."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("FLOP/cycle core"),
	N_("Operations in a clock of each logical processor at work; for the device their mean."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GFLOP/s core"),
	N_("Operations of each logical processor; for the device their mean."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("AI DRAM"),
	N_("perf events of the processor and of its memory controllers"),
	N_("Arithmetic intensity: operations for each byte to or from memory. Traffic of GPU and devices is in the bytes."),
	N_("Single and double precision apart: six events, more than the four counters of processors with two threads a core."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Per W pkg"),
	N_("perf events of the processor, energy counters (RAPL)"),
	N_("Operations for the energy of the whole processor. The two sources have windows of their own: rates are divided, never counts."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Per FLOP pkg"),
	N_("Energy of the whole processor for one operation. The two sources have windows of their own: rates are divided, never counts."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("SP mad"),
	N_("Single precision multiply-adds of the widest kind in every clock of all cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("SP add"),
	N_("Single precision additions, subtractions or multiplications alone."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("DP mad"),
	N_("Double precision multiply-adds of the widest kind in every clock of all cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("DP add"),
	N_("Double precision additions, subtractions or multiplications alone."),
	N_("Does not follow the clock of the cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("DRAM traffic"),
	N_("Bytes to and from memory by everybody."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("CPU busy"),
	N_("Share of time in which the logical processors worked, all of them together. Time that the hypervisor gave to others is not work."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("User"),
	N_("Share of time in programs."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("System"),
	N_("Share of time in the kernel and its interrupts."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("I/O wait"),
	N_("Share of time without work while a program waited for input or output. The kernel does not count it exactly."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Stolen"),
	N_("In a virtual machine, the share of time that the hypervisor gave to others."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Busy"),
	N_("The same for each logical processor; here their mean."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Clock"),
	N_("cpufreq, the kernel's PMU msr, or cpu MHz in /proc/cpuinfo"),
	N_("Clock of each logical processor; here their mean. cpufreq and /proc/cpuinfo tell that of the moment, APERF over MPERF the mean of the window while the processor worked."),
	N_("Utilization, clock, memory traffic, power."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("DRAM total"),
	N_("perf events of the memory controllers"),
	/* TRANSLATORS: at most 16 columns wide */
	N_("DRAM by GPU"),
	N_("perf events of the memory controllers of Sandy Bridge to Ice Lake"),
	N_("Bytes to and from memory that the processor's graphics asked for: its own traffic, behind all caches."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("DRAM read"),
	N_("Bytes read from memory by the processor's cores, its graphics and devices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("DRAM write"),
	N_("Bytes written to memory by the processor's cores, its graphics and devices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Per W GPU"),
	N_("flexible EU events that count instruction types, energy counters (RAPL) with a GPU plane"),
	N_("Operations (an upper bound) for the energy of the GPU plane. The two sources have windows of their own: rates are divided, never counts."),
	N_("flexible EU events that count instruction types, energy counters (RAPL)"),
	N_("Operations (an upper bound) for the energy of the whole processor. The two sources have windows of their own: rates are divided, never counts."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Per FLOP GPU"),
	N_("Energy of the GPU plane for one operation; a lower bound, as the operations are an upper one. The two sources have windows of their own: rates are divided, never counts."),
	N_("Energy of the whole processor for one operation; a lower bound, as the operations are an upper one. The two sources have windows of their own: rates are divided, never counts."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Rest"),
	N_("energy counters (RAPL) of package, cores and GPU"),
	N_("What the package takes beside cores and GPU: last-level cache, ring, memory controller, display, PCIe. A small negative number is noise: the planes' registers are refreshed one after the other."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Card"),
	N_("energy counters of a discrete GPU's card (hwmon)"),
	N_("Power of a discrete GPU's whole card: GPU, memory, voltage converters, fans."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GPU at most"),
	N_("energy counters (RAPL) of package, cores and memory"),
	N_("An upper bound, for processors without a GPU plane: it has the last-level cache, the memory controller and everything else of the package in it; readings of many times the GPU plane are known. Where the package does not contain the memory, as on client parts, taking DRAM off makes it too small by that much."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Energy"),
	N_("energy counters (RAPL)"),
	N_("Energy of the package since rooftop opened the device. Windows in which the machine slept are left out."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Energy GPU"),
	N_("energy counters (RAPL) with a GPU plane"),
	N_("Energy of the GPU plane since rooftop opened the device."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Energy cores"),
	N_("Energy of the CPU cores since rooftop opened the device."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Energy DRAM"),
	N_("energy counters (RAPL) with a memory plane"),
	N_("Energy of the memory since rooftop opened the device."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Energy platform"),
	N_("energy counters (RAPL) with a platform plane"),
	N_("Energy of the platform since rooftop opened the device."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Energy update"),
	N_("energy counters"),
	N_("How often the energy counters change. A window that is shorter than five of these steps repeats the power of the one before."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Render"),
	N_("Share of GPU clocks in which the render engine had work; it runs compute kernels as well when they are sent there."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Compute"),
	N_("Share of GPU clocks in which the compute engines had work, averaged over them."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Copy"),
	/* xgettext:no-c-format */
	N_("Share of GPU clocks in which the copy engine had work. With several of them it can pass 100 %."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Engine busy"),
	N_("the PMU of i915 or xe"),
	N_("Share of time in which the engine had work. It says nothing of how much of the engine worked."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Engine waits"),
	N_("the PMU of i915"),
	N_("Share of time in which the engine waited for an event."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Semaphore"),
	N_("Share of time in which the engine waited for a semaphore."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Engines busy"),
	N_("How many engines were busy on average."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Interrupts"),
	N_("Interrupts of the whole device in a second: batches that ended, waits that were woken, page flips."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Throttled"),
	N_("throttle reasons in sysfs"),
	N_("1 when the hardware held the clock below what the driver asked for at the end of the window."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Limit PL1"),
	N_("1 when the long-term power limit held the clock down."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Limit PL2"),
	N_("1 when the short-term power limit held the clock down."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Limit PL4"),
	N_("1 when the limit of the peak current held the clock down."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Limit heat"),
	N_("1 when the temperature of the GPU, or of something else in the machine, held the clock down."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Temperature"),
	N_("a sensor of the card in hwmon"),
	N_("Temperature of a discrete card."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Fan"),
	N_("a fan of the card in hwmon"),
	N_("Turns of the fan in a minute."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Card memory"),
	N_("local memory, and CAP_PERFMON to see what is used of it"),
	N_("Part of a discrete card's own memory that is taken, by all programs and the driver."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Card memory all"),
	N_("local memory"),
	N_("Memory that a discrete card has of its own. Processor graphics uses the machine's."),
	N_("flexible EU events"),
	N_("Share of EU clocks in which at least one pipe of the EU worked, averaged over all EUs."),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("FPU throughput"),
	/* xgettext:no-c-format */
	N_("Share of EU clocks in which ALU0 executed: float, integer, logic and moves alike. At 100 % no more instructions fit, whatever their kind."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("FPU both"),
	N_("Share of EU clocks in which both FPUs worked."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Threads"),
	N_("Share of the thread slots of all EUs that hold a thread, working or waiting."),
	N_("Share of EU clocks in which FPU0 executed: float, integer, logic and moves alike."),
	N_("Share of EU clocks in which FPU1 executed; it also does the mathematical functions."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Send"),
	N_("Share of EU clocks in which the send pipe passed a message to memory, sampler or another unit."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("PS FPU both"),
	N_("Share of EU clocks in which both FPUs worked for pixel shader threads. The manual does not allow this event with a shader stage; Intel's sets use it on Gen8 and Gen9."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("VS FPU0"),
	N_("Share of EU clocks in which FPU0 worked for a vertex shader thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("VS FPU1"),
	N_("Share of EU clocks in which FPU1 worked for a vertex shader thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("VS send"),
	N_("Share of EU clocks in which the send pipe worked for a vertex shader thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("PS FPU0"),
	N_("Share of EU clocks in which FPU0 worked for a pixel shader thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("PS FPU1"),
	N_("Share of EU clocks in which FPU1 worked for a pixel shader thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("PS send"),
	N_("Share of EU clocks in which the send pipe worked for a pixel shader thread."),
	N_("Share of EU clocks without a loaded thread. Slightly below 0 is possible: the counters are not read in the same clock."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("SP at most"),
	N_("The GPU cannot have done more single precision operations in a clock than this. This set does not count instruction types: additions do half of it, moves, integers and mathematical functions none."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GFLOP/s at most"),
	N_("As SP at most, per second, against the peak at the clock of this window."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("SP total"),
	N_("flexible EU events that count instruction types"),
	N_("Upper bound of the single precision operations of the whole GPU in a clock: it takes every lane as on, every instruction as float and single precision. Integer, logic, compares, half or double precision and switched-off lanes count as if they were full SP work: of additions, multiplications and multiply-adds there cannot be more. Dot products and interpolations do somewhat more than is counted, mathematical functions are not."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("SP per EU"),
	N_("Upper bound as SP total, for the average EU. The peak is a multiply-add on all lanes of both FPUs."),
	N_("Upper bound as SP total, per second. The roof is the peak at the clock of this window, not at the highest clock."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("AI at L3"),
	N_("Arithmetic intensity as the shaders see it: operations (an upper bound) for each byte moved between EUs and L3, without textures and render targets."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("FPU use"),
	/* xgettext:no-c-format */
	N_("Share of all FPU clocks that executed something. At 100 % no more instructions fit, whatever their kind."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("FPU IPC"),
	N_("FPU instructions in a clock in which at least one FPU worked: 1 is never both at once, 2 is always both."),
	N_("Utilization of the EUs and their pipes, an upper bound of FLOP, shader traffic: needs no routing of signals, so it starts at once and works on every part of the generation."),
	N_("Counters of fixed meaning"),
	N_("What needs no programming of events or signals: also for recordings whose own set is not known."),
	N_("Memory and pipes"),
	N_("As overview, and traffic at GTI, for the roofline."),
	N_("Intel ComputeBasic"),
	N_("Intel's set of this name: EU pipes, occupancy, data port and GTI traffic."),
	N_("Intel RenderBasic"),
	N_("Intel's set of this name: EU pipes by shader stage, samplers, pixel pipeline, GTI traffic."),
	N_("Utilization of the EUs and of ALU0, shader traffic: needs no routing of signals, so it starts at once and works on every part of the generation. Instruction types cannot be counted together with all EUs."),
	N_("As overview, and traffic at GTI."),
	N_("Intel's set of this name: EU activity, occupancy, GTI traffic."),
	N_("Intel's set of this name: EU activity, occupancy, one sampler, pixel pipeline, GTI traffic."),
	N_("Utilization of the EUs by shader stage, threads, and traffic at GTI: Haswell's A counters have fixed meanings, its clock comes over the routing of signals."),
	N_("What the A counters give, and the clock; nothing else that depends on the routing of signals."),
	N_("Share of GPU clocks in which the GPU had work. Before Gen12 it looks at the render engine only: video and copy engines do not count, and neither do clocks in which the engine waits for an event or a semaphore."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("AI at GTI"),
	N_("flexible EU events that count instruction types, register list of the metric set"),
	N_("Arithmetic intensity of the roofline: operations (an upper bound) for each byte that passed GTI."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GFLOP/s roof"),
	N_("What a kernel with this intensity and this mixture of reads and writes could reach at this clock, if nothing but GTI and the FPUs limited it."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GTI total"),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("GTI bandwidth"),
	N_("All bytes through GTI. The roof needs reads and writes in the right mixture; one direction alone is full earlier."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GTI read"),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("GTI read bandwidth"),
	N_("Bytes that the GPU read through GTI, its link to last-level cache and memory. Whether they came from cache or memory is not told. On parts with several slices Intel's sets differ on the roof: the smallest is used."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GTI write"),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("GTI write bandwidth"),
	N_("Bytes that the GPU wrote through GTI, its link to last-level cache and memory. Partial writes count as 64 bytes."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("DRAM at most"),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("DRAM bandwidth"),
	/* xgettext:no-c-format */
	N_("The GPU cannot have moved more bytes from and to memory than all that passed GTI. Hits in a last-level cache never reach the DRAM, so this and its share of the roof are upper bounds of what the GPU takes; traffic of CPU and display comes on top, unseen. The roof is the peak of the memory chips, of which refresh and turns between reads and writes leave less: the simulated devices take 85 %. Unknown unless the device tells it."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Untyped read"),
	N_("Bytes that shaders read from untyped buffers (OpenCL buffers, storage buffers). One slice or subslice is counted and multiplied by their number: wrong where work is spread unevenly."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Untyped write"),
	N_("Bytes that shaders wrote to untyped buffers (OpenCL buffers, storage buffers). One slice or subslice is counted and multiplied by their number: wrong where work is spread unevenly."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Typed read"),
	N_("Bytes that shaders read from typed surfaces (images). One slice or subslice is counted and multiplied by their number: wrong where work is spread unevenly."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Typed write"),
	N_("Bytes that shaders wrote to typed surfaces (images). One slice or subslice is counted and multiplied by their number: wrong where work is spread unevenly."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("L3 misses"),
	N_("Requests that L3 had to pass on."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("L3 to GTI"),
	N_("Bytes that L3 fetched through GTI."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Depth"),
	N_("Bytes between depth caches and GTI."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Colour"),
	N_("Bytes between render target caches and GTI."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Data port"),
	N_("Bytes of data port lookups that went to GTI."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Vertex fetch"),
	N_("Bytes that vertex fetch read through GTI."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Sampler misses"),
	N_("Requests of the samplers' caches to L3, made up from the observed subslices."),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("L3 bandwidth"),
	N_("Bytes between EUs and L3, without textures and render targets. Every message is taken as 64 bytes: short or scattered ones move fewer."),
	/* xgettext:no-c-format */
	N_("% of GPU cycles"),
	N_("Shader core pipes"),
	/* xgettext:no-c-format */
	N_("% of core cycles"),
	N_("L2 and external bus"),
	N_("Overdraw and depth"),
	/* xgettext:no-c-format */
	N_("% of rasterized quads"),
	N_("Tiler culling"),
	/* xgettext:no-c-format */
	N_("% of primitives"),
	N_("Power and clock"),
	N_("Read latency"),
	/* xgettext:no-c-format */
	N_("% of beats"),
	N_("Reads under way"),
	/* xgettext:no-c-format */
	N_("% of transactions"),
	N_("Writes under way"),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GPU clock"),
	N_("GPU cycles from kbase, DRM fdinfo or devfreq"),
	N_("The clock that roofs and utilization are computed with: counted by the driver over the window where it counts it, else read at its end from DRM fdinfo or devfreq."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Clock wanted"),
	N_("devfreq"),
	N_("The clock that the governor of the GPU asked for last."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GPU power"),
	N_("an energy counter of the GPU"),
	N_("Power of the GPU. Neither panfrost nor kbase measures it: without an energy counter of the machine that names the GPU there is no number."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Compute active"),
	N_("Clocks with a compute task in the core. Vertices, geometry and tessellation count as compute. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Fragment active"),
	N_("Clocks with a fragment task in the core. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Exec core active"),
	N_("Clocks with at least one quad in the programmable part of the core. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Execution core"),
	N_("Share of active GPU clocks in which the programmable part of the cores had a quad. That it then did something useful is not told: see the pipes."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Compute quads"),
	N_("Compute quads started. The hardware counts warps: one quad on G71, G72, G51 and G31, two on G52 and G76, which is multiplied in. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Clocks/comp quad"),
	N_("Average clocks of a compute quad."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Primitives rast"),
	N_("Primitives that entered the rasterizer, once for each tile that they touch. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Quads rasterized"),
	N_("2x2 pixel quads that the rasterizer made. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Quads early ZS"),
	N_("Quads that were depth or stencil tested before shading. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Quads early upd"),
	N_("Quads that updated depth or stencil before shading. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Quads early kill"),
	N_("Quads that the early test removed. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Quads overdrawn"),
	N_("Quads that survived the early test and were hidden by an opaque one before they were shaded. Arm prints FRAG_QUADS_EZS_KILL where the counter is called FRAG_QUADS_EZS_KILLED. Counters are approximations: the difference of large ones can be below 0."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Quads opaque"),
	N_("Quads that survived the early test and hide what is behind them: no blending, discard or alpha to coverage. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Quads transp"),
	N_("Quads that survived the early test and do not hide what is behind them. Arm prints FRAG_QUADS_EZS_KILL where the counter is called FRAG_QUADS_EZS_KILLED, and describes opaque quads here, a copy of the line above."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Quad buffer used"),
	N_("Clocks in which the buffer before the shaders held a quad. Where it is often empty, the rasterizer is too slow for the shaders. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Fragment quads"),
	N_("Fragment quads started. The hardware counts warps: one quad on G71, G72, G51 and G31, two on G52 and G76, which is multiplied in. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Partial quads"),
	N_("Fragment quads with a thread that covers no sample. On G52 and G76 the hardware counts warps of two quads: here both count as partial. The average over the shader cores."),
	N_("Share of fragment quads with a thread that covers no sample: small triangles waste shader work."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Clocks/frag quad"),
	N_("Average clocks of a fragment quad."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Late ZS tests"),
	N_("Late depth and stencil tests. Arm's guide says threads, libGPUCounters and Mesa say quads. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Late ZS kills"),
	N_("Removed by late depth and stencil tests. Arm's guide says threads, libGPUCounters and Mesa say quads. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Tiles"),
	N_("Tiles rendered, 16x16 pixels. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Tiles unchanged"),
	N_("Tiles that were not written because their checksum was that of the last frame. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Instructions"),
	N_("Instructions executed for a warp, for each execution engine. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Arithmetic"),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("arithmetic pipe"),
	N_("Share of clocks of the active execution core in which an engine issued an instruction."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Diverged instr"),
	N_("Instructions executed while some threads of the warp were switched off by control flow. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("LS reads full"),
	N_("Accesses to the load/store cache that read 128 bits. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("LS reads short"),
	N_("Accesses to the load/store cache that read less than 128 bits: half-used ones. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("LS writes full"),
	N_("Accesses to the load/store cache that wrote 128 bits. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("LS writes short"),
	N_("Accesses to the load/store cache that wrote less than 128 bits: half-used ones. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("LS atomics"),
	N_("Atomic operations of the load/store cache. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("LS accesses"),
	N_("All accesses to the load/store cache. The equation that Arm prints has its own left side once more in the middle of the sum."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Load/store"),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("load/store pipe"),
	N_("Share of clocks of the active execution core in which the load/store cache was accessed."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("LS L2 read beats"),
	N_("16-byte reads of the load/store cache from L2. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("LS L2 B/access"),
	N_("Bytes read from L2 for each access to the load/store cache. libGPUCounters divides by reads alone."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("LS ext rd beats"),
	N_("16-byte reads of the load/store cache that L2 had to fetch from memory. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("LS mem B/access"),
	N_("Bytes read from memory for each access to the load/store cache. libGPUCounters divides by reads alone."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("LS write beats"),
	N_("16-byte writes of the load/store cache to L2. The average over the shader cores. G51, G31, G52 and G76 count write-backs and others in two words, which are added."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Texture instr"),
	N_("Texture instructions, a count for each thread. The average over the shader cores. G51, G31, G52 and G76 count quads, which are multiplied by four."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Texture issues"),
	N_("Clocks in which the texture filter was issued to. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Texture"),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("texture pipe"),
	/* xgettext:no-c-format */
	N_("Share of clocks of the active execution core in which the texture unit worked. It can work on while the core has no quad: above 100 % is possible."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Texture clocks"),
	N_("Clocks of the texture unit for each instruction of a thread. Trilinear filters, 3D and wide formats take several."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Tex trilinear"),
	N_("Texture accesses with a trilinear filter. The average over the shader cores. Threads on G71 and G72, quads on the others: a share only against the counter of the same unit."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Tex mipmap"),
	N_("Texture accesses to a texture with mipmaps. The average over the shader cores. Threads on G71 and G72, passes of quads on the others."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Tex compressed"),
	N_("Texture accesses to a compressed texture. The average over the shader cores. Threads on G71 and G72, cache lines on the others."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Tex L2 rd beats"),
	N_("16-byte reads of textures from L2. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Tex L2 B/issue"),
	N_("Texture bytes read from L2 for each issue of the texture unit: high where the texture cache misses often."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Tex ext rd beats"),
	N_("16-byte reads of textures that L2 had to fetch from memory. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Tex mem B/issue"),
	N_("Texture bytes read from memory for each issue of the texture unit."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Varying instr"),
	N_("Instructions of the varying unit for fragment quads. The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Varying 16 bit"),
	N_("Clocks of interpolation in 16 bits (mediump). The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Varying 32 bit"),
	N_("Clocks of interpolation in 32 bits (highp). The average over the shader cores."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Varying"),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("varying pipe"),
	N_("Share of clocks of the active execution core in which the varying unit interpolated."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Diverged warps"),
	N_("Share of instructions during which control flow had switched off some threads of the warp."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("FLOP at most"),
	N_("a GPU clock for its roof"),
	N_("No Bifrost counter counts FLOP. An instruction is a pair: a fused multiply-add and an addition at most, three FLOP in each lane of each engine. This is the instruction rate times that: an upper bound that integers, loads, 16-bit pairs (six FLOP), switched-off threads and half-empty pairs all make wrong. Not measured on a board."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("FLOP/B at most"),
	N_("Upper bound of FLOP over bytes to and from memory: see the text of flop_at_most."),
	N_("job manager"),
	N_("tiler"),
	N_("L2 slices"),
	N_("shader cores"),
	N_("clocks of the GPU, working or not; only where the driver counts them"),
	N_("energy of the GPU, where the machine counts it"),
	N_("GPU clock as its driver or devfreq tells it"),
	N_("GPU clock that the governor asked for"),
	N_("slices of the L2 cache"),
	N_("size of a slice"),
	N_("execution engines of a core"),
	N_("threads of a warp, and lanes of an engine"),
	N_("bits of colour that the tile memory has for a pixel"),
	N_("bytes of a beat between shader cores and L2"),
	N_("bytes of a beat on the external bus of a slice"),
	N_("single precision operations of a core in a clock by multiply-adds alone"),
	N_("the same with an addition in the other slot of each instruction"),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GPU active"),
	N_("Clocks in which a job slot had work, those that wait for memory included."),
	N_("a GPU clock: counted by the driver, from DRM fdinfo or from devfreq"),
	N_("Share of GPU clocks with work in a job slot. The equation that Arm prints, GPU_ACTIVE / GPU_MHZ, forgets the million of the MHz and the length of the window. The clock is counted where the driver counts it, else read once a window: a clock that changes inside the window makes it wrong."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Frag queue act"),
	N_("Clocks with a job chain in slot 0: fragment shading."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Fragment queue"),
	N_("Share of active clocks in which the fragment queue worked. Both queues can work at the same time."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Other queue act"),
	N_("Clocks with a job chain in slot 1: vertex shading, tiling and compute, which it does not tell apart."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Non-frag queue"),
	N_("Share of active clocks in which the queue of vertices, tiling and compute worked. Low shares of both queues mean that they wait for each other."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("IRQ pending"),
	N_("Clocks in which an interrupt waited for the driver on the CPU."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Fragment tasks"),
	N_("Fragment tasks given to shader cores: 32x32 pixels each."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Pixels"),
	N_("Pixels of all fragment tasks, an approximation: tasks at the border count whole."),
	N_("Share of active clocks in which an interrupt waited for the CPU. More than a few percent: the driver comes late."),
	N_("As JM.GPU_UTILIZATION, by the name that tells the screen whether the device is idle."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("< 128 clocks"),
	N_("Read beats that came from memory after 0 to 127 clocks. The sum over the slices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("128-191 clocks"),
	N_("Read beats that came from memory after 128 to 191 clocks. The sum over the slices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("192-255 clocks"),
	N_("Read beats that came from memory after 192 to 255 clocks. The sum over the slices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("256-319 clocks"),
	N_("Read beats that came from memory after 256 to 319 clocks. The sum over the slices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("320-383 clocks"),
	N_("Read beats that came from memory after 320 to 383 clocks. The sum over the slices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("> 383 clocks"),
	N_("Read beats that took longer than 383 clocks: what the other five leave. Counters are approximations: it can be below 0. The sum over the slices."),
	/* xgettext:no-c-format */
	/* TRANSLATORS: at most 16 columns wide */
	N_("0-25 %"),
	/* xgettext:no-c-format */
	N_("External reads that were started while 0 to 25 % of the transactions that may be under way were. The sum over the slices."),
	/* xgettext:no-c-format */
	/* TRANSLATORS: at most 16 columns wide */
	N_("25-50 %"),
	/* xgettext:no-c-format */
	N_("External reads that were started while 25 to 50 % of the transactions that may be under way were. The sum over the slices."),
	/* xgettext:no-c-format */
	/* TRANSLATORS: at most 16 columns wide */
	N_("50-75 %"),
	/* xgettext:no-c-format */
	N_("External reads that were started while 50 to 75 % of the transactions that may be under way were. The sum over the slices."),
	/* xgettext:no-c-format */
	/* TRANSLATORS: at most 16 columns wide */
	N_("75-100 %"),
	/* xgettext:no-c-format */
	N_("External reads that were started while 75 to 100 % of the transactions that may be under way were: the bus is the limit. Arm prints L2.EXTERNAL_READ, a name that it does not define. What the other three leave: it can be below 0. The sum over the slices."),
	/* xgettext:no-c-format */
	N_("External writes that were started while 0 to 25 % of the transactions that may be under way were. The sum over the slices."),
	/* xgettext:no-c-format */
	N_("External writes that were started while 25 to 50 % of the transactions that may be under way were. The sum over the slices."),
	/* xgettext:no-c-format */
	N_("External writes that were started while 50 to 75 % of the transactions that may be under way were. The sum over the slices."),
	/* xgettext:no-c-format */
	N_("External writes that were started while 75 to 100 % of the transactions that may be under way were: the bus is the limit. Arm prints L2.EXTERNAL_WRITE, a name that it does not define. What the other three leave: it can be below 0. The sum over the slices."),
	N_("Share of the read beats from memory with this latency."),
	N_("Share of external reads that were started while that much of what may be under way was."),
	N_("Share of external writes that were started while that much of what may be under way was."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("L2 lookups"),
	N_("Lookups for reads, writes and snoops. The sum over the slices."),
	N_("Share of active clocks in which a slice of the L2 looked something up, the average over the slices. Arm prints LS.INTERNAL_UTILIZATION on the left side."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("L2 reads"),
	N_("Reads that the L2 received from the parts of the GPU. The sum over the slices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Mem reads"),
	N_("Reads that the L2 sent to memory. The sum over the slices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("L2 read misses"),
	/* xgettext:no-c-format */
	N_("Reads sent to memory for each read received. Arm prints the quotient upside down. Prefetches and reads that bypass the L2 let it pass 100 %; libGPUCounters divides by lookups."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("L2 writes"),
	N_("Writes that the L2 received from the parts of the GPU. The sum over the slices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Mem writes"),
	N_("Writes that the L2 sent to memory. The sum over the slices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("L2 write misses"),
	/* xgettext:no-c-format */
	N_("Writes sent to memory for each write received. Arm prints the quotient upside down. It can pass 100 %; libGPUCounters divides by lookups."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Mem read beats"),
	N_("Clocks in which a read beat came from memory. The sum over the slices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Mem read"),
	N_("the width of the external bus, which the driver tells"),
	N_("Bytes read from memory in the window. The sum over the slices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Read bus"),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("external read bus"),
	N_("Share of active clocks in which the read bus of a slice carried data, the average over the slices. Arm prints SC.GPU_ACTIVE for JM.GPU_ACTIVE."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Read stalls"),
	N_("Clocks in which memory did not take a read request. The sum over the slices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Mem write beats"),
	N_("Clocks in which a write beat went to memory. The sum over the slices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Mem written"),
	N_("Bytes written to memory in the window. The sum over the slices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Write bus"),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("external write bus"),
	N_("Share of active clocks in which the write bus of a slice carried data, the average over the slices. Arm prints SC.GPU_ACTIVE for JM.GPU_ACTIVE."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Write stalls"),
	N_("Clocks in which memory did not take a write request. The sum over the slices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Memory read"),
	N_("Bytes read from memory. The roof is what the buses of all slices carry at this clock; memory chips usually give less."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Memory write"),
	N_("Bytes written to memory. The roof is what the buses of all slices carry at this clock; reads have a bus of their own."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Read bus stalls"),
	N_("Share of active clocks in which memory did not take a read request of a slice, the average over the slices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Write bus stalls"),
	N_("Share of active clocks in which memory did not take a write request of a slice, the average over the slices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Core active"),
	N_("Share of active GPU clocks in which the programmable part of the core had a quad."),
	N_("Share of clocks of the active execution core in which the texture unit worked."),
	N_("Share of active GPU clocks with a fragment task in the core."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Compute tasks"),
	N_("Share of active GPU clocks with a compute or vertex task in the core."),
	N_("Instructions a second, for each execution engine."),
	N_("Fragment quads started in the window."),
	N_("Tiles rendered in the window."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Beats from mem"),
	N_("16-byte reads of the core that L2 had to fetch from memory."),
	N_("Share of active clocks in which the slice looked something up."),
	N_("Bytes that the slice read from memory."),
	N_("Bytes that the slice wrote to memory."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Early ZS kills"),
	N_("Share of rasterized quads that the early depth and stencil test removed: work that front-to-back order saves."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Overdraw kills"),
	N_("Share of rasterized quads that were hidden by an opaque one while they waited to be shaded."),
	N_("Share of rasterized quads that were removed after shading, so in vain, if the counter counts quads."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Transparent"),
	N_("Share of the quads left by the early test that do not hide what is behind them."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Shaded/pixel"),
	N_("Fragment threads shaded for each pixel: 1 is a picture without overdraw, and an idle thread of a quad counts as well."),
	N_("Share of tiles that were not written because nothing had changed."),
	N_("Single precision multiply-adds, two operations each, on all lanes of all engines in every clock."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("SP pair"),
	N_("The same with an addition in the other slot of every instruction: what flop_at_most cannot pass."),
	N_("One operation in the multiply-add slot, where a multiply-add has two."),
	N_("Reads of all cores from the L2: a beat of 16 bytes for each in every clock."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Memory bus"),
	N_("External buses of all slices, reads and writes at the same time. Memory chips usually give less."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Cores from L2"),
	N_("Bytes that the shader cores read from the L2: fragment front end, load/store, textures and others."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Memory total"),
	N_("Bytes read from and written to memory."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Tex 3D"),
	N_("Texture instructions that access a 3D texture. The average over the shader cores. G71 and G72 only."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Input prims"),
	N_("Primitives that come to the tiler, a second."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Tiler active"),
	N_("Clocks in which the tiler worked."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Points"),
	N_("Points that came to the tiler, before culling."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Lines"),
	N_("Lines that came to the tiler, before culling."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Triangles"),
	N_("Triangles that came to the tiler, before culling."),
	N_("Primitives that came to the tiler. libGPUCounters adds culled and visible ones instead."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Culled facing"),
	N_("Primitives culled because of the side that they show. On these GPUs those outside of the left, right, top and bottom planes count here, too (libGPUCounters, Mesa)."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Culled frustum"),
	N_("Primitives culled as out of sight: on these GPUs only by the near and the far plane (libGPUCounters, Mesa)."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Culled coverage"),
	N_("Triangles culled because they cover no sample point."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Visible prims"),
	N_("Primitives that survived all culling."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Facing culls"),
	N_("Share of input primitives that the facing test removed. Arm prints TI_INPUT_PRIMITIVES for TI.INPUT_PRIMITIVES."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Frustum culls"),
	N_("Share of the primitives left by the facing test that the frustum test removed. Arm prints TL.CULLED_FACING for TI.CULLED_FACING."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Coverage culls"),
	N_("Share of the primitives left by both tests that cover no sample: microtriangles. Arm prints CULLED_FRUSTUM as the numerator, which is the stage before."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Front facing"),
	N_("Visible triangles that show their front."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Back facing"),
	N_("Visible triangles that show their back."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Position shading"),
	N_("Groups of four vertices whose positions were shaded."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Varying shading"),
	N_("Groups of four vertices whose varyings were shaded: only those of visible primitives."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Tiler"),
	N_("Share of active GPU clocks in which the tiler worked."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("After facing"),
	N_("First step of the funnel: input primitives that the facing test leaves."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("After frustum"),
	N_("Second step of the funnel: input primitives that facing and frustum tests leave."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Visible"),
	N_("End of the funnel: input primitives that are seen. Half of a closed body is what to expect."),
	N_("Tiler overview"),
	N_("Queues, pipes of the shader cores, bandwidth, overdraw and culling: the counters of Arm's guide, by its names."),
	N_("Memory latency"),
	N_("Traffic of L2 and external bus, with the histograms of read latency and of transactions under way."),
	N_("Arm's libGPUCounters"),
	N_("All hardware counters and derived ones by the names of Arm's library, with its equations, sums over the cores."),
	N_("Share of clocks in which at least one pipe of the EU worked, for the EUs at one position of their subslices: the counter adds up all subslices. For the whole GPU it is the mean of the positions."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("EUs active"),
	N_("How many of the EUs at that position were so at a time, on the average: the same, where it is not known how many EUs a position has."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Map sees"),
	/* xgettext:no-c-format */
	N_("Activity that the eight positions add up to, over that of all EUs. 100 % where rows and EU numbers tell all EUs apart; slightly beside it because the counters are not read in the same clock."),
	N_("Share of clocks in which FPU0 (Gen12: ALU0) executed, for the EUs at one position of their subslices: the counter adds up all subslices. For the whole GPU it is the mean of the positions."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("FPU0s at work"),
	N_("Share of clocks in which FPU1 (Gen12: ALU1) executed, for the EUs at one position of their subslices: the counter adds up all subslices. For the whole GPU it is the mean of the positions."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("FPU1s at work"),
	N_("Share of clocks in which the send pipe passed a message, for the EUs at one position of their subslices: the counter adds up all subslices. For the whole GPU it is the mean of the positions."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Sends at work"),
	N_("Share of clocks in which threads were loaded and no pipe worked, for the EUs at one position of their subslices: the counter adds up all subslices. For the whole GPU it is the mean of the positions."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("EUs stalled"),
	N_("Share of the thread slots that hold a thread, for the EUs at one position of their subslices: the counter adds up all subslices."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Threads loaded"),
	N_("Threads that the EUs at that position held at a time, on the average."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Memory"),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("memory bandwidth"),
	N_("All bytes between the GPU and memory."),
	N_("Bytes that the GPU read from memory."),
	N_("Bytes that the GPU wrote to memory."),
	N_("Share of three-operand instructions (multiply-add, interpolation) in the busy clocks of all pipes."),
	N_("Share of two-operand instructions in the busy clocks of all pipes: additions and multiplications, but compares, shifts and logic too."),
	N_("Share of moves and conversions in the busy clocks of all pipes."),
	/* xgettext:no-c-format */
	N_("Share of messages in the busy clocks of all pipes. What is missing to 100 % has no type of its own: mathematical functions, hybrid and one-operand instructions."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Send starts"),
	N_("flexible EU events that count send starts"),
	N_("Messages that the EUs began to send. Send clocks over this is what a message costs the pipe."),
	N_("~ estimated from instruction types"),
	N_("roof at this clock"),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("ALU0 throughput"),
	N_("events of the vector engines"),
	/* xgettext:no-c-format */
	N_("Share of XVE clocks in which ALU0, the pipe for floating point, executed. At 100 % no more such instructions fit."),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("ALU1 throughput"),
	N_("Share of XVE clocks in which ALU1, the pipe for integers and mathematical functions, executed."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("ALU0 + ALU1"),
	N_("Share of XVE clocks in which both worked."),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("XMX throughput"),
	N_("Share of XVE clocks in which the matrix engine beside the vector engine executed."),
	N_("Share of XVE clocks in which a message to memory, sampler or another unit was passed."),
	N_("Pixel pipeline"),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Rasterized"),
	N_("Pixels that the rasterizer made, counted in blocks of 2x2: partly covered blocks count in full."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Hi-Z fails"),
	N_("Pixels dropped by the fast hierarchical depth test, counted in blocks of 2x2: partly covered blocks count in full."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Early Z fails"),
	N_("Pixels dropped by the depth test before the pixel shader, counted in blocks of 2x2: partly covered blocks count in full."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Killed in PS"),
	N_("Samples that pixel shaders threw away, counted in blocks of 2x2: partly covered blocks count in full."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Late fails"),
	N_("Pixels dropped by tests after the pixel shader, counted in blocks of 2x2: partly covered blocks count in full."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Written"),
	N_("Samples written to render targets, counted in blocks of 2x2: partly covered blocks count in full."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Blended"),
	N_("Samples blended with what was in the render target, counted in blocks of 2x2: partly covered blocks count in full."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Package"),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("package power"),
	N_("Power of the whole processor: GPU, cores, caches, memory controller. An open OA stream keeps the GPU out of RC6, so an idle GPU takes more while it is watched."),
	N_("Power of the GPU plane. Whether parts of the last-level cache are in it depends on the processor."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Cores"),
	N_("Power of the CPU cores."),
	N_("Power of the memory; many client parts do not have this plane."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Platform"),
	N_("Power of the platform as the board measures it; what it includes differs."),
	N_("FLOP and instruction types"),
	N_("What the FPUs executed, by type of instruction, and the upper bound of FLOP that follows."),
	N_("What ALU0 executed, by type of instruction, and the upper bound of FLOP that follows."),
	N_("Shader stages"),
	N_("For which shader stage the FPUs worked: vertex, hull, domain, geometry, pixel, compute."),
	N_("For which shader stage ALU0 and the EUs worked: vertex, hull, domain, geometry, pixel, compute."),
	N_("EU map: EU active"),
	N_("sums of all subslices"),
	N_("The eight positions of EUs in their subslices, for one event in one pass."),
	N_("EU map: EU stall"),
	N_("EU map: FPU0"),
	N_("EU map: FPU1"),
	N_("EU map: Send"),
	N_("EU map: Threads"),
	/* TRANSLATORS: at most 16 columns wide */
	N_("VS ALU0"),
	N_("Share of XVE clocks in which ALU0 executed for threads of vertex shaders."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("VS ALU1"),
	N_("Share of XVE clocks in which ALU1 executed for threads of vertex shaders."),
	N_("Share of XVE clocks in which a message was passed for threads of vertex shaders."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("PS ALU0"),
	N_("Share of XVE clocks in which ALU0 executed for threads of pixel shaders."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("PS ALU1"),
	N_("Share of XVE clocks in which ALU1 executed for threads of pixel shaders."),
	N_("Share of XVE clocks in which a message was passed for threads of pixel shaders."),
	N_("Single precision multiply-adds, two operations each, on all lanes of all EUs in every clock."),
	N_("Double precision multiply-adds on all lanes that have it. Unknown where the GPU has none."),
	N_("Shared local memory of all subslices."),
	N_("Data ports of all subslices to the L3."),
	N_("Reads and writes of the link to the rest of the chip together: one direction alone is full earlier."),
	N_("Does not follow the clock of the GPU."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("SLM total"),
	N_("Bytes from and to shared local memory."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Samplers"),
	N_("Share of clocks in which the busiest observed sampler worked, on Cherry View the mean of two. Only the first one or two samplers are observed."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Sampler stall"),
	N_("Share of clocks in which the busiest observed sampler held up the EUs. Only the first one or two samplers are observed."),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("SLM bandwidth"),
	N_("Reads of shared local memory, those of atomics included, 64 bytes each."),
	N_("Writes to shared local memory, those of atomics included, 64 bytes each."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Messages"),
	N_("Shader memory messages other than textures, render targets and shared local memory."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Atomics"),
	N_("Atomic messages. Atomics on shared local memory are missing before Gen12."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Barriers"),
	N_("Barrier messages. The manuals differ on whether each thread or each barrier counts."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Texels"),
	N_("Texels that the samplers were asked for, counted in blocks of 2x2."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Texel misses"),
	N_("Texels that were not in the samplers' own caches."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("SLM reads"),
	N_("Messages that read shared local memory."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("SLM writes"),
	N_("Messages that wrote shared local memory."),
	/* xgettext:no-c-format */
	N_("% of the FPUs' work"),
	N_("Share of vertex shader threads in what both FPUs executed."),
	N_("Share of hull shader threads in what both FPUs executed."),
	N_("Share of domain shader threads in what both FPUs executed."),
	N_("Share of geometry shader threads in what both FPUs executed."),
	N_("Share of pixel shader threads in what both FPUs executed."),
	N_("Share of compute shader threads in what both FPUs executed."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("HS FPU0"),
	N_("Share of EU clocks in which FPU0 worked for a hull shader thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("DS FPU0"),
	N_("Share of EU clocks in which FPU0 worked for a domain shader thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GS FPU0"),
	N_("Share of EU clocks in which FPU0 worked for a geometry shader thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("CS FPU0"),
	N_("Share of EU clocks in which FPU0 worked for a compute shader thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("HS FPU1"),
	N_("Share of EU clocks in which FPU1 worked for a hull shader thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("DS FPU1"),
	N_("Share of EU clocks in which FPU1 worked for a domain shader thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GS FPU1"),
	N_("Share of EU clocks in which FPU1 worked for a geometry shader thread."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("CS FPU1"),
	N_("Share of EU clocks in which FPU1 worked for a compute shader thread."),
	/* xgettext:no-c-format */
	N_("% of the same event of all stages"),
	N_("Share of vertex shader threads in what ALU0 executed."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("HS ALU0"),
	N_("Share of hull shader threads in what ALU0 executed."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("DS ALU0"),
	N_("Share of domain shader threads in what ALU0 executed."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GS ALU0"),
	N_("Share of geometry shader threads in what ALU0 executed."),
	N_("Share of pixel shader threads in what ALU0 executed."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("CS ALU0"),
	N_("Share of compute shader threads in what ALU0 executed."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("VS loaded"),
	N_("Share of the EUs' active clocks in which a vertex shader thread was loaded; several stages may be at once."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("HS loaded"),
	N_("Share of the EUs' active clocks in which a hull shader thread was loaded; several stages may be at once."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("DS loaded"),
	N_("Share of the EUs' active clocks in which a domain shader thread was loaded; several stages may be at once."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("GS loaded"),
	N_("Share of the EUs' active clocks in which a geometry shader thread was loaded; several stages may be at once."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("PS loaded"),
	N_("Share of the EUs' active clocks in which a pixel shader thread was loaded; several stages may be at once."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("CS loaded"),
	N_("Share of the EUs' active clocks in which a compute shader thread was loaded; several stages may be at once."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Scoreboard"),
	N_("Share of XVE clocks in which a loaded thread waited because a message has not come back: memory, mostly, or the sampler. Threads of one engine can wait for different reasons at once."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Result"),
	N_("Share of XVE clocks in which a loaded thread waited because the result of an earlier instruction is not there yet. Threads of one engine can wait for different reasons at once."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Message out"),
	N_("Share of XVE clocks in which a loaded thread waited because a message could not be sent yet. Threads of one engine can wait for different reasons at once."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Pipe in use"),
	N_("Share of XVE clocks in which a loaded thread waited because the pipe is in use. Threads of one engine can wait for different reasons at once."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Fetch"),
	N_("Share of XVE clocks in which a loaded thread waited because the next instruction is not there yet. Threads of one engine can wait for different reasons at once."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Barrier"),
	N_("Share of XVE clocks in which a loaded thread waited because other threads have not reached the barrier. Threads of one engine can wait for different reasons at once."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Control"),
	N_("Share of XVE clocks in which a loaded thread waited because a branch is not decided yet. Threads of one engine can wait for different reasons at once."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Pixel order"),
	N_("Share of XVE clocks in which a loaded thread waited because an earlier pixel thread of the same place is not through. Threads of one engine can wait for different reasons at once."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Other"),
	N_("Share of XVE clocks in which a loaded thread waited for something else. Threads of one engine can wait for different reasons at once."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Not waiting"),
	N_("EU stall sampling of the xe driver"),
	N_("Share of the samples in which a thread executed an instruction at that moment. The hardware looks at its threads at fixed distances in clocks; what it finds is counted for each instruction address, and added up here."),
	N_("Share of the samples in which a thread waited for a message to come back: memory, mostly, or the sampler. The hardware looks at its threads at fixed distances in clocks; what it finds is counted for each instruction address, and added up here."),
	N_("Share of the samples in which a thread waited for the result of an earlier instruction or for the accumulator. The hardware looks at its threads at fixed distances in clocks; what it finds is counted for each instruction address, and added up here."),
	N_("Share of the samples in which a thread waited for a message to be taken. The hardware looks at its threads at fixed distances in clocks; what it finds is counted for each instruction address, and added up here."),
	N_("Share of the samples in which a thread waited because the pipe was in use. The hardware looks at its threads at fixed distances in clocks; what it finds is counted for each instruction address, and added up here."),
	N_("Share of the samples in which a thread waited for the next instruction. The hardware looks at its threads at fixed distances in clocks; what it finds is counted for each instruction address, and added up here."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Synchronisation"),
	N_("Share of the samples in which a thread waited at a barrier or another synchronisation. The hardware looks at its threads at fixed distances in clocks; what it finds is counted for each instruction address, and added up here."),
	N_("Share of the samples in which a thread waited after a branch or another control instruction. The hardware looks at its threads at fixed distances in clocks; what it finds is counted for each instruction address, and added up here."),
	N_("Share of the samples in which a thread waited for what the kernel calls TDR. The hardware looks at its threads at fixed distances in clocks; what it finds is counted for each instruction address, and added up here."),
	N_("Share of the samples in which a thread waited for something else. The hardware looks at its threads at fixed distances in clocks; what it finds is counted for each instruction address, and added up here."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Samples"),
	N_("Samples of EU threads in a second, of all Xe cores."),
	N_("Self-test of the OA unit"),
	N_("Intel's set of this name: B counters at fixed ratios of the clock. It tells whether register lists arrive and reports are read right."),
	N_("Threads dispatched for compute kernels. Gen12 counts pairs of EUs that run together as one."),
	N_("Threads dispatched for vertex shaders. Gen12 counts pairs of EUs that run together as one."),
	N_("Threads dispatched for hull shaders. Gen12 counts pairs of EUs that run together as one."),
	N_("Threads dispatched for domain shaders. Gen12 counts pairs of EUs that run together as one."),
	N_("Threads dispatched for geometry shaders. Gen12 counts pairs of EUs that run together as one."),
	N_("Threads dispatched for pixel shaders. Gen12 counts pairs of EUs that run together as one."),
	N_("Instruction types"),
	/* xgettext:no-c-format */
	N_("% of ALU0's clocks"),
	/* TRANSLATORS: at most 16 columns wide */
	N_("ALU0 hybrid"),
	N_("Share of ALU0's busy clocks that went to hybrid instructions (the manual calls them unreliable with 64-bit immediates)."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("ALU0 mad"),
	N_("Share of ALU0's busy clocks that went to three-operand instructions: multiply-add, interpolation."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("ALU0 add/mul"),
	N_("Share of ALU0's busy clocks that went to two-operand instructions: additions and multiplications, but compares, shifts and logic too."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("ALU0 mov"),
	N_("Share of ALU0's busy clocks that went to moves and conversions."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("ALU0 other"),
	N_("Share of ALU0's busy clocks of no counted type."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Types see"),
	N_("ALU0 clocks that a counter without an EU number sees, over those of all EUs: what the manual leaves open. The rates below are scaled by it."),
	N_("Upper bound of the single precision operations of the whole GPU in a clock: it takes every lane as on, every instruction as float and single precision."),
	N_("Upper bound as SP total, per second, against the peak at the clock of this window."),
	N_("Share of XVE clocks in which single precision instructions executed, moves and conversions among them."),
	N_("Share of XVE clocks in which half precision instructions executed, moves and conversions among them."),
	N_("Share of XVE clocks in which double precision instructions executed, moves and conversions among them."),
	N_("The GPU cannot have done more single precision operations on its vector engines in a clock than this: additions do half of it, moves none, and lanes may be off. XMX work is not in it."),
	/* xgettext:no-c-format */
	N_("% of the FPU's clocks"),
	/* TRANSLATORS: at most 16 columns wide */
	N_("FPU0 hybrid"),
	N_("Share of FPU0's busy clocks that went to hybrid instructions (the manual calls them unreliable with 64-bit immediates)."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("FPU0 mad"),
	N_("Share of FPU0's busy clocks that went to three-operand instructions: multiply-add, interpolation."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("FPU0 add/mul"),
	N_("Share of FPU0's busy clocks that went to two-operand instructions: additions and multiplications, but compares, shifts and logic too."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("FPU0 mov"),
	N_("Share of FPU0's busy clocks that went to moves and conversions."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("FPU0 other"),
	N_("Share of FPU0's busy clocks of no counted type: mathematical functions, one-operand instructions."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("FPU1 hybrid"),
	N_("Share of FPU1's busy clocks that went to hybrid instructions (the manual calls them unreliable with 64-bit immediates)."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("FPU1 mad"),
	N_("Share of FPU1's busy clocks that went to three-operand instructions: multiply-add, interpolation."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("FPU1 add/mul"),
	N_("Share of FPU1's busy clocks that went to two-operand instructions: additions and multiplications, but compares, shifts and logic too."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("FPU1 mov"),
	N_("Share of FPU1's busy clocks that went to moves and conversions."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("FPU1 other"),
	N_("Share of FPU1's busy clocks of no counted type: mathematical functions, one-operand instructions."),
	N_("Share of XVE clocks in which 32-bit integer instructions executed, moves and conversions among them."),
	N_("Share of XVE clocks in which 16-bit integer instructions executed, moves and conversions among them."),
	N_("transfers read through GTI, of 128 bytes, on Meteor Lake of 32"),
	N_("transfers written through GTI, of 128 bytes, on Meteor Lake of 32"),
	N_("Utilization of the vector engines, instructions by type, shader traffic: needs no routing of signals."),
	N_("Intel's set of this name: vector engines by stage, one sampler, pixel pipeline, GTI traffic."),
	N_("Intel's set of this name: activity and occupancy of the vector engines, types of numbers, GTI traffic."),
	N_("Activity and occupancy of the vector engines, GTI traffic, with Intel's programming of ComputeBasic."),
	N_("Intel's set of this name: activity and occupancy of the vector engines, GTI traffic."),
	N_("Utilization of the vector engines, instructions by type, caches and memory: our own choice of events."),
	N_("What the threads wait for: each reason as an event of the OA unit, and as the share of samples where the kernel samples stalls."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("XVE active"),
	N_("Share of XVE clocks in which at least one pipe of the engine worked, averaged over all of them."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("XVE stall"),
	N_("Share of XVE clocks in which threads were loaded and no pipe worked: they wait for memory, the sampler or each other."),
	/* TRANSLATORS: at most 16 columns wide */
	N_("XVE idle"),
	N_("Share of XVE clocks without a loaded thread. Slightly below 0 is possible: the counters are not read in the same clock."),
};
