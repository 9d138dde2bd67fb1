/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where groups ran: the table, its words, and what the model deals. */
#include "config.h"

#include "core/work/placement.h"

#include <stdio.h>
#include <string.h>

#include "backends/sim/model/placement.h"
#include "base/mem.h"
#include "tests/tap.h"

static void test_table(void)
{
	struct placement p = { 0 };
	char buf[64];

	placement_cell(&p, 1, 0)->groups = 2;
	placement_cell(&p, 0, 2)->groups = 1;
	placement_cell(&p, 0, 0)->groups = 2;
	placement_cell(&p, 1, 0)->items[9] = 4;
	is_int(p.n, 3, "a cell is there once");
	is_int(p.cells[0].subslice * 10 + p.cells[1].subslice, 2, "cells stand in order");
	is_int(p.cells[2].slice, 1, "of slices first");
	is_int(placement_eus(&p), 10, "up to the last EU that ran anything");
	is_str(placement_busiest(&p, 3, buf, sizeof(buf)), "S0SS0 S1SS0", "those with more");
	is_str(placement_busiest(&p, 6, buf, sizeof(buf)), "S0SS0 S0SS2 S1SS0",
		"more than nothing, where some had nothing");
	is_str(placement_busiest(&p, 3, buf, 12), "S0SS0 ...", "names are cut where there is no room");
	p.cells[1].groups = 2;
	is_str(placement_busiest(&p, 3, buf, sizeof(buf)), "", "all had as many");
	p = (struct placement){ 0 };
	for (int i = 0; i < PLACEMENT_MAX; i++)
		placement_cell(&p, i / PLACEMENT_SUBSLICES, i % PLACEMENT_SUBSLICES);
	ok(!placement_cell(&p, 15, 15), "a table that is full");
	ok(placement_cell(&p, 3, 15) == &p.cells[63], "still has its cells");
}

/* Groups of each subslice by hand: k groups in turn. */
static const struct dealt {
	const char *what;
	uint64_t mask;
	int stride, groups, items;
	int n;
	uint64_t want[4];
	uint64_t first_eu, last_eu;	/* items on EU 0 and on EU 7 of the first subslice */
} dealt[] = {
	{ "one", 7, 3, 1, 256, 1, { 1 }, 32, 32 },
	{ "four", 7, 3, 4, 256, 3, { 2, 1, 1 }, 64, 64 },
	{ "five", 7, 3, 5, 256, 3, { 2, 2, 1 }, 64, 64 },
	{ "seven", 7, 3, 7, 256, 3, { 3, 2, 2 }, 96, 96 },
	{ "22, which do not fit at once", 7, 3, 22, 256, 3, { 8, 7, 7 }, 256, 256 },
	{ "63", 7, 3, 63, 256, 3, { 21, 21, 21 }, 672, 672 },
	/* 5 threads a group: the second group goes on where the first one ended */
	{ "groups of five threads", 7, 3, 4, 160, 3, { 2, 1, 1 }, 64, 32 },
	{ "a last thread that is not full", 7, 3, 1, 250, 1, { 1 }, 32, 26 },
	{ "a subslice that is fused off", 5, 3, 3, 256, 2, { 2, 1 }, 64, 64 },
	{ "a second slice", 1 | 1 << 3, 3, 3, 256, 2, { 2, 1 }, 64, 64 },
};

static void test_model(const struct dealt *d)
{
	struct eu_config c = { .eus_per_subslice = 8, .threads_per_eu = 7 };
	struct topology t = { .subslice_mask = d->mask, .subslice_mask_stride = d->stride };
	struct kernel k = { .simd = 32 };
	struct placement p;
	uint64_t items = 0;

	placement_of_launch(&p, &c, &t, &k, d->groups, d->items);
	is_int(p.n, d->n, "%s: subslices with groups", d->what);
	for (int i = 0; i < p.n; i++) {
		is_int((long long)p.cells[i].groups, (long long)d->want[i], "%s: groups", d->what);
		for (int eu = 0; eu < PLACEMENT_EUS; eu++)
			items += p.cells[i].items[eu];
	}
	is_int((long long)items, d->groups * d->items, "%s: every item is somewhere", d->what);
	is_int((long long)p.cells[0].items[0], (long long)d->first_eu, "%s: EU 0", d->what);
	is_int((long long)p.cells[0].items[7], (long long)d->last_eu, "%s: EU 7", d->what);
	if (d->mask != 7)
		is_int(p.cells[1].slice * 10 + p.cells[1].subslice, d->mask == 5 ? 2 : 10,
			"%s: has the number of the hardware", d->what);
}

int main(void)
{
	test_table();
	for (size_t i = 0; i < ARRAY_LEN(dealt); i++)
		test_model(&dealt[i]);
	return done_testing();
}
