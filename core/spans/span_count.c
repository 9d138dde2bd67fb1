/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups pairs of reports by what ran in them. */
#include "config.h"

#include "core/spans/span_count.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/minmax.h"

/* What ran in a pair: a row, or one of these. */
enum { IDLE = -1, SEVERAL = -2, FOREIGN = -3 };

/* A group of less pairs says nothing of a rate. */
#define PAIRS_MIN 3
/* So much of a kernel's time has to be in whole runs that these stand for it. */
#define WHOLE_SHARE 0.1
/* So much of a cut run has to be seen, and of its ends: it may have ended behind the last
 * report. */
#define INNER_SHARE 0.98
/* Calls that were counted may last so much longer or shorter than all do on average. */
#define ALIKE 0.01
/* Whole runs and their inner parts may differ by so much. */
#define AGREE 0.01
/* Of work that is known something has counted so much. */
#define COUNTS_MIN 10000
/* Stamps are matched with the host's clock anew from time to time, which moves them a little. */
#define JUMP_NS (10 * 1000)
/* What may run unseen or beside. */
#define LEAST 0.01
#define AROUND_MAX 4096
#define BESIDE_SHARE 0.02

void span_count_begin(struct span_count *c, const struct feed *feed, bool tells_contexts)
{
	size_t n = (size_t)feed->n_counters;

	span_count_release(c);
	c->n_counters = feed->n_counters;
	c->busy = c->clock = -1;
	c->tells_contexts = tells_contexts;
	c->is_work = xcalloc(n + 1, sizeof(*c->is_work));
	for (int i = 0; i < feed->n_counters; i++) {
		const char *name = feed->counters[i].name;

		if (feed->busy && !strcmp(name, feed->busy))
			c->busy = i;
		else if (feed->clock && !strcmp(name, feed->clock))
			c->clock = i;
		else
			c->is_work[i] = feed->work && *name && strchr(feed->work, *name);
	}
	c->pairs = xcalloc(SPAN_PAIRS_MAX, sizeof(*c->pairs));
	c->values = xcalloc((size_t)SPAN_PAIRS_MAX * n, sizeof(*c->values));
}

void span_count_release(struct span_count *c)
{
	for (int i = 0; i < c->n_rows; i++)
		free(c->rows[i].values);
	free(c->rows);
	free(c->around);
	free(c->pairs);
	free(c->values);
	free(c->is_work);
	*c = (struct span_count){ 0 };
}

bool span_count_pair(struct span_count *c, const struct span_pair *p, const uint64_t *values)
{
	if (c->n_pairs == SPAN_PAIRS_MAX || p->t1_ns <= p->t0_ns)
		return c->n_pairs == SPAN_PAIRS_MAX;
	c->pairs[c->n_pairs] = *p;
	memcpy(c->values + (size_t)c->n_pairs * (size_t)c->n_counters, values,
		(size_t)c->n_counters * sizeof(*values));
	if (c->seen_pairs++ == 0)
		c->first_ns = p->t0_ns;
	c->n_pairs++;
	c->last_ns = p->t1_ns;
	c->seen_ns += p->t1_ns - p->t0_ns;
	c->distance_ns = c->seen_ns / (int64_t)c->seen_pairs;
	return c->n_pairs == SPAN_PAIRS_MAX;
}

int64_t span_count_needs_ns(const struct span_count *c)
{
	return c->n_pairs ? c->pairs[0].t0_ns : c->last_ns;
}

void span_count_around(struct span_count *c, const struct span_around *a)
{
	struct span_around *last = c->n_around ? &c->around[c->n_around - 1] : NULL;
	int64_t since_ns = last ? last->t1_ns : 0;
	size_t old = 0;

	if (last && a->t1_ns <= last->t1_ns)
		return;
	if (last && last->clients == a->clients && last->engines == a->engines) {
		last->t1_ns = a->t1_ns;
		return;
	}
	while (old < c->n_around && (c->around[old].t1_ns <= span_count_needs_ns(c) ||
					    c->n_around - old > AROUND_MAX))
		old++;
	c->n_around -= old;
	if (old)
		memmove(c->around, c->around + old, c->n_around * sizeof(*c->around));
	c->around = array_grow(c->around, c->n_around, &c->cap_around, sizeof(*c->around));
	c->around[c->n_around] = *a;
	c->around[c->n_around++].t0_ns = since_ns;
}

/* --- what ran in each pair --- */

static int compare(const void *a, const void *b)
{
	const struct span_told *x = *(const struct span_told *const *)a,
			       *y = *(const struct span_told *const *)b;

	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* The batch that is settled: its pairs, and the spans by their start. */
struct batch {
	struct span_count *c;
	const struct span_told **spans;
	int n_spans, n_pairs;
	int *ran; /* [n_pairs] */
	bool *inner; /* [n_pairs] counted of the row that ran all the time */
	bool *counted; /* [n_spans] pairs of that span are */
	int64_t *ended_ns; /* [n_spans] when that span and all before it had ended for sure */
	int64_t doubt_ns; /* the largest one of the spans */
	int64_t until_ns; /* what lies behind that is the next batch's */
};

/* Returns the first span that may have run at a moment or behind it. */
static int first_near(const struct batch *b, int64_t from_ns)
{
	int low = 0, high = b->n_spans;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (b->ended_ns[mid] < from_ns)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Returns the next span behind number *i that may have run in a pair, NULL: there is none. */
static const struct span_told *next_in(const struct batch *b, int pair, int *i)
{
	const struct span_pair *p = &b->c->pairs[pair];

	if (*i < 0)
		*i = first_near(b, p->t0_ns);
	else
		++*i;
	for (; *i < b->n_spans; ++*i) {
		const struct span_told *s = b->spans[*i];

		if (s->start_ns - b->doubt_ns > p->t1_ns)
			return NULL;
		if (s->start_ns - s->doubt_ns < p->t1_ns && s->end_ns + s->doubt_ns > p->t0_ns)
			return s;
	}
	return NULL;
}

/* Returns which row may have run in a pair, if it is one alone. */
static int ran_in(const struct batch *b, int pair)
{
	const struct span_told *s;
	int found = IDLE, i = -1;

	while ((s = next_in(b, pair, &i))) {
		if (found != IDLE && found != s->row)
			return SEVERAL;
		found = s->row;
	}
	return found;
}

/* The context of a row: that in which most pairs of its spans ran. */
struct own {
	uint32_t context;
	int votes; /* 0: none has a majority */
};

/* Finds the contexts of all rows; whoever has a majority is left over. */
static struct own *own_contexts(const struct batch *b, int n_rows)
{
	struct own *own = xcalloc((size_t)n_rows + 1, sizeof(*own));

	for (int i = 0; i < b->n_pairs; i++) {
		const struct span_pair *p = &b->c->pairs[i];

		if (b->ran[i] < 0 || p->kind != HW_CONTEXT_ONE)
			continue;
		struct own *o = &own[b->ran[i]];
		if (o->votes == 0)
			o->context = p->context;
		o->votes += p->context == o->context ? 1 : -1;
	}
	return own;
}

/* Whether work of somebody else was counted in a pair. While no span ran, a context of the rows may
 * stay loaded. */
static bool is_foreign(const struct batch *b, const struct own *own, int n_rows, int pair)
{
	const struct span_pair *p = &b->c->pairs[pair];
	int row = b->ran[pair];

	if (!b->c->tells_contexts)
		return false;
	if (p->kind == HW_CONTEXT_OTHERS)
		return true;
	if (p->kind != HW_CONTEXT_ONE || row == SEVERAL)
		return false;
	for (int i = 0; i < n_rows; i++)
		if ((row == IDLE || row == i) && own[i].votes > 0 && own[i].context == p->context)
			return false;
	return true;
}

static const uint64_t *values_of(const struct span_count *c, int pair)
{
	return c->values + (size_t)pair * (size_t)c->n_counters;
}

/* Adds up how long the device was busy in a pair, and how much of that without a span. */
static void add_busy(struct span_count *c, int pair, bool idle, bool foreign)
{
	if (c->busy < 0)
		return;
	uint64_t busy = values_of(c, pair)[c->busy];
	int64_t length_ns = c->pairs[pair].t1_ns - c->pairs[pair].t0_ns;

	c->busy_clocks += busy;
	if (!idle)
		return;
	if (!foreign)
		c->idle_busy_clocks += busy;
	if (c->clock >= 0 && values_of(c, pair)[c->clock] > 0)
		c->not_ours_ns += (double)length_ns * (double)busy /
			(double)values_of(c, pair)[c->clock];
}

/* What is known of the time of a pair: of stretches that it touches, the worst. *at is the first
 * of them for the pairs to come. */
static struct span_around around_of(const struct span_count *c, int pair, size_t *at)
{
	const struct span_pair *p = &c->pairs[pair];
	struct span_around a = { .t1_ns = INT64_MIN };

	while (*at < c->n_around && c->around[*at].t1_ns <= p->t0_ns)
		++*at;
	for (size_t i = *at; i < c->n_around && c->around[i].t0_ns < p->t1_ns; i++) {
		const struct span_around *w = &c->around[i];

		a.t1_ns = w->t1_ns;
		a.clients = w->clients > a.clients ? w->clients : a.clients;
		a.engines = w->engines > a.engines ? w->engines : a.engines;
	}
	if (a.t1_ns < p->t1_ns) {
		a.clients = a.clients ? a.clients : OTHERS_NOT_KNOWN;
		a.engines = a.engines ? a.engines : OTHERS_NOT_KNOWN;
	}
	if (c->tells_contexts)
		a.clients = OTHERS_IDLE;
	return a;
}

static void find_what_ran(struct batch *b, int n_rows)
{
	struct span_count *c = b->c;
	size_t at = 0;

	for (int i = 0; i < b->n_pairs; i++)
		b->ran[i] = ran_in(b, i);
	struct own *own = own_contexts(b, n_rows);
	for (int i = 0; i < b->n_pairs; i++) {
		bool foreign = is_foreign(b, own, n_rows, i);
		struct span_around a = around_of(c, i, &at);

		add_busy(c, i, b->ran[i] == IDLE, foreign || a.clients == OTHERS_BUSY);
		c->foreign += foreign;
		c->clients[a.clients]++;
		c->engines[a.engines]++;
		if (foreign && c->pairs[i].kind == HW_CONTEXT_ONE)
			b->ran[i] = FOREIGN;
		else if (foreign || a.clients != OTHERS_IDLE || a.engines != OTHERS_IDLE)
			b->ran[i] = SEVERAL;
	}
	free(own);
}

/* --- groups --- */

static struct span_counted *row_of(struct span_count *c, int row)
{
	while (c->n_rows <= row) {
		c->rows = xreallocarray(c->rows, (size_t)c->n_rows + 1, sizeof(*c->rows));
		c->rows[c->n_rows++] = (struct span_counted){ 0 };
	}
	struct span_counted *r = &c->rows[row];
	if (!r->values) {
		r->values = xcalloc(3 * (size_t)c->n_counters + 1, sizeof(*r->values));
		r->inner = r->values + c->n_counters;
		r->ends = r->inner + c->n_counters;
	}
	return r;
}

static void add_values(const struct span_count *c, int first, int end, uint64_t *to)
{
	for (int i = first; i < end; i++)
		for (int k = 0; k < c->n_counters; k++)
			to[k] += values_of(c, i)[k];
}

/* How long a row ran between two moments, the length of its calls that did, and the number of those
 * that began behind what was seen before; of a call that batches share each has its part. */
struct ran {
	int64_t ns, calls_ns;
	uint64_t calls;
};

static struct ran ran_for(const struct batch *b, int row, int64_t from_ns, int64_t to_ns)
{
	struct ran r = { 0, 0, 0 };
	int64_t until_ns = from_ns, seen_ns = b->c->rows[row].seen_ns;

	for (int i = first_near(b, from_ns); i < b->n_spans; i++) {
		const struct span_told *s = b->spans[i];
		int64_t start_ns = max_i64(s->start_ns, until_ns);
		int64_t end_ns = min_i64(s->end_ns, to_ns);

		if (s->start_ns >= to_ns)
			break;
		if (s->row != row || s->end_ns <= from_ns)
			continue;
		int64_t begin_ns = max_i64(s->start_ns, b->c->cut_ns);
		r.calls += s->start_ns >= seen_ns;
		/* Where several of its pairs are added, each by itself, a call is one all the same. */
		if (begin_ns >= seen_ns)
			r.calls_ns += min_i64(s->end_ns, b->until_ns) - begin_ns;
		if (end_ns > start_ns) {
			r.ns += end_ns - start_ns;
			until_ns = end_ns;
		}
	}
	return r;
}

/* Whether a call of the row, whose begin was seen, ran at a moment, however the clocks are. */
static bool ran_at(const struct batch *b, int row, int64_t at_ns)
{
	for (int i = first_near(b, at_ns); i < b->n_spans; i++) {
		const struct span_told *s = b->spans[i];

		if (s->start_ns > at_ns)
			break;
		if (s->row == row && s->start_ns >= b->c->first_ns &&
			s->start_ns + s->doubt_ns <= at_ns && s->end_ns - s->doubt_ns >= at_ns)
			return true;
	}
	return false;
}

/* Adds pairs [first, end) in which the kernel ran all the time. Returns false where it may not
 * have. */
static bool take_inner(struct batch *b, int row, int first, int end)
{
	struct span_count *c = b->c;
	struct span_counted *r = row_of(c, row);
	int64_t from_ns = c->pairs[first].t0_ns, to_ns = c->pairs[end - 1].t1_ns;

	if (!ran_at(b, row, from_ns) || !ran_at(b, row, to_ns))
		return false;
	struct ran ran = ran_for(b, row, from_ns, to_ns);
	if ((double)ran.ns < INNER_SHARE * (double)(to_ns - from_ns))
		return false;
	add_values(c, first, end, r->inner);
	for (int i = first; i < end; i++)
		b->inner[i] = true;
	for (int i = first_near(b, from_ns); i < b->n_spans && b->spans[i]->start_ns < to_ns; i++)
		b->counted[i] |= b->spans[i]->row == row && b->spans[i]->end_ns > from_ns;
	r->inner_ns += ran.ns;
	r->inner_runs_ns += ran.calls_ns;
	r->inner_pairs += (uint64_t)(end - first);
	r->calls += ran.calls;
	r->seen_ns = to_ns;
	return true;
}

/* Sums up the runs that lie between two idle pairs of a group as a whole. */
static void take_whole(struct batch *b, int row, int first, int end)
{
	struct span_counted *r = row_of(b->c, row);

	while (first < end && b->ran[first] != IDLE)
		first++;
	while (first < end && b->ran[end - 1] != IDLE)
		end--;
	if (first >= end)
		return;
	add_values(b->c, first, end, r->values);
	r->ns += ran_for(b, row, b->c->pairs[first].t0_ns, b->c->pairs[end - 1].t1_ns).ns;
}

/* Sums up a group of pairs [first, end) in which nothing but the row ran. */
static void take_group(struct batch *b, int row, int first, int end)
{
	struct span_count *c = b->c;

	take_whole(b, row, first, end);
	while (first < end && !ran_at(b, row, c->pairs[first].t0_ns))
		first++;
	while (first < end && !ran_at(b, row, c->pairs[end - 1].t1_ns))
		end--;
	if (first >= end || take_inner(b, row, first, end))
		return;
	/* Pauses lie between its runs. */
	for (int i = first; i < end; i++)
		take_inner(b, row, i, i + 1);
}

static bool follows(const struct span_count *c, int i)
{
	int64_t apart_ns = c->pairs[i].t0_ns - c->pairs[i - 1].t1_ns;

	return !c->pairs[i].after_gap && apart_ns < JUMP_NS && apart_ns > -JUMP_NS;
}

/* Finds the groups. Idle pairs between two kernels belong to both. */
static void take_groups(struct batch *b)
{
	int i = 0;

	while (i < b->n_pairs) {
		int row = b->ran[i], first = i;

		if (row < 0) {
			i++;
			continue;
		}
		while (first > 0 && follows(b->c, first) && b->ran[first - 1] == IDLE)
			first--;
		do
			i++;
		while (i < b->n_pairs && follows(b->c, i) &&
			(b->ran[i] == row || b->ran[i] == IDLE));
		take_group(b, row, first, i);
	}
}

/* Adds what was counted in other pairs to the ends of all calls that may have done it, whoever else
 * may have. */
static void take_ends(struct batch *b)
{
	for (int pair = 0; pair < b->n_pairs; pair++) {
		const struct span_pair *p = &b->c->pairs[pair];
		const struct span_told *s;
		int i = -1;

		while (!b->inner[pair] && b->ran[pair] != FOREIGN && (s = next_in(b, pair, &i))) {
			if (!b->counted[i])
				continue;
			struct span_counted *r = row_of(b->c, s->row);
			if (r->last_end_ns == p->t1_ns)
				continue;
			r->last_end_ns = p->t1_ns;
			add_values(b->c, pair, pair + 1, r->ends);
			r->ends_ns += ran_for(b, s->row, p->t0_ns, p->t1_ns).ns;
		}
	}
}

/* Forgets the first n pairs. */
static void forget(struct span_count *c, int n)
{
	memmove(c->pairs, c->pairs + n, (size_t)(c->n_pairs - n) * sizeof(*c->pairs));
	memmove(c->values, values_of(c, n),
		(size_t)(c->n_pairs - n) * (size_t)c->n_counters * sizeof(*c->values));
	c->n_pairs -= n;
}

void span_count_drop(struct span_count *c, int64_t before_ns)
{
	int n = 0;

	while (n < c->n_pairs && c->pairs[n].t0_ns < before_ns)
		n++;
	for (int i = 0; i < n; i++)
		c->seen_ns -= c->pairs[i].t1_ns - c->pairs[i].t0_ns;
	c->seen_pairs -= (uint64_t)n;
	forget(c, n);
}

/* Looks which spans lie near pairs. The caller frees the members. */
static void collect_spans(struct batch *b, const struct span_table *t)
{
	b->spans = xcalloc(t->n_told + 1, sizeof(const void *));
	for (size_t i = 0; i < t->n_told; i++) {
		const struct span_told *s = &t->told[i];

		b->spans[b->n_spans++] = s;
		b->doubt_ns = max_i64(b->doubt_ns, s->doubt_ns);
	}
	qsort(b->spans, (size_t)b->n_spans, sizeof(const void *), compare);
	b->ended_ns = xcalloc((size_t)b->n_spans + 1, sizeof(*b->ended_ns));
	for (int i = 0; i < b->n_spans; i++) {
		b->ended_ns[i] = b->spans[i]->end_ns + b->spans[i]->doubt_ns;
		if (i > 0)
			b->ended_ns[i] = max_i64(b->ended_ns[i], b->ended_ns[i - 1]);
	}
}

/* Leaves the last group to the next batch, because it may go on, with the pairs in which its kernel
 * may have begun beside another; one that is alone is cut. */
static void leave_group(struct batch *b)
{
	const struct span_pair *pairs = b->c->pairs;
	int n = b->n_pairs, row = ran_in(b, n - 1);

	while (row >= 0 && n > 0 && ran_in(b, n - 1) == row)
		n--;
	b->until_ns = pairs[(n ? n : b->n_pairs) - 1].t1_ns;
	int64_t from_ns = b->until_ns - 2 * b->doubt_ns;
	while (n > 1 && pairs[n - 1].t1_ns >= from_ns && ran_in(b, n - 1) == SEVERAL)
		n--;
	b->n_pairs = n ? n : b->n_pairs;
}

/* Sums up the pairs before a moment. */
static void sum_up(struct span_count *c, const struct span_table *t, int64_t until_ns, bool goes_on)
{
	struct batch b = { .c = c, .until_ns = INT64_MAX };

	while (b.n_pairs < c->n_pairs && c->pairs[b.n_pairs].t1_ns <= until_ns - SPAN_DOUBT_NS)
		b.n_pairs++;
	if (b.n_pairs == 0)
		return;
	collect_spans(&b, t);
	if (goes_on)
		leave_group(&b);
	b.ran = xcalloc((size_t)b.n_pairs, sizeof(*b.ran));
	b.inner = xcalloc((size_t)b.n_pairs, sizeof(*b.inner));
	b.counted = xcalloc((size_t)b.n_spans + 1, sizeof(*b.counted));
	for (int i = 0; i < b.n_spans; i++)
		b.counted[i] = b.spans[i]->row < c->n_rows &&
			b.spans[i]->start_ns < c->rows[b.spans[i]->row].seen_ns;
	find_what_ran(&b, t->n_rows);
	take_groups(&b);
	take_ends(&b);
	c->cut_ns = c->pairs[b.n_pairs - 1].t1_ns;
	forget(c, b.n_pairs);
	free(b.spans);
	free(b.ended_ns);
	free(b.ran);
	free(b.inner);
	free(b.counted);
}

void span_count_settle(struct span_count *c, const struct span_table *t, int64_t until_ns)
{
	sum_up(c, t, until_ns, false);
}

void span_count_settle_runs(struct span_count *c, const struct span_table *t, int64_t until_ns)
{
	until_ns = min_i64(until_ns, c->n_around ? c->around[c->n_around - 1].t1_ns : 0);
	if (c->n_pairs > 0 && until_ns - max_i64(c->pairs[0].t0_ns, c->cut_ns) >= NS_PER_S)
		sum_up(c, t, until_ns, true);
}

/* --- what may be told --- */

static enum span_why refuse(const struct span_count *c, const struct span_table *t, int row)
{
	const struct span_row *r = &t->rows[row];

	if (!r->is_kernel)
		return SPAN_NO_KERNEL;
	/* Without a counter of busy time nobody would see what else the device does. */
	if (c->seen_pairs == 0 || c->busy < 0)
		return SPAN_NO_REPORTS;
	if (t->elsewhere)
		return SPAN_OTHER_DEVICE;
	if (t->lost || t->nonsense || t->late)
		return SPAN_LOST_SOME;
	if ((double)c->idle_busy_clocks > LEAST * (double)c->busy_clocks)
		return SPAN_UNSEEN;
	if ((double)c->foreign > LEAST * (double)c->seen_pairs)
		return SPAN_FOREIGN;
	if (!r->items)
		return SPAN_SIZES;
	if ((double)r->overlap_ns > BESIDE_SHARE * (double)r->sum_ns)
		return SPAN_BESIDE;
	return SPAN_COUNTED;
}

/* Whether the ends of runs may have done more or less of a counter than their middle. Whole runs
 * have both; else all that was counted around them may be theirs. */
static bool ends_differ(const struct span_counted *r, int i, bool whole)
{
	double mean = (double)r->inner[i] / (double)r->inner_ns;
	double all = (double)r->values[i] / (double)r->ns;

	if (whole)
		return fabs(mean - all) > AGREE * fmax(mean, all);
	return (double)r->ends[i] - mean * (double)r->ends_ns >
		AGREE * mean * (double)r->inner_runs_ns;
}

/* Finds the counters of which the middle of runs does not stand for all of them. Returns whether
 * work is left that is known. */
static bool find_unsure(
	const struct span_count *c, const struct span_counted *r, bool whole, bool *unsure)
{
	double unseen_ns = (double)(r->inner_runs_ns - r->inner_ns);
	bool any = false;

	if (!whole && (unseen_ns > (1 - INNER_SHARE) * (double)r->inner_runs_ns ||
			      (double)r->ends_ns < INNER_SHARE * unseen_ns))
		return false;
	for (int i = 0; i < c->n_counters; i++) {
		unsure[i] = c->is_work[i] && ends_differ(r, i, whole);
		any = any || (c->is_work[i] && r->inner[i] >= COUNTS_MIN && !unsure[i]);
	}
	return any;
}

/* Whether the calls that were counted can stand for all: they are nearly all, or last as long. */
static bool is_alike(const struct span_counted *r, const struct span_row *row)
{
	double mean_ns = (double)row->sum_ns / (double)row->calls;
	double apart_ns = (double)r->inner_runs_ns / (double)(r->calls ? r->calls : 1) - mean_ns;

	return ((double)r->inner_runs_ns >= INNER_SHARE * (double)row->sum_ns &&
		       (double)r->calls >= INNER_SHARE * (double)row->calls) ||
		(apart_ns <= ALIKE * mean_ns && apart_ns >= -ALIKE * mean_ns);
}

/* Whether the device had nothing to do for part of the runs, or of whole ones with their ends: then
 * they ended before their spans. */
static bool rests_inside(const struct span_count *c, const struct span_counted *r)
{
	double clocks = c->clock < 0 ? 0 : INNER_SHARE * (double)r->inner[c->clock];

	return (double)r->inner[c->busy] < clocks ||
		(double)r->values[c->busy] * (double)r->inner_ns < clocks * (double)r->ns;
}

/* Returns why too little of a row was seen: because of others, if so many pairs were left out for
 * them, or for a reason of the row. */
static enum span_why why_little(const struct span_count *c, enum span_why of_row)
{
	double least = LEAST * (double)c->seen_pairs;

	if ((double)c->clients[OTHERS_BUSY] > least)
		return SPAN_FOREIGN;
	if ((double)c->engines[OTHERS_BUSY] > least)
		return SPAN_ENGINES;
	return (double)c->clients[OTHERS_NOT_KNOWN] > least ||
			(double)c->engines[OTHERS_NOT_KNOWN] > least
		? SPAN_NO_OTHERS
		: of_row;
}

enum span_why span_count_get(const struct span_count *c, const struct span_table *t, int row,
	const uint64_t **values, bool *unsure, int64_t *ns, uint64_t *pairs)
{
	enum span_why why = refuse(c, t, row);

	memset(unsure, 0, (size_t)c->n_counters * sizeof(*unsure));
	if (why != SPAN_COUNTED)
		return why;
	if (row >= c->n_rows || c->rows[row].inner_pairs < PAIRS_MIN) {
		int64_t needed_ns = (PAIRS_MIN + 1) * c->distance_ns + 2 * SPAN_DOUBT_NS;

		return why_little(c, t->rows[row].max_ns < needed_ns ? SPAN_SHORT : SPAN_ENDS);
	}
	const struct span_counted *r = &c->rows[row];
	*values = r->inner;
	*ns = r->inner_ns;
	*pairs = r->inner_pairs;
	if (!is_alike(r, &t->rows[row]) || rests_inside(c, r))
		return why_little(c, SPAN_ENDS);
	bool whole = (double)r->ns >= WHOLE_SHARE * (double)t->rows[row].sum_ns;
	if (find_unsure(c, r, whole, unsure))
		return SPAN_COUNTED;
	return why_little(c, SPAN_ENDS);
}
