/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Offers the source "stall" of simulated GPUs that sample what their EUs wait for. */
#include "config.h"

#include "backends/sim/sim_model.h"


#include "backends/intel/xe/xe_stall_records.h"
#include "backends/sim/model/stall_sampler.h"

#define SAMPLE_CYCLES (7 * 251)	/* the slowest rate that xe offers */

struct stall_source {
	struct sim_source sim;
	struct stall_sampler sampler;
	bool collected;
};

static void stall_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct stall_source *s = (struct stall_source *)src;
	uint64_t found[STALL_FINDINGS];

	stall_sampler_look(&s->sampler, s->sim.m->now, sim_model_time(s->sim.m, now_ns), found);
	out->values[STALL_ACTIVE] = found[FOUND_ACTIVE];
	out->values[STALL_SBID] = found[FOUND_MESSAGE];
	out->values[STALL_DIST_ACC] = found[FOUND_RESULT];
	out->values[STALL_SAMPLES] = found[FOUND_ACTIVE] + found[FOUND_MESSAGE] +
		found[FOUND_RESULT];
	source_window(out, &s->sim.window_ns, now_ns);
	out->reports = out->values[STALL_SAMPLES];
	out->quality = s->collected ? 0 : SAMPLE_PARTIAL;
	s->collected = true;
}

static const struct source_ops stall_ops = {
	.size = sizeof(struct stall_source),
	.ready = source_always_ready, .collect = stall_collect, .close = sim_source_close,
};

struct source *sim_stall_open(struct sim_model *m)
{
	struct stall_source *s = sim_source_new(&stall_ops, m);

	s->sim.source.feed = (struct feed){ .name = "stall", .how = "simulated EU stall sampling",
		.counters = xe_stall_counters, .n_counters = XE_STALL_COUNTERS };
	s->sampler.eus_per_subslice = m->hw.eu.eus_per_subslice;
	s->sampler.cycles = SAMPLE_CYCLES;
	stall_sampler_start(&s->sampler, m->now, 0);
	return &s->sim.source;
}
