/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the verdict of a window: asks the rules, and keeps the answer steady. */
#include "config.h"

#include "core/verdict/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "core/snapshot/snapshot.h"
#include "core/verdict/verdict_priv.h"

/* A window of a second tells enough by itself; the clocks of sources err by some per cent. In
 * shorter ones a new kind is said when so many in a row have found it, or by the sums of a second
 * of others. */
#define ENOUGH_NS (NS_PER_S * 19 / 20)
#define WINDOWS_TO_CHANGE 2
/* A queue that was seen full is as full while traffic and waiting stay within these shares of
 * it. */
#define SAME_TRAFFIC 0.2
#define SAME_WAITING 0.1
/* Another resource of the same kind is said when it has led for so long. */
#define LEAD_NS (5 * NS_PER_S)

/* Finds the resource that is called so, or the fullest one of the group that is. */
static const struct resource *named(const struct evidence *e, const char *word)
{
	const struct resource *best = evidence_resource(e, word);

	for (int i = 0; i < e->n_resources; i++) {
		const struct resource *r = &e->resources[i];
		bool is_fuller = !best || isnan(best->fill) || r->fill > best->fill;

		if (is_fuller && resource_in_group(r, word))
			best = r;
	}
	return best;
}

static bool is_either(enum verdict_kind kind, enum verdict_kind a, enum verdict_kind b)
{
	return kind == a || kind == b;
}

static bool waits_for_work(enum verdict_kind kind)
{
	return is_either(kind, VERDICT_HOST, VERDICT_PARTLY_IDLE);
}

/* Busy time and a clock that is held are seen in any window: what they decide is said at once. */
static bool decides_itself(enum verdict_kind kind)
{
	return kind <= VERDICT_IDLE || waits_for_work(kind) ||
		(kind >= VERDICT_HEAT && kind <= VERDICT_CLOCK);
}

/* Whether the resource that was said is still one by the rule that said it. */
static bool still_holds(
	const struct evidence *e, const struct verdict *said, const struct resource *r)
{
	bool has_to_be_full = is_either(said->kind, VERDICT_PIPE, VERDICT_BANDWIDTH);

	return r && !isnan(r->fill) && (!has_to_be_full || resource_is_full(e, r));
}

/* The word for what was said: pipes that were said together are not once one of them is behind. */
static const char *word_of(
	const struct evidence *e, const struct verdict *said, const struct resource *r)
{
	bool alone = r && resource_in_group(r, said->bound) && !resource_group_is_even(e, r);

	return alone ? r->limit->word : said->bound;
}

static bool near(double busy, enum verdict_threshold border)
{
	return fabs(busy - verdict_threshold(border)) < verdict_threshold(THRESHOLD_LEAD);
}

/* Whether both kinds are such that busy time alone decides between them, and it does not
 * clearly. */
static bool busy_is_near(
	const struct evidence *e, const struct verdict *said, const struct finding *now)
{
	double idle = verdict_threshold(THRESHOLD_IDLE);
	enum verdict_kind rest = waits_for_work(said->kind) ? now->kind : said->kind;

	/* What has a full resource in a moment of work is not compared with what has none. */
	if ((said->kind == VERDICT_IDLE) != (now->kind == VERDICT_IDLE))
		return (waits_for_work(said->kind) || waits_for_work(now->kind)) &&
			fabs(e->busy - idle) < idle / 2;
	if (waits_for_work(said->kind) == waits_for_work(now->kind))
		return false;
	if (near(e->busy, THRESHOLD_PARTLY))
		return waits_for_work(said->kind) || still_holds(e, said, named(e, said->bound));
	return near(e->busy, THRESHOLD_BUSY) && is_either(rest, VERDICT_NO_COUNTERS, VERDICT_NONE);
}

/* A load that comes near such a border would change the answer in every window: what was said
 * holds until busy time is clearly beyond it. */
static void hold_busy(const struct verdict_memory *m, const struct evidence *e, struct finding *now)
{
	const struct verdict *said = &m->said;
	const struct resource *r = NULL;

	if (said->kind <= VERDICT_PERMISSION || now->kind <= VERDICT_PERMISSION ||
		!busy_is_near(e, said, now))
		return;
	if (said->metric >= 0)
		r = named(e, said->bound);
	*now = (struct finding){ .kind = said->kind,
		.rule = said->rule,
		.bound = word_of(e, said, r),
		.missing = said->missing,
		.resource = r };
}

/* Moves what rules compare with their numbers by so much: shares of the units' time, and fills. */
static struct finding ask_moved(const struct evidence *e, double by, double fills_by)
{
	struct evidence moved = *e;

	moved.working += by;
	moved.waiting += by;
	moved.empty += by;
	moved.occupancy += by;
	for (int i = 0; i < moved.n_resources; i++)
		moved.resources[i].fill += fills_by;
	return verdict_ask(&moved);
}

/* Kinds differ by a few points in some number: near such a border the one that was said is as
 * right, unless something is full now. Returns whether the border is near. */
static bool hold_border(
	const struct verdict_memory *m, const struct evidence *e, struct finding *now)
{
	double band = verdict_threshold(THRESHOLD_LEAD);
	const struct verdict *said = &m->said;
	const double moves[][2] = { { band, band }, { -band, -band }, { band, 0 }, { -band, 0 } };
	struct finding f = { .kind = now->kind };

	if (said->kind == now->kind || said->kind < VERDICT_LAUNCH || now->kind < VERDICT_LAUNCH)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(moves) && f.kind != said->kind; i++)
		f = ask_moved(e, moves[i][0], moves[i][1]);
	if (f.kind != said->kind)
		return false;
	if (is_either(now->kind, VERDICT_PIPE, VERDICT_BANDWIDTH))
		return true;
	f.resource = f.resource ? named(e, f.bound) : NULL;
	*now = f;
	return true;
}

/* Another resource of the same kind is named when it leads clearly, or has led for long. Until
 * then the old one is told, with what it does now. */
static void hold_resource(struct verdict_memory *m, const struct evidence *e, struct finding *now)
{
	const struct resource *old = named(e, m->said.bound);

	/* Of what is not known nothing leads. */
	if (!strcmp(now->bound, m->said.bound) || !now->resource || now->resource == old ||
		now->kind == VERDICT_UNKNOWN || !still_holds(e, &m->said, old)) {
		m->lead_ns = 0;
		return;
	}
	m->lead_ns += e->s->window_ns;
	if (now->resource->fill - old->fill >= verdict_threshold(THRESHOLD_LEAD) ||
		m->lead_ns > LEAD_NS) {
		m->lead_ns = 0;
		return;
	}
	now->bound = word_of(e, &m->said, old);
	now->resource = old;
}

/* Whether the halves of a window tell different kinds. */
static bool is_mixed(const struct snapshot *s)
{
	enum verdict_kind kinds[2];
	struct evidence e;

	if (!s->has_halves)
		return false;
	for (int i = 0; i < 2; i++) {
		evidence_gather(&e, s, s->half_values[i], s->half_ceilings[i]);
		kinds[i] = verdict_ask(&e).kind;
	}
	return kinds[0] != kinds[1];
}

/* --- windows that wait for the next one --- */

static bool is_asked(const struct metric *m)
{
	return m->limit.role != LIMIT_NONE;
}

/* Adds the window to those since something else than what is said was found. */
static void sum_up(struct verdict_memory *m, const struct snapshot *s)
{
	double weight = (double)s->window_ns;

	for (int i = 0, k = 0; i < s->set->n_metrics && k < VERDICT_MAX_ASKED; i++) {
		struct verdict_sum *sum = &m->sums[k];

		if (!is_asked(&s->set->metrics[i]))
			continue;
		k++;
		if (s->values[i].why == WHY_OK) {
			sum->value += s->values[i].v * weight;
			sum->weight += weight;
		}
		if (s->ceilings[i].why == WHY_OK) {
			sum->roof += s->ceilings[i].v * weight;
			sum->roof_weight += weight;
		}
	}
}

/* Makes the values of the windows since then: means over their time. */
static void take_sums(const struct verdict_memory *m, const struct snapshot *s,
	struct value *values, struct value *ceilings)
{
	for (int i = 0, k = 0; i < s->set->n_metrics; i++) {
		const struct verdict_sum *sum = &m->sums[k];

		values[i] = s->values[i];
		ceilings[i] = s->ceilings[i];
		if (!is_asked(&s->set->metrics[i]) || k == VERDICT_MAX_ASKED)
			continue;
		k++;
		if (sum->weight > 0)
			values[i] = value_ok(sum->value / sum->weight);
		if (sum->roof_weight > 0)
			ceilings[i] = value_ok(sum->roof / sum->roof_weight);
	}
}

/* Returns the kind that all windows say together since something else was found. */
static enum verdict_kind kind_of_sums(const struct verdict_memory *m, const struct snapshot *s)
{
	size_t n = (size_t)s->set->n_metrics + 1;
	struct value *values = xcalloc(2 * n, sizeof(*values));
	struct evidence e;

	take_sums(m, s, values, values + n);
	evidence_gather(&e, s, values, values + n);
	enum verdict_kind kind = verdict_ask(&e).kind;
	free(values);
	return kind;
}

/* Says only what is true now: another kind has to be found once more before it is said. */
static void tell_change(
	struct verdict *out, const struct evidence *e, const struct verdict_memory *m)
{
	const struct resource *r = evidence_fullest(e, 0);
	struct number busy = role_percent(e, LIMIT_BUSY, e->busy);

	verdict_state(out, VERDICT_MEASURING);
	out->is_changing = true;
	out->since_ns = m->since_ns;
	if (e->s->device && e->s->device->simulated)
		out->flags |= VERDICT_SIMULATED;
	if (isnan(e->busy) && r)
		tell(&out->line, N_("%s is at %s %%"), r->name, resource_percent(r).text, NULL);
	else if (r && r->fill > 0)
		tell(&out->line, N_("busy %s %%, %s %s %%"), busy.text, r->name,
			resource_percent(r).text, NULL);
	else if (!isnan(e->busy))
		tell(&out->line, N_("busy %s %%"), busy.text, NULL);
	out->brief = out->line;
	verdict_list(out, e, &(struct finding){ .bound = "" });
}

/* Returns whether the kind that was found is said now. A window of two phases says nothing of
 * either. */
static bool changes_now(
	struct verdict_memory *m, const struct snapshot *s, const struct finding *now)
{
	if (!m->next_windows)
		m->since_ns = s->mono_ns - s->window_ns;
	if (is_mixed(s))
		return false;
	/* Whoever plays a recording has another clock, in which windows are as long. */
	m->changing_ns += s->window_ns;
	m->next_windows = m->next_windows && m->next == now->kind ? m->next_windows + 1 : 1;
	m->next = now->kind;
	sum_up(m, s);
	/* After a second of different kinds that of their sums is said, by windows that are of
	 * it. */
	return m->next_windows >= WINDOWS_TO_CHANGE ||
		(m->changing_ns >= ENOUGH_NS && kind_of_sums(m, s) == now->kind);
}

/* A short window, after another one. */
static void judge_short(
	struct verdict_memory *m, const struct evidence *e, struct finding now, struct verdict *out)
{
	bool is_near, same;

	hold_busy(m, e, &now);
	is_near = hold_border(m, e, &now);
	same = now.kind == m->said.kind;
	if (same)
		hold_resource(m, e, &now);
	if (same || is_near || decides_itself(now.kind) || decides_itself(m->said.kind) ||
		changes_now(m, e->s, &now))
		verdict_tell(out, e, &now);
	else
		tell_change(out, e, m);
}

/* Says that the counters of the window contradict each other, and nothing else. */
static void tell_contradiction(
	struct verdict *out, const struct evidence *e, const struct finding *now)
{
	verdict_state(out, VERDICT_NONE);
	out->flags |= VERDICT_CONTRADICTION;
	out->line = e->contradiction;
	tell(&out->brief, N_("its counters contradict each other"), NULL);
	verdict_list(out, e, now);
}

static void judge(const struct snapshot *s, struct verdict_memory *m, struct verdict *out)
{
	bool alone = !m->has_said || s->window_ns >= ENOUGH_NS || s->window_ns <= 0;
	struct evidence e;

	evidence_gather(&e, s, s->values, s->ceilings);
	struct finding now = verdict_ask(&e);
	/* What is said of a device without work rests on nothing that is contradicted. */
	if (e.contradiction.fmt && now.kind >= VERDICT_LAUNCH)
		tell_contradiction(out, &e, &now);
	else if (alone)
		verdict_tell(out, &e, &now);
	else
		judge_short(m, &e, now, out);
	if (!(out->flags & VERDICT_CONTRADICTION) && is_mixed(s))
		out->flags |= VERDICT_MIXED;
}

/* Whether the window has a hole, so that nothing can be said of it. */
static bool has_hole(const struct snapshot *s)
{
	return s->why == WHY_LOST || s->why == WHY_STALE || s->why == WHY_GAP ||
		s->why == WHY_OTHER_CONTEXT;
}

/* Fills since when the kind is said, and what was said before it. */
static void take_past(struct verdict *out, const struct verdict_memory *m, int64_t now_ns)
{
	const struct verdict *said = &m->said;

	out->before = VERDICT_MEASURING;
	out->before_bound[0] = '\0';
	if (!out->is_changing)
		out->since_ns = now_ns;
	if (!m->has_said)
		return;
	if (said->kind == out->kind) {
		out->since_ns = said->since_ns;
		out->before = said->before;
		memcpy(out->before_bound, said->before_bound, sizeof(out->before_bound));
	} else {
		out->before = said->kind;
		memcpy(out->before_bound, said->bound, sizeof(out->before_bound));
	}
}

/* Nothing was measured in this window. */
static void say_hole(const struct snapshot *s, struct verdict *out)
{
	verdict_state(out, VERDICT_MEASURING);
	if (s->why == WHY_OTHER_CONTEXT)
		out->line.fmt = N_("the chosen context did not run in this window");
	else if (s->seq > 1)
		out->line.fmt = N_("this window has no values");
	out->brief = out->line;
}

void verdict_make(const struct snapshot *s, struct verdict_memory *memory, struct verdict *out)
{
	struct verdict_memory none = { .has_said = false };
	struct verdict_memory *m = memory ? memory : &none;
	bool tells_nothing;

	if (has_hole(s))
		say_hole(s, out);
	else
		judge(s, m, out);
	take_past(out, m, s->mono_ns);
	/* A window that contradicts itself, has a hole, or waits for the next one, is nothing to
	 * remember. */
	tells_nothing = out->flags & VERDICT_CONTRADICTION || out->is_changing || has_hole(s);
	if (tells_nothing)
		return;
	m->next_windows = 0;
	m->changing_ns = 0;
	memset(m->sums, 0, sizeof(m->sums));
	m->has_said = true;
	m->said = *out;
	m->said.flags &= ~(unsigned)VERDICT_MIXED;
}

bool verdict_needs_queue(const struct snapshot *s, struct verdict_pace *pace)
{
	struct evidence e;
	bool is_roofless = false, is_uncounted;

	evidence_gather(&e, s, s->values, s->ceilings);
	*pace = (struct verdict_pace){ .waiting = e.waiting, .bytes_per_s = NAN };
	is_uncounted = evidence_uncounted(&e);
	for (int i = 0; i < e.n_resources; i++) {
		const struct resource *r = &e.resources[i];

		/* Only its queue makes it counted. */
		is_uncounted = is_uncounted || (isnan(r->value) && !isnan(r->queue_full));
		if (!r->limit->fixed || isnan(r->value))
			continue;
		pace->bytes_per_s = r->value;
		is_roofless = isnan(r->roof) && r->value > MEMORY_FROM_BYTES_PER_S;
	}
	return e.busy >= verdict_threshold(THRESHOLD_PARTLY) &&
		e.waiting >= verdict_threshold(THRESHOLD_WAITING) && (is_roofless || is_uncounted);
}

bool verdict_same_pace(const struct verdict_pace *a, const struct verdict_pace *b)
{
	double most = fmax(a->bytes_per_s, b->bytes_per_s);

	if (isnan(a->bytes_per_s) != isnan(b->bytes_per_s) ||
		fabs(a->waiting - b->waiting) > SAME_WAITING)
		return false;
	return isnan(most) || fabs(a->bytes_per_s - b->bytes_per_s) <=
		fmax(SAME_TRAFFIC * most, MEMORY_FROM_BYTES_PER_S);
}
