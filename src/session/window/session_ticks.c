/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ticks a session from the event loop. */
#include "config.h"

#include "session/window/session_ticks.h"

#include <poll.h>

#include "session/window/own_load.h"
#include "session/window/refresh.h"

static void on_tick(void *ctx, uint64_t missed)
{
	struct session_ticks *t = ctx;
	struct err err = { 0 };

	(void)missed;
	t->fn(t->ctx, t->session);
	if (!t->runs || session_ticks_update(t, &err))
		return;
	session_problem(t->session, &err);
	session_ticks_stop(t);
}

static void on_load(void *ctx, int fd, short revents);

static void watch_load(struct session_ticks *t, int fd)
{
	if (fd == t->load_fd)
		return;
	loop_remove_fd(t->loop, t->load_fd);
	loop_add_fd(t->loop, fd, POLLIN, on_load, t);
	t->load_fd = fd;
}

/* Takes a message of the worker, which has another descriptor after each start. */
static void on_load(void *ctx, int fd, short revents)
{
	struct session_ticks *t = ctx;
	enum job_phase before = t->session->load.state.phase;

	(void)fd;
	(void)revents;
	own_load_ready(t->session);
	watch_load(t, own_load_fd(t->session));
	if (t->load_fn && t->session->load.state.phase != before)
		t->load_fn(t->ctx, t->session);
}

static void watch_sources(struct session_ticks *t);

static void on_source(void *ctx, int fd, short revents)
{
	struct session_ticks *t = ctx;

	(void)revents;
	if (!refresh_ready(t->session, fd))
		watch_sources(t);
}

static void watch_source(struct session_ticks *t, int i, int fd)
{
	if (t->fds[i] == fd)
		return;
	loop_remove_fd(t->loop, t->fds[i]);
	loop_add_fd(t->loop, fd, POLLIN, on_source, t);
	t->fds[i] = fd;
}

/* Leaves out failed sources, which would stay readable; ticks go on trying them. */
static void watch_sources(struct session_ticks *t)
{
	const struct session *ses = t->session;
	int n = ses->dev ? ses->dev->n_sources : 0;

	for (int i = 0; i < DEVICE_MAX_SOURCES; i++)
		if (i >= n || ses->got.failed[i] || ses->dev->sources[i]->fd != t->fds[i])
			watch_source(t, i, -1);
	for (int i = 0; i < n; i++)
		watch_source(t, i, ses->got.failed[i] ? -1 : ses->dev->sources[i]->fd);
}

/* Programs may tell more in a long window than their memory holds. */
#define SPANS_NS (50 * NS_PER_MS)

static void on_spans(void *ctx, uint64_t missed)
{
	(void)missed;
	if (((struct session *)ctx)->kernels.begun)
		kernel_watch_read(ctx);
}

static bool arm_spans(struct session_ticks *t, bool on, struct err *err)
{
	if (on == t->reads_spans)
		return true;
	t->reads_spans = on;
	return loop_set_tick(t->loop, on ? SPANS_NS : 0, on_spans, t->session, err);
}

/* What has ended is looked at once a second, because it may begin again. */
static bool arm(struct session_ticks *t, struct err *err)
{
	const struct session *ses = t->session;
	int64_t period_ns = ses->play.ended ? NS_PER_S : refresh_period_ns(ses);

	if (ses->clock.is_virtual ||
		(period_ns == t->period_ns && t->changes == ses->window.changes))
		return true;
	t->period_ns = period_ns;
	t->changes = ses->window.changes;
	return loop_set_tick(t->loop, period_ns, on_tick, t, err);
}

bool session_ticks_update(struct session_ticks *t, struct err *err)
{
	watch_load(t, own_load_fd(t->session));
	watch_sources(t);
	return arm_spans(t, t->session->kernels.hub != NULL, err) && arm(t, err);
}

bool session_ticks_again(struct session_ticks *t, struct err *err)
{
	t->period_ns = 0;
	return session_ticks_update(t, err);
}

bool session_ticks_start(struct session_ticks *t, struct session *ses, struct loop *loop,
	session_tick_fn *fn, void *ctx, struct err *err)
{
	*t = (struct session_ticks){
		.session = ses, .loop = loop, .runs = true, .load_fd = -1, .fn = fn, .ctx = ctx
	};
	for (int i = 0; i < DEVICE_MAX_SOURCES; i++)
		t->fds[i] = -1;
	return session_ticks_update(t, err);
}

void session_ticks_let_go(struct session_ticks *t)
{
	if (!t->runs)
		return;
	watch_load(t, -1);
	for (int i = 0; i < DEVICE_MAX_SOURCES; i++)
		watch_source(t, i, -1);
}

void session_ticks_stop(struct session_ticks *t)
{
	if (!t->runs)
		return;
	session_ticks_let_go(t);
	loop_set_tick(t->loop, 0, on_tick, t, NULL);
	arm_spans(t, false, NULL);
	t->runs = false;
}
