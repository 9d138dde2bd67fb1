/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of PMUs. Types are numbers that the kernel would give out; the core PMU's is
 * PERF_TYPE_RAW. */
#include "config.h"

#include "tests/fakekernel/perf_pmus.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fakekernel/pmc_amd.h"

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

struct fake_load fake_load_turns(double turns)
{
	struct fake_load l = { .instructions = 3 * turns + 42101, .cycles = turns, .burst = 16 };

	l.fp[FP_256_SP] = turns;
	return l;
}

/* --- Intel's core PMU --- */

static double intel_count(const struct fake_pmu *p, uint64_t config, const struct fake_load *l)
{
	double sum = 0;

	(void)p;
	if ((config & 0xff) != 0xc7)
		return -1;
	for (int i = 0; i < FP_CLASSES; i++)
		sum += config >> (8 + i) & 1 ? l->fp[i] : 0;
	return sum;
}

/* Cycles and instructions have counters of their own. */
static int intel_cost(uint64_t config)
{
	return config == 0x3c || config == 0xc0 ? 0 : 1;
}

/* The slots of the pipeline and what becomes of them share a counter of their own, and are a group that
 * the slots lead (Linux arch/x86/events/intel/core.c, intel_pmu_hw_config). */
#define SLOTS 0x400

static bool is_of_slots(uint64_t config)
{
	return config == SLOTS || ((config & 0xff) == 0 && config >= 0x8000 && config <= 0x8300);
}

static int topdown_cost(uint64_t config)
{
	return is_of_slots(config) ? 0 : intel_cost(config);
}

static uint64_t topdown_leader(uint64_t config)
{
	return is_of_slots(config) && config != SLOTS ? SLOTS : 0;
}

/* --- efficient cores of Intel: event 0xc8 counts operations --- */

static double flops(const struct fake_load *l, bool sp, bool scalar, bool packed);

static double atom_count(const struct fake_pmu *p, uint64_t config, const struct fake_load *l)
{
	double sum = 0;

	(void)p;
	if ((config & 0xff) != 0xc8)
		return -1;
	if (config >> 8 & 1)
		sum += flops(l, false, true, true);
	if (config >> 8 & 2)
		sum += flops(l, true, true, true);
	return sum;
}

/* --- Arm's cores with FP_FIXED_OPS_SPEC (0x80c1) and FP_SCALE_OPS_SPEC (0x80c0): packed operations are those
 * of scalable vectors here, of which an instruction of eight floats does two parts of 128 bits --- */

#define SVE_PARTS 2

static double sve_count(const struct fake_pmu *p, uint64_t config, const struct fake_load *l)
{
	(void)p;
	switch (config) {
	case 0x80c1:
		return flops(l, true, true, false) + flops(l, false, true, false);
	case 0x80c0:
		return (flops(l, true, false, true) + flops(l, false, false, true)) / SVE_PARTS;
	case 0x80c5:
		return flops(l, true, true, false);
	case 0x80c4:
		return flops(l, true, false, true) / SVE_PARTS;
	case 0x80c7:
		return flops(l, false, true, false);
	case 0x80c6:
		return flops(l, false, false, true) / SVE_PARTS;
	default:
		return -1;
	}
}

/* --- AMD's core PMU --- */

static double flops(const struct fake_load *l, bool sp, bool scalar, bool packed)
{
	static const int lanes[FP_CLASSES] = { 1, 1, 2, 4, 4, 8, 8, 16 };
	double sum = 0;

	for (int i = 0; i < FP_CLASSES; i++)
		if ((i % 2 == 1) == sp && (i < FP_128_DP ? scalar : packed))
			sum += lanes[i] * l->fp[i];
	return sum;
}

/* Umasks of event 0x003 by family (Linux tools/perf/pmu-events/arch/x86/amdzen1 to 5,
 * floating-point.json). Bit 0 of each nibble is addition, all that a load does. */
static double amd_flops(const char *family, unsigned umask, const struct fake_load *l)
{
	unsigned type = umask >> 5;
	double sum = 0;

	if (!strcmp(family, "zen1"))
		return (umask & 0x01 ? flops(l, true, true, true) : 0) +
			(umask & 0x10 ? flops(l, false, true, true) : 0);
	if (!(umask & 0x01))
		return 0;
	if (strcmp(family, "zen5") != 0)
		return flops(l, true, true, true) + flops(l, false, true, true);
	if (type == 0 || type == 2 || type == 3)
		sum += flops(l, true, type != 3, type != 2);
	if (type == 0 || type == 4 || type == 5)
		sum += flops(l, false, type != 5, type != 4);
	return sum;
}

/* What is left of it where the kernel programs no Merge event. */
static double without_merge(double n, double burst)
{
	const struct pmc_amd_cycle cycle = { .flops = (unsigned)burst };
	struct pmc_amd pmc = { .ctl = { 0x510f03 } };

	pmc_amd_run(&pmc, &cycle, 1, (uint64_t)(n / burst));
	return (double)pmc_amd_read(&pmc, 0);
}

#define EVENT_OPS_RETIRED 0xc1
#define EVENT_OPS_DISPATCHED 0xaa
#define EVENT_NO_DISPATCH 0x1a0

/* Dispatch slots (Linux tools/perf/pmu-events/arch/x86/amdzen4 and amdzen5, pipeline.json): six or
 * eight in a cycle. A load retires an instruction in each cycle that event 0x76 counts, and an operation
 * for each instruction; for two that retire one is thrown away, half a slot of a cycle gets none, and
 * the rest waits. */
static double amd_slots(
	const struct fake_pmu *p, unsigned event, unsigned umask, const struct fake_load *l)
{
	double width = strcmp(p->variant, "zen5") ? 6 : 8;
	double cycles = l->instructions, dispatched = 1.5 * cycles, empty = cycles / 2;

	if (event == EVENT_OPS_RETIRED)
		return l->instructions;
	if (event == EVENT_OPS_DISPATCHED)
		return umask == 0x07 ? dispatched : 0;
	if (umask == 0x01)
		return empty;
	return umask == 0x1e ? width * cycles - dispatched - empty : 0;
}

static double amd_count(const struct fake_pmu *p, uint64_t config, const struct fake_load *l)
{
	unsigned event = pmc_amd_event(config);
	double n;

	if (event == EVENT_OPS_RETIRED || event == EVENT_OPS_DISPATCHED || event == EVENT_NO_DISPATCH)
		return amd_slots(p, event, config >> 8 & 0xff, l);
	if (pmc_amd_event(config) != PMC_AMD_FLOPS)
		return -1;
	n = amd_flops(p->variant, config >> 8 & 0xff, l);
	return l->no_merge && l->burst > 0 ? without_merge(n, l->burst) : n;
}

static int amd_cost(uint64_t config)
{
	return pmc_amd_event(config) == PMC_AMD_FLOPS ? 2 : 1;
}

/* --- rows --- */

#define JOULES "2.3283064365386962890625e-10"
#define MIB "6.103515625e-5"

static const struct fake_format event8[] = { { "event", "config:0-7" }, { NULL, NULL } };
static const struct fake_format event_umask[] = { { "event", "config:0-7" },
	{ "umask", "config:8-15" }, { NULL, NULL } };
static const struct fake_format intel_formats[] = { { "event", "config:0-7" },
	{ "umask", "config:8-15" }, { "edge", "config:18" }, { "inv", "config:23" },
	{ "cmask", "config:24-31" }, { NULL, NULL } };
static const struct fake_format amd_formats[] = { { "event", "config:0-7,32-35" },
	{ "umask", "config:8-15" }, { "edge", "config:18" }, { "inv", "config:23" },
	{ "cmask", "config:24-31" }, { NULL, NULL } };
static const struct fake_format msr_formats[] = { { "event", "config:0-63" }, { NULL, NULL } };

/* Linux arch/x86/events/rapl.c. */
static const struct fake_event power_events[] = {
	{ "energy-cores", "event=0x01", 1, 6, JOULES, "Joules" },
	{ "energy-pkg", "event=0x02", 2, 15, JOULES, "Joules" },
	{ "energy-ram", "event=0x03", 3, 1.5, JOULES, "Joules" },
	{ "energy-gpu", "event=0x04", 4, 5, JOULES, "Joules" },
	{ "energy-psys", "event=0x05", 5, 20, JOULES, "Joules" },
	{ 0 }
};
static const struct fake_event power_amd_events[] = {
	{ "energy-pkg", "event=0x02", 2, 65, JOULES, "Joules" }, { 0 }
};

/* arch/x86/events/intel/uncore_snb.c. */
static const struct fake_event imc_events[] = {
	{ "data_reads", "event=0x01", 1, 10240, MIB, "MiB" },
	{ "data_writes", "event=0x02", 2, 4096, MIB, "MiB" },
	{ "gt_requests", "event=0x03", 3, 8192, MIB, "MiB" },
	{ "ia_requests", "event=0x04", 4, 3072, MIB, "MiB" },
	{ "io_requests", "event=0x05", 5, 64, MIB, "MiB" },
	{ 0 }
};
static const struct fake_event free_running_events[] = {
	{ "data_total", "event=0xff,umask=0x10", 0x10ff, 7168, MIB, "MiB" },
	{ "data_read", "event=0xff,umask=0x20", 0x20ff, 5120, MIB, "MiB" },
	{ "data_write", "event=0xff,umask=0x30", 0x30ff, 2048, MIB, "MiB" },
	{ 0 }
};
/* arch/x86/events/intel/uncore_snbep.c: a controller of an Ice Lake server and its two channels
 * tell the same traffic; Granite Rapids has events for each of two schedulers. */
static const struct fake_event free_running_server[] = {
	{ "read", "event=0xff,umask=0x20", 0x20ff, 6144, MIB, "MiB" },
	{ "write", "event=0xff,umask=0x30", 0x30ff, 2048, MIB, "MiB" },
	{ 0 }
};
static const struct fake_event cas_events[] = {
	{ "cas_count_read", "event=0x04,umask=0x0f", 0x0f04, 3072, MIB, "MiB" },
	{ "cas_count_write", "event=0x04,umask=0x30", 0x3004, 1024, MIB, "MiB" },
	{ 0 }
};
static const struct fake_event cas_sch_events[] = {
	{ "cas_count_read_sch0", "event=0x05,umask=0xcf", 0xcf05, 2048, MIB, "MiB" },
	{ "cas_count_read_sch1", "event=0x06,umask=0xcf", 0xcf06, 1024, MIB, "MiB" },
	{ "cas_count_write_sch0", "event=0x05,umask=0xf0", 0xf005, 512, MIB, "MiB" },
	{ "cas_count_write_sch1", "event=0x06,umask=0xf0", 0xf006, 512, MIB, "MiB" },
	{ 0 }
};
/* Eight DRAM channels of Zen 3: amdzen3/data-fabric.json. */
static const struct fake_event df_events[] = {
	{ "", NULL, 0x3807, 1e6, NULL, NULL }, { "", NULL, 0x3847, 1e6, NULL, NULL }, { "", NULL, 0x3887, 1e6, NULL, NULL },
	{ "", NULL, 0x38c7, 1e6, NULL, NULL }, { "", NULL, 0x100003807, 1e6, NULL, NULL },
	{ "", NULL, 0x100003847, 1e6, NULL, NULL }, { "", NULL, 0x100003887, 1e6, NULL, NULL },
	{ "", NULL, 0x1000038c7, 1e6, NULL, NULL },
	{ 0 }
};
/* arch/x86/events/msr.c. */
static const struct fake_event msr_events[] = {
	{ "tsc", "event=0x00", 0, 2.4e9, NULL, NULL },
	{ "aperf", "event=0x01", 1, 3e9, NULL, NULL },
	{ "mperf", "event=0x02", 2, 2.4e9, NULL, NULL },
	{ 0 }
};
static const struct fake_event intel_events[] = {
	{ "cpu-cycles", "event=0x3c", 0x3c, 3e9, NULL, NULL },
	{ "instructions", "event=0xc0", 0xc0, 3e9, NULL, NULL },
	{ 0 }
};
/* Five slots in each clock of Ice Lake: of twenty four retire, two are thrown away, one stays empty and
 * thirteen wait. */
static const struct fake_event topdown_events[] = {
	{ "cpu-cycles", "event=0x3c", 0x3c, 3e9, NULL, NULL },
	{ "instructions", "event=0xc0", 0xc0, 3e9, NULL, NULL },
	{ "slots", "event=0x00,umask=0x4", SLOTS, 15e9, NULL, NULL },
	{ "topdown-retiring", "event=0x00,umask=0x80", 0x8000, 3e9, NULL, NULL },
	{ "topdown-bad-spec", "event=0x00,umask=0x81", 0x8100, 1.5e9, NULL, NULL },
	{ "topdown-fe-bound", "event=0x00,umask=0x82", 0x8200, 0.75e9, NULL, NULL },
	{ "topdown-be-bound", "event=0x00,umask=0x83", 0x8300, 9.75e9, NULL, NULL },
	{ 0 }
};
static const struct fake_event no_events[] = { { 0 } };
static const struct fake_event atom_events[] = {
	{ "cpu-cycles", "event=0x3c", 0x3c, 2e9, NULL, NULL },
	{ "instructions", "event=0xc0", 0xc0, 1e9, NULL, NULL },
	{ 0 }
};
/* Servers of such cores alone, of six slots in a clock: of twenty-four, ten retire, two are thrown away, three stay empty and
 * nine wait (Linux arch/x86/events/intel/core.c, cmt_events_attrs). */
static const struct fake_event crestmont_events[] = {
	{ "cpu-cycles", "event=0x3c", 0x3c, 2e9, NULL, NULL },
	{ "instructions", "event=0xc0", 0xc0, 3e9, NULL, NULL },
	{ "topdown-retiring", "event=0x72,umask=0x0", 0x72, 5e9, NULL, NULL },
	{ "topdown-bad-spec", "event=0x73,umask=0x0", 0x73, 1e9, NULL, NULL },
	{ "topdown-fe-bound", "event=0x71,umask=0x0", 0x71, 1.5e9, NULL, NULL },
	{ "topdown-be-bound", "event=0x74,umask=0x0", 0x74, 4.5e9, NULL, NULL },
	{ 0 }
};
/* Linux drivers/perf/arm_pmuv3.c. Six slots in a clock: a quarter of them without an operation, of which a
 * third for want of instructions; of the others nine in ten retire. */
static const struct fake_format arm_formats[] = { { "event", "config:0-15" }, { NULL, NULL } };
#define ARM_EVENTS(hz) \
	{ "cpu_cycles", "event=0x0011", 0x11, hz, NULL, NULL }, \
	{ "inst_retired", "event=0x0008", 0x08, 1.5 * (hz), NULL, NULL }
static const struct fake_event a76_events[] = { ARM_EVENTS(2.4e9), { 0 } };
static const struct fake_event a55_events[] = { ARM_EVENTS(1.8e9), { 0 } };
static const struct fake_event neoverse_events[] = {
	ARM_EVENTS(3e9),
	{ "stall_slot", "event=0x003f", 0x3f, 4.5e9, NULL, NULL },
	{ "stall_slot_frontend", "event=0x003e", 0x3e, 1.5e9, NULL, NULL },
	{ "stall_slot_backend", "event=0x003d", 0x3d, 3e9, NULL, NULL },
	{ "op_retired", "event=0x003a", 0x3a, 9e9, NULL, NULL },
	{ "op_spec", "event=0x003b", 0x3b, 10e9, NULL, NULL },
	{ 0 }
};
static const struct fake_event amd_events[] = {
	{ "cpu-cycles", "event=0x76", 0x76, 3e9, NULL, NULL },
	{ "instructions", "event=0xc0", 0xc0, 3e9, NULL, NULL },
	{ 0 }
};

/* Linux i915_pmu.c; a class and an instance are in bits 12 to 19 and 4 to 11, what is sampled
 * below. Rates are the model's. */
#define ENGINE(name, class, busy) \
	{ name "-busy", "config=0x" #class "000", 0x##class##000, busy, NULL, "ns" }, \
	{ name "-wait", "config=0x" #class "001", 0x##class##001, 0, NULL, "ns" }, \
	{ name "-sema", "config=0x" #class "002", 0x##class##002, 0, NULL, "ns" }
static const struct fake_format i915_formats[] = { { "i915_eventid", "config:0-20" },
	{ NULL, NULL } };
static const struct fake_event i915_events[] = {
	{ "actual-frequency", "config=0x100000", FAKE_I915_OTHER, 1050, NULL, "M" },
	{ "requested-frequency", "config=0x100001", FAKE_I915_OTHER + 1, 1050, NULL, "M" },
	{ "interrupts", "config=0x100002", FAKE_I915_OTHER + 2, 1000, NULL, NULL },
	{ "rc6-residency", "config=0x100003", FAKE_I915_OTHER + 3, 0, NULL, "ns" },
	ENGINE("rcs0", 0, 1e9), ENGINE("bcs0", 1, 0), ENGINE("vcs0", 2, 0), ENGINE("vecs0", 3, 0),
	{ 0 }
};

/* Linux xe_pmu.c: event, instance and class of the engine, GT. A render and two video engines;
 * ticks are of the GT's clock. */
#define XE_TICKS 19.2e6
static const struct fake_format xe_formats[] = { { "event", "config:0-11" },
	{ "engine_instance", "config:12-19" }, { "engine_class", "config:20-27" },
	{ "gt", "config:60-63" }, { NULL, NULL } };
static const struct fake_event xe_events[] = {
	{ "engine-active-ticks", "event=0x02", 2, 0.7 * XE_TICKS, NULL, NULL },
	{ "engine-total-ticks", "event=0x03", 3, XE_TICKS, NULL, NULL },
	{ "", NULL, 0x200002, 0.3 * XE_TICKS, NULL, NULL }, { "", NULL, 0x200003, XE_TICKS, NULL, NULL },
	{ "", NULL, 0x201002, 0.1 * XE_TICKS, NULL, NULL }, { "", NULL, 0x201003, XE_TICKS, NULL, NULL },
	{ "", NULL, 0x202002, 0.1 * XE_TICKS, NULL, NULL }, { "", NULL, 0x202003, XE_TICKS, NULL, NULL },
	{ "", NULL, 0x1000000000200002, 0.2 * XE_TICKS, NULL, NULL }, { "", NULL, 0x1000000000200003, XE_TICKS, NULL, NULL },
	{ "", NULL, 0x1000000000302002, 0.4 * XE_TICKS, NULL, NULL }, { "", NULL, 0x1000000000302003, XE_TICKS, NULL, NULL },
	{ 0 }
};

/* Linux arch/x86/events/amd/uncore.c: a memory controller of Zen 4 and later; event 0x0a counts lines, read
 * (1) or written (2). */
static const struct fake_format umc_formats[] = { { "event", "config:0-7" },
	{ "rdwrmask", "config:8-9" }, { NULL, NULL } };
static const struct fake_event umc_events[] = { { "", NULL, 0x10a, 5e7, NULL, NULL },
	{ "", NULL, 0x20a, 2e7, NULL, NULL }, { 0 } };

/* Other engines of the driver's list: the second of a class is busy for a tenth of the time, the third for two, and nothing waits. */
static double count_i915(const struct fake_pmu *p, uint64_t config, const struct fake_load *l)
{
	(void)p;
	(void)l;
	if (config & FAKE_I915_OTHER || (config & 0xf) > 2)
		return -1;
	return config & 0xf ? 0 : 1e8 * (double)(config >> 4 & 0xff);
}

/* The other engines of the driver's list do nothing; perf.c refuses those that are not in it. */
static double count_xe(const struct fake_pmu *p, uint64_t config, const struct fake_load *l)
{
	(void)p;
	(void)l;
	if ((config & 0xfff) == 3)
		return XE_TICKS;
	return (config & 0xfff) == 2 ? 0 : -1;
}

/* Programmable controllers of Lunar Lake, whose events have no names in the kernel (Linux
 * tools/perf/pmu-events/arch/x86/lunarlake, uncore-memory.json), and of Panther Lake, which tells chunks of 32 bytes
 * beside commands (pantherlake, uncore-memory.json). */
static const struct fake_event lnl_imc_events[] = { { "", NULL, 0x22, 5e7, NULL, NULL },
	{ "", NULL, 0x23, 2e7, NULL, NULL }, { 0 } };
static const struct fake_event ptl_imc_events[] = { { "", NULL, 0x22, 9e7, NULL, NULL },
	{ "", NULL, 0x23, 9e7, NULL, NULL }, { "", NULL, 0x3a, 1e8, NULL, NULL },
	{ "", NULL, 0x3b, 4e7, NULL, NULL }, { 0 } };

/* Linux drivers/perf/arm-cmn.c: a mesh of Arm, with home nodes of two kinds; arm_cspmu/nvidia_cspmu.c: the fabric of a
 * Grace, of whose events the first counts beats of 32 bytes. */
static const struct fake_format cmn_formats[] = { { "type", "config:0-15" }, { "eventid", "config:16-26" },
	{ "occupid", "config:27-30" }, { NULL, NULL } };
static const struct fake_event cmn_events[] = {
	{ "hnf_mc_reqs", "type=0x5,eventid=0xd", 0xd0005, 4e7, NULL, NULL }, { 0 }
};
static const struct fake_event cmn_s3_events[] = {
	{ "hns_mc_reqs_local_all", "type=0x200,eventid=0xd,occupid=0x0", 0xd0200, 3e7, NULL, NULL }, { 0 }
};
static const struct fake_format scf_formats[] = { { "event", "config:0-63" }, { NULL, NULL } };
static const struct fake_event scf_events[] = {
	{ "cmem_rd_data", "event=0x1a5", 0x1a5, 3e8, NULL, NULL },
	{ "cmem_wr_total_bytes", "event=0x1db", 0x1db, 4e9, NULL, NULL },
	{ 0 }
};

#define CORE_TYPE 4	/* PERF_TYPE_RAW */
#define AMD(name) { "cpu", name, CORE_TYPE, NULL, 6, amd_formats, amd_events, amd_count, amd_cost, NULL, NULL, 0 }

const struct fake_pmu fake_pmus[] = {
	{ "cpu", "intel", CORE_TYPE, NULL, 4, intel_formats, intel_events, intel_count, intel_cost, NULL, NULL, 0 },
	{ "cpu", "topdown", CORE_TYPE, NULL, 4, intel_formats, topdown_events, intel_count, topdown_cost, topdown_leader, NULL, 0 },
	{ "cpu", "crestmont", CORE_TYPE, NULL, 8, intel_formats, crestmont_events, atom_count, intel_cost, NULL, NULL, 0 },
	{ "cpu_core", NULL, CORE_TYPE, NULL, 8, intel_formats, topdown_events, intel_count, topdown_cost, topdown_leader, "0", 0 },
	{ "cpu_atom", NULL, 10, NULL, 6, intel_formats, atom_events, atom_count, intel_cost, NULL, "1", 0 },
	{ "cpu_atom", "offline", 10, NULL, 6, intel_formats, atom_events, atom_count, intel_cost, NULL, "", 0 },
	{ "armv8_cortex_a55", NULL, 11, NULL, 6, arm_formats, a55_events, NULL, NULL, NULL, "0", 0 },
	{ "armv8_cortex_a76", NULL, 12, NULL, 6, arm_formats, a76_events, NULL, NULL, NULL, "1", 0 },
	{ "armv8_pmuv3_0", NULL, 13, NULL, 6, arm_formats, neoverse_events, sve_count, NULL, NULL, "0-1", 6 },
	AMD("zen1"), AMD("zen2"), AMD("zen4"), AMD("zen5"),
	{ "msr", NULL, 9, NULL, 0, msr_formats, msr_events, NULL, NULL, NULL, NULL, 0 },
	{ "power", "intel", 21, "0", 0, event8, power_events, NULL, NULL, NULL, NULL, 0 },
	{ "power", "amd", 21, "0", 0, event8, power_amd_events, NULL, NULL, NULL, NULL, 0 },
	{ "uncore_imc", NULL, 22, "0", 0, event8, imc_events, NULL, NULL, NULL, NULL, 0 },
	{ "uncore_imc_free_running_0", NULL, 23, "0", 0, event_umask, free_running_events, NULL, NULL, NULL, NULL, 0 },
	{ "uncore_imc_free_running_1", NULL, 24, "0", 0, event_umask, free_running_events, NULL, NULL, NULL, NULL, 0 },
	{ "uncore_imc_free_running_0", "icx", 26, "0", 0, event_umask, free_running_server, NULL, NULL, NULL, NULL, 0 },
	{ "uncore_imc_0", "icx", 27, "0", 4, event_umask, cas_events, NULL, NULL, NULL, NULL, 0 },
	{ "uncore_imc_1", "icx", 28, "0", 4, event_umask, cas_events, NULL, NULL, NULL, NULL, 0 },
	{ "uncore_imc_0", "gnr", 29, "0", 4, event_umask, cas_sch_events, NULL, NULL, NULL, NULL, 0 },
	{ "uncore_imc_1", "gnr", 30, "0", 4, event_umask, cas_sch_events, NULL, NULL, NULL, NULL, 0 },
	{ "uncore_imc_0", "lnl", 35, "0", 5, event_umask, lnl_imc_events, NULL, NULL, NULL, NULL, 0 },
	{ "uncore_imc_1", "lnl", 36, "0", 5, event_umask, lnl_imc_events, NULL, NULL, NULL, NULL, 0 },
	{ "uncore_imc_0", "ptl", 35, "0", 5, event_umask, ptl_imc_events, NULL, NULL, NULL, NULL, 0 },
	{ "arm_cmn_0", NULL, 37, "0", 4, cmn_formats, cmn_events, NULL, NULL, NULL, NULL, 0 },
	{ "arm_cmn_1", NULL, 38, "1", 4, cmn_formats, cmn_s3_events, NULL, NULL, NULL, NULL, 0 },
	{ "arm_cmn_0", "offline", 37, "", 4, cmn_formats, cmn_events, NULL, NULL, NULL, NULL, 0 },
	{ "nvidia_scf_pmu_0", NULL, 39, "0", 6, scf_formats, scf_events, NULL, NULL, NULL, NULL, 0 },
	{ "nvidia_scf_pmu_1", NULL, 40, "1", 6, scf_formats, scf_events, NULL, NULL, NULL, NULL, 0 },
	{ "cpu_atom", "mute", 41, NULL, 6, intel_formats, no_events, NULL, NULL, NULL, "1", 0 },
	{ "xe_0000_00_02.0", NULL, 19, "0", 0, xe_formats, xe_events, count_xe, NULL, NULL, NULL, 0 },
	{ "i915", NULL, 18, "0", 0, i915_formats, i915_events, count_i915, NULL, NULL, NULL, 0 },
	{ "amd_df", NULL, 25, "0", 4, amd_formats, df_events, NULL, NULL, NULL, NULL, 0 },
	{ "amd_umc_0", NULL, 33, "0", 4, umc_formats, umc_events, NULL, NULL, NULL, NULL, 0 },
	{ "amd_umc_1", NULL, 34, "0", 4, umc_formats, umc_events, NULL, NULL, NULL, NULL, 0 },
};
const size_t fake_pmu_count = ARRAY_LEN(fake_pmus);

const struct fake_pmu *fake_pmu_by_name(const char *name, const char *variant)
{
	for (size_t i = 0; i < fake_pmu_count; i++)
		if (!strcmp(fake_pmus[i].name, name) &&
			(!variant ||
				(fake_pmus[i].variant && !strcmp(fake_pmus[i].variant, variant))))
			return &fake_pmus[i];
	return NULL;
}

const struct fake_event *fake_pmu_event(const struct fake_pmu *p, uint64_t config)
{
	for (const struct fake_event *e = p->events; e->name; e++)
		if (e->config == config)
			return e;
	return NULL;
}

double fake_event_counts_per_unit(const struct fake_event *e)
{
	return e->scale ? 1 / strtod(e->scale, NULL) : 1;
}
