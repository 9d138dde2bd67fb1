/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recording: the raw records of the device, with what a reader needs to know about it. */
#ifndef SESSION_RECORD_H
#define SESSION_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/backend.h"
#include "base/err.h"
#include "core/recfile.h"

struct session;

/* Zero-initialised: not recording. The tap's context is this struct, which therefore must not move
 * while recording. */
struct recorder {
	struct rec_writer *writer;
	struct source *source;
	struct record_tap tap;
	char path[4096];
	/* err says why; the writer is closed at the next record_service() */
	bool failed;
	struct err err;
	bool has_records;		/* the source has delivered */
	int64_t correlated_ns;		/* the last pair of times */
};

/* path NULL: rooftop-DATE-TIME.i915perf in the current folder. */
bool record_start(struct session *ses, const char *path, bool overwrite, struct err *err);
bool record_is_on(const struct session *ses);
/* Once per tick: the CPU/GPU time pair of each second. False once when the recording had to stop,
 * with the reason. */
bool record_service(struct session *ses, struct err *err);
/* Drains, writes the last pair, closes. True when not recording. */
bool record_stop(struct session *ses, struct err *err);

#endif
