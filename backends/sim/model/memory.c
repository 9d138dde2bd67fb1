/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts lines and messages of memory accesses, and holds the limits of the memory behind the
 * EUs. */
#include "config.h"

#include "backends/sim/model/memory.h"

#include <math.h>

#define MESSAGE_LANES 16
#define GRF_BYTES 32
#define ADDRESS_BYTES 8
#define TURNAROUND_CYCLES 0.75	/* fitted */
#define DRAM_REACHABLE 0.85

static int divide_up(int a, int b)
{
	return (a + b - 1) / b;
}

/* Returns the lines that one message touches: its lanes take chunk bytes each, stride bytes
 * apart. */
static int message_lines(int lanes, int chunk, int stride)
{
	if (stride >= MEMORY_LINE_BYTES)
		return lanes * divide_up(chunk, MEMORY_LINE_BYTES);
	return divide_up((lanes - 1) * stride + chunk, MEMORY_LINE_BYTES);
}

struct memory_access memory_access_shape(int simd, int elements, int element_bytes)
{
	int lanes = (int)fmin(simd, MESSAGE_LANES);
	int parts = divide_up(simd, lanes);
	int stride = elements * element_bytes;
	int chunk = (int)fmin(stride, MEMORY_LANE_BYTES);
	int per_part = divide_up(stride, chunk);
	int address_regs = lanes * ADDRESS_BYTES / GRF_BYTES;
	int data_regs = divide_up(lanes * chunk, GRF_BYTES);
	struct memory_access a = { .messages = parts * per_part,
		.extra_messages = parts * (per_part - 1) };

	a.lines = a.messages * message_lines(lanes, chunk, stride);
	a.address_regs = a.messages * address_regs;
	a.payload_regs = a.messages * (address_regs + data_regs);
	return a;
}

int memory_strided_lines(int simd, int element_bytes, int apart)
{
	int lanes = (int)fmin(simd, MESSAGE_LANES);

	return divide_up(simd, lanes) *
		message_lines(lanes, element_bytes, element_bytes * apart);
}

double memory_port_cycles(const struct memory_config *m, double lines, double turnarounds)
{
	return lines * MEMORY_LINE_BYTES / m->l3_bytes_per_cycle_subslice +
		turnarounds * TURNAROUND_CYCLES;
}

double memory_slm_cycles(const struct memory_config *m, double lines)
{
	return lines > 0 ? lines * MEMORY_LINE_BYTES / m->slm_bytes_per_cycle_subslice : 0;
}

struct memory_walk memory_walk(const struct memory_config *m, double hz, double bytes)
{
	struct memory_walk w = { .latency_cycles = m->l3_latency_cycles };

	if (!(bytes > m->l3_bytes))
		return w;
	w.l3_misses = 1 - m->l3_bytes / bytes;
	w.llc_misses = fmin(1 - m->llc_bytes / bytes, w.l3_misses);
	w.llc_misses = fmax(w.llc_misses, 0);
	double ns = (w.l3_misses - w.llc_misses) * m->llc_latency_ns +
		w.llc_misses * m->dram_latency_ns;
	w.latency_cycles += ns * hz / 1e9;
	return w;
}

double memory_reachable_bytes_per_s(const struct memory_config *m)
{
	return m->dram_bytes_per_s * DRAM_REACHABLE;
}

double memory_excess(
	const struct memory_config *m, double hz, const struct memory_traffic *t)
{
	double dram = t->read_bytes - t->llc_bytes + t->write_bytes, excess = 1;

	excess = fmax(excess, t->read_bytes / m->gti_read_bytes_per_cycle);
	excess = fmax(excess, t->write_bytes / m->gti_write_bytes_per_cycle);
	if (m->requests > 0)
		excess = fmax(excess, t->requests / m->requests);
	return fmax(excess,
		dram * hz / (memory_reachable_bytes_per_s(m) - m->others_bytes_per_s));
}
