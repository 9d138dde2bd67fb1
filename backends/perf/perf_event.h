/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perf_event_open for monitors: PMUs and events by their names in sysfs, groups that are read in
 * one call, refusals in words. Everything is counted for a CPU (or this thread), from opening on;
 * nothing samples. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/fsroot.h"

#define PERF_GROUP_MAX 32

/* The most CPUs of a PMU: those of a machine. */
#define PERF_PMU_CPUS 1024

/* A folder of /sys/bus/event_source/devices. Plain data. Without a list of CPUs it counts tasks and
 * any CPU; one whose list is empty counts nowhere. */
struct perf_pmu {
	char name[48];
	uint32_t type;
	/* where to open its events: one CPU per package or unit, or the cores of one kind */
	int cpus[PERF_PMU_CPUS];
	int n_cpus;
	bool has_list;
};

/* What an event is to the kernel, and what one count of it means: scale units. */
struct perf_event {
	uint32_t type;
	uint64_t config, config1, config2;
	char pmu[48];
	double scale;
	char unit[16];		/* "Joules", "MiB", "" */
};

/* Descriptors that are scheduled together; the first one is the leader. A zeroed struct is an
 * empty group. Otherwise plain data. */
struct perf_group {
	int fds[PERF_GROUP_MAX];
	int n;
	uint64_t turn_ms;	/* of a group that has to take turns, at most */
};

/* Counts since opening; enabled_ns, running_ns: how long the group was wanted, and how long it had
 * counters; turn_ms as of the group. */
struct perf_counts {
	uint64_t enabled_ns, running_ns, turn_ms;
	uint64_t values[PERF_GROUP_MAX];
};

/* What became of a group between two looks. Groups that do not fit beside each other take turns of
 * a tick of the kernel's timer, 10 ms at most, or of what an administrator has written, so that what
 * waits for longer than a round does not fit. */
enum perf_turn { PERF_RAN, PERF_RAN_IN_TURNS, PERF_WAITS, PERF_NEVER };
enum perf_turn perf_counts_turn(const struct perf_counts *begin, const struct perf_counts *now);

/* Finds a PMU; ERR_UNSUPPORTED when the kernel has none of that name. err may be NULL. */
bool perf_pmu_find(
	const struct fsroot *fs, const char *name, struct perf_pmu *out, struct err *err);
/* Finds an event by its name in the PMU's folder, with scale (1 when none is told) and unit. */
bool perf_pmu_event(const struct fsroot *fs, const struct perf_pmu *pmu, const char *name,
	struct perf_event *out, struct err *err);
/* An event by terms of the PMU's format folder: "event=0xc7,umask=0x3", also "config=0x1". */
bool perf_pmu_terms(const struct fsroot *fs, const struct perf_pmu *pmu, const char *terms,
	struct perf_event *out, struct err *err);
/* Makes pmu list CPU 0 where it has no list. Fails for one whose list is empty. */
bool perf_pmu_needs_cpus(struct perf_pmu *pmu, struct err *err);
/* A list such as "0-3,8" (sysfs cpumask, online). Returns how many of at most max went into cpus;
 * what does not parse ends it. */
int perf_cpu_list(const char *text, int *cpus, int max);

/* Opens an event that counts in user mode what this thread starts with exec from now on, and all
 * the children of that, wherever they run; not this thread itself. It needs no right where
 * kernel.perf_event_paranoid is 2 or lower. Returns its descriptor, or -1 with err as
 * perf_group_add(). */
int perf_task_open(const struct fsroot *fs, const struct perf_event *e, struct err *err);
/* Reads such an event into values[0], with all children that have ended. */
bool perf_task_read(int fd, struct perf_counts *out, struct err *err);

/* Opens e on a CPU (cpu -1: for this thread, wherever it runs, user mode only) as a member of g. On
 * failure g is as before, and err->sys is the errno; EINVAL is said when the group is full. Events
 * belong to the running kernel, so a prefix in fs is refused. */
bool perf_group_add(const struct fsroot *fs, struct perf_group *g, const struct perf_event *e,
	int cpu, struct err *err);
/* Reads the group in one system call. A CPU that went offline is an error. */
bool perf_group_read(const struct perf_group *g, struct perf_counts *out, struct err *err);
void perf_group_close(struct perf_group *g);
