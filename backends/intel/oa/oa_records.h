/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks what read() on an i915 perf stream returns (records with headers) into an accumulator and a
 * sample. */
#pragma once

#include "backends/intel/oa/oa_contexts.h"
#include "backends/intel/oa/oa_format.h"
#include "core/value/device.h"
#include "core/value/sample.h"

/* The decoding state of one OA stream; i915 perf, the model and replay share it. The caller owns
 * the storage. */
struct oa_stream {
	struct oa_accum accum;
	int graphics_ver;
	uint64_t timestamp_hz;
	struct counter_desc counters[OA_MAX_COUNTERS];
	int n_counters;
	uint32_t quality;	/* of the window being gathered */
	uint64_t lost;
	uint64_t reports;
	uint32_t triggered[2];	/* of them, those that trigger 1 and 2 asked for */
	uint64_t last_id;	/* of the newest report */
	bool has_context;	/* only what counts while context runs is taken */
	uint32_t context, context_mask;
	bool tells_contexts;	/* the reports say which context runs */
	bool needs_valid;	/* a context's number alone does not say that it runs */
	bool only_switches;	/* only reports of a switch tell of a change */
	/* what runs since the newest report; before the first switch only its number is known, and
	 * whether something runs is seen by what is counted */
	enum hw_context_kind now;
	uint32_t now_id;
	bool saw_switch;
	/* since the last difference began the context has changed, or may have, without a report
	 * that is a base */
	bool mixed;
	/* which sums the contexts' table has taken over already, and how many differences */
	uint64_t mark[OA_MAX_COUNTERS], mark_reports;
	uint64_t last_unslice_hz;
	uint64_t low_hz, high_hz;	/* of the clocks in this window's reports; 0: none */
	/* where the middle of this window is, as the last one was long; 0: not known */
	uint64_t half_ticks;
	bool has_half;
	uint64_t half[OA_MAX_COUNTERS];		/* the sums there, once it has passed */
	uint64_t taken_half[OA_MAX_COUNTERS];	/* those of the window that was taken last */
	/* who gets each pair of reports; pair NULL: nobody. The sums when the last pair ended, and
	 * what began then */
	struct pair_tap pairs;
	uint64_t pair_mark[OA_MAX_COUNTERS], pair_reports;
	struct report_pair pair;
	bool has_pair, pair_gap;
	/* the last, because beginning does not touch all of it */
	struct oa_contexts contexts;
};

/* Who hands the reports over: i915 replaces the number of a context that does not run, up to
 * Gen12.10; xe hands over what the hardware wrote (Linux i915_perf.c, gen8_append_oa_reports();
 * xe_oa.c, xe_oa_append_reports()). */
enum oa_maker { OA_BY_I915, OA_BY_XE };

/* Prepares the stream. Returns false when the device's format is 0 or unknown. */
bool oa_stream_init(struct oa_stream *s, const struct device *dev, int graphics_ver,
	enum oa_maker maker, struct err *err);
/* From now on samples hold only differences that begin with a report of this context, and time is
 * that of the context, too. Counters of other contexts and of an idle GPU are left out; the rows of
 * contexts go on to hold everything. Call it before the first record. False: the reports of this
 * generation do not say which context runs. */
bool oa_stream_set_context(struct oa_stream *s, uint32_t context, struct err *err);
/* Takes whole records only. A record whose size is below 8 or that runs past len ends the walk, and
 * the function returns false. */
bool oa_stream_records(struct oa_stream *s, const void *buf, size_t len, struct err *err);
/* From now on each pair of reports is handed over; NULL: none is. */
void oa_stream_set_pairs(struct oa_stream *s, const struct pair_tap *tap);
/* Fills the feed of a source that gives what the stream sums; s has to live as long. */
void oa_stream_feed(const struct oa_stream *s, const char *how, struct feed *out);
/* Fills values, half, window_ns (from TIMESTAMP / timestamp_hz), reports, lost, quality and why
 * (WHY_NOT_YET without a single delta). The source sets SAMPLE_PARTIAL by itself. */
void oa_stream_take(struct oa_stream *s, struct sample *out);
