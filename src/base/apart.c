/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a child process leaves behind when it stays apart from rooftop. */
#include "config.h"

#include "base/apart.h"

#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/mem.h"

static void close_from_to(int first, int last)
{
	if (first <= last)
		close_range((unsigned)first, (unsigned)last, 0);
}

static void close_others(int a, int b)
{
	int low = a < b ? a : b, high = a < b ? b : a;

	close_from_to(0, low - 1);
	close_from_to(low + 1, high - 1);
	close_from_to(high + 1, INT_MAX);
}

void apart_begin(const char *name, int fd, int other)
{
	static const int ignored[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGPIPE };

	for (size_t i = 0; i < ARRAY_LEN(ignored); i++)
		signal(ignored[i], SIG_IGN);
	setsid();
	prctl(PR_SET_NAME, name);
	close_others(fd, other < 0 ? fd : other);
}
