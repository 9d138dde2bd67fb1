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
