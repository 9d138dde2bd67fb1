/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a resource is full, as far as the counters tell it: metric files mark what is a cause, of
 * what, and from which value on. */
#include "config.h"

#include <stdio.h>

#include "base/i18n.h"
#include "core/verdict/verdict_priv.h"

/* A cause that holds in this window. */
struct cause {
	const struct metric *m;
	double value;		/* in the metric's unit */
};

/* Where sets are counted in turns, the metric of the part is the one whose texts stay. */
static const struct metric *lasting(const struct snapshot *s, int metric)
{
	if (s->mux && s->mux[metric].part)
		return &s->mux[metric].part->set->metrics[s->mux[metric].metric];
	return &s->set->metrics[metric];
}

/* A cause names resources, or kinds of verdicts. What is only the nearest, and far from full, has
 * none. */
static bool is_cause_of(const struct metric_limit *l, const struct finding *f)
{
	if (f->kind == VERDICT_NONE && f->resource &&
		f->resource->share < verdict_threshold(THRESHOLD_LOW))
		return l->of && has_word(l->of, verdict_kind_name(f->kind));
	return !l->of || has_word(l->of, f->bound) ||
		has_word(l->of, verdict_kind_name(f->kind)) ||
		(f->resource && has_word(l->of, f->resource->limit->word));
}

static double excess(const struct cause *c)
{
	return c->value / c->m->limit.from;
}

/* Puts a cause in its place among the strongest ones. */
static void rank(struct cause strongest[VERDICT_CAUSES], struct cause c)
{
	for (int i = 0; i < VERDICT_CAUSES; i++) {
		struct cause other = strongest[i];

		if (other.m && excess(&other) >= excess(&c))
			continue;
		strongest[i] = c;
		if (!other.m)
			return;
		c = other;
	}
}

static void say_value(char *buf, size_t size, double v)
{
	snprintf(buf, size, v < 9.95 ? "%.3g" : "%.0f", v);
}

static int tell_turns(struct verdict *out, const struct evidence *e)
{
	char a[8], b[8];

	say_value(a, sizeof(a), e->queues[0].share * 100);
	say_value(b, sizeof(b), e->queues[1].share * 100);
	tell(&out->because[0], N_("%s %s %%, %s %s %% of the time"), e->queues[0].name, a,
		e->queues[1].name, b, NULL);
	out->try.fmt = N_("let work of the next frame overlap with that of this one: fewer waits between passes");
	snprintf(out->causes[0], sizeof(out->causes[0]), "turns");
	return 1;
}

int verdict_tell_causes(struct verdict *out, const struct evidence *e, const struct finding *f)
{
	struct cause strongest[VERDICT_CAUSES] = { { .m = NULL } };
	int n = 0;

	bool waits = f->kind == VERDICT_HOST || f->kind == VERDICT_PARTLY_IDLE;

	if (!waits && f->kind != VERDICT_PIPE && f->kind != VERDICT_BANDWIDTH && f->kind != VERDICT_NONE &&
		f->kind != VERDICT_UNKNOWN && f->kind != VERDICT_LATENCY && f->kind != VERDICT_MIX)
		return 0;
	if (f->kind == VERDICT_NONE && evidence_takes_turns(e))
		return tell_turns(out, e);
	for (int i = 0; i < e->s->set->n_metrics; i++) {
		struct cause c = { .m = lasting(e->s, i), .value = e->values[i].v };

		/* Why there is no work is said only by what names that kind. */
		if (waits && !c.m->limit.of)
			continue;
		if (c.m->limit.role == LIMIT_CAUSE && e->values[i].why == WHY_OK &&
			c.value >= c.m->limit.from && is_cause_of(&c.m->limit, f))
			rank(strongest, c);
	}
	out->waits = strongest[0].m && !e->counts_waiting && strongest[0].m->limit.of &&
		has_word(strongest[0].m->limit.of, verdict_kind_name(VERDICT_NONE));
	for (; n < VERDICT_CAUSES && strongest[n].m; n++) {
		const struct metric *m = strongest[n].m;
		char value[24];

		say_value(value, sizeof(value), strongest[n].value);
		tell(&out->because[n], m->limit.name, value, NULL);
		snprintf(out->causes[n], sizeof(out->causes[n]), "%s", m->limit.word);
		if (!out->try.fmt)
			out->try.fmt = m->limit.tip;
	}
	/* What is far from full is not what has to be used less. */
	if (!out->try.fmt && f->resource && f->kind != VERDICT_NONE && f->kind != VERDICT_LATENCY)
		out->try.fmt = lasting(e->s, f->resource->metric)->limit.tip;
	return n;
}

static const struct work_queue *fullest_queue(const struct evidence *e)
{
	const struct work_queue *best = NULL;

	for (int i = 0; i < e->n_queues; i++) {
		if (!best || e->queues[i].share > best->share)
			best = &e->queues[i];
	}
	return best;
}

bool verdict_fact_work_queue(
	struct verdict_text *t, const struct evidence *e, const struct finding *f)
{
	const struct work_queue *q = fullest_queue(e);
	char share[8];

	(void)f;
	if (!q || evidence_takes_turns(e))
		return false;
	say_value(share, sizeof(share), q->share * 100);
	tell(t, N_("%s: busy %s %% of the time"), q->name, share, NULL);
	return true;
}
