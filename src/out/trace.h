/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters and kernel runs as trace events in JSON (Trace Event Format), for ui.perfetto.dev and
 * chrome://tracing. */
#ifndef OUT_TRACE_H
#define OUT_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "out/output.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "core/device.h"
#include "core/job.h"
#include "core/snapshot.h"

/* Zero-initialised is closed. Whole events are written at once, so that a killed run leaves a file
 * that still loads. */
struct trace {
	struct output output;
	bool on;
	bool any;			/* an event was written */
	int pid;			/* of the device in the trace */
	char device[sizeof(((struct device *)0)->id)];
	struct strbuf buf;
	struct job_state seen;		/* in the last window */
	int64_t job_start_ns;
	struct job job;
};

/* path stays the caller's and lives as long as the trace. */
bool trace_open(struct trace *t, const char *path, const struct device *d, struct err *err);
/* A complete window. False, and closed, when it cannot be written. */
bool trace_window(struct trace *t, const struct snapshot *s, struct err *err);
/* The device is left: a load ended with it, and the next window begins a process, though it be of a
 * device with the same name. */
void trace_leave(struct trace *t, int64_t mono_ns);
bool trace_close(struct trace *t, struct err *err);

#endif
