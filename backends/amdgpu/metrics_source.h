/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source "metrics": the numbers of amdgpu's table gpu_metrics. */
#ifndef BACKENDS_AMDGPU_METRICS_SOURCE_H
#define BACKENDS_AMDGPU_METRICS_SOURCE_H

#include "backends/amdgpu/dev_info.h"
#include "backends/common/backend.h"

/* files: the source of card_files_open(). Returns the source, with a counter for each number that
 * the card's table has; sets the roof of the memory where the table names it, and whether the
 * memory is the machine's. NULL with err when there is no table, or one that cannot be read. A card
 * that sleeps is not asked, and one that is slow to answer later: its source offers all counters, and what
 * it is and which of them its table has is learned, and bound again, once it answers. *d lives as long. With a table that is newer than
 * this program, err has a sentence about it, and no code. */
struct source *amd_metrics_open(struct device *d, const struct amd_core *core,
	const struct source *files, const struct open_options *o, struct err *err);

#endif
