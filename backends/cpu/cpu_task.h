/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts what one program and its children do, in user mode and without rights: the events of a
 * metric set of the processor. */
#ifndef BACKENDS_CPU_CPU_TASK_H
#define BACKENDS_CPU_CPU_TASK_H

#include "backends/cpu/core_kinds.h"
#include "base/err.h"
#include "base/fsroot.h"
#include "core/metric/metric.h"
#include "core/value/sample.h"

#define CPU_TASK_EVENTS 16

struct cpu_task_event {
	char terms[192];	/* as the set has them */
	int fds[CORE_KINDS_MAX];	/* one for each kind of cores that counts it */
	int n_fds;		/* 0: refused */
	struct err refusal;
	/* share of the program's time in which the event had a counter, 0 to 1; below 1 its count is
	 * scaled */
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

#endif
