/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the sentence of the tour. */
#include "config.h"

#include "screen/tour.h"

#include <math.h>

#include "base/i18n.h"
#include "base/mem.h"

enum phase { PHASE_IDLE, PHASE_MEMORY, PHASE_COMPUTE, PHASE_POWER, PHASE_COUNT };

/* TRANSLATORS: at most 68 columns, the width of the answer on a small screen. */
static const char *const sentences[PHASE_COUNT] = {
	[PHASE_IDLE] = N_("nothing to do: the clock and the power are at their lowest"),
	[PHASE_MEMORY] = N_("arrays are copied: memory is at its roof, and the EUs wait for it"),
	[PHASE_COMPUTE] = N_("every FPU works from registers: no traffic, the pipes are full"),
	[PHASE_POWER] = N_("as before, beside busy CPU cores: power is short, the clock falls"),
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

const char *tour_sentence(const struct snapshot *s)
{
	double busy = value_of(s, "gpu_busy"), stall = value_of(s, "eu_stall"),
	       power = share_of(s, "power_package");
	enum phase phase = PHASE_COMPUTE;

	if (isnan(busy) || isnan(stall))
		return NULL;
	if (busy < 5)
		phase = PHASE_IDLE;
	else if (stall > 50)
		phase = PHASE_MEMORY;
	else if (power > 0.97)
		phase = PHASE_POWER;
	return _(sentences[phase]);
}
