/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Works out what limits a simulated NVIDIA GPU: how much faster a load is without one limit at a time. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backends/sim/model/nvidia_gpu.h"
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

bool answer_nvidia(struct answer *a, const char *device, const char *load)
{
	const struct nvidia_machine *m = nvidia_machine_by_name(device);
	const struct nvidia_load *l = load_by_name(load);
	double most = 0, all;
	int best = 0;

	if (!m || !l || (l->nvlink > 0 && m->nvlink_bytes_per_s <= 0))
		return false;
	if (l->others <= 0) {
		answer(a, "idle", "busy", NAN);
		snprintf(a->why, sizeof(a->why), "nothing is submitted");
		return true;
	}
	if (answer_link(a, l))
		return true;
	all = nvidia_load_trips(m, l, 0);
	for (int i = 0; i < NVIDIA_LIMITS; i++) {
		double gain = nvidia_load_trips(m, l, 1u << i) / all;

		if (gain > most * 1.0001) {
			most = gain;
			best = i;
		}
	}
	/* A lowered clock is the answer where the clock is what the full resource follows; and the card's
	 * clock can only rise to its highest. Where nothing else is counted, a little lowered is enough. */
	double clock = nvidia_load_trips(m, l, 1u << NVIDIA_LIMIT_POWER) / all;
	if (clock > (m->has_gpm ? 1.04 : 1.001)) {
		best = NVIDIA_LIMIT_POWER;
		most = clock;
	}
	if (!m->has_gpm && !is_said_without_gpm(best))
		answer(a, "no_counters", "*", NAN);
	else
		answer(a, words[best].kinds, words[best].word,
			best == NVIDIA_LIMIT_PAUSE || best == NVIDIA_LIMIT_POWER ? most : NAN);
	snprintf(a->why, sizeof(a->why), "without %s it is %.2f times as fast",
		words[best].name ? words[best].name : words[best].word, most);
	return true;
}
