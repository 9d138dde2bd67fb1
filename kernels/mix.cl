/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory and arithmetic together: ACCUMULATORS vec are loaded, STEPS multiply-adds are done with each, and they are stored in place.
 * Parameters: y: the array; a, b: the constants; turns: groups of ACCUMULATORS vec an item; base: where this launch begins.
 * FLOP an item: turns * ACCUMULATORS * WIDTH * 2 * STEPS. Bytes an item: turns * ACCUMULATORS vec read and as many written. */
#define PLACE(j) (first + (j) * get_local_size(0))
#define LOAD(j) vec x##j = y[PLACE(j)];
#define STEP(j) x##j = EVEN(x##j);
#define SAVE(j) y[PLACE(j)] = x##j;

__kernel void rt_mix(__global vec *y, __global const vec *in, __global const vec *unused, arg constant_a, arg constant_b, uint turns,
	ulong base)
{
	const vec a = (vec)(TYPE)constant_a;
	const vec b = (vec)(TYPE)constant_b;

	for (uint n = 0; n < turns; n++) {
		const size_t first = base + (get_group_id(0) * turns + n) * ACCUMULATORS * get_local_size(0) + get_local_id(0);

		EACH(LOAD)
		for (uint s = 0; s < STEPS; s++) {
			EACH(STEP)
		}
		EACH(SAVE)
	}
}
