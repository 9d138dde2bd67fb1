/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock of a Mali GPU as a source of gauges, whichever reader reports it. */
#ifndef BACKENDS_MALI_CLOCK_SOURCE_H
#define BACKENDS_MALI_CLOCK_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/common/backend.h"

struct mali_clock_reader;

struct mali_clock_ops {
	size_t size; /* of the reader's own struct, in bytes */
	/* False: err says why. */
	bool (*read)(struct mali_clock_reader *r, int64_t now_ns, uint64_t *now_hz,
		uint64_t *target_hz, struct err *err);
	/* Gives back what it holds beside its memory. */
	void (*close)(struct mali_clock_reader *r);
};

/* Who tells the clock: the beginning of a struct that mali_clock_new() allocates. The reader belongs to
 * the source, which closes it. */
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

#endif
