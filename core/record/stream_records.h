/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of streams: the windows of one device or several, one after the other, for a reader that
 * follows and cannot go back. doc/RECORDINGS.md has the layouts. */
#pragma once

#include "core/work/client.h"
#include "core/record/device_records.h"

#define REC_STREAM_VERSION 1
#define REC_STREAM_MAX_DEVICES 128

/* What a stream says of itself. */
struct rec_stream {
	unsigned version;	/* of the stream; newer ones are refused */
	int n_devices;
	char program[32];	/* the version of the program that writes it */
};

/* What a stream says of a device beside its constants, roofs and feeds. */
struct rec_stream_device {
	struct device device;
	int n_feeds;
};

/* These append a whole record. */
void rec_add_stream(struct strbuf *out, const struct rec_stream *s);
/* d has its recording filled in. */
void rec_add_device(struct strbuf *out, const struct device *d, int n_feeds);
/* Names, shares and processes; users and command lines only with whole. */
void rec_add_clients(struct strbuf *out, const struct client_table *t, bool whole);
/* What each hardware context did in the sample's window. */
void rec_add_contexts(struct strbuf *out, const struct feed *f, const struct sample *s);
/* The end of a window, and how many before it were left out because nobody read. */
void rec_add_stream_window(struct strbuf *out, int64_t end_ns, uint64_t left_out);
/* Makes all records in buf those of a device. */
void rec_of_device(char *buf, size_t len, int device);

/* These read a record. They return false, and leave the output as it is, when it makes no sense. */
bool rec_take_stream(const struct rec *rec, struct rec_stream *out);
bool rec_take_device(const struct rec *rec, struct rec_stream_device *out);
bool rec_take_clients(const struct rec *rec, struct client_table *out);
/* The contexts of the first feed; rows has room for HW_CONTEXTS_MAX. values gets the counts of all,
 * which the rows point to: [HW_CONTEXTS_MAX][n_counters]. Returns their number, or -1. */
int rec_take_contexts(
	const struct rec *rec, const struct feed *f, struct hw_context *rows, uint64_t *values);
bool rec_take_stream_window(const struct rec *rec, int64_t *end_ns, uint64_t *left_out);
/* Returns the device of a record of ours, or -1. */
int rec_device_of(const struct rec *rec);
/* Returns the record at a place, whose end becomes the place; false: it was the last one. */
bool rec_at(const struct strbuf *records, size_t *at, struct rec *out);
/* Whether a record says what a device is. */
bool rec_is_fact(uint32_t type);
/* Drops of records that wait for a reader what later ones say anew, and of spans all but their
 * number. They are those of a stream, and no window is among them. */
void rec_drop_old(struct strbuf *records);
