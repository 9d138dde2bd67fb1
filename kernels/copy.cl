/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each item copies its element turns times. Algorithm 7 of the thesis; volatile, for else one copy is left.
 * Parameters: out, in: one vec an item.
 * FLOP an item: none. Bytes an item: turns vec read and as many written. */
__kernel void rt_copy(__global volatile vec *out, __global const volatile vec *in, __global const vec *unused, arg constant_a,
	arg constant_b, uint turns, ulong base)
{
	const size_t i = get_global_id(0);

	for (uint n = 0; n < turns; n++)
		out[i] = in[i];
}
