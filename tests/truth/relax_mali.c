/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Works out what limits a simulated Mali: how long a frame takes without one of its parts. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backends/sim/model/mali_loads.h"
#include "base/mem.h"
#include "tests/truth/relax.h"

/* What stands for a part of a frame in rooftop's words. Latency, the fixed part of a core, and queues
 * that take turns are limits that no counter shows: then no single one is said, and the reason is. */
static const struct {
	const char *kinds, *word;
} frame_words[] = {
	[MALI_TILER] = { "pipe", "tiler" },
	[MALI_ARITHMETIC] = { "pipe", "arithmetic" },
	[MALI_LOAD_STORE] = { "pipe", "load_store" },
	[MALI_TEXTURE] = { "pipe", "texture" },
	[MALI_VARYING] = { "pipe", "varying" },
	[MALI_RASTER] = { "none", "*" },
	[MALI_L2_LOOKUPS] = { "bandwidth", "l2" },
	[MALI_READ_BUS] = { "bandwidth", "external_read" },
	[MALI_WRITE_BUS] = { "bandwidth", "external_write" },
	[MALI_MEMORY] = { "bandwidth", "dram" },
	[MALI_LATENCY] = { "none", "*" },
	[MALI_PAUSE] = { "host|partly_idle", "busy" },
	[MALI_TURNS] = { "none", "*" },
	[MALI_OVERDRAW] = { "", "overdraw" },
	[MALI_PARTIAL] = { "", "partial" },
	[MALI_FACING] = { "", "facing" },
	[MALI_UNEVEN] = { "", "uneven" },
};

static double frame_gain(const struct mali_frame *f, int part)
{
	return mali_frame_clocks(f, 0) / mali_frame_clocks(f, 1u << part);
}

/* Without what costs a frame time it takes less: then that has to be said as the reason. */
static void frame_causes(struct answer *a, const struct mali_frame *f)
{
	double most = 1.15;

	for (int part = MALI_OVERDRAW; part < MALI_PARTS; part++) {
		double gain = frame_gain(f, part);

		if (gain > most) {
			snprintf(a->causes, sizeof(a->causes), "%s", frame_words[part].word);
			most = gain;
		}
	}
}

/* A frame is computed again without the work of one unit at a time. */
static void answer_frame(struct answer *a, const struct mali_frame *f)
{
	double busy = mali_frame_active(f, 0) / mali_frame_clocks(f, 0), most = 0;
	int best = 0;

	for (int part = 0; part <= MALI_TURNS; part++) {
		double gain = frame_gain(f, part);

		if (gain > most) {
			most = gain;
			best = part;
		}
	}
	/* That queues take turns makes every unit of them seem slow; without that none is. */
	if (frame_gain(f, MALI_TURNS) > 1.15)
		best = MALI_TURNS;
	if (busy < 0.7)
		best = MALI_PAUSE;
	answer(a, frame_words[best].kinds, frame_words[best].word, NAN);
	if (best == MALI_PAUSE)
		answer(a, frame_words[best].kinds, frame_words[best].word, 1 / busy);
	else
		frame_causes(a, f);
	if (best == MALI_TURNS)
		snprintf(a->causes, sizeof(a->causes), "turns");
	/* Waits are said to be that, whatever makes them. */
	if (best == MALI_LATENCY)
		snprintf(a->causes, sizeof(a->causes), "waits|slow_reads");
	/* A pipe that the cores share evenly is full, so nothing is left; else what they differ by is. */
	if (!strcmp(a->kinds, "pipe"))
		answer(a, "pipe", frame_words[best].word, fmax(1, frame_gain(f, MALI_UNEVEN)));
	snprintf(a->why, sizeof(a->why), "without %s a frame takes %.0f instead of %.0f clocks",
		frame_words[best].word, mali_frame_clocks(f, 1u << best), mali_frame_clocks(f, 0));
}

/* The loads of the Mali model say what each unit does; the fullest is the answer. */
bool answer_mali(struct answer *a, const char *load)
{
	const struct mali_load *l = NULL;
	struct mali_load loads[32];

	if (mali_frame_by_name(load)) {
		answer_frame(a, mali_frame_by_name(load));
		return true;
	}
	for (int i = 0; i < mali_tour_count; i++) {
		loads[i] = mali_load_nth(i);
		if (!strcmp(loads[i].name, load))
			l = &loads[i];
	}
	if (!l)
		return false;
	/* The first core does more than the average one, and the others wait for it. */
	double exec = l->active * l->exec;
	const struct {
		const char *word;
		double share;
		bool is_level;
	} units[] = {
		{ "tiler", l->active * l->tiler, false },
		{ "arithmetic", exec * l->arithmetic, false },
		{ "load_store", exec * l->load_store, false },
		{ "texture", exec * l->texture, false },
		{ "varying", exec * l->varying, false },
		{ "external_read", l->active * l->read, true },
		{ "external_write", l->active * l->write, true },
	};
	size_t best = 0;
	double most = 1 / (1 - l->imbalance / 2);

	if (most > 1.15)
		snprintf(a->causes, sizeof(a->causes), "uneven");
	for (size_t i = 0; i < ARRAY_LEN(units); i++)
		if (units[i].share > units[best].share)
			best = i;
	snprintf(a->why, sizeof(a->why), "active %.0f %% of the clocks; fullest: %s, %.0f %%",
		100 * l->active, units[best].word, 100 * units[best].share);
	if (l->active < 0.05)
		answer(a, "idle", "busy", NAN);
	else if (l->active < 0.7)
		answer(a, "host|partly_idle", "busy", 1 / l->active);
	else if (units[best].is_level && units[best].share >= 0.8)
		answer(a, "bandwidth", units[best].word, 1 / units[best].share);
	else if (units[best].share >= 0.93 || (best > 0 && units[best].share * most >= 0.92))
		answer(a, "pipe", units[best].word, 1 / units[best].share);
	else if (units[best].share >= 0.87 || (best > 0 && units[best].share * most >= 0.88))
		answer(a, "pipe|none|mix", units[best].word, 1 / units[best].share);
	else
		answer(a, "none|mix", units[best].word, 1 / units[best].share);
	return true;
}
