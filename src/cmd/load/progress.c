/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the progress of long commands. */
#include "config.h"

#include "cmd/load/load.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/outlet.h"

/* Returns the time by the machine's clock, whatever clock the measurement has. */
static int64_t now(void)
{
	static const struct clock machine;

	return clock_mono_ns(&machine);
}

void progress_begin(struct progress *p, int total, int done, bool quiet)
{
	*p = (struct progress){ .shown = !quiet && isatty(STDERR_FILENO),
		.total = total,
		.done = done,
		.start = done,
		.start_ns = now() };
}

/* Prints "3/12 what 1 min 20 s left". The time is estimated from the pace so far, and left out
 * before the first step is done. */
void progress_step(struct progress *p, const char *what)
{
	int steps = p->done - p->start;
	char left[64] = "";
	long long s;

	if (p->shown && steps > 0) {
		s = (now() - p->start_ns) / NS_PER_S * (p->total - p->done) / steps;
		if (s >= 60)
			snprintf(left, sizeof(left), "%lld min %lld s left", s / 60, s % 60);
		else
			snprintf(left, sizeof(left), "%lld s left", s);
	}
	/* What a terminal has not taken is not worth a second line. */
	if (p->shown && outlet_waiting(outlet_of_messages()) == 0)
		outlet_say("\r\033[K%d/%d  %s  %s", p->done + 1, p->total, what, left);
	p->done++;
}

void progress_end(struct progress *p)
{
	if (!p->shown)
		return;
	outlet_say("\r\033[K");
	p->shown = false;
}
