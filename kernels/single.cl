/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One operation on global memory. Algorithm 3 of the thesis.
 * Parameters: y: one vec an item; m: two, for even and odd launches; b: the constant of mad; base: 0, or the number of items.
 * FLOP an item: WIDTH * FLOP of the operation. Bytes an item: two vec read, one written. */
__kernel void rt_single(__global vec *y, __global const vec *m, __global const vec *unused, arg constant_a, arg constant_b,
	uint turns, ulong base)
{
	const vec b = (vec)(TYPE)constant_b;
	const size_t i = get_global_id(0);
	const vec a = m[i + base];

	y[i] = EVEN(y[i]);
}
