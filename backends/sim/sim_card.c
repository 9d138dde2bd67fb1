/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Offers the source "card" of simulated GPUs with flaws that a card's own files would tell. */
#include "config.h"

#include "backends/sim/sim_model.h"

#define HOT_MDEGC 100000
#define LANES 16
#define MTRANSFERS 16000	/* PCIe 4.0 */

/* The names are those of data/metrics/card-counters.metrics. */
enum { CARD_TEMPERATURE, CARD_MTRANSFERS, CARD_LANES, CARD_COUNTERS };

struct card_source {
	struct sim_source sim;
	struct counter_desc counters[CARD_COUNTERS];
};

static void card_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	out->values[CARD_TEMPERATURE] = HOT_MDEGC;
	out->values[CARD_MTRANSFERS] = MTRANSFERS;
	out->values[CARD_LANES] = LANES / 2;
	source_window(out, &((struct sim_source *)src)->window_ns, now_ns);
}

static const struct source_ops card_ops = {
	.size = sizeof(struct card_source),
	.ready = source_always_ready, .collect = card_collect, .close = sim_source_close,
};

struct source *sim_card_open(struct sim_model *m, struct device *d)
{
	static const struct counter_desc counters[CARD_COUNTERS] = {
		[CARD_TEMPERATURE] = { "temperature_mdegc", "mdegC", 32, COUNTER_GAUGE },
		[CARD_MTRANSFERS] = { "link_mtransfers", "number", 32, COUNTER_GAUGE },
		[CARD_LANES] = { "link_lanes", "number", 16, COUNTER_GAUGE },
	};
	struct card_source *s = sim_source_new(&card_ops, m);
	bool has[CARD_COUNTERS] = { [CARD_TEMPERATURE] = sim_has_flaw(&m->spec, SIM_FLAW_HOT) };

	has[CARD_MTRANSFERS] = has[CARD_LANES] = sim_has_flaw(&m->spec, SIM_FLAW_HALF_LINK);
	s->sim.source.feed = (struct feed){ .name = "card", .how = "simulated card",
		.counters = s->counters, .n_counters = CARD_COUNTERS };
	/* A counter without a name is not offered. */
	for (int i = 0; i < CARD_COUNTERS; i++) {
		s->counters[i] = counters[i];
		if (!has[i])
			s->counters[i].name[0] = '\0';
	}
	if (has[CARD_TEMPERATURE])
		device_set_roof(d, "temperature_limit_mdegc", HOT_MDEGC, ROOF_ASSUMED, false,
			"limit of the model");
	if (has[CARD_LANES]) {
		device_set_const(d, "link_mtransfers_max", MTRANSFERS);
		device_set_const(d, "link_lanes_max", LANES);
	}
	return &s->sim.source;
}
