/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Offers the source "eus" of simulated GPUs: looks at the model's EUs at uneven distances, as the
 * registers of a real one are looked at. */
#include "config.h"

#include "backends/sim/sim_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/i915/eu_sampler.h"
#include "backends/intel/platform/platform.h"
#include "base/mem.h"

/* Looks in a window, as the real sampler has them. */
#define LOOKS 200

/* An EU that is there: which subslice it is of in the order in which groups are dealt, and its bit. */
struct eu {
	int rank, bit;
};

struct eus_source {
	struct sim_source sim;
	struct eu *eus;			/* [feed.n_instances] */
	char (*names)[12];		/* [feed.n_instances] */
	uint64_t (*counts)[EU_SAMPLER_COUNTERS]; /* [feed.n_instances] */
};

static void look(struct eus_source *s, int64_t t_ns)
{
	struct course_state now;

	course_at(s->sim.m->now, t_ns, &now);
	/* Registers of a GPU without power read as zeros, which are no looks. */
	if (now.gated)
		return;
	for (int i = 0; i < s->sim.source.feed.n_instances; i++) {
		const struct eu *e = &s->eus[i];

		s->counts[i][EU_SAMPLES]++;
		s->counts[i][EU_LOADED_SAMPLES] +=
			now.loaded_eus[e->rank >= now.n_first] >> e->bit & 1;
	}
}

static void eus_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct eus_source *s = (struct eus_source *)src;
	int64_t from_ns = s->sim.window_ns, length_ns;

	source_window(out, &s->sim.window_ns, now_ns);
	length_ns = now_ns - from_ns;
	memset(s->counts, 0, (size_t)src->feed.n_instances * sizeof(*s->counts));
	for (int i = 0; i < LOOKS && length_ns > 0; i++) {
		uint64_t part = course_hash((uint64_t)from_ns ^ course_hash((uint64_t)i)) >> 44;

		/* One look somewhere in each of as many equal stretches. */
		look(s,
			sim_model_time(s->sim.m, from_ns + length_ns / LOOKS * i) +
				(int64_t)((uint64_t)(length_ns / LOOKS) * part >> 20));
	}
	for (int i = 0; i < src->feed.n_instances; i++)
		for (int k = 0; k < EU_SAMPLER_COUNTERS; k++)
			out->values[k] += s->counts[i][k];
	out->instances = s->counts[0];
	out->reports = LOOKS;
}

static void eus_close(struct source *src)
{
	struct eus_source *s = (struct eus_source *)src;

	sim_source_close(src);
	free(s->eus);
	free(s->names);
	free(s->counts);
}

static const struct source_ops eus_ops = {
	.size = sizeof(struct eus_source),
	.ready = source_always_ready, .collect = eus_collect, .close = eus_close,
};

static void add_subslice(struct eus_source *s, const struct device *d, int bit, int rank)
{
	const struct topology *t = &d->topology;
	int slice = bit / t->subslice_mask_stride, subslice = bit % t->subslice_mask_stride;

	for (int eu = 0; eu < ROW_INSTDONE_EUS; eu++) {
		size_t n = (size_t)s->sim.source.feed.n_instances;

		if (row_instdone_bit(intel_platform_by_name(d->platform), eu) < 0 ||
			!intel_topology_has_eu(t, slice, subslice, eu))
			continue;
		s->eus = xreallocarray(s->eus, n + 1, sizeof(*s->eus));
		s->names = xreallocarray(s->names, n + 1, sizeof(*s->names));
		s->eus[n] = (struct eu){ rank, eu };
		snprintf(s->names[n], sizeof(s->names[n]), "S%uSS%uE%u", (unsigned)slice % 100,
			(unsigned)subslice % 100, (unsigned)eu % 100);
		s->sim.source.feed.n_instances++;
	}
}

struct source *sim_eus_open(struct sim_model *m, const struct device *d)
{
	struct eus_source *s = sim_source_new(&eus_ops, m);
	int rank = 0;

	s->sim.source.feed = (struct feed){ .name = "eus",
		.how = "simulated samples of ROW_INSTDONE", .counters = eu_sampler_counters,
		.n_counters = EU_SAMPLER_COUNTERS, .scope = "EU" };
	for (int bit = 0; bit < 64; bit++) {
		if (d->topology.subslice_mask >> bit & 1)
			add_subslice(s, d, bit, rank++);
	}
	s->counts = xcalloc((size_t)s->sim.source.feed.n_instances + 1, sizeof(*s->counts));
	s->sim.source.feed.instances = (const char(*)[12])s->names;
	return &s->sim.source;
}
