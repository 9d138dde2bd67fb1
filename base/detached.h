/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Child processes that do one thing for rooftop and put it right after rooftop ends, however it
 * ended. */
#ifndef BASE_DETACHED_H
#define BASE_DETACHED_H

#include <sys/types.h>

/* Call it first in the child of a fork(). The child gets a session of its own, so that it does not
 * hear what ends rooftop (keys of the terminal, signals to its group), and its own name in lists
 * of processes. It closes all descriptors but these two (-1: one alone), so that it holds nothing
 * open longer than rooftop lives. name: at most 15 bytes. */
void detached_begin(const char *name, int fd, int other);

/* In rooftop: a child that was killed, or told to end, and hangs in the kernel is left alone; it is
 * only reaped when that lets it go, by the next call of detached_reap(). */
void detached_leave(pid_t pid);
void detached_reap(void);

#endif
