/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of lanes. */
#include "config.h"

#include "backends/nvidia/sm_table.h"

#include <stddef.h>

#include "base/mem.h"

/* Plain lanes: CUDA C++ programming guide, table "Throughput of native arithmetic instructions"
 * (5.x to 8.9, 12.0); openxla/xla, cuda_core_info_table.cc, after NVIDIA's white papers (9.0,
 * 10.0); 10.3 as a B300 was measured (FP64 1/64 of FP32: ProjectPhysX/OpenCL-Benchmark). Tensor
 * units: white papers and the same table of XLA; 7.5, 8.6 and 8.9 from the data sheets of T4, A10
 * and L40S over their units and clock. The tensor units of FP16 count with 16 bits of accumulation
 * where GeForce cards have half of that with 32. 12.1 (GB10) has the SM of 12.0. Of 8.7 (Orin) and
 * 11.0 (Thor) the FP32 lanes are those of their data sheets, 2048 and 2560 over 16 and 20 SMs; the
 * rest goes by their kin. */
static const struct sm_lanes table[] = {
	{ 5, 0, 4, 128, 0, 0, 0, 0, "Maxwell", true },
	{ 5, 2, 4, 128, 0, 0, 0, 0, "Maxwell", true },
	{ 5, 3, 4, 128, 256, 0, 0, 0, "Maxwell", true },
	{ 6, 0, 32, 64, 128, 0, 0, 0, "Pascal", true },
	{ 6, 1, 4, 128, 2, 0, 0, 0, "Pascal", true },
	{ 6, 2, 4, 128, 256, 0, 0, 0, "Pascal", true },
	{ 7, 0, 32, 64, 128, 512, 0, 0, "Volta", true },
	{ 7, 5, 2, 64, 128, 512, 1024, 0, "Turing", true },
	{ 8, 0, 32, 64, 256, 1024, 2048, 64, "Ampere", true },
	{ 8, 6, 2, 128, 128, 512, 1024, 0, "Ampere", true },
	{ 8, 7, 2, 128, 128, 0, 0, 0, "Ampere", false },
	{ 8, 9, 2, 128, 128, 512, 1024, 0, "Ada", true },
	{ 9, 0, 64, 128, 256, 2048, 4096, 128, "Hopper", true },
	{ 10, 0, 64, 128, 128, 4096, 8192, 64, "Blackwell", true },
	{ 10, 3, 2, 128, 128, 4096, 0, 0, "Blackwell", true },
	{ 11, 0, 2, 128, 128, 0, 0, 0, "Blackwell", false },
	{ 12, 0, 2, 128, 128, 512, 1024, 0, "Blackwell", true },
	{ 12, 1, 2, 128, 128, 512, 1024, 0, "Blackwell", true },
};

struct sm_lanes sm_lanes_of(int major, int minor)
{
	struct sm_lanes found = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		const struct sm_lanes *l = &table[i];

		/* the newest one that is not newer; else the first one */
		if (l->major == major && (l->minor <= minor || !found.major))
			found = *l;
	}
	if (found.major && found.minor != minor)
		found.certain = false;
	return found;
}
