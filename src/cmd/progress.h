/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line on a terminal's standard error: how far a long command is and how long it will take. */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Plain data. */
struct progress {
	bool shown;		/* standard error is a terminal and may be used */
	int total, done;
	int start;		/* done when it began: work of an earlier run costs no time */
	int64_t start_ns;
};

/* done: what an earlier run has done. */
void progress_begin(struct progress *p, int total, int done, bool quiet);
/* One more is about to be done; what: "mem.copy.sp.x4, 12 groups". */
void progress_step(struct progress *p, const char *what);
/* Takes the line away. */
void progress_end(struct progress *p);

#endif
