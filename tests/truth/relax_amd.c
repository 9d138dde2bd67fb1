/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Works out what limits a simulated AMD GPU: what its clock would be without the power limit and heat. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backends/sim/sim_vendors.h"
#include "tests/truth/relax.h"

/* Tables of formats 1.4 to 1.8 and of 3.0 tell what held the clock; older ones do not. */
static bool tells_heat(const struct amd_machine *m)
{
	return m->format >= 3 || m->content >= 6;
}

/* What the table tells of everybody's share of the memory, in two fields of 16 bits for MB/s; 0: nothing. */
static double seen_memory(const struct amd_machine *m, const struct amd_load *l)
{
	double third = l->busy * fmin(l->memory, m->reach) * m->dram_bytes_per_s / 3;

	return m->format < 3 ? 0 : (fmin(third, 65.5e9) + fmin(2 * third, 65.5e9)) / m->dram_bytes_per_s;
}

bool answer_amd(struct answer *a, const char *spec, struct err *err)
{
	const struct amd_load *l = NULL;
	struct amd_state now, free_clock;
	struct amd_machine machine, *m = &machine;
	struct sim_spec s;

	if (!sim_amd_machine(spec, m, &s, err))
		return false;
	for (int i = 0; i < amd_load_count; i++)
		if (!strcmp(amd_loads[i].name, s.load.load))
			l = &amd_loads[i];
	if (!l)
		return false;
	amd_load_state(m, l, false, &now);
	amd_load_state(m, l, true, &free_clock);
	snprintf(a->why, sizeof(a->why), "%.0f instead of %.0f MHz, busy %.0f %%", now.mhz, free_clock.mhz,
		100 * l->busy);
	if (l->busy < 0.05)
		answer(a, "idle", "busy", NAN);
	else if (l->busy < 0.7)
		answer(a, "host|partly_idle", "busy", 1 / l->busy);
	else if (now.held == AMD_HELD_BY_HEAT && tells_heat(m))
		answer(a, "heat", "temperature", free_clock.mhz / now.mhz);
	else if (now.held == AMD_HELD_BY_POWER && now.mhz > 0.965 * free_clock.mhz)
		/* Watts at their limit beside a full clock are no limit. */
		answer(a, now.mhz > 0.975 * free_clock.mhz ? "no_counters" : "power|no_counters", "*", NAN);
	else if (now.held == AMD_HELD_BY_HEAT && now.watt > 0.965 * m->limit_w)
		/* Watts at their limit are all that is told of it. */
		answer(a, "power|no_counters", "*", NAN);
	else if (now.held == AMD_HELD_BY_POWER)
		answer(a, "power", "card", free_clock.mhz / now.mhz);
	else if (seen_memory(m, l) > 0.73)
		answer(a, seen_memory(m, l) > 0.77 ? "unknown" : "unknown|no_counters", "*", NAN);
	else
		answer(a, "no_counters", "*", NAN);
	return true;
}
