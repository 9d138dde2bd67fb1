/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts what one program and its children do, in user mode and without rights: the events of a
 * metric set of the processor. */
#pragma once

#include <stdbool.h>

#include "backends/cpu/cpu_info.h"
#include "backends/perf/perf_event.h"
#include "base/err.h"
#include "base/fsroot.h"
#include "base/strbuf.h"
#include "core/metric/metric.h"
#include "core/value/device.h"
#include "core/value/sample.h"

#define CPU_TASK_EVENTS 16

struct cpu_task_event {
	char terms[192];	/* as the set has them */
	int fds[CORE_KINDS_MAX];	/* one for each kind of cores that counts it */
	int n_fds;		/* 0: refused */
	struct err refusal;
	/* share of the program's time in which the event had a counter, 0 to 1; below 1 its count
	 * is scaled */
	double counted;
};

/* A zero-initialised struct counts nothing. */
struct cpu_task {
	struct cpu_task_event events[CPU_TASK_EVENTS];
	struct counter_desc counters[CPU_TASK_EVENTS];	/* their names and units */
	enum why whys[CPU_TASK_EVENTS];
	int n;
	struct feed feed;
};

/* Opens the events for what this thread starts next. Returns false with err when the set asks for
 * none, or none can be counted; one that is refused beside others says so in its refusal. */
bool cpu_task_open(
	struct cpu_task *t, const struct fsroot *fs, const struct metric_set *set, struct err *err);
/* Fills a sample of t->feed with what the program has counted in elapsed_ns. */
bool cpu_task_read(struct cpu_task *t, int64_t elapsed_ns, struct sample *out, struct err *err);
void cpu_task_close(struct cpu_task *t);

/* Events of the processor by name: those of the kernel's folders, and those that perf knows by its
 * tables. */

/* What the counters of chosen events begin with, so that they are no others' names. */
#define CPU_CHOSEN "ev_"

/* Appends the terms of an event: "event=0xc0,umask=0x1" for the cores' PMU, "PMU/TERMS/" for
 * another one. name is a name of the cores' PMU or of a table, "PMU/NAME/", or terms. An unknown
 * name is ERR_USAGE, and the hint has similar ones. */
bool cpu_event_terms(const struct fsroot *fs, const struct device *d, const char *name,
	struct strbuf *out, struct err *err);
/* Finds the event of such terms; core may be NULL when the machine has no PMU of cores. */
bool cpu_event_find(const struct fsroot *fs, const struct perf_pmu *core, const char *terms,
	struct perf_event *out, struct err *err);
