/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The devices of a stream: on standard input, in a file, or from another machine. */
#pragma once

#include "backends/common/backend.h"
#include "core/record/span_records.h"

/* Whether the text behind "file:" means a stream: "-", or a file that begins as one. */
bool stream_is(const char *spec);
/* As struct backend has them. */
bool stream_resolve(
	const struct fsroot *fs, const char *spec, struct device_list *out, struct err *err);
bool stream_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err);

struct stream_hub;

/* Adds an entry for each device of a stream. prefix begins their ids: "file:-", "ssh:host". */
void stream_add_entries(struct stream_hub *h, const char *prefix, const char *spec,
	const struct backend *b, struct device_list *out);

/* Tells the spans of a recording, as its program was told them. */

/* The open device closes it, behind its sources. */
struct replay_spans {
	struct span_source source; /* first */
	struct span_reader reader;
	int64_t place_ns; /* where the recording stands, by its own clock; 0: not known yet */
};

/* has_place: whoever reads the recording keeps place_ns. */
struct replay_spans *replay_spans_new(bool has_place);
