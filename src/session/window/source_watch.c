/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps an event loop in step with the sources. */
#include "config.h"

#include "session/window/source_watch.h"

#include <poll.h>

#include "session/window/refresh.h"

void source_watch_init(struct source_watch *w, struct loop *loop, loop_fd_fn *fn, void *ctx)
{
	*w = (struct source_watch){ .loop = loop, .fn = fn, .ctx = ctx };
	for (int i = 0; i < DEVICE_MAX_SOURCES; i++)
		w->fds[i] = -1;
}

static void set(struct source_watch *w, int i, int fd)
{
	if (w->fds[i] == fd)
		return;
	loop_remove_fd(w->loop, w->fds[i]);
	loop_add_fd(w->loop, fd, POLLIN, w->fn, w->ctx);
	w->fds[i] = fd;
}

/* Leaves out failed sources, which would stay readable; ticks go on trying them. */
void source_watch_update(struct source_watch *w, const struct session *ses)
{
	int n = ses->dev ? ses->dev->n_sources : 0;

	for (int i = 0; i < DEVICE_MAX_SOURCES; i++)
		if (i >= n || ses->got.failed[i] || ses->dev->sources[i]->fd != w->fds[i])
			set(w, i, -1);
	for (int i = 0; i < n; i++)
		set(w, i, ses->got.failed[i] ? -1 : ses->dev->sources[i]->fd);
}

void source_watch_ready(struct source_watch *w, struct session *ses, int fd)
{
	if (!refresh_ready(ses, fd))
		source_watch_update(w, ses);
}

void source_watch_clear(struct source_watch *w)
{
	for (int i = 0; i < DEVICE_MAX_SOURCES; i++)
		set(w, i, -1);
}
