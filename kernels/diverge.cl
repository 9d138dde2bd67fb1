/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Items that go different ways: item i of its group does the steps of way i % WAYS, and a hardware thread goes all ways that its items go.
 * Parameters: out, in: one word an item; turns of the loop.
 * FLOP: none. Operations an item: 16 in each turn. Bytes an item: one word read, one written. */
#define WAY_STEPS 16
#define WAY(w)                                                                                                                   \
	if (mine == w)                                                                                                           \
		for (uint s = 0; s < WAY_STEPS; s++)                                                                                 \
			x = x * (2u * w + 3u) ^ (x >> (w % 7u + 1u));

__kernel void rt_diverge(__global uint *out, __global const uint *in, __global const uint *unused, float constant_a, float constant_b,
	uint turns, ulong base)
{
	const uint mine = (uint)get_local_id(0) % WAYS;
	uint x = in[get_global_id(0)];

	for (uint n = 0; n < turns; n++) {
		WAY(0u)
#if WAYS > 1
		WAY(1u)
#endif
#if WAYS > 2
		WAY(2u) WAY(3u)
#endif
#if WAYS > 4
		WAY(4u) WAY(5u) WAY(6u) WAY(7u)
#endif
#if WAYS > 8
		WAY(8u) WAY(9u) WAY(10u) WAY(11u) WAY(12u) WAY(13u) WAY(14u) WAY(15u)
#endif
#if WAYS > 16
		WAY(16u) WAY(17u) WAY(18u) WAY(19u) WAY(20u) WAY(21u) WAY(22u) WAY(23u)
		WAY(24u) WAY(25u) WAY(26u) WAY(27u) WAY(28u) WAY(29u) WAY(30u) WAY(31u)
#endif
	}
	out[get_global_id(0)] = x;
}
