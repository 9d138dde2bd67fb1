/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters of Mali GPUs through panfrost, the kernel's own driver. */
#ifndef BACKENDS_MALI_PANFROST_H
#define BACKENDS_MALI_PANFROST_H

#include "backends/mali/dump_sources.h"
#include "base/fsroot.h"

/* Asks the card what it is. It opens the card's node for a moment, which does not wake the GPU:
 * the driver knows the answers. */
bool mali_panfrost_identify(
	const struct fsroot *fs, const char *card, struct mali_identity *id, struct err *err);
/* A dumper; it opens the node when it starts. */
struct mali_dumper *mali_panfrost_dumper(
	const struct fsroot *fs, const char *card, const struct mali_layout *l, struct err *err);

#endif
