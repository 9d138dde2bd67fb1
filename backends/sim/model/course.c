/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds patterns and segments, and integrates them up to a moment. */
#include "config.h"

#include "backends/sim/model/course.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/minmax.h"

#define JITTER_SLOT_NS (100 * NS_PER_MS)

/* Turns a phase into rates. Where its length is rounded to whole cycles its totals of cycles
 * stretch with it; other totals stay. */
static void compile_phase(struct course_phase *out, struct q32 total[Q_COUNT],
	const struct phase *p, double hz, course_select_fn *select, void *ctx)
{
	struct phase whole = *p;
	double q[Q_COUNT] = { 0 };

	out->cycles = (uint64_t)(p->cycles + 0.5);
	if (out->cycles == 0)
		out->cycles = 1;
	double stretch = (double)out->cycles / p->cycles;
	whole.cycles = (double)out->cycles;
	for (int i = 0; i < EU_POSITIONS; i++)
		for (int e = 0; e < EU_EVENTS; e++)
			if (e != EU_SEND_START) {
				whole.eu[i][e] *= stretch;
				whole.one[0][i][e] *= stretch;
				whole.one[1][i][e] *= stretch;
			}
	if (p->gpu[GPU_TICKS] > 0)
		whole.gpu[GPU_TICKS] = whole.cycles;
	if (p->gpu[GPU_BUSY] > 0)
		whole.gpu[GPU_BUSY] = whole.cycles;
	out->context = p->context;
	out->gated = p->gpu[GPU_TICKS] <= 0;
	memcpy(out->loaded_eus, p->loaded_eus, sizeof(out->loaded_eus));
	out->n_first = p->n_first;
	select(ctx, &whole, hz, q);
	for (int i = 0; i < Q_COUNT; i++) {
		total[i] = q32_from_double(q[i]);
		out->rate[i] = q32_div(total[i], out->cycles);
	}
}

/* Goes backward through two rounds of the pattern, so that the last phases know the first ones. */
static void find_context_changes(struct course_pattern *pat)
{
	uint64_t next = UINT64_MAX;

	for (int i = 2 * pat->n - 1; i >= 0; i--) {
		const struct course_phase *after = &pat->phases[(i + 1) % pat->n];

		if (after->context != pat->phases[i % pat->n].context)
			next = (uint64_t)((i + 1) / pat->n) * pat->cycles + after->start;
		if (i < pat->n)
			pat->phases[i].next_context = next;
	}
}

int course_add_pattern(struct course *cs, const struct phase_list *l, double hz,
	course_select_fn *select, void *ctx)
{
	struct q32 total[Q_COUNT];

	cs->patterns = xreallocarray(
		cs->patterns, (size_t)cs->n_patterns + 1, sizeof(*cs->patterns));
	struct course_pattern *pat = &cs->patterns[cs->n_patterns];
	*pat = (struct course_pattern){
		.phases = xcalloc((size_t)l->n, sizeof(*pat->phases)),
		.n = l->n,
	};
	for (int i = 0; i < l->n; i++) {
		struct course_phase *p = &pat->phases[i];

		compile_phase(p, total, &l->phases[i], hz, select, ctx);
		p->start = pat->cycles;
		memcpy(p->before, pat->total, sizeof(p->before));
		pat->cycles += p->cycles;
		for (int q = 0; q < Q_COUNT; q++)
			pat->total[q] = q32_add(pat->total[q], total[q], 1);
	}
	assert(pat->cycles > 0 && pat->cycles <= 2 * COURSE_MAX_PATTERN_CYCLES);
	find_context_changes(pat);
	return cs->n_patterns++;
}

void course_add_segment(struct course *cs, int64_t duration_ns, const struct course_clock *clock,
	int pattern, const char *text)
{
	cs->segments = xreallocarray(
		cs->segments, (size_t)cs->n_segments + 1, sizeof(*cs->segments));
	struct course_segment *s = &cs->segments[cs->n_segments++];
	*s = (struct course_segment){
		.start_ns = cs->period_ns,
		.duration_ns = duration_ns,
		.hz = clock->hz,
		.requested_hz = clock->requested_hz,
		.reason = clock->reason,
		.pattern = pattern,
	};
	snprintf(s->text, sizeof(s->text), "%s", text);
	cs->period_ns += duration_ns;
}

static uint64_t cycles_in(int64_t ns, uint64_t hz)
{
	uint64_t s = (uint64_t)(ns / NS_PER_S), rest = (uint64_t)(ns % NS_PER_S);

	return s * hz + rest * hz / NS_PER_S;
}

uint64_t course_hash(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* Tells how far activity is ahead of its slowest course when a jitter slot starts. */
static int64_t lead(const struct course *cs, const struct course_segment *s, int64_t slot)
{
	if (slot == 0)
		return 0;
	uint64_t place = (uint64_t)slot ^ (uint64_t)(s - cs->segments) << 40;
	uint64_t h = course_hash(cs->seed ^ course_hash(place));
	return (int64_t)((h >> 32) * (uint64_t)(JITTER_SLOT_NS / 100 * cs->jitter_pct) >> 32);
}

/* Returns the local time of the activity. Without jitter it is the local time; with jitter it is
 * never ahead of that and never stands still. */
static int64_t activity_time(const struct course *cs, const struct course_segment *s, int64_t ns)
{
	int64_t slot = ns / JITTER_SLOT_NS, in = ns % JITTER_SLOT_NS;

	if (!cs->jitter_pct)
		return ns;
	int64_t a = lead(cs, s, slot);
	int64_t b = lead(cs, s, slot + 1);
	return (slot * JITTER_SLOT_NS + in) / 100 * (100 - cs->jitter_pct) + a +
		(b - a) * (in >> 7) / (JITTER_SLOT_NS >> 7);
}

/* A spot is a position in a pattern. */
struct spot {
	const struct course_pattern *pat;
	const struct course_phase *phase;
	uint64_t rounds, in_phase;
};

static struct spot find_spot(
	const struct course *cs, const struct course_segment *s, uint64_t cycles)
{
	const struct course_pattern *pat = &cs->patterns[s->pattern];
	uint64_t in = cycles % pat->cycles;
	int i = pat->n - 1;

	while (pat->phases[i].start > in)
		i--;
	return (struct spot){ .pat = pat, .phase = &pat->phases[i], .rounds = cycles / pat->cycles,
		.in_phase = in - pat->phases[i].start };
}

/* Holds the two places that a moment of a segment stands for. */
struct spots {
	struct spot clock, activity;
};

static struct spots segment_spots(
	const struct course *cs, const struct course_segment *s, int64_t ns)
{
	struct spots at;

	at.clock = at.activity = find_spot(cs, s, cycles_in(ns, s->hz));
	if (cs->jitter_pct)
		at.activity = find_spot(cs, s, cycles_in(activity_time(cs, s, ns), s->hz));
	return at;
}

/* Adds what was counted in a segment. Ticks follow the clock, everything else follows the
 * activity. */
static inline void add_spots(struct q32_sum *sum, const struct spots *spots, int q)
{
	const struct spot *at = q == Q_TICKS ? &spots->clock : &spots->activity;

	q32_sum_add(sum, &at->pat->total[q], at->rounds);
	q32_sum_add(sum, &at->phase->before[q], 1);
	q32_sum_add(sum, &at->phase->rate[q], at->in_phase);
}

static const struct course_segment *find_segment(
	const struct course *cs, int64_t model_ns, uint64_t *periods, int64_t *in_ns)
{
	const struct course_segment *s = &cs->segments[cs->n_segments - 1];
	int64_t t_ns = 0, in;

	if (model_ns > cs->origin_ns)
		t_ns = model_ns - cs->origin_ns;
	in = t_ns % cs->period_ns;
	*periods = (uint64_t)(t_ns / cs->period_ns);
	while (s->start_ns > in)
		s--;
	*in_ns = in - s->start_ns;
	return s;
}

void course_seal(struct course *cs)
{
	struct spots at;

	for (int i = 0; i < cs->n_segments; i++) {
		struct course_segment *s = &cs->segments[i];

		memcpy(s->before, cs->total, sizeof(s->before));
		at = segment_spots(cs, s, s->duration_ns);
		for (int q = 0; q < Q_COUNT; q++) {
			struct q32_sum sum = { cs->total[q].whole, cs->total[q].frac };

			add_spots(&sum, &at, q);
			cs->total[q] = q32_of_sum(&sum);
		}
	}
	for (int q = 0; q < Q_COUNT; q++)
		if (cs->total[q].whole || cs->total[q].frac)
			cs->moving[cs->n_moving++] = q;
}

void course_release(struct course *cs)
{
	for (int i = 0; i < cs->n_patterns; i++)
		free(cs->patterns[i].phases);
	free(cs->patterns);
	free(cs->segments);
	memset(cs, 0, sizeof(*cs));
}

void course_take_over(
	struct course *cs, const struct course *before, int64_t t_ns, int64_t origin_ns)
{
	uint64_t left[Q_COUNT], own[Q_COUNT];

	course_values(before, t_ns, left);
	memset(cs->offset, 0, sizeof(cs->offset));
	cs->origin_ns = origin_ns;
	course_values(cs, t_ns, own);
	for (int q = 0; q < Q_COUNT; q++)
		cs->offset[q] = left[q] - own[q];
}

/* A moment of a course, and what was counted before its segment. */
struct moment {
	const struct course_segment *segment;
	uint64_t periods;
	struct spots at;
};

static struct moment find_moment(const struct course *cs, int64_t t_ns)
{
	struct moment m;
	int64_t in_ns;

	m.segment = find_segment(cs, t_ns, &m.periods, &in_ns);
	m.at = segment_spots(cs, m.segment, in_ns);
	return m;
}

static inline uint64_t moment_value(const struct course *cs, const struct moment *m, int q)
{
	struct q32_sum sum = { m->segment->before[q].whole, m->segment->before[q].frac };

	add_spots(&sum, &m->at, q);
	q32_sum_add(&sum, &cs->total[q], m->periods);
	return cs->offset[q] + q32_of_sum(&sum).whole;
}

void course_values(const struct course *cs, int64_t t_ns, uint64_t q[Q_COUNT])
{
	struct moment m = find_moment(cs, t_ns);

	memcpy(q, cs->offset, Q_COUNT * sizeof(q[0]));
	for (int i = 0; i < cs->n_moving; i++)
		q[cs->moving[i]] = moment_value(cs, &m, cs->moving[i]);
}

uint64_t course_value(const struct course *cs, enum quantity what, int64_t t_ns)
{
	struct moment m = find_moment(cs, t_ns);

	return moment_value(cs, &m, (int)what);
}

static bool has_come(const struct course *cs, enum quantity what, uint64_t value, int64_t t_ns)
{
	return (int64_t)(course_value(cs, what, t_ns) - value) >= 0;
}

int64_t course_when(const struct course *cs, enum quantity what, uint64_t value, int64_t from_ns,
	int64_t to_ns)
{
	int64_t low = from_ns, step = 1;

	if (from_ns >= to_ns || !has_come(cs, what, value, to_ns))
		return INT64_MAX;
	/* It is expected near the beginning: the steps grow until it lies behind one. */
	while (to_ns - low > step && !has_come(cs, what, value, low + step)) {
		low += step;
		step *= 2;
	}
	int64_t high = min_i64(low + step, to_ns);
	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;

		if (has_come(cs, what, value, middle))
			high = middle;
		else
			low = middle;
	}
	return high;
}

void course_at(const struct course *cs, int64_t t_ns, struct course_state *out)
{
	uint64_t periods;
	int64_t in_ns;
	const struct course_segment *s = find_segment(cs, t_ns, &periods, &in_ns);
	struct spots at = segment_spots(cs, s, in_ns);

	*out = (struct course_state){ .hz = s->hz, .requested_hz = s->requested_hz,
		.reason = s->reason,
		.context = at.activity.phase->context, .gated = at.clock.phase->gated,
		.loaded_eus = { at.activity.phase->loaded_eus[0],
			at.activity.phase->loaded_eus[1] },
		.n_first = at.activity.phase->n_first,
		.text = s->text };
}

int64_t course_next_clock_change(const struct course *cs, int64_t t_ns)
{
	uint64_t periods;
	int64_t in_ns;
	const struct course_segment *s = find_segment(cs, t_ns, &periods, &in_ns);
	int at = (int)(s - cs->segments);
	int64_t t = t_ns - in_ns;

	for (int i = 0; i < cs->n_segments; i++) {
		const struct course_segment *now = &cs->segments[(at + i) % cs->n_segments];
		const struct course_segment *next = &cs->segments[(at + i + 1) % cs->n_segments];

		t += now->duration_ns;
		if (next->hz != now->hz)
			return t;
	}
	return INT64_MAX;
}

/* Returns the first moment of a segment, from from_ns on, at which its activity has come so many
 * cycles far; its end when it does not come so far. */
static int64_t moment_of(const struct course *cs, const struct course_segment *s, uint64_t cycles,
	int64_t from_ns)
{
	int64_t low = from_ns, high = s->duration_ns;

	while (low < high) {
		int64_t middle = low + (high - low) / 2;

		if (cycles_in(activity_time(cs, s, middle), s->hz) < cycles)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int64_t course_next_context_change(const struct course *cs, int64_t t_ns)
{
	uint64_t periods;
	int64_t in_ns;
	const struct course_segment *s = find_segment(cs, t_ns, &periods, &in_ns);
	struct spot at = segment_spots(cs, s, in_ns).activity;
	uint8_t context = at.phase->context;

	for (int i = 0; i <= cs->n_segments; i++) {
		int64_t start_ns = t_ns - in_ns, end_ns = s->duration_ns;

		if (at.phase->next_context != UINT64_MAX)
			end_ns = moment_of(cs, s,
				at.rounds * at.pat->cycles + at.phase->next_context, in_ns + 1);
		if (end_ns < s->duration_ns)
			return start_ns + end_ns;
		/* The next segment begins with another context, or goes on with the same one. */
		t_ns = start_ns + s->duration_ns;
		in_ns = 0;
		s = &cs->segments[(s - cs->segments + 1) % cs->n_segments];
		at = segment_spots(cs, s, 0).activity;
		if (at.phase->context != context)
			return t_ns;
	}
	return INT64_MAX;
}
