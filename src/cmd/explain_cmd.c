/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --explain: the static part of what Enter shows on the screen. */
#include "config.h"

#include "cmd/metrics_cmd.h"

#include "session/devices.h"
#include "session/sets.h"
#include "core/explain.h"

enum status explain_cmd(struct session *ses, struct strbuf *out)
{
	const struct metric_set *set = NULL;
	struct err err = { 0 };
	int index, metric;

	if (metrics_cmd_device(ses, &index, &err))
		set = sets_choose(ses, &ses->devices.entries[index].device, NULL, &err);
	if (set) {
		metric = metric_set_index(set, ses->opt->explain);
		if (metric >= 0) {
			explain_metric(out, set, metric, NULL, NULL);
			return STATUS_GOOD;
		}
		metrics_cmd_unknown(set, ses->opt->explain, &err);
	}
	session_print_err(&err);
	return session_status(&err);
}
