/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dumps of counter blocks, wherever they come from, as the three sources of a device that share
 * them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "backends/common/backend.h"
#include "backends/mali/blocks.h"
#include "base/fsroot.h"
#include "core/metric/metric.h"
#include "core/value/sample.h"

/* The counter blocks of a GPU as three feeds: front end (job manager and tiler), shader cores, L2
 * slices. Pure. */

enum mali_feed_id { MALI_FEED_FRONT, MALI_FEED_CORE, MALI_FEED_L2, MALI_FEEDS };

/* counters, names and rows belong to feed, so it must not be copied. */
struct mali_feed {
	struct feed feed;
	struct counter_desc counters[FEED_MAX_COUNTERS];
	struct {
		uint8_t block, word;
	} at[FEED_MAX_COUNTERS];
	char names[MALI_MAX_CORES][CELL_NAME_SIZE];
	int unit[MALI_MAX_CORES];	/* index of the block behind an instance */
	uint64_t rows[MALI_MAX_CORES * FEED_MAX_COUNTERS];
	enum why whys[FEED_MAX_COUNTERS];
};

/* how: as in struct feed. has_cycles: the sums' cycles are counted; else GPU_CYCLES is offered to
 * nobody. */
void mali_feed_init(struct mali_feed *f, enum mali_feed_id id, const struct mali_layout *l,
	const char *how, bool has_cycles);
/* Writes values and instances of the sample. Instances stay valid until the next call. A driver
 * that was opened again may have no cycles any more (has_cycles). */
void mali_feed_fill(struct mali_feed *f, const struct mali_sums *sums, bool has_cycles,
	struct sample *out);

struct mali_dumper;

struct mali_dumper_ops {
	size_t size; /* of the driver's own struct, in bytes */
	/* Begins counting, from zero. False: nothing is left open, and it may be tried again. */
	bool (*start)(struct mali_dumper *d, int64_t now_ns, struct err *err);
	/* Adds to sums what was counted since start or the last dump, and to *window_ns how long
	 * that was by its own clock. Waits for the hardware. False: it has to be started again. */
	bool (*dump)(struct mali_dumper *d, int64_t now_ns, struct mali_sums *sums,
		int64_t *window_ns, struct err *err);
	/* Optional. Ends counting; start may follow. */
	void (*stop)(struct mali_dumper *d);
	/* Optional. As in struct source_ops. */
	void (*status)(struct mali_dumper *d, int64_t t_ns, char *buf, size_t size);
	/* Optional. Gives back what it holds beside its memory; stop follows. */
	void (*close)(struct mali_dumper *d);
};

/* The beginning of the driver's own struct, which mali_dumper_new() allocates and
 * mali_dumper_close() frees. */
struct mali_dumper {
	const struct mali_dumper_ops *ops;
	char how[48];		/* as feed.how */
	char name[32];		/* the device's, for messages about one that is late */
	bool has_cycles;	/* sums->cycles are counted; start may find out */
	bool is_narrow;		/* words of 32 bits, which can run full between two dumps */
	/* it changed a setting of the driver, to be changed back by close */
	bool is_owing;
	/* start (false, err unset) or dump (true, nothing added) was not answered yet: the next
	 * call may bring it */
	bool is_late;
};

/* Returns the zeroed struct of the kind that ops describes; how is as feed.how. */
void *mali_dumper_new(const struct mali_dumper_ops *ops, const char *how);
void mali_dumper_stop(struct mali_dumper *d);
void mali_dumper_close(struct mali_dumper *d);
/* Starts counting and adds the sources to dev; the dumper is theirs from now on. When it does not
 * start, the sources are there all the same: their samples say why, and retry starts it again.
 * False in that case, with the refusal in err. */
bool mali_dump_sources_open(struct open_device *dev, const struct mali_layout *l, struct mali_dumper *d,
	int64_t now_ns, struct err *err);

/* A dumper whose work is done by a process of its own.
 *
 * Two reasons. Both drivers wait for the hardware inside their calls: panfrost up to a second, in
 * PERFCNT_ENABLE not even interruptibly (Linux panfrost_perfcnt.c), kbase until the GPU was reset.
 * A GPU that hangs must not hang the screen. And what the driver was told to do (panfrost's file
 * profiling) is to be taken back also when rooftop was killed: the process sees the end of its
 * socket, and stays. */

/* Takes inner over, which must not be started yet: all its functions run in the process from then
 * on. name: the device's, "card0". */
struct mali_dumper *mali_dump_process(struct mali_dumper *inner, const char *name);

/* The clock of a Mali GPU as a source of gauges, whichever reader reports it. */

struct mali_clock_reader;

struct mali_clock_ops {
	size_t size; /* of the reader's own struct, in bytes */
	/* False: err says why. */
	bool (*read)(struct mali_clock_reader *r, int64_t now_ns, uint64_t *now_hz,
		uint64_t *target_hz, struct err *err);
	/* Gives back what it holds beside its memory. */
	void (*close)(struct mali_clock_reader *r);
};

/* Who tells the clock: the beginning of a struct that mali_clock_new() allocates. The reader
 * belongs to the source, which closes it. */
struct mali_clock_reader {
	const struct mali_clock_ops *ops;
	char how[48];
	bool has_target;	/* else target_hz is not written, and nobody is offered it */
};

/* Returns the zeroed struct of the kind that ops describes. */
void *mali_clock_new(const struct mali_clock_ops *ops);
void mali_clock_close(struct mali_clock_reader *r);
/* Appends the source "freq" to dev. */
void mali_clock_open(struct open_device *dev, struct mali_clock_reader *r, int64_t now_ns);

/* Counters of Mali GPUs through panfrost, the kernel's own driver. */

/* Asks the card what it is. It opens the card's node for a moment, which does not wake the GPU:
 * the driver knows the answers. */
bool mali_panfrost_identify(
	const struct fsroot *fs, const char *card, struct mali_identity *id, struct err *err);
/* A dumper; it opens the node when it starts. */
struct mali_dumper *mali_panfrost_dumper(
	const struct fsroot *fs, const char *card, const struct mali_layout *l, struct err *err);
