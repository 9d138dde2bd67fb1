/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says how a verdict came about, in lines for people: the rule, what was compared, the counters
 * that were asked, and the numbers that they were compared with. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "core/snapshot/code_lines.h"
#include "core/verdict/verdict_priv.h"

#define CODE_PLACES_HERE 8

/* --- what was compared --- */

static void tell_why_not(struct verdict_text *t, const struct evidence *e, const struct finding *f,
	const struct resource *r)
{
	/* Pipes that are named together are the limit together; a part of a level is not that level. */
	if (r == f->resource || resource_in_group(r, f->bound))
		return;
	if (isnan(r->value) && isnan(r->queue_full))
		tell(t, N_("not counted in this window"), NULL);
	else if (r->over)
		tell(t, r->estimated ? N_("more than memory can give has passed: a cache has served a part") :
				       N_("more than its roof has passed: the roof is too low"), NULL);
	else if (isnan(r->fill) && !isnan(r->queue_full))
		tell(t, N_("the queue to it is full %s %% of the time; that counts from %s %% on"),
			percent(r->queue_full).text, percent(r->queue_from).text, NULL);
	else if (isnan(r->fill))
		tell(t, N_("its roof is not known"), NULL);
	else if (r->fill < r->from)
		tell(t, N_("full at %s %%"), percent(r->from).text, NULL);
	else if (!resource_is_full(e, r))
		tell(t, N_("it needs a second sign: waiting, or a full queue"), NULL);
	else
		tell(t, N_("full, but a rule that is asked before it holds"), NULL);
}

void verdict_list(struct verdict *out, const struct evidence *e, const struct finding *f)
{
	out->n_candidates = 0;
	for (int i = 0; i < e->n_resources; i++) {
		const struct resource *r = &e->resources[i];
		struct verdict_candidate *c = &out->candidates[out->n_candidates++];

		*c = (struct verdict_candidate){ .metric = r->metric, .value = r->value,
			.roof = r->roof, .share = r->share, .from = r->from, .source = r->source,
			.uncertain = r->uncertain, .estimated = r->estimated };
		snprintf(c->resource, sizeof(c->resource), "%s", r->limit->word);
		tell_why_not(&c->why_not, e, f, r);
	}
}

/* --- lines --- */

static void heading(struct strbuf *out, const char *text)
{
	strbuf_addf(out, "%s\n", text);
}

static void line(struct strbuf *out, const char *text)
{
	if (*text)
		strbuf_addf(out, "  %s\n", text);
}

/* Says what is special about the window. */
static void add_window(struct strbuf *out, const struct verdict *v)
{
	if (v->flags & VERDICT_MIXED)
		line(out, _("the load changed in this window: the answer is that of both parts together"));
	if (v->is_changing)
		line(out,
			_("this window says something else than the one before: the next one "
			  "decides"));
}

static void add_answer(struct strbuf *out, const struct verdict *v)
{
	char text[240];

	heading(out, v->flags & VERDICT_SIMULATED ? _("Answer (simulated)") : _("Answer"));
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
	add_window(out, v);
	if (v->missing == VERDICT_MISSING_ROOF)
		line(out, _("missing: the roof of that level"));
	if (v->missing == VERDICT_MISSING_SET)
		line(out, _("missing: a counter that this set does not have"));
}

/* The questions in which a limit is looked for, from coarse to fine, and the roles that answer
 * them. */
static const struct {
	const char *question;
	unsigned roles;
} steps[] = {
	{ N_("is it busy"), ROLE_BIT(LIMIT_BUSY) },
	{ N_("with which work"), ROLE_BIT(LIMIT_QUEUE) | ROLE_BIT(LIMIT_EMPTY) | ROLE_BIT(LIMIT_OCCUPANCY) },
	{ N_("which unit"),
		ROLE_BIT(LIMIT_WORKING) | ROLE_BIT(LIMIT_WAITING) | ROLE_BIT(LIMIT_PIPE) },
	{ N_("or memory"), MEMORY_ROLES },
};

/* The step at which the answer stands; -1: at none of them. */
static int step_of(const struct verdict *v)
{
	if (v->kind == VERDICT_IDLE || v->kind == VERDICT_HOST || v->kind == VERDICT_PARTLY_IDLE)
		return 0;
	if (v->kind == VERDICT_LAUNCH || v->kind == VERDICT_PARALLELISM ||
		!strcmp(v->causes[0], "turns"))
		return 1;
	if (v->kind == VERDICT_PIPE || v->kind == VERDICT_MIX)
		return 2;
	return v->kind == VERDICT_BANDWIDTH || v->kind == VERDICT_UNKNOWN ? 3 : -1;
}

/* Value over ceiling of a metric of that step, NAN when there is no such number. */
static double share_at(const struct snapshot *s, size_t step, int i)
{
	if (!(steps[step].roles & ROLE_BIT(s->set->metrics[i].limit.role)) ||
		s->values[i].why != WHY_OK || s->ceilings[i].why != WHY_OK)
		return NAN;
	return s->values[i].v / s->ceilings[i].v;
}

/* Whether another metric of that step goes by the same name, as reads and writes of a level do. */
static bool shares_name(const struct snapshot *s, size_t step, int metric)
{
	const char *name = metric_limit_name(&s->set->metrics[metric]);

	for (int i = 0; i < s->set->n_metrics; i++)
		if (i != metric && isfinite(share_at(s, step, i)) &&
			!strcmp(metric_limit_name(&s->set->metrics[i]), name))
			return true;
	return false;
}

/* What is found on the way from coarse to fine; the step at which the answer stands is marked. */
static void add_way(struct strbuf *out, const struct verdict *v, const struct snapshot *s)
{
	int here = step_of(v);

	heading(out, _("How it was decided"));
	for (size_t k = 0; k < ARRAY_LEN(steps); k++) {
		int shown = 0;

		for (int i = 0; i < s->set->n_metrics; i++) {
			const struct metric *m = &s->set->metrics[i];
			double share = share_at(s, k, i);

			if (!isfinite(share))
				continue;
			if (shown++)
				strbuf_add(out, ", ");
			else
				strbuf_addf(out, "%s%zu %s: ", (int)k == here ? "> " : "  ", k + 1,
					_(steps[k].question));
			strbuf_addf(out, "%s %s%.0f %%",
				shares_name(s, k, i) ? metric_label(m) : metric_limit_name(m),
				m->flags & METRIC_ESTIMATED ? "~" : "", share * 100);
		}
		if (shown)
			strbuf_addc(out, '\n');
	}
}

/* Writes a number, with ~ before it when it is inferred. */
static void number_text(char *buf, size_t size, double v, int width, bool is_inferred)
{
	char number[16];

	format_people(number, sizeof(number), v, width);
	snprintf(buf, size, "%s%s", is_inferred && isfinite(v) ? "~" : "", number);
}

static void add_candidate(struct strbuf *out, const struct snapshot *s, enum verdict_kind kind,
	const struct verdict_candidate *c)
{
	const struct metric *m = &s->set->metrics[c->metric];
	char value[24], roof[24], text[160];
	struct unit_form form;

	form = unit_for_people(m->unit_text, c->roof / m->unit.scale);
	number_text(value, sizeof(value), form.factor * c->value / m->unit.scale, 5, c->estimated);
	number_text(roof, sizeof(roof), form.factor * c->roof / m->unit.scale, 5, c->uncertain);
	strbuf_addf(out, "  %-15s %6s / %6s %-8s", c->resource, value, roof, form.unit);
	if (isfinite(c->share))
		snprintf(text, sizeof(text), "%s%.0f %%", c->estimated || c->uncertain ? "~" : "",
			c->share * 100);
	else
		snprintf(text, sizeof(text), "--");
	strbuf_addf(out, " %6s  %s", text, i18n_optional(verdict_source_text(c->source)));
	if (!c->why_not.fmt && (kind == VERDICT_PIPE || kind == VERDICT_BANDWIDTH))
		strbuf_add(out, _("  <- the limit"));
	strbuf_addc(out, '\n');
	verdict_text(&c->why_not, false, text, sizeof(text));
	if (!c->why_not.fmt && isfinite(c->share)) {
		format_number(value, sizeof(value), c->from * 100, 2);
		snprintf(text, sizeof(text), _("full at %s %%"), value);
	}
	if (*text)
		strbuf_addf(out, "  %-15s %s\n", "", text);
}

static void add_counter(struct strbuf *out, const struct snapshot *s, int i)
{
	const struct metric *m = &s->set->metrics[i];
	char value[24];

	number_text(value, sizeof(value), s->values[i].v, 6, m->flags & METRIC_ESTIMATED);
	strbuf_addf(out, "  %-11s %-15s %7s %-9s %s", limit_role_name(m->limit.role), m->limit.word, value,
		unit_word(m->unit_text), m->name);
	if (s->values[i].why != WHY_OK)
		strbuf_addf(out, " (%s)", i18n_optional(why_text(s->values[i].why)));
	strbuf_addc(out, '\n');
}

void verdict_explain(const struct verdict *v, const struct snapshot *s, struct strbuf *out)
{
	add_answer(out, v);
	add_way(out, v, s);
	if (v->n_candidates > 0)
		heading(out, _("What was compared: value, roof, share, source of the roof"));
	for (int i = 0; i < v->n_candidates; i++)
		add_candidate(out, s, v->kind, &v->candidates[i]);
	code_lines(out, s, CODE_PLACES_HERE);
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
