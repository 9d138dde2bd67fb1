/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What live streams of OA reports have in common, whatever gives the records: settling, recording, windows. */
#ifndef BACKENDS_INTEL_LIVE_OA_LIVE_H
#define BACKENDS_INTEL_LIVE_OA_LIVE_H

#include "backends/backend.h"
#include "backends/intel/oa/oa_records.h"

#define OA_READ_BYTES 65536
/* One call drains at most what the kernel's buffer holds, so that a device that is faster than we are cannot keep us for ever. */
#define OA_MAX_READS (OA_BUFFER_BYTES / OA_READ_BYTES + 16)

/* Caller-owned; zeroed is new. */
struct oa_live {
	struct oa_stream oa;
	struct record_tap tap;
	int64_t window_ns;		/* where the window being gathered began, by the app's clock */
	bool collected;			/* one window is complete */
	bool failed;
	bool has_first, settled;
	uint32_t first_timestamp;
};

/* How often to look for new reports: about ten times a second, for wake-ups cost, and more often where a window needs it. */
int64_t oa_live_poll_ns(int64_t delay_ns);
/* A descriptor that is readable after each period, until it is cleared. -1: err. */
int oa_live_timer_open(int64_t period_ns, struct err *err);
void oa_live_timer_clear(int fd);
/* Whole records. Those of the first moment, which may show the programming of somebody else, go nowhere. False: not records. */
bool oa_live_records(struct oa_live *l, const void *buf, size_t len, struct err *err);
/* As collect() of a source. */
void oa_live_collect(struct oa_live *l, int64_t now_ns, struct sample *out);
/* The unit counts something else from now on: what was gathered is thrown away. */
void oa_live_restart(struct oa_live *l);
void oa_live_set_tap(struct oa_live *l, const struct record_tap *tap);
/* "%s: ..." of a read() that failed with errno, for the driver's messages. False. */
bool oa_live_fail_read(struct oa_live *l, const char *card, const char *driver, struct err *err);

#endif
