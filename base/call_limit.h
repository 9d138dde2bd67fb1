/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends library calls that wait in system calls: these fail with EINTR after some time. */
#ifndef BASE_CALL_LIMIT_H
#define BASE_CALL_LIMIT_H

#include <signal.h>
#include <stdbool.h>
#include <time.h>

/* A zero-initialised struct sets no limit: calls take as long as they take. A process may have only
 * one at a time. */
struct call_limit {
	timer_t timer;
	bool is_there;
	struct sigaction before;
};

/* Takes a real-time signal for itself. If it gets no timer (the system's limit), there is no
 * limit. */
void call_limit_init(struct call_limit *p);
void call_limit_release(struct call_limit *p);
/* From now on each system call that waits ends after ms; 0: calls are not ended any more. */
void call_limit_limit(struct call_limit *p, int ms);

#endif
