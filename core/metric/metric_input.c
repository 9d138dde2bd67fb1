/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the name of an input stands for. */
#include "config.h"

#include <string.h>

#include "core/metric/metric.h"

bool metric_input_is(const struct metric_set *set, const char *input, const char *counter)
{
	if (!strcmp(input, counter))
		return true;
	for (int k = 0; k < set->n_cells; k++) {
		const struct set_cells *c = &set->cells[k];

		for (int i = 0; i < c->n_names * c->n_cells; i++)
			if (!strcmp(c->names[i % c->n_names], input) &&
				!strcmp(c->counters[i], counter))
				return true;
	}
	return false;
}
