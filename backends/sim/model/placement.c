/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deals groups and threads one by one. */
#include "config.h"

#include "backends/sim/model/placement.h"

/* The subslices that are there, in the order in which groups are dealt to them. */
static int list_subslices(const struct topology *t, int bits[PLACEMENT_MAX])
{
	int n = 0;

	for (int bit = 0; bit < 64 && n < PLACEMENT_MAX; bit++) {
		if (t->subslice_mask >> bit & 1)
			bits[n++] = bit;
	}
	return n;
}

/* Adds one group: at is the number of threads that its subslice has been dealt in this wave. */
static void add_group(struct placement_cell *cell, const struct eu_config *c, int simd, int items,
	int *at)
{
	cell->groups++;
	for (int left = items; left > 0; left -= simd, (*at)++) {
		int eu = *at % c->eus_per_subslice % PLACEMENT_EUS;

		cell->items[eu] += (uint64_t)(left < simd ? left : simd);
	}
}

void placement_of_launch(struct placement *out, const struct eu_config *c,
	const struct topology *t, const struct kernel *k, int groups, int items)
{
	int bits[PLACEMENT_MAX], n = list_subslices(t, bits);
	int threads = (items + k->simd - 1) / k->simd;
	int resident = c->eus_per_subslice * c->threads_per_eu / threads;
	int stride = t->subslice_mask_stride;

	/* Parts whose masks have no slices number their subslices through. */
	if (stride <= 0)
		stride = t->max_subslices;
	if (stride <= 0 || stride > PLACEMENT_SUBSLICES)
		stride = PLACEMENT_SUBSLICES;
	/* A group that is larger than its subslice runs there by itself, in parts. */
	if (resident < 1)
		resident = 1;

	*out = (struct placement){ 0 };
	for (int i = 0; i < n && i < groups; i++) {
		struct placement_cell *cell = placement_cell(out,
			bits[i] / stride, bits[i] % stride);
		int at = 0, dealt = 0;

		/* The next wave begins when the last one has left. */
		for (int g = i; g < groups; g += n, dealt++) {
			if (dealt % resident == 0)
				at = 0;
			add_group(cell, c, k->simd, items, &at);
		}
	}
}
