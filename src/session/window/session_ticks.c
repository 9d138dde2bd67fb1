/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ticks a session from the event loop. */
#include "config.h"

#include "session/window/session_ticks.h"

#include "session/window/refresh.h"

static void on_tick(void *ctx, uint64_t missed);

static bool arm(struct session_ticks *t, struct err *err)
{
	int64_t period_ns = refresh_period_ns(t->session);

	if (period_ns == t->period_ns)
		return true;
	t->period_ns = period_ns;
	return loop_set_tick(t->watch.loop, period_ns, on_tick, t, err);
}

static void on_tick(void *ctx, uint64_t missed)
{
	struct session_ticks *t = ctx;
	struct err err = { 0 };

	(void)missed;
	t->fn(t->ctx, t->session, refresh_tick(t->session));
	if (!t->period_ns)
		return;
	source_watch_update(&t->watch, t->session);
	if (arm(t, &err))
		return;
	session_problem(t->session, &err);
	session_ticks_stop(t);
}

static void on_source(void *ctx, int fd, short revents)
{
	struct session_ticks *t = ctx;

	(void)revents;
	source_watch_ready(&t->watch, t->session, fd);
}

bool session_ticks_start(struct session_ticks *t, struct session *ses, struct loop *loop,
	session_tick_fn *fn, void *ctx, struct err *err)
{
	*t = (struct session_ticks){ .session = ses, .fn = fn, .ctx = ctx };
	source_watch_init(&t->watch, loop, on_source, t);
	source_watch_update(&t->watch, ses);
	return arm(t, err);
}

void session_ticks_stop(struct session_ticks *t)
{
	if (!t->period_ns)
		return;
	source_watch_clear(&t->watch);
	loop_set_tick(t->watch.loop, 0, on_tick, t, NULL);
	t->period_ns = 0;
}
