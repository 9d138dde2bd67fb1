/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one poll loop: file descriptors, periodic timers, signals through a signalfd.
 * Single-threaded. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct loop;	/* opaque */
struct outlet;

/* The callback may add, remove and stop, but must not block for more than 5 ms. revents is as in
 * poll(2). */
typedef void loop_fd_fn(void *ctx, int fd, short revents);
/* missed is the number of ticks that passed unnoticed before this one, 0 when on time. */
typedef void loop_tick_fn(void *ctx, uint64_t missed);
typedef void loop_signal_fn(void *ctx, int signo);

/* Takes over the signals of the 0-terminated list: they are blocked and arrive through a signalfd.
 * A signal that is ignored stays ignored (nohup). It ignores SIGPIPE and leaves SIGCHLD alone. */
struct loop *loop_new(const int *signals, struct err *err);
void loop_free(struct loop *l);	/* restores the signal mask; NULL is fine */
/* Both functions ignore fd -1, which is what a closed thing has. */
void loop_add_fd(struct loop *l, int fd, short events, loop_fd_fn *fn, void *ctx);
void loop_remove_fd(struct loop *l, int fd);
/* From now on the loop writes what waits in the outlet. NULL: no loop does any longer. */
void loop_watch_outlet(struct loop *l, struct outlet *o);
/* Sets a periodic timer on CLOCK_MONOTONIC, one for each ctx; period_ns 0 ends it. A timer that is
 * set again does not keep its old phase. */
bool loop_set_tick(struct loop *l, int64_t period_ns, loop_tick_fn *fn, void *ctx, struct err *err);
/* Sets who gets the signals that loop_new() took over; there is one at a time. */
void loop_on_signal(struct loop *l, loop_signal_fn *fn, void *ctx);
/* Runs until loop_stop(). Returns false only when poll itself fails. */
bool loop_run(struct loop *l, struct err *err);
/* Handles what is ready now, waiting at most timeout_ms (-1: for ever). */
bool loop_once(struct loop *l, int timeout_ms, struct err *err);
/* Makes loop_run() return after the callback that is running now. */
void loop_stop(struct loop *l);
/* Inside a signal's callback: whether the kernel sent the signal (a key on the terminal), so that
 * others of our group got it as well. */
bool loop_signal_by_kernel(const struct loop *l);
