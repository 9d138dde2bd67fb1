/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session in an event loop: its ticks, and the descriptors of its sources. */
#ifndef SESSION_SESSION_TICKS_H
#define SESSION_SESSION_TICKS_H

#include "session/source_watch.h"

/* After each tick; is_new: a window is complete. May stop the ticks, but not close the session. */
typedef void session_tick_fn(void *ctx, struct session *ses, bool is_new);

/* Caller-owned, and not moved while it runs; zero-initialised is stopped. */
struct session_ticks {
	struct session *session;
	struct source_watch watch;
	int64_t period_ns;		/* of the armed timer, 0: stopped */
	session_tick_fn *fn;
	void *ctx;
};

bool session_ticks_start(struct session_ticks *t, struct session *ses, struct loop *loop,
	session_tick_fn *fn, void *ctx, struct err *err);
/* Before the session or the loop ends. */
void session_ticks_stop(struct session_ticks *t);

#endif
