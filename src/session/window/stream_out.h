/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the windows of devices into a stream: standard output, or a file for devices whose
 * counters come in no OA reports. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/outlet.h"
#include "base/strbuf.h"

struct client_table;
struct device;
struct session;

/* stream_out_open() makes it, stream_out_close() ends it. */
struct stream_out {
	struct outlet outlet;		/* takes whole records */
	char *path;		/* of the file, heap; NULL: standard output */
	struct strbuf records;		/* of the window that is being written */
	int n_devices, next;		/* of the head; that were added */
	uint64_t left_out;		/* windows since the last one that went out */
};

/* Opens path, or standard output where it is "-", and begins a stream of so many devices. */
struct stream_out *stream_out_open(
	const char *path, bool overwrite, int n_devices, struct err *err);
/* Adds the open device of a session, which is written as described: a copy that
 * also names the set. Returns its number, or -1. */
int stream_out_add(struct stream_out *s, const struct session *ses, const struct device *described,
	struct err *err);
/* Writes again what the device with that number is: it has told more of itself, or the next of the
 * sets in turns counts, which changes what its counters are. */
void stream_out_facts(struct stream_out *s, const struct session *ses,
	const struct device *described, int device, bool is_turn);
/* Adds a window that was just finished, with the processes in it where somebody has looked. When
 * nobody reads, it is left out and counted. */
void stream_out_window(struct stream_out *s, struct session *ses, int device, int64_t end_ns,
	const struct client_table *users);
/* Adds whole records behind the window that was added last. */
void stream_out_records(struct stream_out *s, int device, const char *records, size_t len);
/* Writes as much as the reader takes without waiting. Returns false, each time, when nothing more
 * can be written; code ERR_END means that the reader went away. */
bool stream_out_service(struct stream_out *s, struct err *err);
/* Gives the reader some time to take what is left, and frees it. NULL is good. */
bool stream_out_close(struct stream_out *s, struct err *err);
