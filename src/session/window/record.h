/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings of a session, and the names of their files. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/common/backend.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "core/record/mark_records.h"
#include "core/record/record_file.h"

struct client_table;
struct loop;
struct session;
struct stream_out;

/* A zero-initialised struct is not recording. It is the context of the tap, so it must not move
 * while recording. */
struct recorder {
	struct rec_writer *writer;
	struct source *source;
	struct record_tap tap;
	char path[4096];
	/* err says why; the writer is closed at the next record_service() */
	bool failed;
	struct err err;
	bool without_pair;		/* the last pair of times could not be had */
	int64_t correlated_ns;		/* the last pair of times */
	struct strbuf parts;		/* scratch: the records of a window */
	/* Instead of the writer: the windows of all sources go into a stream, which is the
	 * program's where several devices share it. */
	struct stream_out *stream;
	bool owns_stream;
	int device;			/* its number in the stream */
};

/* Starts a recording. A NULL path means rooftop-DATE-TIME.i915perf in the current folder. */
bool record_start(struct session *ses, const char *path, bool overwrite, struct err *err);
/* Lets a session's windows go into a stream. */
bool record_into(struct session *ses, struct stream_out *stream, struct err *err);
/* Has to be called when a window is complete, shown or not. users: the processes in it, NULL where
 * nobody has looked. */
void record_whole_window(struct session *ses, int64_t now_ns, const struct client_table *users);
bool record_is_on(const struct session *ses);
/* Whether the next window would be left out of the stream until its reader takes something. */
bool record_is_full(const struct session *ses);
/* From now on the loop writes what the stream's reader has not taken yet. NULL: no longer. */
void record_watch(struct session *ses, struct loop *loop);
/* Has to be called when the device or a source has told something new of itself: a fact that comes
 * late is written late; and when the next of the sets in turns counts. */
void record_facts(struct session *ses, bool is_turn);
/* Writes a mark behind the window that has just ended, where something is recorded. */
void record_mark(struct session *ses, const struct rec_mark *m);
/* Writes whole records, where something is recorded. */
void record_records(struct session *ses, const char *records, size_t len);
/* Has to be called once per tick; it writes the CPU/GPU time pair of each second. Returns false
 * once, with the reason, when the recording had to stop. */
bool record_service(struct session *ses, struct err *err);
/* Has to be called when a window was collected: writes what the sources beside the reports have
 * gathered in it. */
void record_window(struct session *ses, int64_t now_ns);
/* Drains the source, writes the last pair and closes the file. Returns true when not recording. */
bool record_stop(struct session *ses, struct err *err);

/* Starts a recording into the file of -w: FILE, or FILE.DEVICE where several devices share the
 * option; without -w the file is named after the time. A file that this run has recorded already is
 * followed by FILE-2, also with --overwrite. Refuses (ERR_USAGE) a file that is being played. */
bool record_start_named(struct session *ses, struct err *err);

/* Makes "STEM-20261121-140322END" from local time. A number is added where such a file exists
 * already, because two may begin in one second. Returns false when the time has no such form. */
bool default_file_name(
	const struct clock *clock, const char *stem, const char *end, char *buf, size_t size);
