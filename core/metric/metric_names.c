/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of metric files: a hash table, and the nearest name to a mistyped one. */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/near.h"
#include "core/metric/metric_priv.h"

static struct name_entry *slot_of(const struct name_table *t, const char *name, size_t len)
{
	uint64_t h = hash_add(HASH_START, name, len);

	for (size_t i = h & (t->n_slots - 1);; i = (i + 1) & (t->n_slots - 1)) {
		struct name_entry *e = &t->slots[i];

		if (!e->name || (e->len == len && !memcmp(e->name, name, len)))
			return e;
	}
}

const struct name_entry *name_find(const struct name_table *t, const char *name, size_t len)
{
	if (!t->n_slots)
		return NULL;
	const struct name_entry *e = slot_of(t, name, len);
	if (!e->name)
		return NULL;
	return e;
}

void name_add(struct name_table *t, const char *name, enum name_kind kind, int index)
{
	size_t len = strlen(name);

	if (2 * (t->count + 1) > t->n_slots) {
		struct name_table bigger = { .n_slots = t->n_slots ? 2 * t->n_slots : 64,
			.count = t->count };

		bigger.slots = xcalloc(bigger.n_slots, sizeof(*bigger.slots));
		for (size_t i = 0; i < t->n_slots; i++) {
			if (t->slots[i].name)
				*slot_of(&bigger, t->slots[i].name, t->slots[i].len) = t->slots[i];
		}
		free(t->slots);
		*t = bigger;
	}
	struct name_entry *e = slot_of(t, name, len);
	assert(!e->name);
	*e = (struct name_entry){ .name = name, .len = len, .kind = kind, .index = index };
	t->count++;
}

void name_clear(struct name_table *t)
{
	free(t->slots);
	*t = (struct name_table){ 0 };
}

void name_nearest(
	const struct name_table *t, const char *name, size_t len, const char **best, int *distance)
{
	for (size_t i = 0; i < t->n_slots; i++) {
		const struct name_entry *e = &t->slots[i];

		if (!e->name || e->len > len + 2 || len > e->len + 2)
			continue;
		int d = near_distance(name, len, e->name, e->len);
		if (d < *distance || (d == *distance && *best && strcmp(e->name, *best) < 0)) {
			*best = e->name;
			*distance = d;
		}
	}
}
