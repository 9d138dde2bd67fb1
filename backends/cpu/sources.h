/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sources of device cpu0: time and clock of each CPU, its hardware counters, traffic of the
 * memory controllers. */
#pragma once

#include <stdbool.h>

#include "backends/common/backend.h"
#include "backends/cpu/cpu_info.h"
#include "backends/perf/perf_event.h"

/* Names of the CPUs ("cpu 3") for all of its sources; each frees what it has. Never NULL. */
struct source *cpu_time_open(const struct cpu_info *info, const struct open_options *o);
/* NULL with err when nothing tells the clock. */
struct source *cpu_clock_open(
	const struct cpu_info *info, const struct open_options *o, struct err *err);
/* What all cores could do is without those of a kind whose operations are not counted. */
void cpu_clock_leave_out(struct source *src, const struct cpu_info *info, const char *kind);
/* Counters by the "program NAME TERMS" lines of the set. Never NULL: what was refused is a reason
 * for its counters, and in *err. */
struct source *cpu_events_open(
	const struct cpu_info *info, const struct open_options *o, struct err *err);
/* Why a kind of cores has no counts beside others that have: the one at that place among such
 * kinds, with its name in kind and the reason in err. False: there are no more of them. */
bool cpu_events_missing(
	const struct source *src, int place, char *kind, size_t size, struct err *err);
/* Whether the kernel counts this event as its manual says. False, with err: it is AMD's FLOPs
 * event, and the kernel does not know the Merge event that goes with it. */
bool cpu_event_is_sound(const struct fsroot *fs, const struct cpu_info *info,
	const struct perf_event *e, struct err *err);
/* Event without unit mask and flags; AMD's codes have twelve bits. */
static inline unsigned cpu_event_code(const struct perf_event *e)
{
	return (unsigned)(e->config & 0xff) | (unsigned)(e->config >> 24 & 0xf00);
}
/* The PMU of the cores; on hybrid processors that of the performance cores, as the others do not
 * count these operations. */
bool cpu_core_pmu(const struct fsroot *fs, struct perf_pmu *pmu, struct err *err);
/* Runs a loop of known additions and compares what was counted. False: not as many
 * (ERR_UNSUPPORTED), or it cannot be counted. */
bool cpu_self_test(const struct cpu_info *info, const struct fsroot *fs, char *what, size_t size,
	struct err *err);

/* What the sources have in common: names of instances, rows of values, the time of the window. */
struct cpu_feed {
	int *cpus;			/* [n] their numbers */
	int n, n_counters;
	char (*names)[CELL_NAME_SIZE];	/* [n] */
	uint64_t *rows;			/* [n][n_counters], the last window's */
	int64_t window_ns;
	bool collected;
};

/* Prepares the feed; s->feed must have its counters already. */
void cpu_feed_init(struct cpu_feed *f, struct source *s, const struct cpu_info *info,
	const char *name, int64_t now_ns);
void cpu_feed_release(struct cpu_feed *f);
/* Reads the beginning of a file, at most size bytes with the NUL. Allocates nothing. */
bool cpu_read_text(
	const struct fsroot *fs, const char *path, char *buf, size_t size, struct err *err);
/* Returns the place of a CPU's number in the feed, or -1. */
int cpu_feed_index(const struct cpu_feed *f, int cpu);
/* Sums the rows into out->values, and hands them over as instances. */
void cpu_feed_sum(struct cpu_feed *f, int64_t now_ns, struct sample *out);

/* A loop whose floating-point operations are known. */

/* How many vector additions it does: of eight floats on x86, of four on 64-bit Arm. There a
 * multiply-add stands for two of them, because it counts as two operations for each element (Arm
 * Architecture Reference Manual, example D11-5, where one exceeds a threshold of one operation). */
#define KNOWN_LOOP_TURNS 250000
#define KNOWN_LOOP_ADDITIONS (4 * KNOWN_LOOP_TURNS)

/* Runs it on this thread. False: the processor lacks the vectors, or nobody wrote a loop for it. */
bool known_loop_run(void);

enum traffic_out {
	TRAFFIC_READ,
	TRAFFIC_WRITE,
	TRAFFIC_TOTAL,
	TRAFFIC_GPU,
	TRAFFIC_CPU,
	TRAFFIC_IO,
	TRAFFIC_OUTS
};

/* The counters of each source of that kind, in bytes. */
extern const struct counter_desc traffic_counters[TRAFFIC_OUTS];

/* Whether the kernel knows resctrl on this processor: then it has made the folder to mount it on. */
bool resctrl_is_offered(const struct fsroot *fs);
/* A source with these counters, and its row of checks in dev, which has to outlive it. Never NULL:
 * *refusal says why it does not count (ERR_NONE: it does), and retry() looks again. Nothing is
 * mounted and nothing written. */
struct source *resctrl_open(
	const struct fsroot *fs, struct open_device *dev, int64_t now_ns, struct err *refusal);
