/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of the processor by name: those of the kernel's folders, and those that perf knows by its
 * tables. */
#ifndef BACKENDS_CPU_CPU_NAMES_H
#define BACKENDS_CPU_CPU_NAMES_H

#include <stdbool.h>

#include "base/err.h"
#include "base/fsroot.h"
#include "base/strbuf.h"
#include "core/value/device.h"
#include "backends/perf/perf_event.h"

/* What the counters of chosen events begin with, so that they are no others' names. */
#define CPU_CHOSEN "ev_"

/* Appends the terms of an event: "event=0xc0,umask=0x1" for the cores' PMU, "PMU/TERMS/" for another
 * one. name is a name of the cores' PMU or of a table, "PMU/NAME/", or terms. An unknown name is
 * ERR_USAGE, and the hint has similar ones. */
bool cpu_event_terms(const struct fsroot *fs, const struct device *d, const char *name,
	struct strbuf *out, struct err *err);
/* Finds the event of such terms; core may be NULL when the machine has no PMU of cores. */
bool cpu_event_find(const struct fsroot *fs, const struct perf_pmu *core, const char *terms,
	struct perf_event *out, struct err *err);

#endif
