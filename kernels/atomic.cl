/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Increments by all items: of one counter, of one in a cache line of its own, of one of the group.
 * Parameters: counters; turns: increments an item; slm: one counter.
 * FLOP: none. Operations an item: turns. */
#define LINE_WORDS 16

__kernel void rt_atomic_same(__global uint *counters, __global const uint *in, __global const uint *unused, float constant_a,
	float constant_b, uint turns, ulong base)
{
	for (uint n = 0; n < turns; n++)
		atomic_inc(counters);
}

__kernel void rt_atomic_spread(__global uint *counters, __global const uint *in, __global const uint *unused, float constant_a,
	float constant_b, uint turns, ulong base)
{
	for (uint n = 0; n < turns; n++)
		atomic_inc(counters + get_global_id(0) * LINE_WORDS);
}

__kernel void rt_atomic_local(__global uint *counters, __global const uint *in, __global const uint *unused, float constant_a,
	float constant_b, uint turns, ulong base, __local uint *slm)
{
	if (get_local_id(0) == 0)
		*slm = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint n = 0; n < turns; n++)
		atomic_inc(slm);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == 0)
		atomic_add(counters, *slm);
}
