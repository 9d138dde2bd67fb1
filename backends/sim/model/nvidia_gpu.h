/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models an NVIDIA GPU at work: what its counters have grown to is a function of time alone.
 *
 * Modelled: SMs with pipes of the lanes that the table of compute capabilities says, four
 * schedulers, a limit of warps, latency that resident warps hide, whole work-groups per SM, memory
 * with a peak of which 93 % can be had (H100: HBM3 by NVIDIA's own bandwidth test is below its data
 * sheet by as much), links, pauses between launches, power and the highest clock that the power
 * limit leaves.
 *
 * Assumed: all energies, temperatures, and the speed of the fan. They are round numbers that put
 * the card near its limit with its tensor units full; nothing of power and heat may be compared
 * with a machine.
 *
 * A divided card (MIG) runs the load in each of its instances, which has a part of everything: all the
 * time in the first, half of the time in the second, a third of it in the third one.
 *
 * Not modelled: caches by address, clocks of tensor units apart from those of SMs, heat over
 * time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum nvidia_pipe {
	NVIDIA_FP32,
	NVIDIA_FP64,
	NVIDIA_FP16,
	NVIDIA_INTEGER,
	NVIDIA_TENSOR_HALF,
	NVIDIA_TENSOR_INT8,
	NVIDIA_TENSOR_FP64,
	NVIDIA_PIPES
};

/* A card. Const data. */
struct nvidia_machine {
	const char *name;		/* "h100" */
	const char *model;		/* as NVML names it */
	uint16_t pci_device;
	int cc_major, cc_minor, sms, warps;	/* warps that fit into an SM */
	int min_mhz, max_mhz, memory_mhz, bus_bits;
	double memory_bytes;
	int link_generation, link_lanes;
	double nvlink_bytes_per_s;	/* each way, all links; 0: none */
	double limit_w, idle_w;
	double pipe_w[NVIDIA_PIPES];	/* with that pipe full on all SMs at the highest clock */
	double sm_w, dram_w;		/* all SMs loaded; memory at its peak */
	bool has_gpm, has_ecc;
	/* where the clock is lowered; what the memory is hotter than the GPU (0: no sensor); the
	 * fan at the power limit (0: no fan) */
	double slowdown_degc, memory_hotter_degc, fan_rpm;
	const char *source;
	double reach;			/* share of its peak that the memory delivers */
	unsigned mig;			/* slices of each instance, a digit each; 0: it is not divided */
};

/* What one warp does in one trip of its loop. Const data. */
struct nvidia_load {
	const char *name, *text;
	double instructions[NVIDIA_PIPES];	/* of the pipe, for the whole warp; of tensor units: multiply-adds */
	double others;			/* instructions without such a pipe: loads, branches */
	double dram_bytes;		/* of the warp */
	double chain_cycles, memory_waits;	/* latency of one trip: cycles, and waits for memory */
	int groups;			/* 0: as many as fill the card eight times */
	int warps_per_group, warps_fit;	/* that registers leave room for in an SM; 0: all */
	double launch_us, pause_us;	/* 0: one launch after the other */
	double pcie_in, pcie_out, nvlink;	/* shares of the links' peaks, while it runs */
	double memory_used;		/* share of the card's memory */
	bool in_tour;
};

/* Everything since the start. Cycles are those of one SM, averaged over all SMs. */
struct nvidia_totals {
	double clocks, loaded, occupied;	/* cycles; with a warp; times the share of warp slots */
	double pipe[NVIDIA_PIPES];		/* busy cycles */
	double busy_ns, memory_busy_ns, held_ns;
	double dram_bytes, pcie_in_bytes, pcie_out_bytes, nvlink_bytes;
	double energy_j;
};

/* What is so at a moment. */
struct nvidia_state {
	double mhz, watt, temperature_degc, memory_used_bytes;
	bool is_busy, is_held;		/* held: the power limit holds the clock down */
	const struct nvidia_load *load;
};

extern const struct nvidia_machine nvidia_machines[];
extern const int nvidia_machine_count;
extern const struct nvidia_load nvidia_loads[];
extern const int nvidia_load_count;

struct nvidia_gpu;	/* opaque */

/* The name may have words behind it, after a comma. */
const struct nvidia_machine *nvidia_machine_by_name(const char *name);
/* Puts the GPU of another PCI id into the machine; false when nothing is known of it. */
bool nvidia_machine_become(struct nvidia_machine *m, uint16_t pci_device);
/* The load is the name of one, or "tour" for those that are in it, ten seconds each. */
struct nvidia_gpu *nvidia_gpu_new(
	const struct nvidia_machine *m, const char *load, struct err *err);
void nvidia_gpu_free(struct nvidia_gpu *g);
const struct nvidia_machine *nvidia_gpu_machine(const struct nvidia_gpu *g);
void nvidia_gpu_totals(const struct nvidia_gpu *g, int64_t t_ns, struct nvidia_totals *out);
void nvidia_gpu_state(const struct nvidia_gpu *g, int64_t t_ns, struct nvidia_state *out);
/* Performance state, 0 to 15: the highest at work, and one of rest. */
static inline int nvidia_pstate(const struct nvidia_state *s)
{
	return s->is_busy ? 0 : 8;
}

/* What may hold a load back: the pipes by their number, and these. */
enum nvidia_limit {
	NVIDIA_LIMIT_ISSUE = NVIDIA_PIPES,	/* instructions a clock */
	NVIDIA_LIMIT_DRAM,
	NVIDIA_LIMIT_LATENCY,
	NVIDIA_LIMIT_GROUPS,	/* SMs without a group, or without enough warps */
	NVIDIA_LIMIT_POWER,
	NVIDIA_LIMIT_PAUSE,
	NVIDIA_LIMITS
};

/* How many trips of a warp the whole card does in a second, without the limits whose bits are set:
 * what a limit costs can be computed. */
double nvidia_load_trips(
	const struct nvidia_machine *m, const struct nvidia_load *l, unsigned without);
/* How many of the seven slices of SMs, and of the eight of the memory, instance i has; 0: there is none. */
int nvidia_slices(const struct nvidia_machine *m, int i);
/* SMs of a slice: two SMs share a unit (TPC) that is not divided. */
static inline int nvidia_slice_sms(const struct nvidia_machine *m)
{
	return (m->sms + 8) / 16 * 2;
}
/* Bytes in a second of its memory at most, and of its PCIe link one way. */
double nvidia_dram_peak(const struct nvidia_machine *m);
double nvidia_link_peak(const struct nvidia_machine *m);
