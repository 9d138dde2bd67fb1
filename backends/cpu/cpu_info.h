/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which processor this is, and facts about processors as a table. */
#ifndef BACKENDS_CPU_CPU_INFO_H
#define BACKENDS_CPU_CPU_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/cpu/core_kinds.h"
#include "base/fsroot.h"
#include "core/value/device.h"

#define CPU_MAX 1024

/* One row per microarchitecture. Zero means unknown. */
struct cpu_family {
	const char *vendor;		/* as in /proc/cpuinfo */
	int family, first_model, last_model;
	const char *name;		/* "Zen 3" */
	/* key of metric sets: what its floating-point events mean */
	const char *platform;
	/* of a core, a multiply-add counts two; the widest units there are in a part of this
	 * kind; of the performance cores, where there are others */
	int sp_flop_per_cycle;
	const char *source;
};

/* How a loop of 256-bit single precision additions is counted on a platform: the event, and its
 * counts for one addition. */
struct cpu_loop_event {
	const char *platform, *terms;
	int counts;
};

/* Plain data. */
struct cpu_info {
	char vendor[16];
	char name[64];
	int family, model;
	int n_cpus;		/* logical processors that are online */
	int n_cores;		/* 0: unknown */
	int cpus[CPU_MAX];	/* their numbers, rising */
	/* [n_cpus] implementer << 16 | part, of Arm's processors; 0: another one */
	uint32_t parts[CPU_MAX];
	struct core_kinds kinds;	/* none: the kernel has no PMU of cores */
	int cores[CPU_MAX][2];	/* [n_cores] package and number of each core */
	int core_of[CPU_MAX];	/* [n_cpus] the place of its core in cores; -1: unknown */
	double mhz[CPU_MAX];	/* as /proc/cpuinfo has them; 0: it does not */
	const struct cpu_family *row;	/* NULL: unknown */
};

/* False when /proc/cpuinfo lists no processor. */
bool cpu_info_read(const struct fsroot *fs, struct cpu_info *out, struct err *err);
/* Does the same with the text of the file. Allocates nothing. */
void cpu_info_parse(const char *text, struct cpu_info *out);
/* Fills in the identity and constants of device cpu0. */
void cpu_info_fill(const struct fsroot *fs, const struct cpu_info *info, struct device *d);
/* Single precision operations that the core of the CPU at that place can take in a clock, of those that the
 * platform's sets count; 0: they count none there. False: it is not known. */
bool cpu_info_width(const struct cpu_info *info, int place, int *flop_per_cycle);
/* Finds a row by the numbers of /proc/cpuinfo. NULL: no row knows the processor. */
const struct cpu_family *cpu_family_find(const char *vendor, int family, int model);
/* Finds a platform's event for the loop. NULL: the platform has none. */
const struct cpu_loop_event *cpu_loop_event(const char *platform);

#endif
