/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations on registers, ACCUMULATORS independent chains an item. Algorithms 6 (flops.private) and 8 (power) of the thesis.
 * Parameters: out, in: one vec an item; a, b: the constants; turns of the loop, UNROLL operations on each chain in each.
 * FLOP an item: turns * UNROLL * ACCUMULATORS * WIDTH * FLOP of the operation. Bytes an item: one vec read, one written. */
/* The chains of an item start at values of their own: equal ones would cancel out in the result. */
#define START(j) vec x##j = as_vec(as_uvec(v) ^ (uvec)(UINT)((j) * 0x1a5eU & MANTISSA));
#define STEP_EVEN(j) x##j = EVEN(x##j);
#define STEP_ODD(j) x##j = ODD(x##j);
#define TWO_STEPS EACH(STEP_EVEN) EACH(STEP_ODD)
#define FOLD(j) bits = rotate(bits, (uvec)(UINT)7) ^ as_uvec(x##j);

__kernel void rt_private(__global uvec *out, __global const vec *in, __global const vec *unused, arg constant_a,
	arg constant_b, uint turns, ulong base)
{
	const vec a = (vec)(TYPE)constant_a;
	const vec b = (vec)(TYPE)constant_b;
	const vec v = in[get_global_id(0)];
	uvec bits = (uvec)(UINT)0;

	EACH(START)
	for (uint n = 0; n < turns; n++) {
		TWO_STEPS
#if UNROLL >= 4
		TWO_STEPS
#endif
#if UNROLL >= 8
		TWO_STEPS
		TWO_STEPS
#endif
	}
	EACH(FOLD)
	out[get_global_id(0)] = bits;
}
