/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress of long commands. */
#include "config.h"

#include "cmd/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"

/* By the machine's clock, whatever clock the measurement has. */
static int64_t now(void)
{
	static const struct clock machine;

	return clock_mono_ns(&machine);
}

void progress_begin(struct progress *p, int total, int done, bool quiet)
{
	*p = (struct progress){ .shown = !quiet && isatty(STDERR_FILENO), .total = total, .done = done, .start = done, .start_ns = now() };
}

/* "1 min 20 s" for what is left at the pace so far; "" before the first step is done. Returns
 * buf. */
static const char *progress_left(const struct progress *p, int64_t now_ns, char *buf, int size)
{
	int steps = p->done - p->start;
	int64_t s = steps > 0 ? (now_ns - p->start_ns) / NS_PER_S * (p->total - p->done) / steps
			      : 0;

	buf[0] = '\0';
	if (steps > 0 && s >= 60)
		snprintf(buf, (size_t)size, _("%lld min %lld s left"), (long long)(s / 60),
			(long long)(s % 60));
	else if (steps > 0)
		snprintf(buf, (size_t)size, _("%lld s left"), (long long)s);
	return buf;
}

void progress_step(struct progress *p, const char *what)
{
	char left[64];

	if (p->shown) {
		fprintf(stderr, "\r\033[K%d/%d  %s  %s", p->done + 1, p->total, what,
			progress_left(p, now(), left, sizeof(left)));
		fflush(stderr);
	}
	p->done++;
}

void progress_end(struct progress *p)
{
	if (!p->shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	p->shown = false;
}
