/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session in an event loop: its ticks, and the descriptors of its sources. */
#ifndef SESSION_WINDOW_SESSION_TICKS_H
#define SESSION_WINDOW_SESSION_TICKS_H

#include "session/window/source_watch.h"

/* Called after each tick; is_new: a window is complete. It may stop the ticks, but must not close
 * the session. */
typedef void session_tick_fn(void *ctx, struct session *ses, bool is_new);

/* The caller owns this struct and must not move it while it runs. A zero-initialised one is
 * stopped. */
struct session_ticks {
	struct session *session;
	struct source_watch watch;
	int64_t period_ns;		/* of the armed timer, 0: stopped */
	session_tick_fn *fn;
	void *ctx;
};

bool session_ticks_start(struct session_ticks *t, struct session *ses, struct loop *loop,
	session_tick_fn *fn, void *ctx, struct err *err);
/* Stops the ticks. Has to be called before the session or the loop ends. */
void session_ticks_stop(struct session_ticks *t);

#endif
