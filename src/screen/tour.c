/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the notes of the tour. */
#include "config.h"

#include "screen/tour.h"

#include <math.h>

#include "base/i18n.h"
#include "base/mem.h"

enum phase { PHASE_IDLE, PHASE_MEMORY, PHASE_COMPUTE, PHASE_POWER, PHASE_COUNT };

/* TRANSLATORS: at most 34 columns, the width of a pane on a small screen. */
static const struct pane_note notes[PHASE_COUNT][TOUR_NOTES] = {
	[PHASE_IDLE] = {
		{ "utilization", N_("nothing to do: all EUs idle") },
		{ "flops", N_("no FLOP per byte: -- is not 0") },
		{ "bandwidth", N_("low roofs: the clock rests") },
		{ "power", N_("lowest clock, lowest power") },
	},
	[PHASE_MEMORY] = {
		{ "utilization", N_("busy, but EUs stall: on memory") },
		{ "flops", N_("few FLOP per byte: see screen 3") },
		{ "bandwidth", N_("DRAM near its roof: the limit") },
		{ "power", N_("waiting costs less than work") },
	},
	[PHASE_COMPUTE] = {
		{ "utilization", N_("both FPU pipes always work") },
		{ "flops", N_("near 16 per EU: the peak of mad") },
		{ "bandwidth", N_("all in registers: no traffic") },
		{ "power", N_("best GFLOP/s per watt") },
	},
	[PHASE_POWER] = {
		{ "utilization", N_("as busy as before: no limit here") },
		{ "flops", N_("per cycle as before, per s less") },
		{ "bandwidth", N_("memory is not the reason") },
		{ "power", N_("at its limit: the clock falls") },
	},
};

static double value_of(const struct snapshot *s, const char *name)
{
	int i = metric_set_index(s->set, name);

	return i >= 0 && s->values[i].why == WHY_OK ? s->values[i].v : NAN;
}

static double share_of(const struct snapshot *s, const char *name)
{
	int i = metric_set_index(s->set, name);

	return i >= 0 && s->values[i].why == WHY_OK && s->ceilings[i].v > 0
		? s->values[i].v / s->ceilings[i].v
		: NAN;
}

int tour_notes(const struct snapshot *s, const struct pane_note **out)
{
	double busy = value_of(s, "gpu_busy"), stall = value_of(s, "eu_stall"),
	       power = share_of(s, "power_package");
	enum phase phase = PHASE_COMPUTE;

	if (isnan(busy) || isnan(stall))
		return 0;
	if (busy < 5)
		phase = PHASE_IDLE;
	else if (stall > 50)
		phase = PHASE_MEMORY;
	else if (power > 0.97)
		phase = PHASE_POWER;
	*out = notes[phase];
	return TOUR_NOTES;
}
