/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An OA source that fetches its reports one at a time, by a timer of its own, from registers or
 * from batches that ask for them. Everything behind the report is that of a kernel stream: decoder,
 * sums, losses, recording. */
#ifndef BACKENDS_INTEL_I915_OA_POLL_H
#define BACKENDS_INTEL_I915_OA_POLL_H

#include "backends/common/backend.h"
#include "backends/intel/live/oa_live.h"
#include "core/record/record_file.h"

/* What all sources of OA counters of an i915 card share, however the reports come. */

/* The first member of such a source's own struct. */
struct i915_live {
	struct oa_live live;
	int perf_revision;	/* of the kernel's interface; 1 where it gives none */
};

/* Opens the card's node and fills d with what the kernel knows, then prepares decoder and feed. how
 * is that of oa_live_decode(). When it returns false, closing the source closes what is open. */
bool i915_live_open(struct i915_live *s, const char *card, struct device *d,
	const struct open_options *o, const char *how, struct err *err);
/* As in struct source_ops. */
bool i915_live_correlate(struct source *src, int64_t now_ns, uint64_t *cpu_ns,
	uint64_t *gpu_timestamp, struct err *err);

enum oa_fetch {
	OA_FETCH_NONE,		/* nothing yet */
	OA_FETCH_REPORT,
	/* a report, but what happened since the last one is not to be counted */
	OA_FETCH_REBASE,
	OA_FETCH_FAILED,	/* err says why; the source is closed, and opened again later */
};

struct oa_poll;

struct oa_poll_ops {
	size_t size; /* of the source's own struct, in bytes */
	/* Fills one report of the format's size. Does not block. */
	enum oa_fetch (*fetch)(struct oa_poll *p, uint8_t *report, struct err *err);
	/* Gives back what fetching needs, as far as it was opened. */
	void (*stop)(struct oa_poll *p);
};

/* The first member of a fetching source's own struct. */
struct oa_poll {
	struct i915_live i915;
	const struct oa_poll_ops *ops;
	int64_t wished_ns, longest_ns; /* between two reports; 0: by the length of a window */
	/* after which a counter may have turned unseen; when the last report was fetched */
	int64_t turn_ns, fetched_ns;
	/* reports count one context: a window in which its clock did not move says nothing */
	bool of_context;
	char note[160];		/* what a reader has to know of its values; may be empty */
	struct {
		struct rec_header header;
		uint8_t report[1024];
	} record;
};

/* Returns a source that fetches nothing yet. */
void *oa_poll_new(const struct oa_poll_ops *ops, int64_t now_ns);
/* Opens the card's node and fills what the kernel knows of the device, then prepares the decoder
 * and the feed; there is no timer yet. The screen shows how. When it returns false, nothing stays
 * open. */
bool oa_poll_init(struct oa_poll *p, const char *card, struct device *d,
	const struct open_options *o, const char *how, struct err *err);
/* Starts the timer: by --oa-period, or several times a window, and often enough that no 32-bit
 * counter turns twice. */
bool oa_poll_start(
	struct oa_poll *p, const struct device *d, const struct open_options *o, struct err *err);

#endif
