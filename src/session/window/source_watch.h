/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the descriptors of the open device's sources in an event loop. They come and go with
 * streams. */
#ifndef SESSION_WINDOW_SOURCE_WATCH_H
#define SESSION_WINDOW_SOURCE_WATCH_H

#include "session/session.h"
#include "base/loop.h"

/* The caller owns this struct. fn gets (ctx, fd, revents) and must call source_watch_ready(). */
struct source_watch {
	struct loop *loop;
	loop_fd_fn *fn;
	void *ctx;
	int fds[DEVICE_MAX_SOURCES];	/* in the loop, or -1 */
};

void source_watch_init(struct source_watch *w, struct loop *loop, loop_fd_fn *fn, void *ctx);
/* Adds new descriptors and removes those that are closed or have failed. Has to be called after
 * each tick and whenever another device was opened. */
void source_watch_update(struct source_watch *w, const struct session *ses);
/* Drains the source behind a readable descriptor. */
void source_watch_ready(struct source_watch *w, struct session *ses, int fd);
/* Removes all descriptors. Has to be called before the device closes. */
void source_watch_clear(struct source_watch *w);

#endif
