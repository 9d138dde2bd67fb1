/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The descriptors of the open device's sources in an event loop: they come and go with streams. */
#ifndef SESSION_SOURCE_WATCH_H
#define SESSION_SOURCE_WATCH_H

#include "session/session.h"
#include "base/loop.h"

/* Caller-owned. fn gets (ctx, fd, revents) and is to call watch_ready(). */
struct watch {
	struct loop *loop;
	loop_fd_fn *fn;
	void *ctx;
	int fds[DEVICE_MAX_SOURCES];	/* in the loop, or -1 */
};

void watch_init(struct watch *w, struct loop *loop, loop_fd_fn *fn, void *ctx);
/* Adds what is new and removes what is closed or has failed. After each tick and whenever another device was opened. */
void watch_update(struct watch *w, const struct app *a);
/* Drains the source behind a readable descriptor. */
void watch_ready(struct watch *w, struct app *a, int fd);
/* Removes all: before the device closes. */
void watch_clear(struct watch *w);

#endif
