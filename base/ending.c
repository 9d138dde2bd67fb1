/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the program ends by a signal: by that signal itself, after everything was put back. */
#include "config.h"

#include "base/ending.h"

#include <stdatomic.h>
#include <stddef.h>

#include "base/clock.h"
#include "base/mem.h"

static const int ending_signals[] = { ENDING_SIGNALS };

/* It is asked far from the loop that took the signal, and is true for the whole process. */
static int64_t asked_ns;
static atomic_int asked_by;	/* the first signal that came, for all threads */
static int passed_on;		/* one that another program got, and decides what it ends */

bool ending_is_ignored(int signo)
{
	/* What the program was started with is asked once, before anybody catches the signal. */
	static signed char known[NSIG];
	struct sigaction old;

	if (!known[signo])
		known[signo] = sigaction(signo, NULL, &old) == 0 && old.sa_handler == SIG_IGN ? 1 : -1;
	return known[signo] > 0;
}

void ending_set(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < ARRAY_LEN(ending_signals); i++)
		if (!ending_is_ignored(ending_signals[i]))
			sigaddset(set, ending_signals[i]);
}

void ending_hold(void)
{
	sigset_t held;

	ending_set(&held);
	sigprocmask(SIG_BLOCK, &held, NULL);
}

/* The first signal of the set that ends the program, or 0. */
static int first_ending(const sigset_t *set)
{
	for (size_t i = 0; i < ARRAY_LEN(ending_signals); i++)
		if (sigismember(set, ending_signals[i]) > 0)
			return ending_signals[i];
	return 0;
}

void ending_take(int signo)
{
	for (size_t i = 0; i < ARRAY_LEN(ending_signals); i++)
		if (ending_signals[i] == signo && !asked_ns) {
			asked_ns = clock_machine_ns();
			asked_by = signo;
		}
}

int64_t ending_asked_ns(void)
{
	sigset_t set;

	if (!asked_ns && sigpending(&set) == 0)
		ending_take(first_ending(&set));
	return asked_ns;
}

int ending_signal(void)
{
	sigset_t set;

	if (asked_by || sigpending(&set) != 0)
		return asked_by;
	return first_ending(&set);
}

void ending_pass_on(void)
{
	passed_on = asked_by ? asked_by : passed_on;
	asked_by = 0;
	asked_ns = 0;
}

void ending_decided(void)
{
	for (size_t i = 0; i < ARRAY_LEN(ending_signals); i++)
		signal(ending_signals[i], SIG_IGN);
	/* Marks of a command may come late. */
	signal(SIGUSR1, SIG_IGN);
	signal(SIGUSR2, SIG_IGN);
	ending_take(passed_on);
}

void ending_finish(int signo)
{
	sigset_t set;

	if (!signo && sigpending(&set) == 0)
		signo = first_ending(&set);
	if (!signo)
		return;
	signal(signo, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, signo);
	raise(signo);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}
