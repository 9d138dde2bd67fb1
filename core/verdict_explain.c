/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says how a verdict came about, in lines for people: the rule, what was compared, the counters
 * that were asked, and the numbers that they were compared with. */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "base/format.h"
#include "base/i18n.h"
#include "core/verdict_priv.h"

static void heading(struct strbuf *out, const char *text)
{
	strbuf_addf(out, "%s\n", text);
}

static void line(struct strbuf *out, const char *text)
{
	if (*text)
		strbuf_addf(out, "  %s\n", text);
}

static void add_answer(struct strbuf *out, const struct verdict *v)
{
	char text[240];

	heading(out, _("Answer"));
	line(out, verdict_sentence(v, false, text, sizeof(text)));
	if (v->because[0].fmt)
		heading(out, _("Because"));
	for (int i = 0; i < VERDICT_BECAUSE; i++)
		line(out, verdict_because(v, i, false, text, sizeof(text)));
	if (v->try.fmt)
		heading(out, _("Try"));
	line(out, verdict_try(v, false, text, sizeof(text)));
	heading(out, _("Rule"));
	strbuf_addf(out, "  %s: %s\n", verdict_kind_name(v->kind), i18n_optional(verdict_rule_text(v)));
	if (v->flags & VERDICT_MIXED)
		line(out, _("this window mixes two phases: the answer is that of an earlier one"));
	if (v->flags & VERDICT_CONTRADICTION)
		line(out, _("the counters of this window contradict each other: the answer is that of an earlier one"));
	if (v->missing == VERDICT_MISSING_ROOF)
		line(out, _("missing: the roof of that level"));
	if (v->missing == VERDICT_MISSING_SET)
		line(out, _("missing: a counter that this set does not have"));
}

static void add_candidate(
	struct strbuf *out, const struct snapshot *s, const struct verdict_candidate *c)
{
	const struct metric *m = &s->set->metrics[c->metric];
	char value[24], roof[24], text[160];

	format_number(value, sizeof(value), c->value / m->unit.scale, 5);
	format_number(roof, sizeof(roof), c->roof / m->unit.scale, 5);
	strbuf_addf(out, "  %-15s %6s / %6s %-8s", c->resource, value, roof, m->unit_text);
	if (isfinite(c->share))
		strbuf_addf(out, " %4.0f %%", c->share * 100);
	else
		strbuf_add(out, "     --");
	strbuf_addf(out, "  %s%s", c->uncertain ? "~" : "",
		i18n_optional(verdict_source_text(c->source)));
	if (!c->why_not.fmt)
		strbuf_add(out, _("; this is it"));
	strbuf_addc(out, '\n');
	verdict_text(&c->why_not, false, text, sizeof(text));
	if (!c->why_not.fmt && isfinite(c->share)) {
		format_number(value, sizeof(value), c->from * 100, 2);
		snprintf(text, sizeof(text), _("it counts as full from %s %% on"), value);
	}
	if (*text)
		strbuf_addf(out, "  %-15s %s\n", "", text);
}

static void add_counter(struct strbuf *out, const struct snapshot *s, int i)
{
	const struct metric *m = &s->set->metrics[i];
	char value[24];

	format_number(value, sizeof(value), s->values[i].v, 6);
	strbuf_addf(out, "  %-11s %-15s %6s %-9s %s", limit_role_name(m->limit.role), m->limit.word, value,
		m->unit_text, m->name);
	if (s->values[i].why != WHY_OK)
		strbuf_addf(out, " (%s)", i18n_optional(why_brief(s->values[i].why)));
	strbuf_addc(out, '\n');
}

void verdict_explain(const struct verdict *v, const struct snapshot *s, struct strbuf *out)
{
	add_answer(out, v);
	if (v->n_candidates > 0)
		heading(out, _("What was compared: value, roof, share, source of the roof"));
	for (int i = 0; i < v->n_candidates; i++)
		add_candidate(out, s, &v->candidates[i]);
	heading(out, _("Counters"));
	for (int i = 0; i < s->set->n_metrics; i++) {
		if (s->set->metrics[i].limit.role != LIMIT_NONE)
			add_counter(out, s, i);
	}
	heading(out, _("Rules, in the order in which they are asked"));
	for (int i = 0; i < verdict_n_rules; i++)
		strbuf_addf(out, "  %-12s %s\n", verdict_kind_name(verdict_rules[i].kind),
			i18n_text(verdict_rules[i].text));
	heading(out, _("Numbers that they compare with"));
	for (int i = 0; i < VERDICT_THRESHOLDS; i++) {
		strbuf_addf(out, "  %-12s ", verdict_threshold_name((enum verdict_threshold)i));
		strbuf_add_double(out, verdict_threshold((enum verdict_threshold)i));
		strbuf_addf(out, "  %s\n", i18n_text(verdict_threshold_text((enum verdict_threshold)i)));
	}
}
