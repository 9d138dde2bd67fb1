/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --explain prints the static part of what Enter shows on the screen. */
#include "config.h"

#include "cmd/metrics_cmd.h"

#include "session/program.h"
#include "base/i18n.h"
#include "core/explain.h"

enum status explain_cmd(struct session *ses, struct strbuf *out)
{
	struct strbuf bound = { 0 };
	struct err err = { 0 };
	int index;
	const struct metric_set *set = metrics_cmd_set(ses, &err);
	int metric = set ? metric_set_index(set, ses->opt->explain) : -1;

	if (set && metric < 0 && explain_counter(out, set, ses->opt->explain))
		return STATUS_GOOD;
	if (metric < 0) {
		if (set)
			metrics_cmd_unknown(set, ses->opt->explain, &err);
		return session_fail(&err);
	}
	explain_metric(out, set, metric, NULL, NULL);
	if (!metrics_cmd_device(ses, &index, &err))
		return session_fail(&err);
	const struct device *d = &ses->program->devices.entries[index].device;
	explain_bound(&bound, set, metric, d);
	if (bound.len)
		/* TRANSLATORS: a device's name, as in "Roof of sim:hd620" */
		strbuf_addf(out, _("Roof of %s\n%s"), d->id, strbuf_str(&bound));
	strbuf_release(&bound);
	return STATUS_GOOD;
}
