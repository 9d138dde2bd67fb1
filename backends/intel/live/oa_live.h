/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What live streams of OA reports have in common, whatever gives the records: settling, recording,
 * windows. */
#pragma once

#include "backends/common/backend.h"
#include "backends/card/drm_node.h"
#include "backends/intel/oa/oa_profile.h"
#include "backends/intel/oa/oa_records.h"
#include "base/clock.h"

#define OA_READ_BYTES 65536
/* One call drains at most what the kernel's buffer holds, so that a device that is faster than we
 * are cannot keep us for ever. */
#define OA_MAX_READS (OA_BUFFER_BYTES / OA_READ_BYTES + 16)

/* The first member of an open source's own struct. Functions below that take a source take one of
 * these. */
struct oa_live {
	struct source source;
	struct drm_node node;
	struct oa_stream oa;
	struct record_tap tap;
	/* where the window being gathered began, by the session's clock */
	int64_t window_ns;
	bool collected;			/* one window is complete */
	bool failed, has_first, settled;
	bool heard;			/* records came since the last look whether it is silent */
	int64_t heard_ns;		/* when they last did, by the session's clock */
	int64_t silence_ns;		/* without a record for so long the unit has stopped */
	int losses;			/* reads in a row that brought nothing but losses */
	uint32_t first_timestamp;
};

/* Returns a source whose own struct has size bytes; nothing is open yet. */
void *oa_live_new(const struct source_ops *ops, size_t size, int64_t now_ns);
/* Prepares the decoder of the device's reports and the feed "oa". The screen shows the text how. */
bool oa_live_decode(struct oa_live *l, const struct device *d, const struct open_options *o,
	const char *how, struct err *err);
/* Closes the source's descriptor and the node. */
void oa_live_close(struct oa_live *l);
/* Returns the ns between two looks for new reports: about ten looks a second, because wake-ups
 * cost, and more where a window needs it. */
int64_t oa_live_poll_ns(int64_t delay_ns);
/* Opens a timer that is set (clock_timer_set()). Returns -1 with err. */
int oa_live_timer_open(int64_t period_ns, struct err *err);
/* How long a turn of reading may take: a GPU that is gone takes 100 ms for each read. */
#define OA_TURN_NS (200 * NS_PER_MS)
/* So many reads in a row that tell of losses alone come from a GPU that has no counters any more. */
#define OA_MAX_LOSSES 4

/* The timer of the unit ticks at this period. From now on silence means that it has stopped. */
void oa_live_expect(struct oa_live *l, int64_t period_ns);
/* Has to be called when there was nothing more to read. Returns false with err when the unit has
 * been silent for many of its periods: the stream keeps the GPU awake, so its timer always ticks,
 * but a reset of the GPU clears the unit's registers, and no driver tells (Linux xe_oa.c;
 * i915_perf.c). */
bool oa_live_is_heard(struct oa_live *l, int64_t now_ns, struct err *err);
/* Takes whole records. Those of the first moment are dropped, because they may show the programming
 * of somebody else. Returns false when the bytes are not records. */
bool oa_live_records(struct oa_live *l, const void *buf, size_t len, struct err *err);
/* As in struct source_ops. */
void oa_live_collect(struct source *src, int64_t now_ns, struct sample *out);
bool oa_live_set_pairs(struct source *src, const struct pair_tap *tap);
void oa_live_set_tap(struct source *src, const struct record_tap *tap);
/* Makes the unit count what the set asks for from now on, by the driver's program(); what was
 * gathered is thrown away. */
bool oa_live_reprogram(struct oa_live *l, const struct device *d, const struct metric_set *set,
	bool (*program)(struct oa_live *l, const struct oa_profile *p, struct err *err),
	struct err *err);
/* Says why a read() of the driver's stream failed with errno. Returns false. */
bool oa_live_fail_read(struct oa_live *l, const char *driver, struct err *err);
