/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations on the same place in global memory, UNROLL in each turn. Algorithms 4 and 5 of the thesis. Volatile, for else a
 * compiler keeps the values in registers and nothing of what is measured is left.
 * Parameters: y: one vec an item; m: two, used by turns; b: the constant of mad; turns of the loop.
 * FLOP an item: turns * UNROLL * WIDTH * FLOP of the operation. Bytes an item: for each operation two vec read, one written. */
#define STEP(n) do { \
	const vec a = m[i + ((n) & 1) * count]; \
	y[i] = EVEN(y[i]); \
} while (0)
#define STEPS_4(n) STEP(n); STEP((n) + 1); STEP((n) + 2); STEP((n) + 3)
#define STEPS_16(n) STEPS_4(n); STEPS_4(n); STEPS_4(n); STEPS_4(n)

__kernel void rt_loop(__global volatile vec *y, __global const volatile vec *m, __global const vec *unused, arg constant_a,
	arg constant_b, uint turns, ulong base)
{
	const vec b = (vec)(TYPE)constant_b;
	const size_t i = get_global_id(0);
	const size_t count = get_global_size(0);

	for (uint n = 0; n < turns; n++) {
#if UNROLL == 64
		STEPS_16(0); STEPS_16(0); STEPS_16(0); STEPS_16(0);
#else
		STEP(n);
#endif
	}
}
