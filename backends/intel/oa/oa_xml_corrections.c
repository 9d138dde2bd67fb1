/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Intel has corrected in its equations, and when: says it of files that are older. */
#include "config.h"

#include <string.h>

#include "backends/intel/oa/oa_xml.h"
#include "base/mem.h"

/* Equations without the word are from before that day. Dates and rules: intel/metrics-discovery,
 * commits 1b7f810 (Q4 2025 update) and 1524a7a (Q3 2025 update), md_external_events.cpp and
 * md_metric_sets_LNL.cpp. */
static const struct correction {
	const char *symbol, *chipsets, *date, *word, *what;
} corrections[] = {
	{ "XVE_INST_EXECUTED_ALU2_ALL_UTILIZATION", " BMG LNL PTL NVL CRI ", "2025-12-04",
		" 2 UMUL", "it shows half of the utilization of the matrix engine" },
	{ "COLOR_PIPE_CACHE_LATENCY2_STALL", " BMG LNL PTL NVL ", "2025-09-09",
		" $L3NodeTotalCount ",
		"it adds up L3 nodes where it should average over them" },
};

_Static_assert(ARRAY_LEN(corrections) <= 32, "a bit for each");

static bool has_chipset(const struct correction *c, const struct xml_set *x)
{
	const char *at = strcasestr(c->chipsets, x->chipset);

	return at && at[-1] == ' ' && at[strlen(x->chipset)] == ' ';
}

void xml_check_corrections(const struct xml_set *x, struct xml_problems *problems, uint32_t *told)
{
	for (size_t k = 0; k < ARRAY_LEN(corrections); k++) {
		const struct correction *c = &corrections[k];

		for (size_t i = 0; i < x->n_counters && !(*told >> k & 1); i++) {
			const struct xml_counter *counter = &x->counters[i];

			if (strcmp(counter->symbol, c->symbol) ||
				strstr(counter->equation, c->word) || !has_chipset(c, x))
				continue;
			xml_problem(problems, &counter->equation_at,
				"%s is from before Intel's correction of %s: %s", c->symbol,
				c->date, c->what);
			*told |= UINT32_C(1) << k;
		}
	}
}
