/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model of what lies behind the send pipe: data port, L3, GTI and DRAM.
 *
 * Modelled (H. Duarte, Performance Analysis of Intel Gen9.5, 2018, ch. 2.1 and 4.3; S. Junkins, The
 * Compute Architecture of Intel Processor Graphics Gen9, 2015): memory is moved in lines of 64
 * bytes only, also where a lane wants 4 of them; each subslice has a data port of
 * l3_bytes_per_cycle to the L3, shared by reads and writes; L3 misses go through the GTI, which all
 * subslices share, to the DRAM, whose limit does not follow the GPU clock. A message moves at most
 * 16 bytes a lane (four dwords), so vectors wider than that need several messages whose lanes lie
 * further apart: lines are fetched again and again, and every further message costs 64-bit address
 * arithmetic and moves to pack or unpack its payload.
 * Fitted: the data port loses 0.75 cycles when it changes from reading to writing, so that a copy of
 * vectors of 4 reaches the thesis' 191.99 GB/s (ch. 5). Assumed: latencies; 85 % of the DRAM's peak
 * is reachable.
 * A copy of vectors of 8 is slower than one of scalars here, while the thesis names only vectors of
 * 16 as slower than these. Each of the two messages of such a vector touches all lines of both, so
 * its traffic doubles. The data port is said to merge the lanes of one message (Junkins 2015), not
 * of two; had it a rate of lanes that slows scalars down, a copy of scalars would fill less than
 * half of the L3's bandwidth, and nothing published says so. The thesis shows that curve in a
 * picture only.
 * Not modelled: bank conflicts, sampler caches, LLC hits, atomics, traffic of the CPU and the
 * display. */
#ifndef BACKENDS_SIM_MODEL_MEMORY_H
#define BACKENDS_SIM_MODEL_MEMORY_H

#define MEMORY_LINE_BYTES 64

/* Describes the memory; it is plain data. */
struct memory_config {
	double l3_bytes_per_cycle_subslice, slm_bytes_per_cycle_subslice;
	double gti_read_bytes_per_cycle;
	double gti_write_bytes_per_cycle;
	double dram_bytes_per_s;	/* peak of the memory chips */
	double l3_latency_cycles;	/* of a lone load that hits the L3 */
	double dram_latency_ns;		/* in addition, of one that does not */
};

/* Says how one access of every lane of a thread (a vector of elements * element_bytes each,
 * neighbours in memory) becomes messages. */
struct memory_access {
	int messages;
	int lines;		/* lines moved by all of them */
	/* 32-byte registers of addresses and data that the send pipe moves for a store */
	int payload_regs;
	int address_regs;	/* of these, addresses (all that a load sends) */
	/* beyond the first of each 16 lanes: they need address arithmetic and packing */
	int extra_messages;
};

struct memory_access memory_access_shape(int simd, int elements, int element_bytes);
/* Returns the cycles for which the data port of a subslice is busy. */
double memory_port_cycles(const struct memory_config *m, double lines, double turnarounds);
/* Returns the same for lines of shared local memory, which come through that port. */
double memory_slm_cycles(const struct memory_config *m, double lines);
/* Returns by how much traffic of so many bytes per GPU cycle exceeds what GTI and DRAM deliver
 * together; 1 when it does not. */
double memory_excess(const struct memory_config *m, double hz, double read_bytes_per_cycle,
	double write_bytes_per_cycle);

#endif
