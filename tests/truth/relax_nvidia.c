/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Works out what limits a simulated NVIDIA GPU: how much faster a load is without one limit at a time. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backends/sim/sim_vendors.h"
#include "base/clock.h"
#include "tests/truth/relax.h"

/* What stands for a limit in rooftop's words. No counter tells how many instructions are issued, nor
 * that warps wait: then no single limit is said. */
static const struct {
	const char *kinds, *word, *name;	/* the name for the reason, where the word is any */
} words[NVIDIA_LIMITS] = {
	[NVIDIA_FP32] = { "pipe", "fp32", NULL },
	[NVIDIA_FP64] = { "pipe", "fp64", NULL },
	[NVIDIA_FP16] = { "pipe", "fp16", NULL },
	[NVIDIA_INTEGER] = { "pipe", "integer", NULL },
	[NVIDIA_TENSOR_HALF] = { "pipe", "tensor", NULL },
	[NVIDIA_TENSOR_INT8] = { "pipe", "tensor", NULL },
	[NVIDIA_TENSOR_FP64] = { "pipe", "tensor", NULL },
	[NVIDIA_LIMIT_ISSUE] = { "none|pipe", "*", "the schedulers" },
	[NVIDIA_LIMIT_DRAM] = { "bandwidth", "dram", NULL },
	[NVIDIA_LIMIT_LATENCY] = { "none", "*", "latency" },
	[NVIDIA_LIMIT_GROUPS] = { "parallelism", "*", "empty SMs" },
	[NVIDIA_LIMIT_POWER] = { "power", "*", "the power limit" },
	[NVIDIA_LIMIT_PAUSE] = { "host|partly_idle", "busy", "pauses" },
};

/* Where GPM is missing only these can be said. */
static bool is_said_without_gpm(int limit)
{
	return limit == NVIDIA_LIMIT_POWER || limit == NVIDIA_LIMIT_PAUSE;
}

static const struct nvidia_load *load_by_name(const char *name)
{
	for (int i = 0; i < nvidia_load_count; i++)
		if (!strcmp(nvidia_loads[i].name, name))
			return &nvidia_loads[i];
	return NULL;
}

/* A full link is a share of its peak in the load itself. */
static bool answer_link(struct answer *a, const struct nvidia_load *l)
{
	double most = fmax(l->pcie_in, l->nvlink);

	if (most < 0.8)
		return false;
	answer(a, "bandwidth", l->nvlink > 0 ? "nvlink" : "pcie", 1 / most);
	snprintf(a->why, sizeof(a->why), "the load keeps its link busy for %.0f %%", 100 * most);
	return true;
}

/* Shares of the load as it is: of its pipes, of the memory's peak, of time with a launch. */
struct shares {
	double pipe[NVIDIA_PIPES], fullest, dram, busy, clock, loaded;
};

static struct shares shares_of(const struct nvidia_machine *m, const char *load)
{
	struct nvidia_gpu *g = nvidia_gpu_new(m, load, NULL);
	struct shares out = { .fullest = 0 };
	struct nvidia_totals t;
	struct nvidia_state s;

	nvidia_gpu_totals(g, NS_PER_S, &t);
	nvidia_gpu_state(g, 0, &s);
	nvidia_gpu_free(g);
	for (int i = 0; i < NVIDIA_PIPES; i++) {
		out.pipe[i] = t.pipe[i] / t.clocks;
		out.fullest = fmax(out.fullest, out.pipe[i]);
	}
	out.dram = t.dram_bytes / nvidia_dram_peak(m);
	out.busy = t.busy_ns / NS_PER_S;
	out.loaded = t.loaded / t.clocks;
	out.clock = s.mhz / m->max_mhz;
	return out;
}

/* What is full gains what is left of it, and pauses what they take while nothing else changes. */
static double headroom_of(const struct shares *s, int limit, double gain)
{
	if (limit < NVIDIA_PIPES)
		return 1 / s->pipe[limit];
	if (limit == NVIDIA_LIMIT_DRAM)
		return 1 / s->dram;
	if (limit == NVIDIA_LIMIT_PAUSE)
		return 1 / s->busy;
	return limit == NVIDIA_LIMIT_POWER ? gain : NAN;
}

static void also(struct answer *a, const char *kind)
{
	size_t len = strlen(a->kinds);

	snprintf(a->kinds + len, sizeof(a->kinds) - len, "|%s", kind);
	snprintf(a->bounds, sizeof(a->bounds), "*");
	a->least = a->most = NAN;
}

/* Nothing counts a queue: memory that delivers less of its peak than any does looks like latency, as far
 * as no pipe works for half of the time. */
static void answer_slow_memory(struct answer *a, const struct shares *s)
{
	/* So little does not look like it, either: then a clock that is held is what is known. */
	if (s->dram < 0.29)
		answer(a, s->clock < 0.975 ? "none|power" : "none", "*", NAN);
	else if (s->dram < 0.73)
		answer(a, "unknown", "dram", NAN);
	else if (s->dram < 0.77)
		also(a, "unknown");
	if ((s->dram > 0.285 && s->dram < 0.31) || (s->dram < 0.75 && s->fullest > 0.47))
		also(a, "none");
}

/* Instances have limits of their own: of the whole card it can be said that it waits for work, and what all share,
 * the clock. Without GPM nothing tells whether they have work. */
static void answer_divided(struct answer *a, const struct nvidia_machine *m, const struct nvidia_load *l, const char *load)
{
	const struct shares now = shares_of(m, load);
	double fullest = 0;

	/* Nothing counts the integer pipes of an instance. */
	for (int i = 0; i < NVIDIA_PIPES; i++)
		fullest = i == NVIDIA_INTEGER ? fullest : fmax(fullest, now.pipe[i]);
	a->at_highest = nvidia_load_trips(m, l, 1u << NVIDIA_LIMIT_POWER) / nvidia_load_trips(m, l, 0);
	if (m->has_gpm && now.busy < 0.9)
		answer(a, "host|partly_idle", "busy", NAN);
	else if (m->has_gpm && now.clock < 0.975)
		answer(a, now.clock < 0.965 ? "power" : "power|no_counters", "*", NAN);
	else
		answer(a, "no_counters", "*", NAN);
	/* The first instance has the load all the time, and a part of everything. */
	if (!strcmp(a->kinds, "no_counters") && m->has_gpm && fullest > 0.93)
		snprintf(a->causes, sizeof(a->causes), "fp32|fp64|fp16|tensor%s", now.dram > 0.73 ? "|dram" : "");
	else if (!strcmp(a->kinds, "no_counters") && m->has_gpm && now.dram > 0.77)
		snprintf(a->causes, sizeof(a->causes), "dram");
	snprintf(a->why, sizeof(a->why), "instances of %u slices, busy %.0f %%, clock %.0f %%%s", m->mig, 100 * now.busy, 100 * now.clock,
		m->has_gpm && fullest < 0.87 && now.dram < 0.73 ? ", the first has room" : "");
}

/* The limit without which the load gains the most. Two that take as long hide each other: then it is the one that
 * takes the longest by itself. */
static int strongest(const struct nvidia_machine *m, const struct nvidia_load *l, double all)
{
	double most = 0, longest = 0;
	int best = 0, fullest = 0;

	for (int i = 0; i < NVIDIA_LIMITS; i++) {
		double gain = nvidia_load_trips(m, l, 1u << i) / all;
		double alone = all / nvidia_load_trips(m, l, ((1u << NVIDIA_LIMIT_GROUPS) - 1) & ~(1u << i));

		if (gain > most) {
			most = gain;
			best = i;
		}
		if (i < NVIDIA_LIMIT_GROUPS && alone > longest) {
			longest = alone;
			fullest = i;
		}
	}
	return most > 1.02 ? best : fullest;
}

bool answer_nvidia(struct answer *a, const char *spec, struct err *err)
{
	struct nvidia_machine machine, *m = &machine;
	struct sim_spec s;
	double most, all;
	int best;

	if (!sim_nvidia_machine(spec, m, &s, err))
		return false;
	const struct nvidia_load *l = load_by_name(s.load.load);
	if (!l || (l->nvlink > 0 && m->nvlink_bytes_per_s <= 0))
		return false;
	if (l->others <= 0) {
		/* Nothing tells of a divided card without GPM how busy it is. */
		answer(a, m->mig && !m->has_gpm ? "no_counters" : "idle", "*", NAN);
		snprintf(a->why, sizeof(a->why), "nothing is submitted");
		return true;
	}
	if (answer_link(a, l))
		return true;
	if (m->mig) {
		answer_divided(a, m, l, s.load.load);
		return true;
	}
	const struct shares now = shares_of(m, s.load.load);
	all = nvidia_load_trips(m, l, 0);
	best = strongest(m, l, all);
	most = nvidia_load_trips(m, l, 1u << best) / all;
	/* A lowered clock is the answer where the clock is what the full resource follows; and the card's
	 * clock can only rise to its highest. */
	double clock = nvidia_load_trips(m, l, 1u << NVIDIA_LIMIT_POWER) / all;
	/* Pauses and empty SMs are asked about before. */
	bool is_empty = m->has_gpm && now.busy > 0.7 && now.loaded < 0.75;
	if (now.busy < 0.7)
		best = NVIDIA_LIMIT_PAUSE;
	else if (is_empty)
		best = NVIDIA_LIMIT_GROUPS;
	else if (clock > 1.04) {
		best = NVIDIA_LIMIT_POWER;
		most = clock;
	}
	a->at_highest = clock;
	if (!m->has_gpm && !is_said_without_gpm(best))
		answer(a, "no_counters", "*", NAN);
	else
		answer(a, words[best].kinds, words[best].word, headroom_of(&now, best, most));
	if (best == NVIDIA_LIMIT_DRAM && m->has_gpm)
		answer_slow_memory(a, &now);
	/* Latency whose traffic is a part of the peak looks the same. */
	if (best == NVIDIA_LIMIT_LATENCY && m->has_gpm && now.dram > 0.29)
		also(a, "unknown");
	/* A clock counts as held below 97 %, and is the answer where what is fullest follows it. */
	if (m->has_gpm && best != NVIDIA_LIMIT_POWER && !is_empty &&
		(clock > 1.02 || (now.clock < 0.975 && now.fullest > now.dram && now.dram < 0.77)))
		also(a, "power");
	/* Two that are as full hide each other. */
	if (m->has_gpm && best != NVIDIA_LIMIT_PAUSE && now.fullest > 0.88)
		also(a, "pipe");
	if (m->has_gpm && best != NVIDIA_LIMIT_PAUSE && now.dram > 0.73)
		also(a, "bandwidth");
	/* Where nothing counts the work, a clock that is held below 97 % is all that is known. */
	if (!m->has_gpm && now.busy > 0.9 && now.clock < 0.975)
		answer(a, now.clock < 0.965 ? "power" : "power|no_counters", "*", NAN);
	else if (!m->has_gpm && now.busy > 0.9)
		answer(a, "no_counters", "*", NAN);
	snprintf(a->why, sizeof(a->why), "without %s it is %.2f times as fast",
		words[best].name ? words[best].name : words[best].word, most);
	return true;
}
