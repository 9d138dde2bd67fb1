/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts a loop whose operations are known on this thread. A kernel that programs AMD's FLOPs event
 * without its Merge event does not say so; only the number shows it. Versions do not tell either,
 * because some distributions take patches over one by one. */
#include "config.h"

#include "backends/cpu/sources.h"

#include <stdio.h>

#include "backends/cpu/cpu_info.h"
#include "backends/perf/perf_event.h"

/* Allows for what else this thread does with floating point while it is counted. */
#define TOLERANCE 0.01

static bool judge(const struct cpu_info *info, const struct perf_counts *c, int counts, char *what,
	size_t size, struct err *err)
{
	double want = (double)KNOWN_LOOP_ADDITIONS * counts, got = (double)c->values[0];

	if (c->running_ns < c->enabled_ns) {
		err_set(err, ERR_BUSY,
			"the loop had no counter all the time: other programs count as well");
		return false;
	}
	snprintf(what, size, "a known loop counts %.0f, as it should %.0f", got, want);
	if (got >= want * (1 - TOLERANCE) && got <= want * (1 + TOLERANCE))
		return true;
	err_set(err, ERR_UNSUPPORTED,
		"a known loop counts %.0f floating-point events instead of %.0f", got, want);
	if (!cpu_vendor_is_amd(info->vendor))
		return false;
	return err_hint(err,
		"AMD needs Linux 5.6 or later; in a virtual machine the host may have an older "
		"one");
}

bool cpu_self_test(const struct cpu_info *info, const struct fsroot *fs, char *what, size_t size,
	struct err *err)
{
	const struct cpu_loop_event *event = NULL;
	struct perf_group g = { .n = 0 };
	struct perf_event e;
	struct perf_pmu pmu;
	struct perf_counts c;

	*what = '\0';
	if (info->row)
		event = cpu_loop_event(info->row->platform);
	if (!event)
		return err_set(err, ERR_BUSY, "no event of this processor counts a known loop");
	if (!cpu_core_pmu(fs, &pmu, err) || !perf_pmu_terms(fs, &pmu, event->terms, &e, err) ||
		!perf_group_add(fs, &g, &e, -1, err)) {
		if (err && err->code == ERR_UNSUPPORTED)
			err->code = ERR_BUSY;
		return false;
	}
	bool good = known_loop_run();
	if (!good)
		err_set(err, ERR_BUSY,
			"this processor has no vectors that the loop could use");
	good = good && perf_group_read(&g, &c, err) &&
		judge(info, &c, event->counts, what, size, err);
	perf_group_close(&g);
	return good;
}
