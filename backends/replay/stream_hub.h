/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes a stream apart: bytes become windows of its devices. It holds one window of each device and
 * reads no further until that was taken, so that memory is bounded and the writer knows. */
#pragma once

#include <sys/types.h>

#include "backends/common/backend.h"
#include "core/record/mark_records.h"
#include "core/record/span_records.h"
#include "core/record/stream_records.h"

struct stream_window {
	struct rec_sample samples[REC_MAX_FEEDS];
	bool has[REC_MAX_FEEDS];
	struct client_table clients;	/* WHY_NOT_YET where it has none */
	int n_contexts;		/* of the first feed; -1: they were not told apart */
	struct hw_context contexts[HW_CONTEXTS_MAX];
	uint64_t context_values[HW_CONTEXTS_MAX * FEED_MAX_COUNTERS];
	int64_t end_ns;		/* by the clock of the machine that was recorded */
	uint64_t left_out;	/* windows before it */
	bool complete;
	struct rec_marks marks;	/* that stand before it */
	struct span_kept spans;	/* of the same place */
};

struct stream_device {
	struct rec_stream_device about;
	struct rec_feed feeds[REC_MAX_FEEDS];
	bool has_feed[REC_MAX_FEEDS];
	int n_feeds;
	struct roof_file roofs;
	bool open;			/* somebody takes its windows */
	bool has_news;			/* about or feeds have changed since somebody looked */
	bool has_facts;			/* of these, more than whose turn it is */
	struct stream_window *next;	/* heap; the taker may exchange it for another one */
};

struct stream_hub {
	struct device_shared shared;	/* first */
	char name[200];			/* for messages: "standard input", the path, the host */
	int fd;
	bool is_file;
	pid_t child;			/* ssh, or 0 */
	int child_error;		/* its standard error, -1 */
	char said[200];			/* the last line of it */
	bool told_wait;			/* somebody knows that it is waited for */
	uint8_t *buf;
	size_t start, fill;
	bool ended;			/* nothing follows what is in buf */
	bool stopped;			/* what is in buf cannot be used; failure says why */
	struct err failure;		/* code ERR_NONE: it ended well */
	struct rec_stream head;
	struct stream_device *devices;	/* heap [head.n_devices] */
};

/* Takes over fd and reads until all devices are known, waiting for them. NULL: err says why not. */
struct stream_hub *stream_hub_new(
	int fd, pid_t child, int child_error, const char *name, struct err *err);
/* Reads what is there, until the device has a whole window or more has to be waited for. */
void stream_hub_read(struct stream_hub *h, int device);
/* Of a file: begins again, and forgets windows. */
bool stream_hub_rewind(struct stream_hub *h, struct err *err);
/* Whether the file begins as a stream does. */
bool stream_hub_is_file(const char *path);
/* Forgets what is in it, but keeps its storage. */
void stream_window_clear(struct stream_window *w);
void stream_window_free(struct stream_window *w);
