/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spans in recordings: queues, names, and what was told of commands, as it was told. A replay makes
 * the table of kernels of them anew. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "core/record/record_file.h"
#include "core/spans/span.h"

/* The place of a queue in a recording of the device on which it is. */
#define SPAN_OWN_DEVICE "own"

/* Collects what a sink is told, as records. Zero-initialised is empty. */
struct span_writer {
	struct strbuf records; /* whole */
	struct strbuf rows; /* of the record that is being made */
	int n_rows;
	uint64_t lost, nonsense;
	struct span_around around; /* as it was told last */
	char **names; /* heap; that are in the recording */
	uint32_t n_names;
	size_t cap_names;
	uint32_t *by_name; /* heap, open addressing: their numbers plus 1; 0 is free */
};

void span_writer_queue(struct span_writer *w, const struct span_place *p, bool is_own);
void span_writer_span(struct span_writer *w, const struct span *s);
/* Ends what was told up to a moment of the host's clock; records then has it all. */
void span_writer_flush(struct span_writer *w, int64_t until_ns);
void span_writer_release(struct span_writer *w);
/* Returns how many spans a record tells of, with those that it says are lost. */
uint64_t rec_spans_of(const struct rec *rec);
void rec_add_lost_spans(struct strbuf *out, uint64_t n);

/* Reads them. Zero-initialised has read nothing. */
/* What was read and not told: whole records, and how many spans of others found no room. */
struct span_kept {
	struct strbuf records;
	uint64_t lost;
};

struct span_reader {
	struct span_kept kept;
	char **names; /* heap, [n_names] */
	uint32_t n_names;
	size_t cap_names;
	int n_queues;
	int64_t until_ns;
};

/* Whether a record is one of these. */
bool span_reader_knows(uint32_t type);
/* Keeps a record until it is told. */
void span_kept_add(struct span_kept *k, const struct rec *rec);
/* Takes over what another one has kept. */
void span_kept_take(struct span_kept *k, struct span_kept *from);
/* Keeps of its records those of queues and names, which what lies behind a jump may need. */
void span_reader_learn(struct span_reader *r, const struct span_kept *from);
/* Tells what was kept. Returns the moment of the recorded clock up to which all is told; 0:
 * none. */
int64_t span_reader_tell(struct span_reader *r, const struct span_sink *sink);
/* Forgets what was kept: the place in the recording is another one. */
void span_reader_release(struct span_reader *r);
