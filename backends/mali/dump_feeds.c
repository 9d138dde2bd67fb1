/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values are sums over all units; the instances hold each unit's own. */
#include "config.h"

#include "backends/mali/dump_sources.h"

#include <assert.h>
#include <stdio.h>

#define CYCLES 200	/* in place of a block: no word of one */

static const struct {
	const char *name, *scope;
	enum mali_block first, last;
	const char *unit_name;	/* NULL: there is one of each block */
} feeds[MALI_FEEDS] = {
	[MALI_FEED_FRONT] = { "mali", "", MALI_JM, MALI_TI, NULL },
	[MALI_FEED_CORE] = { "cores", "core", MALI_SC, MALI_SC, "core" },
	[MALI_FEED_L2] = { "l2", "slice", MALI_L2, MALI_L2, "slice" },
};

static void add_block(struct mali_feed *f, const struct mali_layout *l, enum mali_block block)
{
	uint8_t words[MALI_MAX_WORDS];
	int n = mali_counters(l->product, block, &f->counters[f->feed.n_counters], words);

	for (int i = 0; i < n; i++) {
		f->at[f->feed.n_counters + i].block = (uint8_t)block;
		f->at[f->feed.n_counters + i].word = words[i];
	}
	f->feed.n_counters += n;
}

/* A nameless counter is offered to nobody. */
static void add_cycles(struct mali_feed *f, bool counted)
{
	struct counter_desc *d = &f->counters[f->feed.n_counters];

	*d = (struct counter_desc){ .unit = "cycle", .bits = 64, .kind = COUNTER_CUMULATIVE };
	if (counted)
		snprintf(d->name, sizeof(d->name), "GPU_CYCLES");
	f->at[f->feed.n_counters++].block = CYCLES;
}

static void add_units(struct mali_feed *f, uint64_t present, const char *what)
{
	for (int i = 0; i < MALI_MAX_CORES; i++) {
		if (!(present >> i & 1))
			continue;
		snprintf(f->names[f->feed.n_instances], sizeof(f->names[0]), "%s %d", what, i);
		f->unit[f->feed.n_instances++] = i;
	}
}

void mali_feed_init(struct mali_feed *f, enum mali_feed_id id, const struct mali_layout *l,
	const char *how, bool has_cycles)
{
	f->feed = (struct feed){ .counters = f->counters, .instances = f->names };
	snprintf(f->feed.name, sizeof(f->feed.name), "%s", feeds[id].name);
	snprintf(f->feed.how, sizeof(f->feed.how), "%s", how);
	snprintf(f->feed.scope, sizeof(f->feed.scope), "%s", feeds[id].scope);
	for (enum mali_block b = feeds[id].first; b <= feeds[id].last; b++)
		add_block(f, l, b);
	if (feeds[id].unit_name)
		add_units(f,
			id == MALI_FEED_L2 ? (UINT64_C(1) << l->slices) - 1 : l->shader_present,
			feeds[id].unit_name);
	else
		add_cycles(f, has_cycles);
	assert(f->feed.n_counters <= FEED_MAX_COUNTERS);
}

static uint64_t value_of(
	const struct mali_feed *f, const struct mali_sums *sums, int counter, int unit)
{
	if (f->at[counter].block == CYCLES)
		return sums->cycles;
	return sums->words[mali_sums_row(f->at[counter].block, unit)][f->at[counter].word];
}

void mali_feed_fill(struct mali_feed *f, const struct mali_sums *sums, bool has_cycles,
	struct sample *out)
{
	int n = f->feed.n_counters, rows = f->feed.n_instances;

	for (int c = 0; c < n; c++) {
		bool counted = has_cycles || f->at[c].block != CYCLES;

		f->whys[c] = counted ? WHY_OK : WHY_NO_SOURCE;
		out->values[c] = rows ? 0 : value_of(f, sums, c, 0);
		for (int i = 0; i < rows; i++) {
			f->rows[i * n + c] = value_of(f, sums, c, f->unit[i]);
			out->values[c] += f->rows[i * n + c];
		}
	}
	out->instances = rows ? f->rows : NULL;
	out->whys = f->whys;
}
