/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of our own in recordings: what the device is, and what its other sources gathered, window
 * by window. doc/RECORDINGS.md has the layouts. All begin with struct rec_part; readers step over
 * what they do not know by the lengths in it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "core/value/device.h"
#include "core/record/record_file.h"
#include "core/roofline/roofs.h"
#include "core/value/sample.h"

#define REC_MAX_FEEDS 12

/* Then follow head_bytes, count rows of row_bytes each, and what belongs to no row. */
struct rec_part {
	uint16_t version;	/* 1; newer ones only add to the ends of heads and rows */
	uint16_t device;	/* 0: that of DEVICE_INFO */
	uint16_t id;		/* of the feed; else 0 */
	uint16_t count;
	uint16_t head_bytes, row_bytes;
	uint32_t pad;
};

/* These begin a record that is being built, and end it: its size is known only then. */
size_t rec_part_begin(struct strbuf *out, uint32_t type, const struct rec_part *part);
void rec_part_end(struct strbuf *out, size_t at);

/* A part in memory, with head and rows of at least the size that was asked for. */
struct rec_view {
	struct rec_part part;
	const uint8_t *head, *rows, *tail;
	size_t tail_bytes;
};

/* Returns false when the record is of another device than 0, or too small. */
bool rec_part_look(const struct rec *rec, size_t head_bytes, size_t row_bytes, struct rec_view *v);

/* Reasons have numbers in files that never change. */
uint8_t rec_why_code(enum why why);
enum why rec_why_of(uint8_t code);

/* These append a whole record, header included. */
void rec_add_consts(struct strbuf *out, const struct device *d);
void rec_add_roofs(struct strbuf *out, const struct roof_file *f);
void rec_add_feed(struct strbuf *out, int id, const struct feed *f);
/* Instances that do not fit into the record stand in others before it. whole: also what only the source of
 * reports knows, the half of the window and its clocks, which a replay of reports finds itself. */
void rec_add_sample(
	struct strbuf *out, int id, const struct feed *f, const struct sample *s, bool whole);
/* The window that all samples before it belong to ended at end_ns. */
void rec_add_window(struct strbuf *out, int64_t end_ns);
bool rec_take_window(const struct rec *rec, int64_t *end_ns);

/* A feed of a recording; what feed points to is its own. */
struct rec_feed {
	struct feed feed;
	struct counter_desc counters[FEED_MAX_COUNTERS];
	char (*instances)[12];
};

/* Holds a sample of a recording; what sample points to is its own. A zero-initialised struct may be
 * filled. */
struct rec_sample {
	struct sample sample;
	enum why whys[FEED_MAX_COUNTERS];
	uint64_t *instances;	/* [feed.n_instances][feed.n_counters], heap */
	size_t n_before;	/* numbers of these that were told before the sample */
	uint64_t half[FEED_MAX_COUNTERS];
	struct code_list *code;	/* heap; NULL: none has come yet */
};

void rec_sample_release(struct rec_sample *s);

/* These read a record of their type. They return false, and leave the output as it is, when the
 * record is of another device or makes no sense. */
bool rec_take_consts(const struct rec *rec, struct device *d);
bool rec_take_roofs(const struct rec *rec, struct roof_file *out);
bool rec_take_feed(const struct rec *rec, int *id, struct rec_feed *out);
/* The same of a feed that is known already. Its shape stays, for which windows were made. */
void rec_take_feed_news(const struct rec *rec, struct rec_feed *known);
bool rec_take_sample(const struct rec *rec, const struct feed *f, struct rec_sample *out);
/* Takes numbers of instances of the sample that follows. */
void rec_take_cells(const struct rec *rec, const struct feed *f, struct rec_sample *out);
/* Returns the number of the feed that a record is of, or -1. */
int rec_feed_of(const struct rec *rec);
