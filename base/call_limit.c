/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A timer whose signal does nothing but interrupt. */
#include "config.h"

#include "base/call_limit.h"

#include "base/clock.h"

#define SIGNAL (SIGRTMIN + 1)

static void interrupt(int signo)
{
	(void)signo;
}

void call_limit_init(struct call_limit *p)
{
	struct sigaction action = { .sa_handler = interrupt };	/* no SA_RESTART */
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGNAL };

	sigemptyset(&action.sa_mask);
	p->is_there = !sigaction(SIGNAL, &action, &p->before) &&
		!timer_create(CLOCK_MONOTONIC, &event, &p->timer);
}

void call_limit_release(struct call_limit *p)
{
	if (!p->is_there)
		return;
	timer_delete(p->timer);
	sigaction(SIGNAL, &p->before, NULL);
	p->is_there = false;
}

/* The timer fires again and again, since the first signal may come before the call waits. */
void call_limit_limit(struct call_limit *p, int ms)
{
	struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * NS_PER_MS };
	struct itimerspec limit = { .it_interval = t, .it_value = t };

	if (p->is_there)
		timer_settime(p->timer, 0, &limit, NULL);
}
