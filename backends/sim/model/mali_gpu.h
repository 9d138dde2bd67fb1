/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models a Bifrost GPU at work: its counter blocks are a function of time alone. A load is a row of
 * phases of constant clock, in which every word grows by a fixed-point rate each clock; the row
 * repeats for ever. So counts do not depend on when or how often they are looked at. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/mali/blocks.h"
#include "backends/sim/model/mali_loads.h"
#include "base/err.h"
#include "base/strbuf.h"

/* Describes a simulated machine. It is const data. */
struct mali_machine {
	const char *name;		/* "g72" */
	struct mali_identity id;
	uint16_t min_mhz, max_mhz;
	const char *source;
};

extern const struct mali_machine mali_machines[];
extern const int mali_machine_count;
const struct mali_machine *mali_machine_by_name(const char *name);

struct mali_gpu;	/* opaque */

/* Makes a GPU. The load is the name of one, or "tour" for the first ones (mali_tour_count), ten
 * seconds each. */
struct mali_gpu *mali_gpu_new(const struct mali_machine *m, const char *load, struct err *err);
/* Returns the GPU for another user: each one calls mali_gpu_free(). */
struct mali_gpu *mali_gpu_share(struct mali_gpu *g);
void mali_gpu_free(struct mali_gpu *g);
const struct mali_layout *mali_gpu_layout(const struct mali_gpu *g);
/* Gives everything that was counted from 0 to t_ns, and the clocks. */
void mali_gpu_totals(const struct mali_gpu *g, int64_t t_ns, struct mali_sums *out);
/* Writes a dump of what was counted between two totals, in the driver's layout; bytes is
 * mali_gpu_layout()->bytes. Absent cores hold noise. */
void mali_gpu_dump(const struct mali_gpu *g, const struct mali_sums *before,
	const struct mali_sums *now, int64_t t_ns, void *dump);
/* Adds the same as a sample of counters of 64 bits, which GPUs from G715 on have. */
void mali_gpu_sample(const struct mali_gpu *g, const struct mali_sums *before,
	const struct mali_sums *now, struct mali_sums *sums);
/* Returns the clock that its load runs at then. */
uint64_t mali_gpu_clock_hz(const struct mali_gpu *g, int64_t t_ns);
/* Returns what it does then. */
const struct mali_load *mali_gpu_load(const struct mali_gpu *g, int64_t t_ns);
