/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session in an event loop: its ticks, the descriptors of its sources, and that of its worker. It
 * is the one place that knows in which order these are looked at. */
#pragma once

#include "session/session.h"
#include "base/loop.h"

/* Called when a tick is due, and has to call refresh_tick(); or, as load_fn, when a message of the
 * worker has changed the phase of the job. It may stop the ticks, but must not close the session. */
typedef void session_tick_fn(void *ctx, struct session *ses);

/* The caller owns this struct and must not move it while it runs. A zero-initialised one is
 * stopped. */
struct session_ticks {
	struct session *session;
	struct loop *loop;
	bool runs;
	int64_t period_ns; /* of the armed timer, 0: none */
	bool reads_spans; /* a timer of its own does */
	unsigned changes; /* of the session's window, when it was armed */
	int fds[DEVICE_MAX_SOURCES]; /* of sources, in the loop, or -1 */
	int load_fd; /* of the worker, in the loop, or -1 */
	session_tick_fn *fn;
	session_tick_fn *load_fn; /* optional; set it after the start */
	void *ctx;
};

/* A session with a virtual clock gets no timer, because who moves the clock ticks it. */
bool session_ticks_start(struct session_ticks *t, struct session *ses, struct loop *loop,
	session_tick_fn *fn, void *ctx, struct err *err);
/* Has to be called when something else than a tick may have opened or closed a descriptor, started
 * a job, or changed the length of a window. */
bool session_ticks_update(struct session_ticks *t, struct err *err);
/* The next tick is a whole period away, because a window was ended by hand. */
bool session_ticks_again(struct session_ticks *t, struct err *err);
/* Takes the descriptors out of the loop, before something that may close them;
 * session_ticks_update() puts them back. */
void session_ticks_let_go(struct session_ticks *t);
/* Stops the ticks. Has to be called before the session or the loop ends. */
void session_ticks_stop(struct session_ticks *t);
