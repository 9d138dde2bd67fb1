/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The descriptors of the open device's sources in an event loop: they come and go with streams. */
#ifndef SESSION_SOURCE_WATCH_H
#define SESSION_SOURCE_WATCH_H

#include "session/session.h"
#include "base/loop.h"

/* Caller-owned. fn gets (ctx, fd, revents) and is to call source_watch_ready(). */
struct source_watch {
	struct loop *loop;
	loop_fd_fn *fn;
	void *ctx;
	int fds[DEVICE_MAX_SOURCES];	/* in the loop, or -1 */
};

void source_watch_init(struct source_watch *w, struct loop *loop, loop_fd_fn *fn, void *ctx);
/* Adds what is new and removes what is closed or has failed. After each tick and whenever another
 * device was opened. */
void source_watch_update(struct source_watch *w, const struct session *ses);
/* Drains the source behind a readable descriptor. */
void source_watch_ready(struct source_watch *w, struct session *ses, int fd);
/* Removes all: before the device closes. */
void source_watch_clear(struct source_watch *w);

#endif
