/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dumps of counter blocks, wherever they come from, as the three sources of a device that share
 * them. */
#ifndef BACKENDS_MALI_DUMP_SOURCES_H
#define BACKENDS_MALI_DUMP_SOURCES_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/common/backend.h"
#include "backends/mali/blocks.h"

struct mali_dumper;

struct mali_dumper_ops {
	/* Begins counting, from zero. False: nothing is left open, and it may be tried again. */
	bool (*start)(struct mali_dumper *d, int64_t now_ns, struct err *err);
	/* Adds to sums what was counted since start or the last dump, and to *window_ns how long
	 * that was by its own clock. Waits for the hardware. False: it has to be started again. */
	bool (*dump)(struct mali_dumper *d, int64_t now_ns, struct mali_sums *sums,
		int64_t *window_ns, struct err *err);
	/* Ends counting; start may follow. */
	void (*stop)(struct mali_dumper *d);
	/* Optional. As in struct source_ops. */
	void (*status)(struct mali_dumper *d, char *buf, size_t size);
	/* Stops, too. */
	void (*close)(struct mali_dumper *d);
};

/* The beginning of the driver's own struct. */
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

/* Starts counting and adds the sources to dev; the dumper is theirs from now on. When it does not
 * start, the sources are there all the same: their samples say why, and retry starts it again.
 * False in that case, with the refusal in err. */
bool mali_dump_sources_open(struct open_device *dev, const struct mali_layout *l, struct mali_dumper *d,
	int64_t now_ns, struct err *err);

#endif
