/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the program ends by a signal: by that signal itself, after everything was put back. */
#include "config.h"

#include "base/ending.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

static const int ending_signals[] = { ENDING_SIGNALS };

static bool is_ignored(int signo)
{
	struct sigaction old;

	return sigaction(signo, NULL, &old) == 0 && old.sa_handler == SIG_IGN;
}

void ending_hold(void)
{
	sigset_t held;

	sigemptyset(&held);
	for (size_t i = 0; i < ARRAY_LEN(ending_signals); i++)
		if (!is_ignored(ending_signals[i]))
			sigaddset(&held, ending_signals[i]);
	sigprocmask(SIG_BLOCK, &held, NULL);
}

void ending_decided(void)
{
	for (size_t i = 0; i < ARRAY_LEN(ending_signals); i++)
		signal(ending_signals[i], SIG_IGN);
}

void ending_finish(int signo)
{
	sigset_t set;

	sigpending(&set);
	for (size_t i = 0; i < ARRAY_LEN(ending_signals) && !signo; i++)
		if (sigismember(&set, ending_signals[i]) > 0)
			signo = ending_signals[i];
	if (!signo)
		return;
	signal(signo, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, signo);
	raise(signo);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}
