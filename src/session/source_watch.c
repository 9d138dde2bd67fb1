/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps an event loop in step with the sources. */
#include "config.h"

#include "session/source_watch.h"

#include <poll.h>

#include "session/refresh.h"

void watch_init(struct watch *w, struct loop *loop, loop_fd_fn *fn, void *ctx)
{
	*w = (struct watch){ .loop = loop, .fn = fn, .ctx = ctx };
	for (int i = 0; i < DEVICE_MAX_SOURCES; i++)
		w->fds[i] = -1;
}

static void set(struct watch *w, int i, int fd)
{
	if (w->fds[i] == fd)
		return;
	loop_remove_fd(w->loop, w->fds[i]);
	loop_add_fd(w->loop, fd, POLLIN, w->fn, w->ctx);
	w->fds[i] = fd;
}

/* What has failed would stay readable; ticks go on trying it. */
void watch_update(struct watch *w, const struct app *a)
{
	int n = a->dev ? a->dev->n_sources : 0;

	for (int i = 0; i < DEVICE_MAX_SOURCES; i++)
		if (i >= n || a->source_failed[i] || a->dev->sources[i]->fd != w->fds[i])
			set(w, i, -1);
	for (int i = 0; i < n; i++)
		set(w, i, a->source_failed[i] ? -1 : a->dev->sources[i]->fd);
}

void watch_ready(struct watch *w, struct app *a, int fd)
{
	if (!refresh_ready(a, fd))
		watch_update(w, a);
}

void watch_clear(struct watch *w)
{
	for (int i = 0; i < DEVICE_MAX_SOURCES; i++)
		set(w, i, -1);
}
