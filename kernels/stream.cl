/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks over arrays. The items of a work-group take turns vec each from one block, side by side.
 * Parameters: out, in, in2: arrays of vec; a: the constant; turns: vec an item; base: where in the arrays this launch begins.
 * FLOP an item: triad two, update one for each element. Bytes an item, in vec for each turn: read 1 read (and in all 1 written),
 * write 1 written, stream 1 read 1 written, triad 2 read 1 written, update 1 read 1 written. */
#define PLACE(n) (base + (get_group_id(0) * turns + (n)) * get_local_size(0) + get_local_id(0))

#if defined(NON_TEMPORAL) && defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#define STORE(value, place) __builtin_nontemporal_store(value, place)
#endif
#endif
#ifndef STORE
#define STORE(value, place) (*(place) = (value))
#endif

__kernel void rt_read(__global uvec *out, __global const uvec *in, __global const vec *unused, arg constant_a, arg constant_b,
	uint turns, ulong base)
{
	uvec sum = (uvec)(UINT)0;

	for (uint n = 0; n < turns; n++)
		sum += in[PLACE(n)];
	out[get_global_id(0)] = sum;
}

#ifdef STRIDE
/* Words that are STRIDE apart; base counts words with their gaps. Bytes an item: turns words read, one written. */
__kernel void rt_stride(__global uint *out, __global const uint *in, __global const uint *unused, float constant_a, float constant_b,
	uint turns, ulong base)
{
	uint sum = 0;

	for (uint n = 0; n < turns; n++)
		sum += in[base + ((get_group_id(0) * turns + n) * get_local_size(0) + get_local_id(0)) * STRIDE];
	out[get_global_id(0)] = sum;
}
#endif

__kernel void rt_write(__global uvec *out, __global const vec *in, __global const vec *unused, arg constant_a, arg constant_b,
	uint turns, ulong base)
{
	for (uint n = 0; n < turns; n++)
		out[PLACE(n)] = (uvec)(UINT)PLACE(n);
}

__kernel void rt_stream(__global vec *out, __global const vec *in, __global const vec *unused, arg constant_a, arg constant_b,
	uint turns, ulong base)
{
	for (uint n = 0; n < turns; n++)
		out[PLACE(n)] = in[PLACE(n)];
}

__kernel void rt_triad(__global vec *out, __global const vec *in, __global const vec *in2, arg constant_a, arg constant_b,
	uint turns, ulong base)
{
	const vec a = (vec)(TYPE)constant_a;

	for (uint n = 0; n < turns; n++)
		STORE(MULTIPLY_ADD(in2[PLACE(n)], a, in[PLACE(n)]), &out[PLACE(n)]);
}

__kernel void rt_update(__global vec *out, __global const vec *in, __global const vec *unused, arg constant_a, arg constant_b,
	uint turns, ulong base)
{
	const vec a = (vec)(TYPE)constant_a;

	for (uint n = 0; n < turns; n++)
		out[PLACE(n)] = a - out[PLACE(n)];
}
