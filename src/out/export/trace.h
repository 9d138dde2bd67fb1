/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes counters and kernel runs as trace events in JSON (Trace Event Format), for ui.perfetto.dev
 * and chrome://tracing. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "out/lines/output.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "core/value/device.h"
#include "core/work/job.h"
#include "core/snapshot/snapshot.h"
#include "session/window/kernel_watch.h"

/* A zero-initialised trace is closed. Each event is written whole, so a run that is killed leaves a
 * file that still loads. */
struct trace {
	struct output output;
	bool on;
	bool any;			/* an event was written */
	int last_pid;
	struct strbuf buf;
};

/* The track of a metric that is being drawn; heap. NULL: it is not. */
struct trace_series {
	char *label, *name;
};

/* A device in a trace. It must begin zero-initialised. */
struct trace_device {
	int pid;			/* 0: not begun */
	char id[sizeof(((struct device *)0)->id)];
	struct job_state seen;		/* in the last window */
	int64_t job_start_ns;
	int64_t limits_ns;	/* where the last slice of the limits ended */
	struct job job;
	int64_t *queue_ends_ns;		/* heap; where the last slice of each queue ended, -1: it has no track */
	int n_queues;
	struct trace_series *series;	/* heap; by the metrics of the last window's set */
	int n_series;
};

/* Opens the trace. path stays the caller's and must live as long as the trace. */
bool trace_open(struct trace *t, const char *path, struct err *err);
/* Begins the process of a device. name tells it from others with the same id. */
void trace_begin(struct trace *t, struct trace_device *td, const struct device *d, const char *name);
/* Adds a complete window. When it is not of the device that the process stands for, another process
 * begins. When the window cannot be written, the trace is closed. */
bool trace_window(struct trace *t, struct trace_device *td, const struct snapshot *s,
	const char *name, struct err *err);
/* Adds a command of a program's queue. Commands of a queue without order lie on tracks beside each
 * other. */
void trace_span(struct trace *t, struct trace_device *td, const struct span_slice *s);
/* Has to be called when the device is left, because a load on it has then ended. */
void trace_leave(struct trace *t, struct trace_device *td, int64_t mono_ns);
/* Writes what is waiting. When that fails, the trace is closed. */
bool trace_flush(struct trace *t, struct err *err);
bool trace_close(struct trace *t, struct err *err);
