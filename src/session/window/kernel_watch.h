/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kernels run: spans of programs that were started with the layer, as rows of a table. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "core/record/span_records.h"
#include "core/spans/kernel_list.h"
#include "core/spans/span_count.h"
#include "core/spans/span_table.h"

struct client_table;
struct metric_set;
struct session;
struct span_hub;

/* Gets each span with its place in the session's time. */
struct span_slice {
	const struct span_place *place;
	const struct span *span;
	int64_t start_ns, end_ns;
};

struct span_tap {
	void (*slice)(void *ctx, const struct span_slice *s);
	void *ctx;
};

/* Clients are judged when the programs that they are of are known. */
struct window_ended {
	int64_t end_ns; /* 0: none has */
	const struct client_table *clients; /* as of the end; NULL: nobody looked */
};

/* A zero-initialised watch is off. */
struct kernel_watch {
	bool on;
	unsigned begins; /* how often the table has begun anew; its names are not kept */
	unsigned reads; /* how often it may have changed */
	struct span_hub *hub; /* NULL: spans come from the device, or from a recording */
	int64_t shift_ns; /* the session's clock minus that of spans */
	struct span_tap tap; /* a slice of NULL: nobody wants them */
	struct span_table table;
	struct span_count count;
	struct span_writer writer; /* of what is recorded */
	bool records; /* the recording has all queues */
	bool begun; /* what is told from here on is recorded; queues always are */
	bool counts; /* pairs of reports come */
	const struct metric_set *set; /* whose events are counted */
	/* host time of a time stamp of the reports */
	int64_t stamp_host_ns;
	uint32_t stamp;
	struct window_ended window;
	int programs, refused; /* that have greeted; that were none */
	int64_t end_ns; /* nothing behind it counts; INT64_MAX while it is watched */
	uint64_t unended; /* commands that nobody saw end */
	char layer[4096]; /* the file that programs have to load */
};

/* Has to be called when a device was opened: one that tells of its commands is watched at once. */
void kernel_watch_opened(struct session *ses);
/* Has to be called before the device is closed. Programs are listened to further on. */
void kernel_watch_leave(struct session *ses);
/* Looks for the layer and listens for programs, unless the device tells of its commands. is_live:
 * programs that others start may greet, too. */
bool kernel_watch_open(struct session *ses, bool is_live, struct err *err);
/* Sets the environment for programs that are started from now on. */
void kernel_watch_tell_children(const struct session *ses);
/* For poll(): readable when a program greets, and kernel_watch_read() should be called; -1: none
 * can. */
int kernel_watch_fd(const struct session *ses);
/* Forgets what was told, because something begins at a moment of the clock of spans. */
void kernel_watch_begin(struct session *ses, int64_t at_ns);
/* The same at this moment. */
void kernel_watch_anew(struct session *ses);
/* Takes nothing until something begins. */
void kernel_watch_wait(struct session *ses);
/* Goes on at a moment, behind an end: what was told stays, and the time between is nobody's. */
void kernel_watch_go_on(struct session *ses, int64_t at_ns);
/* Takes what was told, and accounts for the time up to which it is complete. */
void kernel_watch_read(struct session *ses);
/* Whether what clients do has to be known beside the reports. */
bool kernel_watch_asks_clients(const struct session *ses);
/* Has to be called when a window has ended, with what clients did in it; NULL: nobody looked. */
void kernel_watch_window(struct session *ses, const struct client_table *clients);
/* Has to be called when that was told of programs which is known by then. */
void kernel_watch_look_around(struct session *ses);
/* Accounts for all of it: what was watched has ended then. */
void kernel_watch_end(struct session *ses, int64_t at_ns);
void kernel_watch_close(struct session *ses);
/* Hands each span on from now on. */
void kernel_watch_tap(struct session *ses, const struct span_tap *tap);
/* Fills the list (kernel_list.c). each_other: a line for each other command, not one for all. */
void kernel_watch_list(const struct session *ses, bool each_other, struct kernel_list *out);
void kernel_list_release(struct kernel_list *l);
/* Writes a time in the unit that people would use, such as "82.5 us". */
const char *kernel_duration(double ns, char *buf, size_t size);
