/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kernels run: spans of programs that were started with the layer, as rows of a table. */
#ifndef SESSION_WINDOW_KERNEL_WATCH_H
#define SESSION_WINDOW_KERNEL_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "core/record/span_records.h"
#include "core/spans/span_count.h"
#include "core/spans/span_table.h"
#include "core/value/value.h"

struct session;
struct span_hub;

/* A zero-initialised watch is off. */
struct kernel_watch {
	bool on;
	struct span_hub *hub; /* NULL: spans come from the device, or from a recording */
	struct span_table table;
	struct span_count count;
	struct span_writer writer; /* of what is recorded */
	bool begun; /* what is told from here on is recorded; queues always are */
	bool counts; /* pairs of reports come */
	/* host time of a time stamp of the reports */
	int64_t stamp_host_ns;
	uint32_t stamp;
	int programs, refused; /* that have greeted; that were none */
	int64_t end_ns; /* nothing behind it counts; INT64_MAX while it is watched */
	uint64_t unended; /* commands that nobody saw end */
	char layer[4096]; /* the file that programs have to load */
};

/* Looks for the layer and listens for programs. */
bool kernel_watch_open(struct session *ses, struct err *err);
/* Sets the environment for programs that are started from now on. */
void kernel_watch_tell_children(const struct session *ses);
/* For poll(): readable when a program greets, and kernel_watch_read() should be called; -1: none
 * can. */
int kernel_watch_fd(const struct session *ses);
/* Forgets what was told, because something begins at a moment of the clock of spans. */
void kernel_watch_begin(struct session *ses, int64_t at_ns);
/* Takes what was told, and accounts for the time up to which it is complete. */
void kernel_watch_read(struct session *ses);
/* Accounts for all of it: what was watched has ended then. */
void kernel_watch_end(struct session *ses, int64_t at_ns);
void kernel_watch_close(struct session *ses);
/* What is known of a kernel beside its time; numbers that are not known are NAN. */
struct kernel_figures {
	bool counted;
	double gflops, gbytes_per_s, flop_per_byte, headroom;
	char bound[24];
	double counted_time, counted_calls; /* shares of its time and calls, 0 to 1 */
	char why[160]; /* why it was not counted, with what helps; "" when it was */
};

void kernel_watch_figures(
	const struct session *ses, const struct span_row *r, struct kernel_figures *out);
/* Says why the table is empty, or "" when it is not. */
const char *kernel_watch_why_empty(const struct session *ses);

#endif
