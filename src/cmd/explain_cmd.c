/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --explain prints the static part of what Enter shows on the screen. */
#include "config.h"

#include "cmd/metrics_cmd.h"

#include "core/explain.h"

enum status explain_cmd(struct session *ses, struct strbuf *out)
{
	struct err err = { 0 };
	const struct metric_set *set = metrics_cmd_set(ses, &err);
	int metric = set ? metric_set_index(set, ses->opt->explain) : -1;

	if (metric < 0) {
		if (set)
			metrics_cmd_unknown(set, ses->opt->explain, &err);
		return session_fail(&err);
	}
	explain_metric(out, set, metric, NULL, NULL);
	return STATUS_GOOD;
}
