/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a run counts as disturbed: rows of slices, CPU time and processors, made by hand. */
#include "config.h"

#include <math.h>

#include "kernels/worker/steady.h"
#include "tests/tap.h"

static const struct row {
	const char *name;
	int slices;
	double fastest_ns, others_ns;
	int64_t cpu_ns, wall_ns;
	double processors;
	bool disturbed;
} rows[] = {
	{ "even slices", 10, 1000, 1020, 0, 0, 0, false },
	{ "slices that vary by a tenth", 10, 1000, 1100, 0, 0, 0, false },
	{ "slices that vary by a third", 10, 1000, 1333, 0, 0, 0, true },
	{ "too few slices to tell", 5, 1000, 9000, 0, 0, 0, false },
	{ "all processors", 10, 1000, 1020, 3900, 1000, 4, false },
	{ "one of four processors is somebody else's", 10, 1000, 1020, 3000, 1000, 4, true },
	{ "processors of no account", 10, 1000, 1020, 1, 1000, 0, false },
	{ "CPU time that is not known", 10, 1000, 1020, 0, 0, 4, false },
};

static const struct shape {
	const char *name;
	bool even;
	double disturbed_trials, reached;
	bool outdated;
} shapes[] = {
	{ "a shape that reaches what it did", true, 0, 1, false },
	{ "a shape that reaches 91 %", true, 0, 0.91, false },
	{ "a shape that reaches 89 %", true, 0, 0.89, true },
	{ "  ... in a run that was disturbed", false, 0, 0.89, false },
	{ "  ... that no tuner has found", true, NAN, 0.89, false },
	{ "a shape that was found on a busy machine", true, 0.5, 1, true },
	{ "  ... seen by a run that was disturbed", false, 0.5, 1, false },
	{ "a shape whose rate is not known", true, 0, NAN, false },
};

int main(void)
{
	struct steady none = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];
		struct steady s = { 0 };

		for (int k = 0; k < r->slices; k++)
			steady_add(&s, k == 3 ? r->fastest_ns : r->others_ns);
		steady_add(&s, NAN);
		steady_add(&s, 0);
		steady_add_cpu(&s, r->cpu_ns, r->wall_ns);
		ok(steady_is_disturbed(&s, r->processors) == r->disturbed, "%s", r->name);
	}
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const struct shape *r = &shapes[i];
		struct steady s = { 0 };

		for (int k = 0; k < 10; k++)
			steady_add(&s, r->even || k % 2 ? 1000 : 2000);
		ok(steady_is_outdated(&s, 0, r->disturbed_trials, r->reached) == r->outdated, "%s",
			r->name);
	}
	ok(!steady_is_outdated(&none, 0, 0, 0.1), "a run without slices outdates nothing");
	ok(isnan(steady_loss(&none)) && isnan(steady_cpu_share(&none, 4)),
		"nothing is known of none");
	return done_testing();
}
