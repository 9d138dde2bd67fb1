/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What leaves the program beside its screen or lines: an OpenMetrics endpoint, a file for
 * node_exporter, a trace. */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "base/loop.h"
#include "session/program.h"
#include "session/session.h"

/* Opens the exports that the options ask for. On failure nothing stays open. */
bool export_open(struct program *p, struct err *err);
/* Returns the endpoint's address for people, or NULL when there is no endpoint. */
const char *export_url(const struct program *p);
/* Starts to serve from this loop. From now on nothing waits for the reader of a trace. */
void export_start(struct program *p, struct loop *loop);
/* Has to be called after each tick of a session; is_new: a window is complete. Returns false with
 * err when an export can no longer be written; it is then closed. */
bool export_service(struct session *ses, bool is_new, struct err *err);
/* Whether something is exported still, after what has failed. */
bool export_is_on(const struct program *p);
/* Whether the reader of the trace is so far behind that the next window would be left out. */
bool export_is_full(const struct program *p);
/* Has to be called before a session is closed: it ends what the session has begun in the
 * exports. */
void export_leave(struct session *ses);
bool export_close(struct program *p, struct err *err);

/* Keeps what a command counts that has no screen: the recording of -w, and the trace of --trace. */

/* A zero-initialised struct keeps nothing. */
struct keeper {
	struct session *session;
	bool failed;	/* err says why; what has not failed goes on */
	struct err err;
};

/* Begins what the options ask for. Returns false (ERR_NO_DEVICE) where no device is open. */
bool keeper_begin(struct keeper *k, struct session *ses, struct loop *loop, struct err *err);
/* Has to be called after each tick; is_new: a window is complete. A failure is told at once, and
 * the command goes on. */
void keeper_tick(struct keeper *k, bool is_new);
/* Ends it all. Returns good, unless something could not be kept: then false, and err says why. */
bool keeper_end(struct keeper *k, bool good, struct err *err);
