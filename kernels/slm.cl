/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared local memory, one vec of it an item.
 * Parameters: out, in: one vec an item; slm: one vec an item of the group; turns of the loop.
 * FLOP: none. Local bytes an item, in vec: swap 1 written and 1 read in each turn; read 1 written, and 1 read in each turn.
 * reduce nearly 2 written and 3 read, broadcast 1 read and 1 written by the group. Bytes an item: one vec read, one written.
 * Operations an item of reduce, broadcast and barrier: 1 in each turn. */
__kernel void rt_swap(__global vec *out, __global const vec *in, __global const vec *unused, arg constant_a, arg constant_b,
	uint turns, ulong base, __local vec *slm)
{
	const size_t mine = get_local_id(0);
	const size_t next = mine + 1 < get_local_size(0) ? mine + 1 : 0;
	vec x = in[get_global_id(0)];

	for (uint n = 0; n < turns; n++) {
		slm[mine] = x;
		barrier(CLK_LOCAL_MEM_FENCE);
		x = slm[next];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = x;
}

__kernel void rt_slm_read(__global uvec *out, __global const uvec *in, __global const vec *unused, arg constant_a, arg constant_b,
	uint turns, ulong base, __local uvec *slm)
{
	const size_t size = get_local_size(0);
	size_t at = get_local_id(0);
	uvec sum = (uvec)(UINT)0;

	slm[at] = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint n = 0; n < turns; n++) {
		sum = rotate(sum, (uvec)(UINT)1) + slm[at];
		at = at + 1 < size ? at + 1 : 0;
	}
	out[get_global_id(0)] = sum;
}

/* The sum of the group, which each item then sets apart again by its number. Sizes need not be powers of two. */
__kernel void rt_reduce(__global uint *out, __global const uint *in, __global const uint *unused, float constant_a, float constant_b,
	uint turns, ulong base, __local uint *slm)
{
	const uint mine = (uint)get_local_id(0);
	uint x = in[get_global_id(0)];

	for (uint n = 0; n < turns; n++) {
		slm[mine] = x;
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint left = (uint)get_local_size(0); left > 1;) {
			const uint half_of_it = (left + 1) / 2;

			if (mine + half_of_it < left)
				slm[mine] += slm[mine + half_of_it];
			barrier(CLK_LOCAL_MEM_FENCE);
			left = half_of_it;
		}
		x = slm[0] + mine;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = x;
}

__kernel void rt_broadcast(__global uint *out, __global const uint *in, __global const uint *unused, float constant_a, float constant_b,
	uint turns, ulong base, __local uint *slm)
{
	const uint mine = (uint)get_local_id(0), size = (uint)get_local_size(0);
	uint x = in[get_global_id(0)];

	for (uint n = 0; n < turns; n++) {
		if (mine == n % size)
			*slm = x;
		barrier(CLK_LOCAL_MEM_FENCE);
		x += *slm;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = x;
}

__kernel void rt_barrier(__global uint *out, __global const uint *in, __global const uint *unused, float constant_a, float constant_b,
	uint turns, ulong base, __local uint *slm)
{
	for (uint n = 0; n < turns; n++)
		barrier(CLK_LOCAL_MEM_FENCE);
	out[get_global_id(0)] = in[get_global_id(0)];
}
