/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells the spans of a recording, as its program was told them. */
#ifndef BACKENDS_REPLAY_REPLAY_SPANS_H
#define BACKENDS_REPLAY_REPLAY_SPANS_H

#include "core/record/span_records.h"

/* The open device closes it, behind its sources. */
struct replay_spans {
	struct span_source source; /* first */
	struct span_reader reader;
	int64_t place_ns; /* where the recording stands, by its own clock; 0: not known yet */
};

/* has_place: whoever reads the recording keeps place_ns. */
struct replay_spans *replay_spans_new(bool has_place);

#endif
