/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two ways to the sum of a work-group, whose parts are runs of RUN items; each item then sets the sum apart by its number. The first
 * item of a run adds up the run. Then either one run after the other adds its sum to what it is handed, as threads that send
 * messages do, with a barrier for each; or every item reads the sums of all runs.
 * Parameters: out, in: one word an item; slm: one word an item of the group; turns of the loop.
 * FLOP: none. Operations an item: 1 in each turn. Bytes an item: one word read, one written. Local bytes are not counted: how many
 * sums are read depends on the size of the group. */
#define RUN 16u

/* Leaves the sum of each run in its first word, which only the run's first item writes. */
uint sum_of_run(__local uint *slm, uint mine, uint size, uint x)
{
	const uint end = min(mine + RUN, size);
	uint sum = 0;

	slm[mine] = x;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (mine % RUN == 0) {
		for (uint i = mine; i < end; i++)
			sum += slm[i];
		slm[mine] = sum;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	return sum;
}

__kernel void rt_reduce_chain(__global uint *out, __global const uint *in, __global const uint *unused, float constant_a,
	float constant_b, uint turns, ulong base, __local uint *slm)
{
	const uint mine = (uint)get_local_id(0), size = (uint)get_local_size(0), last = (size - 1) / RUN;
	uint x = in[get_global_id(0)];

	for (uint n = 0; n < turns; n++) {
		const uint sum = sum_of_run(slm, mine, size, x);

		for (uint run = 1; run <= last; run++) {
			if (mine == run * RUN)
				slm[mine] = sum + slm[mine - RUN];
			barrier(CLK_LOCAL_MEM_FENCE);
		}
		x = slm[last * RUN] + mine;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = x;
}

__kernel void rt_reduce_all(__global uint *out, __global const uint *in, __global const uint *unused, float constant_a,
	float constant_b, uint turns, ulong base, __local uint *slm)
{
	const uint mine = (uint)get_local_id(0), size = (uint)get_local_size(0);
	uint x = in[get_global_id(0)];

	for (uint n = 0; n < turns; n++) {
		sum_of_run(slm, mine, size, x);
		x = mine;
		for (uint i = 0; i < size; i += RUN)
			x += slm[i];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = x;
}
