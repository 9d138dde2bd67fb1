/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One item follows a cycle of indices, one in each 64 bytes.
 * Parameters: out: where it ends; ring: the cycle; turns: steps.
 * FLOP: none. Steps: turns. Bytes: turns indices read, one written. */
__kernel void rt_chase(__global uint *out, __global const uint *ring, __global const uint *unused, float constant_a,
	float constant_b, uint turns, ulong base)
{
	uint at = 0;

	for (uint n = 0; n < turns; n++)
		at = ring[at];
	out[0] = at;
}

/* Each group is one item with a cycle of its own of RING_WORDS words. out: where each ends in its own. */
#ifdef RING_WORDS
__kernel void rt_walkers(__global uint *out, __global const uint *rings, __global const uint *unused, float constant_a,
	float constant_b, uint turns, ulong base)
{
	__global const uint *ring = rings + get_group_id(0) * (ulong)RING_WORDS;
	uint at = 0;

	for (uint n = 0; n < turns; n++)
		at = ring[at];
	out[get_group_id(0)] = at;
}
#endif
