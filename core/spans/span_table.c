/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of kernels, and how time is shared among them. */
#include "config.h"

#include "core/spans/span_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/minmax.h"

#define SLOTS (4 * SPAN_ROWS_MAX)
/* No device runs more commands at once, and each instant is shared by all that run in it. */
#define RUNNING_MAX 256
#define OTHERS "(other kernels)"
/* Of a command that was told late so much may have been accounted for without it. */
#define LATE_NS NS_PER_S
#define LATE_BESIDE_NS (10 * NS_PER_MS) /* where others of its queue may have run beside it */
/* A span that is matched as reports are lies between its call and its end, as far as that goes. */
#define MATCHED_NS NS_PER_MS

static void release_rows(struct span_table *t)
{
	for (int i = 0; i < t->n_rows; i++)
		free(t->rows[i].name);
	free(t->rows);
	free(t->by_name);
	t->rows = NULL;
	t->by_name = NULL;
	t->n_rows = 0;
}

static bool is_of_device(const struct span_table *t, const struct span_place *p)
{
	return *p->pci_address && !strcmp(p->pci_address, t->device_pci);
}

void span_table_clear(struct span_table *t, int64_t now_ns, const char *device_pci)
{
	release_rows(t);
	t->n_told = 0;
	t->busy_ns = t->idle_ns = 0;
	t->spans = t->lost = t->nonsense = t->late = t->elsewhere = 0;
	t->begin_ns = t->settled_ns = t->left_ns = t->since_ns = now_ns;
	snprintf(t->device_pci, sizeof(t->device_pci), "%s", device_pci);
	for (int i = 0; i < t->n_queues; i++)
		t->queues[i].is_of_device = is_of_device(t, &t->queues[i].place);
}

void span_table_release(struct span_table *t)
{
	release_rows(t);
	free(t->queues);
	free(t->clocks);
	free(t->told);
	*t = (struct span_table){ 0 };
}

/* --- rows --- */

static bool is_row(const struct span_row *r, const char *name, bool is_kernel, uint64_t items)
{
	return r->is_kernel == is_kernel && r->items == items && !strcmp(r->name, name);
}

static int find_row(
	struct span_table *t, const char *name, bool is_kernel, uint64_t items, int *slot)
{
	uint64_t hash = hash_add(hash_add_text(HASH_START, name), &items, sizeof(items));
	unsigned at = (unsigned)((hash + is_kernel) % SLOTS);

	while (t->by_name[at] >= 0 && !is_row(&t->rows[t->by_name[at]], name, is_kernel, items))
		at = (at + 1) % SLOTS;
	*slot = (int)at;
	return t->by_name[at];
}

static int add_row(struct span_table *t, const char *name, bool is_kernel, uint64_t items, int slot)
{
	t->rows = xreallocarray(t->rows, (size_t)t->n_rows + 1, sizeof(*t->rows));
	t->rows[t->n_rows] = (struct span_row){
		.name = xstrdup(name), .is_kernel = is_kernel, .items = items, .min_ns = INT64_MAX
	};
	t->by_name[slot] = t->n_rows;
	return t->n_rows++;
}

static int sizes_of(const struct span_table *t, const char *name)
{
	int n = 0;

	for (int i = 0; i < t->n_rows; i++)
		n += t->rows[i].is_kernel && t->rows[i].items && !strcmp(t->rows[i].name, name);
	return n;
}

static int row_of(struct span_table *t, const struct span *s)
{
	uint64_t items = s->is_kernel ? s->items : 0;
	const char *name = s->name;
	int slot, found;

	if (!t->by_name) {
		t->by_name = xcalloc(SLOTS, sizeof(*t->by_name));
		for (int i = 0; i < SLOTS; i++)
			t->by_name[i] = -1;
	}
	found = find_row(t, name, s->is_kernel, items, &slot);
	if (found >= 0)
		return found;
	/* A kernel with many sizes has one row for those that come later. */
	if (items && sizes_of(t, name) >= SPAN_SIZES_MAX) {
		items = 0;
		found = find_row(t, name, s->is_kernel, items, &slot);
	}
	if (found < 0 && t->n_rows >= SPAN_ROWS_MAX - 1) {
		name = OTHERS;
		items = 0;
		found = find_row(t, name, true, items, &slot);
		return found >= 0 ? found : add_row(t, name, true, items, slot);
	}
	return found >= 0 ? found : add_row(t, name, s->is_kernel, items, slot);
}

/* --- queues and clocks --- */

static int clock_of(struct span_table *t, const struct span_place *p)
{
	for (int i = 0; i < t->n_clocks; i++)
		if (t->clocks[i].pid == p->pid && !strcmp(t->clocks[i].device, p->device))
			return i;
	t->clocks = xreallocarray(t->clocks, (size_t)t->n_clocks + 1, sizeof(*t->clocks));
	t->clocks[t->n_clocks] = (struct span_clock_of){ .pid = p->pid };
	snprintf(t->clocks[t->n_clocks].device, sizeof(t->clocks[0].device), "%s", p->device);
	return t->n_clocks++;
}

void span_table_queue(struct span_table *t, const struct span_place *p)
{
	t->queues = xreallocarray(t->queues, (size_t)t->n_queues + 1, sizeof(*t->queues));
	t->queues[t->n_queues] =
		(struct span_queue_state){ .place = *p, .is_of_device = is_of_device(t, p) };
	t->queues[t->n_queues].clock = clock_of(t, p);
	t->queues[t->n_queues].place.number = t->n_queues;
	t->n_queues++;
}

/* --- spans --- */

void span_table_lose(struct span_table *t, uint64_t n)
{
	/* A program may say what it likes; files have numbers with a sign. */
	t->lost += min_u64(n, INT64_MAX - t->lost);
}

/* Adds a call to its row. */
static bool add_call(struct span_row *r, int64_t length_ns)
{
	if (length_ns > INT64_MAX - r->sum_ns)
		return false;
	r->calls++;
	r->sum_ns += length_ns;
	r->min_ns = min_i64(r->min_ns, length_ns);
	r->max_ns = max_i64(r->max_ns, length_ns);
	return true;
}

static const struct span_told *refuse(struct span_table *t)
{
	t->nonsense++;
	return NULL;
}

const struct span_told *span_table_add(struct span_table *t, const struct span *s)
{
	struct span_told told = { .left_out = false };

	if (s->queue < 0 || s->queue >= t->n_queues || s->end < s->start || s->start <= 0 ||
		s->after < s->before || s->seen < s->after)
		return refuse(t);
	struct span_queue_state *q = &t->queues[s->queue];
	struct span_clock *c = &t->clocks[q->clock].clock;
	int64_t offset_ns = 0;
	if (s->is_matched) {
		if (s->start < s->before - MATCHED_NS || s->end > s->seen + MATCHED_NS)
			return refuse(t);
		told.doubt_ns = SPAN_ONE_CLOCK_NS;
	} else {
		if (!span_clock_learn(c, s))
			return refuse(t);
		offset_ns = span_clock_offset(c, &told.doubt_ns);
		told.doubt_ns = max_i64(told.doubt_ns, SPAN_DOUBT_NS);
	}
	told.start_ns = s->start + offset_ns;
	told.end_ns = s->end + offset_ns;
	/* What has ended before the table began, or within the time that is left out, is none of its. */
	if (told.end_ns <= t->begin_ns ||
		(told.start_ns >= t->left_ns - told.doubt_ns && told.end_ns <= t->since_ns))
		return NULL;
	told.row = row_of(t, s);
	if (!add_call(&t->rows[told.row], s->end - s->start))
		return refuse(t);
	t->spans++;
	t->elsewhere += !q->is_of_device;
	/* What finds no room has its calls and durations, and no share of the time. */
	if (t->n_told == SPAN_TOLD_MAX) {
		t->late++;
		return NULL;
	}
	int64_t late_ns = q->place.out_of_order ? LATE_BESIDE_NS : LATE_NS;
	t->late += told.end_ns <= t->settled_ns ||
		max_i64(told.start_ns, t->since_ns) < t->settled_ns - late_ns;
	t->told = array_grow(t->told, t->n_told, &t->cap_told, sizeof(*t->told));
	t->told[t->n_told] = told;
	return &t->told[t->n_told++];
}

/* --- time --- */

/* A command begins or ends. */
struct edge {
	int64_t at_ns;
	size_t told;
	bool ends;
};

static int compare(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	/* An end makes room for a beginning. */
	return (int)y->ends - (int)x->ends;
}

/* Gives an instant of that length to those that run in it. */
static void share(struct span_table *t, const size_t *running, int n, int64_t ns)
{
	if (n == 0) {
		t->idle_ns += ns;
		return;
	}
	int64_t each_ns = ns / n, rest_ns = ns % n;
	t->busy_ns += ns;
	for (int i = 0; i < n; i++) {
		struct span_row *r = &t->rows[t->told[running[i]].row];

		/* The remainder goes to the first ones, so that the sum is exact. */
		r->own_ns += each_ns + (i < rest_ns);
		if (n > 1)
			r->overlap_ns += ns;
	}
}

static int collect_edges(const struct span_table *t, int64_t until_ns, struct edge *edges)
{
	int n = 0;

	for (size_t i = 0; i < t->n_told; i++) {
		const struct span_told *s = &t->told[i];

		if (s->start_ns >= until_ns || s->end_ns <= t->settled_ns ||
			s->end_ns == s->start_ns)
			continue;
		edges[n++] = (struct edge){ max_i64(s->start_ns, t->settled_ns), i, false };
		if (s->end_ns <= until_ns)
			edges[n++] = (struct edge){ max_i64(s->end_ns, t->settled_ns), i, true };
	}
	qsort(edges, (size_t)n, sizeof(*edges), compare);
	return n;
}

static void sweep(struct span_table *t, const struct edge *edges, int n, int64_t until_ns)
{
	size_t running[RUNNING_MAX];
	int64_t at_ns = t->settled_ns;
	int n_running = 0;

	for (int i = 0; i < n; i++) {
		share(t, running, n_running, edges[i].at_ns - at_ns);
		at_ns = edges[i].at_ns;
		if (!edges[i].ends && n_running < RUNNING_MAX) {
			running[n_running++] = edges[i].told;
			continue;
		}
		/* Each is counted once, however often it is swept. */
		if (!edges[i].ends) {
			t->late += !t->told[edges[i].told].left_out;
			t->told[edges[i].told].left_out = true;
			continue;
		}
		for (int k = 0; k < n_running; k++)
			if (running[k] == edges[i].told) {
				running[k] = running[--n_running];
				break;
			}
	}
	share(t, running, n_running, until_ns - at_ns);
}

void span_table_settle(struct span_table *t, int64_t until_ns)
{
	size_t left = 0;

	if (until_ns <= t->settled_ns)
		return;
	struct edge *edges = xcalloc(2 * t->n_told + 1, sizeof(*edges));
	int n = collect_edges(t, until_ns, edges);
	sweep(t, edges, n, until_ns);
	free(edges);
	for (size_t i = 0; i < t->n_told; i++)
		if (t->told[i].end_ns > until_ns ||
			(t->keep_from_ns && t->told[i].end_ns > t->keep_from_ns))
			t->told[left++] = t->told[i];
	t->n_told = left;
	t->settled_ns = until_ns;
}

void span_table_skip(struct span_table *t, int64_t until_ns)
{
	int64_t gap_ns = max_i64(until_ns - t->settled_ns, 0);

	t->left_ns = t->settled_ns;
	t->begin_ns += gap_ns;
	t->settled_ns += gap_ns;
	t->since_ns = t->settled_ns;
}

static int compare_rows(const void *a, const void *b)
{
	const struct span_row *x = *(const struct span_row *const *)a,
			      *y = *(const struct span_row *const *)b;

	if (x->is_kernel != y->is_kernel)
		return x->is_kernel ? -1 : 1;
	if (x->own_ns != y->own_ns)
		return x->own_ns > y->own_ns ? -1 : 1;
	return strcmp(x->name, y->name);
}

int span_table_order(const struct span_table *t, const struct span_row **order)
{
	for (int i = 0; i < t->n_rows; i++)
		order[i] = &t->rows[i];
	qsort(order, (size_t)t->n_rows, sizeof(*order), compare_rows);
	return t->n_rows;
}
