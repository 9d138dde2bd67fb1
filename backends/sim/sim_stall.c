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
	struct stall_spot spots[STALL_SPOTS];
	struct code_table code;
	struct code_list code_list;
	bool collected;
};

static const enum xe_stall_counter counters[STALL_FINDINGS] = { [FOUND_ACTIVE] = STALL_ACTIVE,
	[FOUND_MESSAGE] = STALL_SBID,
	[FOUND_RESULT] = STALL_DIST_ACC };

static void tell_code(struct stall_source *s, const uint64_t found[STALL_FINDINGS])
{
	code_table_clear(&s->code);
	for (int i = 0; i < STALL_SPOTS; i++) {
		const struct stall_spot *spot = &s->spots[i];
		uint64_t counts[STALL_REASONS] = { 0 };

		counts[counters[spot->finding]] = stall_spot_samples(spot, found[spot->finding]);
		if (counts[counters[spot->finding]])
			code_table_add(&s->code, spot->address, counts);
	}
	code_table_list(&s->code, &s->code_list);
}

static void stall_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct stall_source *s = (struct stall_source *)src;
	uint64_t found[STALL_FINDINGS];

	stall_sampler_look(&s->sampler, s->sim.m->now, sim_model_time(s->sim.m, now_ns), found);
	for (int i = 0; i < STALL_FINDINGS; i++) {
		out->values[counters[i]] = found[i];
		out->values[STALL_SAMPLES] += found[i];
	}
	tell_code(s, found);
	out->code = &s->code_list;
	source_window(out, &s->sim.window_ns, now_ns);
	out->reports = out->values[STALL_SAMPLES];
	out->quality = s->collected ? 0 : SAMPLE_PARTIAL;
	s->collected = true;
}

static void stall_close(struct source *src)
{
	code_table_release(&((struct stall_source *)src)->code);
	sim_source_close(src);
}

static const struct source_ops stall_ops = {
	.size = sizeof(struct stall_source),
	.ready = source_always_ready, .collect = stall_collect, .close = stall_close,
};

struct source *sim_stall_open(struct sim_model *m)
{
	struct stall_source *s = sim_source_new(&stall_ops, m);

	s->sim.source.feed = (struct feed){ .name = "stall", .how = "simulated EU stall sampling",
		.counters = xe_stall_counters, .n_counters = XE_STALL_COUNTERS,
		.n_code = STALL_REASONS };
	code_table_init(&s->code, STALL_REASONS);
	stall_spots(s->spots);
	s->sampler.eus_per_subslice = m->hw.eu.eus_per_subslice;
	s->sampler.cycles = SAMPLE_CYCLES;
	stall_sampler_start(&s->sampler, m->now, 0);
	return &s->sim.source;
}
