/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends calls of libraries that wait in system calls: these fail with EINTR after some time. */
#ifndef BASE_CALL_LIMIT_H
#define BASE_CALL_LIMIT_H

#include <signal.h>
#include <stdbool.h>
#include <time.h>

/* Zero-initialised is none: calls take as long as they take. One at a time in a process. */
struct call_limit {
	timer_t timer;
	bool is_there;
	struct sigaction before;
};

/* Takes a real-time signal for itself. Without a timer (the system's limit) it stays none. */
void call_limit_init(struct call_limit *p);
void call_limit_release(struct call_limit *p);
/* From now on each system call that waits ends after ms; 0: none does any more. */
void call_limit_limit(struct call_limit *p, int ms);

#endif
