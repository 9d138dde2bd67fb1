/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What leaves the program beside its screen or lines: an OpenMetrics endpoint, a file for
 * node_exporter, a trace. */
#ifndef OUT_EXPORT_H
#define OUT_EXPORT_H

#include <stdbool.h>

#include "out/http.h"
#include "out/trace.h"
#include "base/err.h"
#include "base/loop.h"

struct session;

/* Zero-initialised is closed. */
struct exporter {
	struct http *http;
	struct trace trace;
	char textfile[512];		/* "" none */
	bool textfile_made;
};

/* Opens what the options ask for. On failure nothing stays open. */
bool export_open(struct session *ses, struct err *err);
/* Serves from this loop. */
void export_start(struct session *ses, struct loop *loop);
/* After each tick; is_new: a window is complete. False with err: something can no longer be
 * written, and is closed. */
bool export_service(struct session *ses, bool is_new, struct err *err);
bool export_close(struct session *ses, struct err *err);
/* Everything goes on with the device of another one; in a trace that is a process of its own. */
void export_hand_over(struct session *from, struct session *to);

#endif
