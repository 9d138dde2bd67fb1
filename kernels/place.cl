/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where work-groups run. The functions are Intel's compiler's (intel-graphics-compiler, IBiF builtins: intel_get_slice_id and its
 * kin; which bits of the state register they read is in RTBuilder.cpp there). EMULATED: for tests on compilers that lack them, three
 * subslices that get groups in turn, and eight EUs that get eight items each in turn.
 * Parameters: a table of [slice][subslice][EUs, and the groups behind them], and how long an item stays, so that groups do not
 * follow each other on the first EU that is free. The last word of the table is never looked at.
 * DUAL: a subslice of the topology is a dual subslice, whose second half has its EUs behind 16 others. Before Gen11 the function for
 * it reads nothing, and later that for the subslice tells the half (seen in what ocloc makes for kbl and tgllp). */
#define SLICES 16
#define SUBSLICES 16
#define EUS 32
#ifdef EMULATED
#define intel_get_slice_id() 0u
#define intel_get_subslice_id() ((uint)get_group_id(0) % 3u)
#define intel_get_eu_id() ((uint)get_local_id(0) / 8u % 8u)
#else
uint __attribute__((overloadable)) intel_get_slice_id(void);
uint __attribute__((overloadable)) intel_get_subslice_id(void);
uint __attribute__((overloadable)) intel_get_dual_subslice_id(void);
uint __attribute__((overloadable)) intel_get_eu_id(void);
#endif

__kernel void rt_place(__global uint *table, uint turns)
{
	uint slice = intel_get_slice_id() % SLICES, eu = intel_get_eu_id() % 16;
#ifdef DUAL
	uint subslice = intel_get_dual_subslice_id() % SUBSLICES;

	eu += intel_get_subslice_id() % 2 * 16;
#else
	uint subslice = intel_get_subslice_id() % SUBSLICES;
#endif
	__global uint *row = table + (slice * SUBSLICES + subslice) * (EUS + 1);
	uint x = get_global_id(0);

	atomic_inc(row + eu);
	if (get_local_id(0) == 0)
		atomic_inc(row + EUS);
	for (uint i = 0; i < turns; i++)
		x = x * 1664525u + 1013904223u;
	if (x == turns)
		table[SLICES * SUBSLICES * (EUS + 1)] = x;
}
