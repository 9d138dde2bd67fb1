/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What check keeps of a long load: of what has a limit of its own the worst window, never the mean. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/check/check.h"
#include "core/snapshot/snapshot.h"
#include "tests/tap.h"

enum { DEGC, HELD, TAKEN, METRICS };

/* Returns the worst that was seen of a device after windows of which the middle one is at its limit. */
static double worst_of(int metric, const double *windows, int n)
{
	static char names[METRICS][8] = { "degc", "held", "taken" }, set_name[] = "x";
	struct metric metrics[METRICS] = {
		[DEGC] = { .name = names[DEGC], .limit = { .role = LIMIT_TEMPERATURE } },
		[HELD] = { .name = names[HELD], .limit = { .role = LIMIT_REASON, .word = "heat" } },
		[TAKEN] = { .name = names[TAKEN], .limit = { .role = LIMIT_MEMORY } },
	};
	struct metric_set set = { .name = set_name, .metrics = metrics, .n_metrics = METRICS };
	struct value values[METRICS], ceilings[METRICS];
	struct snapshot s = { .set = &set, .values = values, .ceilings = ceilings };
	struct check_run c = { 0 };
	double worst = NAN;

	for (int i = 0; i < n; i++) {
		for (int k = 0; k < METRICS; k++) {
			values[k] = (struct value){ .v = NAN, .why = WHY_NOT_YET };
			ceilings[k] = (struct value){ .v = 100 };
		}
		values[metric] = (struct value){ .v = windows[i] };
		check_watch_window(&c, &s);
	}
	for (int i = 0; i < CHECK_WATCHED; i++)
		if (isfinite(c.worst[i].value) && c.worst[i].seen)
			worst = c.worst[i].value;
	return worst;
}

int main(void)
{
	static const double windows[] = { 40, NAN, 99, 60 };
	int n = (int)ARRAY_LEN(windows);

	is_near(worst_of(DEGC, windows, n), 99, 0, "the warmest window counts");
	is_near(worst_of(TAKEN, windows, n), 99, 0, "and the fullest");
	ok(isnan(worst_of(HELD, windows, n)), "a share of time is judged over the whole load");
	return done_testing();
}
