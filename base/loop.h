/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one poll loop: file descriptors, periodic timers, signals through a signalfd.
 * Single-threaded. */
#ifndef BASE_LOOP_H
#define BASE_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct loop;	/* opaque */

/* May add, remove and stop; must not block for more than 5 ms. revents as of poll(2). */
typedef void loop_fd_fn(void *ctx, int fd, short revents);
/* missed: ticks that passed unnoticed before this one, 0 when on time. */
typedef void loop_tick_fn(void *ctx, uint64_t missed);
typedef void loop_signal_fn(void *ctx, int signo);

/* Takes over the signals of the 0-terminated list: they are blocked and arrive through a signalfd.
 * SIGPIPE is set to ignored. SIGCHLD is left alone. */
struct loop *loop_new(const int *signals, struct err *err);
void loop_free(struct loop *l);	/* restores the signal mask; NULL is fine */
/* fd -1 is passed over, here and there: what is closed has none. */
void loop_add_fd(struct loop *l, int fd, short events, loop_fd_fn *fn, void *ctx);
void loop_remove_fd(struct loop *l, int fd);
/* Periodic on CLOCK_MONOTONIC, one timer for each ctx; period_ns 0 ends it. Re-arming keeps no old
 * phase. */
bool loop_set_tick(struct loop *l, int64_t period_ns, loop_tick_fn *fn, void *ctx, struct err *err);
/* Who is told of the signals that loop_new() took over; one at a time. */
void loop_on_signal(struct loop *l, loop_signal_fn *fn, void *ctx);
/* Runs until loop_stop(). False only when poll itself fails. */
bool loop_run(struct loop *l, struct err *err);
/* Handles what is ready now, waiting at most timeout_ms (-1: for ever). */
bool loop_once(struct loop *l, int timeout_ms, struct err *err);
/* loop_run() returns after the callback that is running now. */
void loop_stop(struct loop *l);
/* Inside a signal's callback: whether the kernel sent it (a key on the terminal), so that others of
 * our group have it as well. */
bool loop_signal_by_kernel(const struct loop *l);

#endif
