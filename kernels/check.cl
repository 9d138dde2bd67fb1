/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data and their comparison, for all kernels.
 * rt_fill: element i of out becomes a number of the binade of first_bits with MANTISSA bits that follow from i and seed.
 * rt_digest: item i of n sums up words first + i, first + i + n, ... so that any changed bit changes it. */
__kernel void rt_fill(__global UINT *out, ulong first_bits, ulong seed)
{
	ulong z = (get_global_id(0) + seed) * 0x9e3779b97f4a7c15UL;

	z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93UL;
	out[get_global_id(0)] = (UINT)(first_bits | ((z >> 11) & MANTISSA));
}

__kernel void rt_digest(__global const uint *words, __global uint *digests, ulong first, ulong end)
{
	uint digest = 0;

	for (ulong i = first + get_global_id(0); i < end; i += get_global_size(0))
		digest = rotate(digest, 5U) * 3U + words[i] + 1U;
	digests[get_global_id(0)] = digest;
}
