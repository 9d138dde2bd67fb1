/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up by address, and keeps what is fullest. */
#include "config.h"

#include "core/value/code_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define SLOTS (2 * CODE_TABLE_PLACES)

void code_table_init(struct code_table *t, int n_counts)
{
	*t = (struct code_table){ .n_counts = n_counts,
		.places = xcalloc(CODE_TABLE_PLACES, sizeof(*t->places)),
		.index = xcalloc(SLOTS, sizeof(*t->index)) };
}

void code_table_release(struct code_table *t)
{
	free(t->places);
	free(t->index);
	*t = (struct code_table){ 0 };
}

void code_table_clear(struct code_table *t)
{
	t->n = 0;
	t->inexact = false;
	t->rest = (struct code_place){ 0 };
	memset(t->index, 0, SLOTS * sizeof(*t->index));
}

/* Returns where the number of a place stands or has room. */
static uint16_t *slot_of(const struct code_table *t, uint64_t address)
{
	uint64_t at = (address * 0x9e3779b97f4a7c15u) >> 51;

	while (t->index[at] && t->places[t->index[at] - 1].address != address)
		at = (at + 1) % SLOTS;
	return &t->index[at];
}

_Static_assert(SLOTS == 1 << (64 - 51), "the hash has as many values as there are slots");

static void add(struct code_place *to, const uint64_t *counts, int n)
{
	for (int i = 0; i < n; i++) {
		to->counts[i] += counts[i];
		to->sum += counts[i];
	}
}

/* Returns a fullness that no more than half of the places exceed, the smallest one. */
static uint64_t half_way(const struct code_table *t)
{
	uint64_t low = 0, high = UINT64_MAX;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		int above = 0;

		for (int i = 0; i < t->n; i++)
			above += t->places[i].sum > middle;
		if (above > t->n / 2)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void halve(struct code_table *t)
{
	uint64_t most = half_way(t);
	int n = t->n;

	t->n = 0;
	memset(t->index, 0, SLOTS * sizeof(*t->index));
	for (int i = 0; i < n; i++) {
		const struct code_place p = t->places[i];

		if (p.sum <= most) {
			add(&t->rest, p.counts, t->n_counts);
			continue;
		}
		t->places[t->n] = p;
		*slot_of(t, p.address) = (uint16_t)++t->n;
	}
	t->inexact = true;
}

void code_table_add(struct code_table *t, uint64_t address, const uint64_t *counts)
{
	uint16_t *slot = slot_of(t, address);

	if (!*slot && t->n == CODE_TABLE_PLACES) {
		halve(t);
		slot = slot_of(t, address);
	}
	if (!*slot) {
		t->places[t->n] = (struct code_place){ .address = address };
		*slot = (uint16_t)++t->n;
	}
	add(&t->places[*slot - 1], counts, t->n_counts);
}

void code_table_join(struct code_table *t, const struct code_list *l)
{
	for (int i = 0; i < l->n; i++)
		code_table_add(t, l->places[i].address, l->places[i].counts);
	add(&t->rest, l->rest.counts, t->n_counts);
	t->inexact |= !l->exact || l->rest.sum > 0;
}

void code_table_move(struct code_table *t, struct code_table *from)
{
	for (int i = 0; i < from->n; i++)
		code_table_add(t, from->places[i].address, from->places[i].counts);
	add(&t->rest, from->rest.counts, t->n_counts);
	t->inexact |= from->inexact;
	code_table_clear(from);
}

/* What is equally full is in the order of addresses. */
static bool comes_before(const struct code_place *a, const struct code_place *b)
{
	if (a->sum != b->sum)
		return a->sum > b->sum;
	return a->address < b->address;
}

void code_table_list(const struct code_table *t, struct code_list *out)
{
	*out = (struct code_list){ .rest = t->rest, .exact = !t->inexact };
	for (int i = 0; i < t->n; i++) {
		const struct code_place *p = &t->places[i];
		int at = out->n;

		while (at > 0 && comes_before(p, &out->places[at - 1]))
			at--;
		if (at == CODE_PLACES) {
			add(&out->rest, p->counts, t->n_counts);
			continue;
		}
		if (out->n == CODE_PLACES)
			add(&out->rest, out->places[--out->n].counts, t->n_counts);
		memmove(&out->places[at + 1], &out->places[at],
			(size_t)(out->n++ - at) * sizeof(*p));
		out->places[at] = *p;
	}
}
