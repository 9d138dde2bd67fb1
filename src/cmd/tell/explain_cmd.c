/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rooftop explain NAME prints the static part of what Enter shows on the screen. A name that the
 * chosen set does not have is looked for in all sets of the device, as a metric and as a counter,
 * and then in those of all other devices. */
#include "config.h"

#include "cmd/tell/tell.h"

#include <stdio.h>
#include <string.h>

#include "session/window/sets.h"
#include "core/explain/explain.h"
#include "base/near.h"
#include "out/lines/output.h"
#include "out/lines/parts.h"
#include "base/json.h"
#include "core/verdict/verdict.h"

static void add_roof(
	struct strbuf *out, const struct metric_set *set, int metric, const struct device *d)
{
	struct strbuf bound = { 0 };

	explain_bound(&bound, set, metric, d);
	if (bound.len)
		strbuf_addf(out, "Roof of %s\n%s", d->id, strbuf_str(&bound));
	strbuf_release(&bound);
}

/* A metric or a counter of other sets of the device: it is explained from the first of them. */
static bool explain_elsewhere(struct session *ses, const char *name,
	const struct metric_set *chosen, const struct device *d, bool counters, struct strbuf *out)
{
	struct strbuf names = { 0 };
	const struct metric_set *first = NULL;
	int at = -1, metric, of_first = -1;

	for (const struct metric_set *set;
		(set = sets_next_with(ses, name, d->platform, counters, &at, &metric));) {
		strbuf_add_word(&names, ", ", set->name);
		if (!first) {
			first = set;
			of_first = metric;
		}
	}
	if (first)
		strbuf_addf(out, "Set '%s' does not have it. Sets that do (-m chooses one): %s\n\n",
			chosen->name, strbuf_str(&names));
	strbuf_release(&names);
	if (!first)
		return false;
	if (counters) {
		/* What cells read and what blocks compare is known of a set that was chosen. */
		const struct metric_set *whole = sets_choose(ses, d, first->name, NULL);

		return explain_counter(out, whole ? whole : first, name);
	}
	explain_metric(out, first, of_first, NULL, NULL);
	add_roof(out, first, of_first, d);
	return true;
}

/* Whether other devices have such a metric or counter; then err says which, and what comes near here. */
static bool is_of_others(struct session *ses, const char *name, const struct metric_set *chosen,
	const struct device *d, struct err *err)
{
	struct strbuf names = { 0 };
	struct near near;

	sets_load(ses, NULL);
	for (int counters = 0; counters < 2 && !names.len; counters++) {
		int at = -1, metric;

		for (const struct metric_set *set;
			(set = sets_next_with(ses, name, NULL, counters, &at, &metric));) {
			for (int i = 0; i < set->n_platforms; i++) {
				if (!strstr(strbuf_str(&names), set->platforms[i]) && names.len < 100)
					strbuf_add_word(&names, ", ", set->platforms[i]);
			}
		}
	}
	if (names.len) {
		char others[160];

		snprintf(others, sizeof(others), "others have it: %s", strbuf_str(&names));
		err_set(err, ERR_USAGE, "%s has no metric or counter '%s'", d->name, name);
		metrics_cmd_near(chosen, name, &near);
		near_hint(&near, others, err);
	}
	bool found = names.len > 0;
	strbuf_release(&names);
	return found;
}

/* Explains a metric or counter of this name, in the chosen set or in another one of the device. */
static bool explain_name(struct session *ses, const char *name, const struct metric_set *set,
	const struct device *d, struct strbuf *out)
{
	int other, metric = metric_set_find(set, NULL, name, &other);

	metrics_cmd_tell_other(set, name, metric, other);

	if (metric >= 0) {
		explain_metric(out, set, metric, NULL, NULL);
		add_roof(out, set, metric, d);
		return true;
	}
	return explain_counter(out, set, name) ||
		explain_elsewhere(ses, name, set, d, false, out) ||
		explain_elsewhere(ses, name, set, d, true, out);
}

/* Explains a name in the first set that has it. */
static bool explain_one(struct session *ses, const char *name, const struct metric_set *set,
	const struct device *d, struct strbuf *out, struct err *err)
{
	struct strbuf names = { 0 };
	struct near near;
	bool good = explain_name(ses, name, set, d, out);

	/* Names with a block in front are known without it, too. */
	if (!good) {
		int n = sets_names_ending(ses, d->platform, name, &names);

		good = n == 1 && explain_name(ses, strbuf_str(&names), set, d, out);
		if (n > 1) {
			err_set(err, ERR_USAGE, "'%s' is the name of several metrics", name);
			err_hint(err, "metrics: %s", strbuf_str(&names));
		} else if (!good && !is_of_others(ses, name, set, d, err) &&
			(sets_names_ending(ses, NULL, name, &names) != 1 ||
				!is_of_others(ses, strbuf_str(&names), set, d, err))) {
			metrics_cmd_unknown(ses, set, d->platform, name, err);
			near_begin(&near, name);
			near_try(&near, "limit", "limit");
			if (near_is_slip(&near) ||
				option_is_taken("headroom roof verdict bound bottleneck", "", name))
				err_hint(err, "did you mean 'rooftop explain limit', alone?");
		}
	}
	strbuf_release(&names);
	return good;
}

enum status explain_cmd(struct session *ses, struct strbuf *out)
{
	const struct options *o = ses->opt;
	const struct device *d;
	struct err err = { 0 };
	const struct metric_set *set = metrics_cmd_set(ses, &d, &err);
	bool good = set != NULL;

	for (int i = 0; good && !strcmp(o->names[0], "help") && i < set->n_metrics; i++)
		if (!(set->metrics[i].flags & METRIC_HIDDEN))
			strbuf_addf(out, "%s\n", set->metrics[i].name);
	for (int i = 0; good && strcmp(o->names[0], "help") && i < o->n_names; i++) {
		if (i)
			strbuf_addc(out, '\n');
		good = explain_one(ses, o->names[i], set, d, out, &err);
	}
	return good ? STATUS_GOOD : session_fail(&err);
}

/* --- explain limit: a verdict with its rule, candidates, counters and thresholds --- */

static void add_json(struct strbuf *out, const struct session *ses, const struct snapshot *s)
{
	strbuf_addc(out, '{');
	json_integer(out, "v", 1);
	json_string(out, "device", ses->opened.name);
	json_string(out, "set", ses->now->set->name);
	json_bool(out, "sim", ses->dev->device.simulated);
	json_verdict(out, &s->verdict, s->mono_ns);
	json_string(out, "rule", verdict_rule_text(&s->verdict));
	json_candidates(out, &s->verdict);
	json_evidence(out, s);
	json_thresholds(out);
	strbuf_add(out, "}\n");
}

enum status explain_limit_cmd(struct session *ses, enum output_form form)
{
	struct strbuf text = { 0 };
	struct output file = { .fd = -1 };
	struct err err = { 0 };

	if (!window_wait_open(ses, &err))
		return session_fail(&err);
	const struct snapshot *s = window_wait_last(ses);
	bool good = output_open(&file, ses->opt->output, OUTPUT_TRUNCATE, &err);

	if (!s)
		good = err_set(
			&err, ERR_UNSUPPORTED, "'%s' has no complete window", ses->opened.name);
	else if (form == OUTPUT_JSON)
		add_json(&text, ses, s);
	else
		verdict_explain(&s->verdict, s, &text);
	good = good && output_write(&file, &text, &err);
	good = output_close(&file, good, &err) && good;
	strbuf_release(&text);
	return good || err.code == ERR_END ? STATUS_GOOD : session_fail(&err);
}
