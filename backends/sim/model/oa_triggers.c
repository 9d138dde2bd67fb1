/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Executes the start and report triggers of the OA unit. */
#include "config.h"

#include <string.h>

#include "backends/sim/model/oa_unit.h"
#include "base/minmax.h"

#define START 2 /* of the three triggers */
#define THRESHOLD_BIT 17
#define STARTED_BIT 18

static bool is_alike(const struct oa_trigger *a, const struct oa_trigger *b)
{
	uint32_t x[OA_TRIGGER_WORDS], y[OA_TRIGGER_WORDS];

	oa_trigger_encode(a, x);
	oa_trigger_encode(b, y);
	return !memcmp(x, y, sizeof(x));
}

/* Either start trigger may fire. */
static enum oa_gate gate_of(const struct oa_triggers *t, const struct noa *noa)
{
	const struct oa_trigger *s = t->start;

	if (!t->has_start)
		return GATE_NONE;
	if ((t->has_start & 1 && oa_trigger_is_immediate(&s[0])) ||
		(t->has_start & 2 && oa_trigger_is_immediate(&s[1])))
		return GATE_OPEN;
	if (is_alike(&s[0], &s[1]) && s[0].has_threshold && noa_knows(noa, &s[0]))
		return GATE_HELD;
	return GATE_UNKNOWN;
}

void oa_triggers_program(struct oa_unit *u, const struct oa_reg *regs, size_t n)
{
	struct oa_unit_triggers *t = &u->triggers;

	t->words = oa_triggers_of(regs, n, u->c.graphics_ver);
	t->gate = u->c.graphics_ver < 20 ? gate_of(&t->words, &u->noa) : GATE_NONE;
	t->reporting = 0;
	t->is_new = true;
	for (int i = 0; i < 2 && u->c.graphics_ver > 7 && u->c.graphics_ver < 20; i++) {
		const struct oa_trigger *r = &t->words.report[i];

		if (r->is_enabled && r->has_threshold && r->threshold && noa_knows(&u->noa, r))
			t->reporting |= (uint8_t)(1u << i);
	}
	/* Signals of subslices are known with the triggers of Intel's sets, which write them. */
	if (t->gate == GATE_NONE || t->gate == GATE_UNKNOWN)
		u->noa.counted = 0;
	if (t->gate == GATE_UNKNOWN)
		u->booleans = u->gti_reads = u->gti_writes = u->clock = 0;
}

bool oa_triggers_are_known(const struct oa_unit *u)
{
	const struct oa_unit_triggers *t = &u->triggers;
	uint8_t asked = 0;

	for (int i = 0; i < 2; i++)
		asked |= (uint8_t)(t->words.report[i].is_enabled << i);
	return t->gate != GATE_UNKNOWN && asked == t->reporting;
}

void oa_triggers_select(const struct oa_unit *u, const struct phase *p, double q[Q_COUNT])
{
	const struct oa_unit_triggers *t = &u->triggers;

	for (int i = 0; i < 2; i++)
		if (t->reporting >> i & 1)
			q[Q_TRIGGERS + i] = noa_trigger(&u->noa, &t->words.report[i], p);
	if (t->gate == GATE_HELD)
		q[Q_TRIGGERS + START] = noa_trigger(&u->noa, &t->words.start[0], p);
}

static enum quantity clocks_of(int i)
{
	return (enum quantity)(Q_TRIGGERS + i);
}

void oa_triggers_begin(struct oa_unit *u, int64_t t_ns)
{
	struct oa_unit_triggers *t = &u->triggers;

	for (int i = 0; i < TRIGGERS; i++)
		t->base[i] = course_value(u->cs, clocks_of(i), t_ns);
	t->next_ns[0] = t->next_ns[1] = INT64_MAX;
	t->since_ns = t_ns;
	t->is_new = false;
}

/* --- start triggers --- */

void oa_triggers_open(struct oa_unit *u, int64_t t_ns)
{
	struct oa_unit_triggers *t = &u->triggers;
	uint64_t q[Q_COUNT];

	if (t->gate != GATE_HELD || t->start_ns != INT64_MAX)
		return;
	t->start_ns = course_when(u->cs, clocks_of(START),
		t->base[START] + t->words.start[0].threshold, t->since_ns, t_ns);
	if (t->start_ns == INT64_MAX)
		return;
	course_values(u->cs, t->start_ns, q);
	memcpy(t->held, &q[Q_B], sizeof(t->held));
}

void oa_triggers_hold(const struct oa_unit *u, int64_t t_ns, uint64_t q[Q_COUNT])
{
	const struct oa_unit_triggers *t = &u->triggers;

	if (t->gate != GATE_HELD)
		return;
	for (int i = 0; i < NOA_COUNTERS; i++) {
		if (t_ns < t->start_ns)
			q[Q_B + i] = u->offset[Q_B + i];
		else
			q[Q_B + i] += u->offset[Q_B + i] - t->held[i];
	}
}

/* --- report triggers --- */

/* What fires while a report lands waits until it has landed. */
static int64_t trigger_next(struct oa_unit *u, int i, int64_t t_ns)
{
	struct oa_unit_triggers *t = &u->triggers;
	uint64_t threshold = t->words.report[i].threshold;

	if (t->next_ns[i] == INT64_MAX)
		t->next_ns[i] = course_when(
			u->cs, clocks_of(i), t->base[i] + threshold, t->since_ns, t_ns);
	if (t->next_ns[i] == INT64_MAX)
		return INT64_MAX;
	return max_i64(t->next_ns[i], t->landed_ns);
}

uint64_t oa_triggers_due(const struct oa_unit *u, int64_t t_ns)
{
	const struct oa_unit_triggers *t = &u->triggers;
	uint64_t n = 0;

	for (int i = 0; i < 2; i++)
		if (t->reporting >> i & 1)
			n += (course_value(u->cs, clocks_of(i), t_ns) - t->base[i]) /
				t->words.report[i].threshold;
	return n;
}

int64_t oa_triggers_next(struct oa_unit *u, int64_t t_ns)
{
	int64_t next_ns = INT64_MAX;

	for (int i = 0; i < 2; i++)
		if (u->triggers.reporting >> i & 1)
			next_ns = min_i64(next_ns, trigger_next(u, i, t_ns));
	return next_ns <= t_ns ? next_ns : INT64_MAX;
}

unsigned oa_triggers_reason(struct oa_unit *u, int64_t t_ns)
{
	static const unsigned reasons[] = { OA_REASON_TRIGGER1, OA_REASON_TRIGGER2 };
	struct oa_unit_triggers *t = &u->triggers;
	unsigned reason = 0;

	for (int i = 0; i < 2; i++) {
		if (!(t->reporting >> i & 1) || trigger_next(u, i, t_ns) > t_ns)
			continue;
		reason |= reasons[i];
		/* Clocks that went by while it waited are counted, but fire only once. */
		uint64_t threshold = t->words.report[i].threshold;
		uint64_t gone = course_value(u->cs, clocks_of(i), t_ns) - t->base[i];

		t->base[i] += gone / threshold * threshold;
		t->next_ns[i] = INT64_MAX;
		t->since_ns = t_ns;
	}
	return reason;
}

uint32_t oa_triggers_id(const struct oa_unit *u, int64_t t_ns, unsigned reason)
{
	const struct oa_unit_triggers *t = &u->triggers;
	bool second = reason & OA_REASON_TRIGGER2 && !(reason & OA_REASON_TRIGGER1);
	bool started = t->gate == GATE_OPEN || (t->gate == GATE_HELD && t_ns >= t->start_ns);

	return (uint32_t)t->words.report[second].has_threshold << THRESHOLD_BIT |
		(uint32_t)started << STARTED_BIT;
}
