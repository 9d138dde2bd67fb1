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
 * is reachable. About 100 requests of a Gen9 to the memory are under way at once (Gera et al., 2018,
 * as cited in the thesis' ch. 2.3); other devices have as many more as their memory is faster. Two
 * neighbouring lines are one request, else this Gen9 could not fill its DRAM.
 * A copy of vectors of 8 is slower than one of scalars here, while the thesis names only vectors of
 * 16 as slower than these. Each of the two messages of such a vector touches all lines of both, so
 * its traffic doubles. The data port is said to merge the lanes of one message (Junkins 2015), not
 * of two; had it a rate of lanes that slows scalars down, a copy of scalars would fill less than
 * half of the L3's bandwidth, and nothing published says so. The thesis shows that curve in a
 * picture only.
 * Not modelled: bank conflicts, sampler caches, LLC hits of streams, traffic of the CPU and the
 * display. */
#pragma once

#define MEMORY_LINE_BYTES 64
#define MEMORY_LANE_BYTES 16	/* that a message moves for each lane: four dwords */

/* Describes the memory; it is plain data. */
struct memory_config {
	double l3_bytes_per_cycle_subslice, slm_bytes_per_cycle_subslice;
	double gti_read_bytes_per_cycle;
	double gti_write_bytes_per_cycle;
	double dram_bytes_per_s;	/* peak of the memory chips */
	double l3_latency_cycles;	/* of a lone load that hits the L3 */
	double dram_latency_ns;		/* in addition, of one that does not */
	double llc_latency_ns;		/* the same where the last-level cache has the line */
	double l3_bytes, llc_bytes;	/* what the caches hold; llc_bytes 0: there is none */
	double requests;		/* to the memory, that can be under way at once; 0: any */
	double others_bytes_per_s;	/* that the processor moves to and from the DRAM meanwhile */
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
/* Returns the lines that a load of one element for each lane touches, whose elements are so many
 * elements apart. */
int memory_strided_lines(int simd, int element_bytes, int apart);
/* Returns the cycles for which the data port of a subslice is busy. */
double memory_port_cycles(const struct memory_config *m, double lines, double turnarounds);
/* Returns the same for lines of shared local memory, which come through that port. */
double memory_slm_cycles(const struct memory_config *m, double lines);

/* A walk along pointers in random order through a set of bytes, a line at a time: the mean latency
 * of a step, and the shares of steps that miss the caches. A cache holds as large a share of the
 * steps as of the set, as random replacement has it. */
struct memory_walk {
	double latency_cycles, l3_misses, llc_misses;
};

/* Describes that walk; no bytes at all are in the L3. */
struct memory_walk memory_walk(const struct memory_config *m, double hz, double bytes);

/* What all EUs do to the memory, for each GPU cycle. */
struct memory_traffic {
	double read_bytes, write_bytes;
	double llc_bytes;	/* of those read, what the last-level cache has */
	double requests;	/* under way */
};

/* Returns by how much the traffic exceeds what GTI, DRAM and the queue of requests deliver; 1 when
 * it does not. */
double memory_excess(
	const struct memory_config *m, double hz, const struct memory_traffic *t);
/* Returns what the DRAM reaches of its peak. */
double memory_reachable_bytes_per_s(const struct memory_config *m);
