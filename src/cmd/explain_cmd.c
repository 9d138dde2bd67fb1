/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --explain: the static part of what Enter shows on the screen. */
#include "config.h"

#include "cmd/metrics_cmd.h"

#include "session/devices.h"
#include "session/sets.h"
#include "core/explain.h"

enum status explain_cmd(struct app *a, struct strbuf *out)
{
	const struct metric_set *set = NULL;
	struct err err = { 0 };
	int index, metric;

	if (metrics_cmd_device(a, &index, &err))
		set = sets_choose(a, &a->devices.entries[index].device, NULL, &err);
	if (set) {
		metric = metric_set_index(set, a->opt->explain);
		if (metric >= 0) {
			explain_metric(out, set, metric, NULL, NULL);
			return STATUS_GOOD;
		}
		metrics_cmd_unknown(set, a->opt->explain, &err);
	}
	app_print_err(&err);
	return app_status(&err);
}
