/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of cores of a processor, each with a PMU of its own: performance and efficient cores of
 * Intel, big and LITTLE ones of Arm. */
#ifndef BACKENDS_CPU_CORE_KINDS_H
#define BACKENDS_CPU_CORE_KINDS_H

#include <stdbool.h>

#include "backends/perf/perf_event.h"
#include "base/fsroot.h"

#define CORE_KINDS_MAX 4

/* name: "core", "atom", "a76": as the kernel's PMU has it, without what all have in common. */
struct core_kind {
	char name[12];
	struct perf_pmu pmu;
};

/* The kind with the most events of its own comes first: Intel's "cpu" or "cpu_core", else the one of
 * the highest CPU, since Arm's systems number their big cores last. Plain data. */
struct core_kinds {
	struct core_kind kinds[CORE_KINDS_MAX];
	int n;
	char without_cpus[48];	/* a PMU whose list is empty, as its CPUs are offline; "": none */
};

/* Finds every PMU below /sys/bus/event_source/devices whose folder lists the CPUs that it is in (file
 * "cpus"), and "cpu", which is in all. One whose list is empty counts nowhere and is passed over.
 * Returns false with err when there is none. */
bool core_kinds_find(const struct fsroot *fs, struct core_kinds *out, struct err *err);
/* Returns false, with err, when there is a PMU whose list of CPUs is empty. */
bool core_kinds_no_cpus(const struct core_kinds *k, struct err *err);
/* The kind of a CPU, or -1. */
int core_kind_of(const struct core_kinds *k, int cpu);

#endif
