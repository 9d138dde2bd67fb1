/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The PMUs of the fake kernel: what each is called, how its events are encoded, and how fast they count.
 *
 * A PMU is a row of fake_pmus, its events are rows too. perftree writes the folders below /sys/bus/event_source/devices from the same
 * rows that perf.c answers from. Rates are in the unit that the event's scale gives (W, MiB/s), or plain counts per second; a file
 * perf/PMU/EVENT of the tree that holds a number replaces one; what perf/PMU/EVENT.jump holds is added to the counter.
 * perf/PMU/counters: how many counters are free for us; perf/PMU/any_group (1): the kernel does not look whether a group fits. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Linux include/uapi/drm/i915_drm.h: counters of i915 that are of no engine begin here. */
#define FAKE_I915_OTHER 0x100000

struct fake_event {
	const char *name;	/* NULL ends a list */
	const char *text;	/* what the file in events/ says */
	uint64_t config;
	double per_s;
	const char *scale;	/* NULL: none, as the kernel writes it */
	const char *unit;
};

struct fake_format {
	const char *name;	/* NULL ends a list */
	const char *text;	/* "config:0-7" */
};

/* Instructions by class as FP_ARITH_INST_RETIRED numbers them, and what else happens. All
 * operations are additions. */
enum fake_fp {
	FP_SCALAR_DP,
	FP_SCALAR_SP,
	FP_128_DP,
	FP_128_SP,
	FP_256_DP,
	FP_256_SP,
	FP_512_DP,
	FP_512_SP,
	FP_CLASSES
};

struct fake_load {
	double fp[FP_CLASSES];
	double instructions;
	double cycles;
	double burst;		/* FLOPs that retire in one cycle when any do */
	bool no_merge;		/* a kernel before 5.6: event 0x003 without its Merge event */
};

/* counters 0: each event has its own, as in free-running units. */
struct fake_pmu {
	const char *name;	/* as in sysfs; several rows may share one: variants of a machine */
	const char *variant;	/* NULL: the only one */
	uint32_t type;
	const char *cpumask;	/* NULL: counts tasks and CPUs; else CPUs only, no sampling */
	int counters;
	const struct fake_format *formats;
	const struct fake_event *events;
	/* Counts in one second of the CPU's load, or of a task's whole work, for events that no row
	 * names. NULL: EINVAL. */
	double (*count)(const struct fake_pmu *p, uint64_t config, const struct fake_load *load);
	/* Counters that the event takes. NULL: one. */
	int (*cost)(uint64_t config);
	/* The event that has to lead a group that this one may be in, 0: any. NULL: of all. */
	uint64_t (*leader)(uint64_t config);
	/* NULL, or the CPUs that it is in ("0-3"), of PMUs of one kind of cores: others are refused. */
	const char *cpus;
	int slots;		/* of the pipeline in a clock, for caps/slots; 0: not told */
};

/* The loop of vaddps, dec, jnz: one 256-bit addition of eight floats a turn (Linux commit
 * 5738891229a2 counts it); 42101 instructions of start-up. It retires in bursts of two turns, which
 * is assumed. */
struct fake_load fake_load_turns(double turns);

extern const struct fake_pmu fake_pmus[];
extern const size_t fake_pmu_count;

/* variant: which of several rows of one name; NULL takes the first. NULL when there is none. */
const struct fake_pmu *fake_pmu_by_name(const char *name, const char *variant);
const struct fake_event *fake_pmu_event(const struct fake_pmu *p, uint64_t config);
/* Raw counts per unit of the event: 1 / scale. */
double fake_event_counts_per_unit(const struct fake_event *e);
