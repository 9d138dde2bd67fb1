/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Offers the source "stall" of simulated GPUs that sample what their EUs wait for. */
#include "config.h"

#include "backends/sim/sim_model.h"

#include <stdio.h>
#include <stdlib.h>

#include "backends/intel/xe/xe_stall_records.h"
#include "backends/sim/model/stall_sampler.h"
#include "base/mem.h"

#define SAMPLE_CYCLES (7 * 251)	/* the slowest rate that xe offers */

struct stall_source {
	struct source source;
	struct sim_model *m;
	struct stall_sampler sampler;
	int64_t window_ns;
	bool collected;
};

static void stall_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct stall_source *s = (struct stall_source *)src;
	uint64_t found[STALL_FINDINGS];

	stall_sampler_look(&s->sampler, s->m->now, sim_model_time(s->m, now_ns), found);
	out->values[STALL_ACTIVE] = found[FOUND_ACTIVE];
	out->values[STALL_SBID] = found[FOUND_MESSAGE];
	out->values[STALL_DIST_ACC] = found[FOUND_RESULT];
	out->values[STALL_SAMPLES] = found[FOUND_ACTIVE] + found[FOUND_MESSAGE] +
		found[FOUND_RESULT];
	source_window(out, &s->window_ns, now_ns);
	out->reports = out->values[STALL_SAMPLES];
	out->quality = s->collected ? 0 : SAMPLE_PARTIAL;
	s->collected = true;
}

static void stall_close(struct source *src)
{
	struct stall_source *s = (struct stall_source *)src;

	sim_model_drop(s->m);
	free(s);
}

static const struct source_ops stall_ops = {
	.ready = source_always_ready, .collect = stall_collect, .close = stall_close
};

struct source *sim_stall_open(struct sim_model *m)
{
	struct stall_source *s = xcalloc(1, sizeof(*s));

	m->users++;
	*s = (struct stall_source){ .source = { .ops = &stall_ops, .fd = -1,
			.feed = { .name = "stall",
				.how = "simulated EU stall sampling",
				.counters = xe_stall_counters,
				.n_counters = XE_STALL_COUNTERS } },
		.m = m,
		.window_ns = m->opened_ns,
		.sampler = {
			.eus_per_subslice = m->hw.eu.eus_per_subslice, .cycles = SAMPLE_CYCLES } };
	stall_sampler_start(&s->sampler, m->now, 0);
	return &s->source;
}
