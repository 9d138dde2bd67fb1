/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills the first line of a verdict from the evidence: the resource, how much of it is used, of
 * which roof; and its short form. */
#include "config.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "core/verdict/verdict_priv.h"

static const struct metric *metric_of(const struct evidence *e, int metric)
{
	return &e->s->set->metrics[metric];
}

/* A number of five digits is written in the next larger unit. */
static double larger_unit(const struct metric *m, double roof, char *unit, size_t size)
{
	static const char prefixes[] = "kMGT";
	const char *at = strchr(prefixes, m->unit_text[0]);

	snprintf(unit, size, "%s", m->unit_text);
	if (!(roof >= 1e4) || !m->unit_text[0] || !at || !at[1])
		return 1;
	unit[0] = at[1];
	return 1e-3;
}

static void tell_level(struct verdict *out, const struct evidence *e, const struct resource *r)
{
	const struct metric *m = metric_of(e, r->metric);
	char unit[24];
	double scale = larger_unit(m, r->roof / m->unit.scale, unit, sizeof(unit)) / m->unit.scale;
	struct number value = inferred(r->value * scale, r->estimated);
	struct number roof = inferred(r->roof * scale, r->uncertain);
	struct number share = percent(r->share);

	if (!strcmp(m->unit_text, "%")) {
		tell(&out->line, N_("%s in %s %% of the clocks"), r->name, share.text, NULL);
		out->brief = out->line;
		return;
	}
	tell(&out->line, N_("%s %s of %s %s, %s %% (%s)"), r->name, value.text, roof.text, unit,
		share.text, verdict_source_text(r->source), NULL);
	tell(&out->brief, N_("%s %s of %s %s, %s %%"), r->name, value.text, roof.text, unit,
		share.text, NULL);
}

const char *verdict_pipe_names(
	const struct evidence *e, const struct finding *f, char *buf, size_t size)
{
	size_t len = 0;

	if (!resource_in_group(f->resource, f->bound))
		return f->resource->name;
	for (int i = 0; i < e->n_resources && len < size; i++) {
		const struct resource *r = &e->resources[i];

		if (resource_in_group(r, f->bound))
			len += (size_t)snprintf(
				buf + len, size - len, "%s%s", len ? " + " : "", r->name);
	}
	return buf;
}

/* Says how full the queue is, and when that was measured where it was not in this window. */
void verdict_tell_queue(struct verdict_text *t, const struct evidence *e, const struct resource *r)
{
	struct number queue = percent(r->queue_full), ago;
	bool always = r->queue_full >= 1 - UNUSED;
	int64_t age_ns = 0;

	if (e->s->mux && r->queue >= 0)
		age_ns = e->s->cells_ns - e->s->mux[r->queue].t_ns;
	ago = number_of((double)age_ns / NS_PER_S, 1);
	if (age_ns > 0 && always)
		tell(t, N_("%s s ago the queue to %s was full all the time"), ago.text, r->name,
			NULL);
	else if (age_ns > 0)
		tell(t, N_("%s s ago the queue to %s was full %s %% of the time"), ago.text,
			r->name, queue.text, NULL);
	else if (always)
		tell(t, N_("the queue to %s is full all the time"), r->name, NULL);
	else
		tell(t, N_("the queue to %s is full %s %% of the time"), r->name, queue.text, NULL);
}

static void tell_resource(struct verdict *out, const struct evidence *e, const struct finding *f)
{
	const struct resource *r = f->resource;
	struct number share = resource_percent(r), queue = percent(r->queue_full);
	char names[32];
	const char *name = verdict_pipe_names(e, f, names, sizeof(names));

	if (r->limit->role == LIMIT_PIPE && !(r->fill >= r->from) && r->fullest >= r->from) {
		tell(&out->line, N_("%s busy %s %% of the time, %s %% in the fullest unit"), name,
			share.text, percent(r->fullest).text, NULL);
		tell(&out->brief, N_("%s %s %%, %s %% in the fullest unit"), name, share.text,
			percent(r->fullest).text, NULL);
	} else if (r->limit->role == LIMIT_PIPE || r->limit->role == LIMIT_COPY) {
		tell(&out->line, N_("%s busy %s %% of the time"), name, share.text, NULL);
		tell(&out->brief, N_("%s busy %s %%"), name, share.text, NULL);
	} else if (r->fill >= r->from || isnan(r->queue_full)) {
		tell_level(out, e, r);
	} else {
		verdict_tell_queue(&out->line, e, r);
		tell(&out->brief, N_("the queue to %s: full %s %%"), name, queue.text, NULL);
	}
}

static void tell_clock(struct verdict *out, const struct evidence *e)
{
	struct number hz = short_number(e->clock_hz / 1e6, 4), most = short_number(e->highest_hz / 1e6, 4);
	struct number share = percent(e->clock_hz / e->highest_hz);

	tell(&out->line, N_("clock %s of %s MHz, %s %%"), hz.text, most.text, share.text, NULL);
	out->brief = out->line;
}

static void tell_threads(struct verdict *out, const struct evidence *e, const struct finding *f)
{
	struct number empty = role_percent(e, LIMIT_EMPTY, e->empty);
	struct number slots = role_percent(e, LIMIT_OCCUPANCY, e->occupancy);
	struct number life = short_number(e->life_s * 1e6, 4);

	if (f->kind == VERDICT_LAUNCH) {
		tell(&out->line, N_("nothing runs %s %% of the %s' time, a thread lives %s us"),
			empty.text, e->unit, life.text, NULL);
		tell(&out->brief, N_("nothing runs %s %% of the %s' time"), empty.text, e->unit,
			NULL);
	} else if (!strcmp(f->bound, "groups")) {
		tell(&out->line, N_("no thread is loaded %s %% of the %s' time"), empty.text,
			e->unit, NULL);
		tell(&out->brief, N_("no thread %s %% of the %s' time"), empty.text, e->unit, NULL);
	} else {
		tell(&out->line, N_("%s %% of the thread slots are used"), slots.text, NULL);
		out->brief = out->line;
	}
}

/* Names a level that no metric of the set is of, so that only its word is known: "DRAM", "L3",
 * "GTI READ". */
struct number verdict_uncounted_name(const struct evidence *e, const struct finding *f)
{
	const struct resource *r = evidence_resource(e, f->bound);
	struct number n;

	if (r) {
		snprintf(n.text, sizeof(n.text), "%.23s", r->name);
		return n;
	}
	if (!strcmp(f->bound, "sampler") || !strcmp(f->bound, "rasterizer")) {
		snprintf(n.text, sizeof(n.text), "%s",
			*f->bound == 's' ? N_("the samplers") : N_("the rasterizer"));
		return n;
	}
	snprintf(n.text, sizeof(n.text), "%.20s", f->bound);
	for (char *p = n.text; *p; p++)
		*p = *p == '_' ? ' ' : (char)toupper((unsigned char)*p);
	if (!strcmp(f->bound, "waiting"))
		snprintf(n.text, sizeof(n.text), "%s", N_("waiting"));
	else if (!strcmp(f->bound, "occupancy"))
		snprintf(n.text, sizeof(n.text), "%s", N_("thread slots"));
	else if (!strcmp(f->bound, "messages"))
		snprintf(n.text, sizeof(n.text), "%s", N_("these messages"));
	return n;
}

bool verdict_level_has_no_turn(const struct evidence *e, const char *word)
{
	for (int i = 0; i < e->s->set->n_metrics; i++) {
		if (!strcmp(e->s->set->metrics[i].limit.word, word) &&
			verdict_waits_for_turn(e->s, i))
			return true;
	}
	return false;
}

/* A level that nothing counts, beside what is known of the units. */
static void tell_uncounted(struct verdict *out, const struct evidence *e, const struct finding *f)
{
	const struct resource *r = evidence_resource(e, f->bound);
	struct number name = verdict_uncounted_name(e, f);
	const char *set = e->s->set->name;

	if (!strcmp(f->bound, "clock")) {
		tell_clock(out, e);
		out->line.fmt = N_("clock %s of %s MHz, %s %%, and nothing tells why");
		return;
	}
	if (verdict_level_has_no_turn(e, f->bound)) {
		tell(&out->line, N_("%s is counted next: its set has not had its turn"), name.text,
			NULL);
		tell(&out->brief, N_("%s is counted next"), name.text, NULL);
		return;
	}
	bool is_missing = r && !r->limit->shared;
	bool never_wait = e->waiting < UNUSED && e->working > 0;
	if (!strcmp(f->bound, "waiting") || (is_missing && never_wait) ||
		(!strcmp(f->bound, "occupancy") && isnan(e->waiting)))
		tell(&out->line, N_("nothing counts %s now"), name.text, NULL);
	else if (!isnan(e->waiting) && is_missing)
		tell(&out->line, N_("the %s wait %s %%, and nothing counts %s now"), e->unit,
			role_percent(e, LIMIT_WAITING, e->waiting).text, name.text, NULL);
	else if (!isnan(e->waiting) && !never_wait)
		tell(&out->line, N_("the %s wait %s %%, the set %s does not count %s"), e->unit,
			role_percent(e, LIMIT_WAITING, e->waiting).text, set, name.text, NULL);
	else if (!isnan(e->working))
		tell(&out->line, N_("the %s work %s %% of the time, the set %s does not count %s"),
			e->unit, role_percent(e, LIMIT_WORKING, e->working).text, set, name.text,
			NULL);
	else
		tell(&out->line, N_("the set %s counts neither waiting nor %s"), set, name.text,
			NULL);
	tell(&out->brief, N_("this set does not count %s"), name.text, NULL);
}

static void tell_unknown(struct verdict *out, const struct evidence *e, const struct finding *f)
{
	const struct resource *r = f->resource;

	if (!r) {
		tell_uncounted(out, e, f);
		return;
	}
	const struct metric *m = metric_of(e, r->metric);
	struct number value = inferred(r->value / m->unit.scale, r->estimated);

	if (r->over) {
		tell(&out->line, r->estimated ? N_("%s: %s %s passed, a cache served a part") :
						N_("%s: %s %s passed, more than its roof"),
			r->name, value.text, m->unit_text, NULL);
		tell(&out->brief, N_("%s: more than its roof passed"), r->name, NULL);
		return;
	}
	if (f->missing == VERDICT_MISSING_SET) {
		const char *text = N_("%s at %s %% of its roof (%s), and nothing counts waiting");

		if (r->limit->shared)
			text = N_("%s at %s %% of its roof (%s) by all, and nothing counts "
				  "waiting");
		tell(&out->line, text, r->name, resource_percent(r).text,
			verdict_source_text(r->source), NULL);
		tell(&out->brief, N_("%s at %s %%, waiting not counted"), r->name,
			resource_percent(r).text, NULL);
		return;
	}
	if (!isnan(r->fill)) {
		tell(&out->line, N_("%s at %s %% of a roof that may be too high (%s)"), r->name,
			resource_percent(r).text, verdict_source_text(r->source), NULL);
		tell(&out->brief, N_("%s at %s %%, the roof may be too high"), r->name,
			resource_percent(r).text, NULL);
		return;
	}
	tell(&out->line, N_("%s moves %s %s"), r->name, value.text, m->unit_text, NULL);
	out->brief = out->line;
}

static void tell_working(struct verdict *out, const struct evidence *e, bool explains)
{
	struct number working = role_percent(e, LIMIT_WORKING, e->working);
	const char *text = N_("the %s work %s %% of the time, no pipe is counted");

	if (explains)
		text = N_("the %s work %s %% of the time, no pipe is full");
	else if (evidence_fullest(e, ROLE_BIT(LIMIT_PIPE)))
		text = N_("the %s work %s %% of the time, and not every pipe is counted");
	tell(&out->line, text, e->unit, working.text, NULL);
	tell(&out->brief, N_("the %s work %s %% of the time"), e->unit, working.text, NULL);
}

/* Says which resources are nearest to their roofs. */
static void tell_nearest(struct verdict *out, const struct evidence *e, const struct resource *r)
{
	const struct resource *second = NULL;

	for (int i = 0; r && i < e->n_resources; i++) {
		const struct resource *other = &e->resources[i];

		if (other != r && other->fill > 0 && (!second || other->fill > second->fill))
			second = other;
	}
	if (!r && e->working >= verdict_threshold(THRESHOLD_IDLE) &&
		!evidence_fullest(e, ROLE_BIT(LIMIT_PIPE))) {
		/* Sets of maps count where work is, and not what it waits for. */
		tell_working(out, e, false);
		return;
	}
	if (!r) {
		tell(&out->line,
			e->n_resources ? N_("nothing that is counted here is in use") :
					 N_("nothing that is counted here has a roof"),
			NULL);
	} else if (!second) {
		tell(&out->line, N_("nearest is %s at %s %%"), r->name, resource_percent(r).text, NULL);
	} else {
		tell(&out->line, N_("nearest are %s %s %% and %s %s %%"), r->name, resource_percent(r).text,
			second->name, resource_percent(second).text, NULL);
	}
	out->brief = out->line;
	if (r && second)
		tell(&out->brief, N_("nearest is %s at %s %%"), r->name, resource_percent(r).text, NULL);
}

/* Says how much of the time there is work. Where a share of the clocks stands beside it, which may
 * be 100 %, it says how long they stood still. */
static void tell_work(struct verdict *out, const struct evidence *e, bool idle)
{
	struct number busy = role_percent(e, LIMIT_BUSY, e->busy);
	struct number asleep = role_percent(e, LIMIT_ASLEEP, e->asleep);
	bool says_asleep = e->busy_while_awake && e->asleep >= 0.01;

	if (idle)
		tell(&out->line, N_("busy %s %% of the time"), busy.text, NULL);
	else
		tell(&out->line, N_("there is work %s %% of the time"), busy.text, NULL);
	out->brief = out->line;
	if (idle && says_asleep)
		tell(&out->line, N_("busy %s %% of the time, asleep %s %%"), busy.text,
			asleep.text, NULL);
	else if (says_asleep)
		tell(&out->line, N_("there is work %s %% of the time, asleep %s %%"), busy.text,
			asleep.text, NULL);
	if (e->is_divided && !idle)
		out->line.fmt = out->brief.fmt = N_("the busiest instance has work %s %% of the time");
	/* of a device of many that work apart the share is a mean */
	if (idle || !e->busy_unit)
		return;
	tell(&out->line, N_("%s have work %s %% of the time on average"), e->busy_unit, busy.text,
		NULL);
	out->brief = out->line;
}

/* What limits the busiest instance, as far as its own counters tell. */
static void tell_divided(struct verdict *out, const struct evidence *e)
{
	const struct busiest_part b = balance_busiest(e->s);
	const struct metric_limit *l = b.fullest ? &b.fullest->limit : NULL;
	const char *text = N_("the busiest instance, %s, %s %% busy, fills nothing that it counts: "
			      "%s %s %%");

	out->line.fmt = N_("each instance has its own limits, which nothing counts");
	out->brief.fmt = N_("each instance has its own limits");
	if (!b.name)
		return;
	tell(&out->line,
		N_("the busiest instance, %s, is %s %% busy, and nothing counts what it does"),
		b.name, percent(b.busy).text, NULL);
	tell(&out->brief, N_("the busiest instance is %s, %s %%"), b.name, percent(b.busy).text,
		NULL);
	/* What nobody uses limits nothing. */
	if (!l || b.share < UNUSED)
		return;
	if (b.busy >= verdict_threshold(THRESHOLD_BUSY) && b.fill >= b.busy) {
		text = N_("the busiest instance, %s, %s %% busy, is limited by %s, %s %%");
		snprintf(out->causes[0], sizeof(out->causes[0]), "%s", l->word);
	}
	tell(&out->line, text, b.name, percent(b.busy).text, metric_limit_name(b.fullest),
		percent(b.share).text, NULL);
	tell(&out->brief, N_("instance %s: %s %s %%"), b.name, metric_limit_name(b.fullest),
		percent(b.share).text, NULL);
}

void verdict_tell_line(struct verdict *out, const struct evidence *e, const struct finding *f)
{
	struct number busy = role_percent(e, LIMIT_BUSY, e->busy);
	struct number waiting = role_percent(e, LIMIT_WAITING, e->waiting);

	switch (f->kind) {
	case VERDICT_IDLE: tell_work(out, e, true); return;
	case VERDICT_HOST:
	case VERDICT_PARTLY_IDLE: tell_work(out, e, false); return;
	case VERDICT_LAUNCH:
	case VERDICT_PARALLELISM: tell_threads(out, e, f); return;
	case VERDICT_HEAT:
	case VERDICT_POWER:
	case VERDICT_CURRENT:
	case VERDICT_CLOCK: tell_clock(out, e); return;
	case VERDICT_PIPE:
	case VERDICT_BANDWIDTH: tell_resource(out, e, f); return;
	case VERDICT_MIX: tell_working(out, e, f->resource); return;
	case VERDICT_UNKNOWN: tell_unknown(out, e, f); return;
	case VERDICT_LATENCY:
		tell(&out->line, N_("the %s wait %s %%, nearest is %s at %s %%"), e->unit,
			waiting.text, f->resource->name, resource_percent(f->resource).text, NULL);
		tell(&out->brief, N_("the %s wait %s %% of the time"), e->unit, waiting.text, NULL);
		return;
	case VERDICT_NONE: tell_nearest(out, e, f->resource); return;
	case VERDICT_NO_COUNTERS:
		tell(&out->line, N_("limit unknown: nothing counts its work"), NULL);
		out->brief = out->line;
		if (e->is_divided)
			tell_divided(out, e);
		if (isnan(e->busy) || e->is_divided)
			return;
		tell(&out->line, N_("busy %s %%, limit unknown: nothing counts its work"), busy.text, NULL);
		tell(&out->brief, N_("busy %s %%, limit not counted"), busy.text, NULL);
		return;
	default: return;
	}
}
