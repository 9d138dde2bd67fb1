/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the verdict of a window: asks the rules, and keeps the answer steady. */
#include "config.h"

#include "core/verdict/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "core/snapshot/snapshot.h"
#include "core/verdict/verdict_priv.h"

/* A new kind is said when so many windows in a row have found it. */
#define WINDOWS_TO_CHANGE 2
/* A queue that was seen full is as full while traffic and waiting stay within these shares of it. */
#define SAME_TRAFFIC 0.2
#define SAME_WAITING 0.1
/* Another resource of the same kind is said when it has led for so long. */
#define LEAD_NS (5 * NS_PER_S)

/* Finds the resource that is called so, or whose group is. */
static const struct resource *named(const struct evidence *e, const char *word)
{
	const struct resource *r = evidence_resource(e, word);

	for (int i = 0; !r && *word && i < e->n_resources; i++) {
		if (!strcmp(e->resources[i].limit->group, word))
			r = &e->resources[i];
	}
	return r;
}

static bool has_changed(const struct verdict_memory *m, const struct evidence *e,
	const struct finding *now, int64_t now_ns)
{
	const struct verdict *said = &m->said;
	const struct resource *old = named(e, said->bound);

	if (!m->has_said || said->kind < VERDICT_IDLE || now->kind < VERDICT_IDLE)
		return true;
	if (now->kind != said->kind)
		return m->next == now->kind && m->next_windows + 1 >= WINDOWS_TO_CHANGE;
	if (!strcmp(now->bound, said->bound))
		return false;
	if (!now->resource || !old || isnan(old->fill))
		return true;
	return now->resource->fill - old->fill >= verdict_threshold(THRESHOLD_LEAD) ||
		(m->lead_ns && now_ns - m->lead_ns >= LEAD_NS);
}

/* Counts how long something else than what is said has been found. */
static void count_change(
	struct verdict_memory *m, const struct finding *now, bool is_new, int64_t now_ns)
{
	bool same_kind = now->kind == m->said.kind;

	if (is_new || same_kind) {
		m->next_windows = 0;
	} else {
		m->next_windows = m->next == now->kind ? m->next_windows + 1 : 1;
		m->next = now->kind;
	}
	if (is_new || !same_kind || !strcmp(now->bound, m->said.bound))
		m->lead_ns = 0;
	else if (!m->lead_ns)
		m->lead_ns = now_ns;
}

static void keep(struct verdict *out, const struct verdict *said)
{
	*out = *said;
	out->flags |= VERDICT_KEPT;
}

/* Says again what was said. The numbers of this window go with it only where the window is of the
 * same kind: "memory-bound, at 1 % of its roof" would be an answer that refutes itself. */
static void repeat(struct verdict *out, const struct verdict *said, const struct evidence *e,
	const struct finding *now)
{
	struct finding f = { .kind = said->kind,
		.rule = said->rule,
		.bound = said->bound,
		.missing = said->missing,
		.at_most = said->flags & VERDICT_AT_MOST };

	f.resource = named(e, said->bound);
	if (now->kind != said->kind ||
		(*said->bound && said->metric >= 0 && (!f.resource || isnan(f.resource->fill)) &&
			said->kind >= VERDICT_PIPE))
		keep(out, said);
	else
		verdict_tell(out, e, &f);
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

/* Returns why the window has no verdict of its own, as a flag; 0 when it has one. */
static unsigned flag_of(const struct evidence *e, const struct finding *now)
{
	/* What is said of a device without work rests on nothing that is contradicted. */
	if (e->contradiction.fmt && now->kind >= VERDICT_LAUNCH)
		return VERDICT_CONTRADICTION;
	return is_mixed(e->s) ? VERDICT_MIXED : 0;
}

static bool is_either(enum verdict_kind kind, enum verdict_kind a, enum verdict_kind b)
{
	return kind == a || kind == b;
}

/* Where busy time alone decides between waiting for work and having enough of it, a load that comes
 * near the border would change the answer in every window: what was said holds until busy time is
 * clearly beyond it. */
static void hold_busy(
	const struct verdict_memory *m, const struct evidence *e, struct finding *now)
{
	bool waited = is_either(m->said.kind, VERDICT_HOST, VERDICT_PARTLY_IDLE);
	bool waits = is_either(now->kind, VERDICT_HOST, VERDICT_PARTLY_IDLE);
	bool near_border = fabs(e->busy - verdict_threshold(THRESHOLD_BUSY)) <
		verdict_threshold(THRESHOLD_LEAD);

	if (!m->has_said || !near_border || waited == waits ||
		!(is_either(now->kind, VERDICT_NO_COUNTERS, VERDICT_NONE) || waits) ||
		!(is_either(m->said.kind, VERDICT_NO_COUNTERS, VERDICT_NONE) || waited))
		return;
	*now = (struct finding){ .kind = m->said.kind, .rule = m->said.rule, .bound = m->said.bound,
		.resource = named(e, m->said.bound) };
}

static void judge(const struct snapshot *s, struct verdict_memory *m, struct verdict *out)
{
	struct evidence e;

	evidence_gather(&e, s, s->values, s->ceilings);
	struct finding now = verdict_ask(&e);
	hold_busy(m, &e, &now);
	unsigned flag = flag_of(&e, &now);
	bool is_new = has_changed(m, &e, &now, s->mono_ns);

	if (flag == VERDICT_CONTRADICTION && !m->has_said) {
		verdict_state(out, VERDICT_NONE);
		out->line = e.contradiction;
		tell(&out->brief, N_("its counters contradict each other"), NULL);
		verdict_list(out, &e, &now);
	} else if (flag && m->has_said) {
		repeat(out, &m->said, &e, &now);
	} else {
		count_change(m, &now, is_new, s->mono_ns);
		if (is_new || (now.kind == m->said.kind && !strcmp(now.bound, m->said.bound)))
			verdict_tell(out, &e, &now);
		else
			repeat(out, &m->said, &e, &now);
	}
	out->flags |= flag;
}

/* Whether the window has a hole, so that nothing can be said of it. */
static bool has_hole(const struct snapshot *s)
{
	return s->why == WHY_LOST || s->why == WHY_STALE || s->why == WHY_GAP ||
		s->why == WHY_OTHER_CONTEXT;
}

/* Fills since when the kind is said, and what was said before it. */
static void take_past(struct verdict *out, const struct verdict_memory *m)
{
	const struct verdict *said = &m->said;

	out->before = VERDICT_MEASURING;
	out->before_bound[0] = '\0';
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

/* Nothing was measured yet. */
static void say_hole(const struct snapshot *s, struct verdict *out)
{
	verdict_state(out, VERDICT_MEASURING);
	if (s->why == WHY_OTHER_CONTEXT)
		out->line.fmt = out->brief.fmt = N_("the chosen context has not run yet");
}

void verdict_make(const struct snapshot *s, struct verdict_memory *memory, struct verdict *out)
{
	struct verdict_memory none = { .has_said = false };
	struct verdict_memory *m = memory ? memory : &none;

	if (has_hole(s) && m->has_said)
		keep(out, &m->said);
	else if (has_hole(s))
		say_hole(s, out);
	else
		judge(s, m, out);
	out->since_ns = s->mono_ns;
	take_past(out, m);
	/* A window that contradicts itself is nothing to remember. */
	m->has_said = m->has_said || !(out->flags & VERDICT_CONTRADICTION);
	m->said = *out;
	m->said.flags &= ~(unsigned)(VERDICT_MIXED | VERDICT_CONTRADICTION | VERDICT_KEPT);
}

bool verdict_needs_queue(const struct snapshot *s, struct verdict_pace *pace)
{
	struct evidence e;
	bool is_roofless = false, is_uncounted;

	evidence_gather(&e, s, s->values, s->ceilings);
	*pace = (struct verdict_pace){ .waiting = e.waiting, .bytes_per_s = NAN };
	is_uncounted = e.uncounted_behind || e.uncounted_front;
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
