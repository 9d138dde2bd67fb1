/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows on a terminal's standard error how far a long command is and how long it will take. */
#ifndef CMD_LOAD_PROGRESS_H
#define CMD_LOAD_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* This is plain data; nothing needs to be freed. */
struct progress {
	bool shown;		/* standard error is a terminal and may be used */
	int total, done;
	int start;		/* done when it began: work of an earlier run costs no time */
	int64_t start_ns;
};

/* Begins with total steps, of which an earlier run has already done some. */
void progress_begin(struct progress *p, int total, int done, bool quiet);
/* Says that one more step begins. what describes it: "mem.copy.sp.x4, 12 groups". */
void progress_step(struct progress *p, const char *what);
/* Removes the line from the terminal. */
void progress_end(struct progress *p);

#endif
