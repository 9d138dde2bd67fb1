/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cards of i915: how they are opened, what their node reports, and their ways to counters. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "backends/card/drm_node.h"
#include "backends/common/backend.h"
#include "backends/intel/live/oa_live.h"
#include "backends/intel/oa/oa_profile.h"
#include "base/log.h"
#include "core/record/record_file.h"
#include "core/value/device.h"

/* Fills in PCI id, revision, time stamp frequency and topology as the kernel knows them. What it
 * does not report stays as it is, perf_revision too. */
bool i915_node_identify(
	const struct drm_node *n, struct device *d, int *perf_revision, struct err *err);
/* Reads the GPU's time stamp between two readings of CLOCK_MONOTONIC; takes the best of three. */
bool i915_node_correlate(
	const struct drm_node *n, uint64_t *cpu_ns, uint64_t *gpu_timestamp, struct err *err);

/* A refused OA stream leaves the device with its clocks. Then their source is the primary one, and
 * the counters of the stream say why they are missing. Fails with the stream's refusal when nothing
 * at all can be read. */
bool i915_device_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err);

/* Returns whether this build can read i915 streams at all; that needs libdrm's headers. */
bool i915_is_built_in(void);
/* Opens the node, fills what the kernel knows of the device, registers the set's programming, opens
 * the stream, and takes the registration away again. The kernel keeps it for the stream, so nothing
 * is left behind however the program ends. Returns NULL on failure; err names the object, the
 * reason and the way out. ERR_PARSE and ERR_USAGE are mistakes in the set, everything else is a
 * refusal by the machine. */
struct source *i915_stream_open(
	const char *card, struct device *d, const struct open_options *o, struct err *err);
/* Makes the source count another set: the stream is closed and opened again, so its descriptor may
 * be another one, and the next window begins after the gap. When it returns false with err, the
 * source counts what it did before, or has no stream any more and fails to read. */
bool i915_stream_reprogram(struct source *s, const struct device *d, const struct metric_set *set,
	struct err *err);

/* Returns whether registers could be read, from files alone and without touching the device; err
 * says why not. d is the device as listed. */
bool mmio_source_possible(const struct device *d, const struct fsroot *fs, struct err *err);
/* Opens the node and fills what the kernel knows of the device, maps the registers and wakes the
 * GPU. A set that programs something needs writable registers: the OA unit is switched on and
 * programmed, and given back as it was (mmio.h). A set that programs nothing is read without
 * writing, and gets only the counters that always run. Returns NULL with err like
 * i915_stream_open(). */
struct source *mmio_source_open(
	const char *card, struct device *d, const struct open_options *o, struct err *err);

/* Returns whether the command streamer's reports can be used at all; err says why not. */
bool rpc_source_possible(const struct device *d, const struct fsroot *fs, struct err *err);
/* Opens the node, fills what the kernel knows of the device, opens a stream that gives no reports
 * of its own but keeps the unit programmed for the set, and makes the batch. Before Gen12 the
 * counters are those of the whole GPU. From Gen12 on the command streamer has a unit of its own
 * (OAR) that counts this program's context only. Returns NULL with err like i915_stream_open(). */
struct source *rpc_source_open(
	const char *card, struct device *d, const struct open_options *o, struct err *err);

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

/* An OA source that fetches its reports one at a time, by a timer of its own, from registers or
 * from batches that ask for them. Everything behind the report is that of a kernel stream: decoder,
 * sums, losses, recording. */

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

/* Opens i915 perf streams with a programming of their own. */

struct i915_perf_request {
	int format;			/* i915 number */
	/* of the timer of reports; -1: none. It is raised to what this process may have */
	int64_t longest_ns;	/* that a period may be: oa_longest_period_ns() */
	int exponent;
	uint64_t timestamp_hz;
	/* on Gen11 all of this stays switched on; NULL: the kernel chooses. It becomes NULL, and
	 * halved true, when the kernel refuses it */
	const struct topology *whole;
	bool halved;
	/* how often the kernel looks for reports; 0: the kernel chooses */
	uint64_t poll_period_ns;
	/* only this context is counted, and nothing goes to the OA buffer (Gen12 OAR) */
	bool has_context;
	uint32_t context;
	struct log *log;		/* where a lowered rate is noted, or NULL */
};

/* What a user has to know when halved is true. */
extern const char i915_perf_halved[];

/* Registers the profile, opens a stream with it, and takes the registration away again. The
 * kernel keeps it for the stream, so nothing is left behind however the program ends. Returns
 * the stream's descriptor, which is non-blocking, or -1; then err names the object, the reason
 * and the way out. */
int i915_perf_open(const struct drm_node *n, const struct oa_profile *p,
	struct i915_perf_request *q, struct err *err);
/* Does the same in place of an open stream (-1: none), which is closed first because there is room
 * for one. The CONFIG ioctl would leave it open, but it returns before its registers are written,
 * and on Gen8 to Gen11 it never reaches the flexible counters of a context that is busy; only
 * opening a stream waits for all of them (Linux i915_perf.c, i915_perf_config_locked() and
 * i915_perf_stream_enable_sync()). When the programming is refused, the stream stays as it is;
 * when opening fails afterwards, *stream is -1. */
bool i915_perf_replace(const struct drm_node *n, int *stream, const struct oa_profile *p,
	struct i915_perf_request *q, struct err *err);
