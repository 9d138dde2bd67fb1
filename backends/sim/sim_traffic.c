/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Offers the source "dram" of a simulated machine whose processor moves bytes through the memory,
 * too: what its controllers count. */
#include "config.h"

#include "backends/sim/sim_model.h"

#include "base/clock.h"

enum { TRAFFIC_TOTAL, TRAFFIC_GPU, TRAFFIC_COUNTERS };

/* The names are those of data/metrics/beside.metrics. */
static const struct counter_desc counters[TRAFFIC_COUNTERS] = {
	[TRAFFIC_TOTAL] = { "dram_total_bytes", "B", 64, COUNTER_CUMULATIVE },
	[TRAFFIC_GPU] = { "dram_gpu_bytes", "B", 64, COUNTER_CUMULATIVE },
};

struct traffic_source {
	struct sim_source sim;
	uint64_t collected;	/* bytes of the GPU */
};

static void traffic_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct traffic_source *s = (struct traffic_source *)src;
	uint64_t bytes = course_value(
		s->sim.m->now, Q_MEMORY_BYTES, sim_model_time(s->sim.m, now_ns));
	double others = s->sim.m->spec.load.others_bytes_per_s *
		(double)(now_ns - s->sim.window_ns) / NS_PER_S;

	out->values[TRAFFIC_GPU] = bytes - s->collected;
	out->values[TRAFFIC_TOTAL] = bytes - s->collected + (uint64_t)others;
	s->collected = bytes;
	source_window(out, &s->sim.window_ns, now_ns);
}

static const struct source_ops traffic_ops = {
	.size = sizeof(struct traffic_source),
	.ready = source_always_ready, .collect = traffic_collect, .close = sim_source_close,
};

struct source *sim_traffic_open(struct sim_model *m)
{
	struct traffic_source *s = sim_source_new(&traffic_ops, m);

	s->sim.source.feed = (struct feed){ .name = "dram", .how = "simulated controllers",
		.counters = counters, .n_counters = TRAFFIC_COUNTERS };
	return &s->sim.source;
}
