/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which processor this is, who made it, and facts about processors as a table. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/perf/perf_event.h"
#include "base/fsroot.h"
#include "core/value/device.h"

/* The kinds of cores of a processor, each with a PMU of its own: performance and efficient cores of
 * Intel, big and LITTLE ones of Arm. */

#define CORE_KINDS_MAX 4

/* name: "core", "atom", "a76": as the kernel's PMU has it, without what all have in common. */
struct core_kind {
	char name[12];
	struct perf_pmu pmu;
};

/* The kind with the most events of its own comes first: Intel's "cpu" or "cpu_core", else the one
 * of the highest CPU, since Arm's systems number their big cores last. Plain data. */
struct core_kinds {
	struct core_kind kinds[CORE_KINDS_MAX];
	int n;
	char without_cpus[48];	/* a PMU whose list is empty, as its CPUs are offline; "": none */
};

/* Finds every PMU below /sys/bus/event_source/devices whose folder lists the CPUs that it is in
 * (file "cpus"), and "cpu", which is in all. One whose list is empty counts nowhere and is passed
 * over. Returns false with err when there is none. */
bool core_kinds_find(const struct fsroot *fs, struct core_kinds *out, struct err *err);
/* Returns false, with err, when there is a PMU whose list of CPUs is empty. */
bool core_kinds_no_cpus(const struct core_kinds *k, struct err *err);
/* Whether they are the efficient ones of Intel's processors, also where all others are offline. */
bool core_kind_is_small(const struct core_kind *k);
/* The kind of a CPU, or -1. */
int core_kind_of(const struct core_kinds *k, int cpu);

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
/* Single precision operations that the core of the CPU at that place can take in a clock, of those
 * that the platform's sets count; 0: they count none there. False: it is not known. */
bool cpu_info_width(const struct cpu_info *info, int place, int *flop_per_cycle);
/* Finds a row by the numbers of /proc/cpuinfo. NULL: no row knows the processor. */
const struct cpu_family *cpu_family_find(const char *vendor, int family, int model);
/* Finds a platform's event for the loop. NULL: the platform has none. */
const struct cpu_loop_event *cpu_loop_event(const char *platform);

/* Writes the vendor_id of /proc/cpuinfo into buf: "GenuineIntel"; "" where it has none, as on Arm. */
void cpu_vendor(const struct fsroot *fs, char *buf, size_t size);
/* Whether the processor is one of x86. Without /proc/cpuinfo it is what the program was built for. */
bool cpu_is_x86(const struct fsroot *fs);
/* Whether the cores of that vendor are AMD's design, as those of Hygon are. */
bool cpu_vendor_is_amd(const char *vendor);
/* The same of this machine's vendor. */
bool cpu_is_amd(const struct fsroot *fs);
/* The physical package of a CPU (Linux Documentation/admin-guide/cputopology.rst); -1: the kernel
 * does not say. */
int cpu_package(const struct fsroot *fs, int cpu);
