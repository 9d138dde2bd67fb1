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
 * where GeForce cards have half of that with 32. */
static const struct sm_lanes table[] = {
	{ 5, 0, 4, 128, 0, 0, 0, 0, "Maxwell" },
	{ 5, 2, 4, 128, 0, 0, 0, 0, "Maxwell" },
	{ 6, 0, 32, 64, 128, 0, 0, 0, "Pascal" },
	{ 6, 1, 4, 128, 2, 0, 0, 0, "Pascal" },
	{ 7, 0, 32, 64, 128, 512, 0, 0, "Volta" },
	{ 7, 5, 2, 64, 128, 512, 1024, 0, "Turing" },
	{ 8, 0, 32, 64, 256, 1024, 2048, 64, "Ampere" },
	{ 8, 6, 2, 128, 128, 512, 0, 0, "Ampere" },
	{ 8, 9, 2, 128, 128, 512, 1024, 0, "Ada" },
	{ 9, 0, 64, 128, 256, 2048, 4096, 128, "Hopper" },
	{ 10, 0, 64, 128, 128, 4096, 8192, 64, "Blackwell" },
	{ 10, 3, 2, 128, 128, 4096, 0, 0, "Blackwell" },
	{ 12, 0, 2, 128, 128, 512, 1024, 0, "Blackwell" },
};

const struct sm_lanes *sm_lanes_find(int major, int minor)
{
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (table[i].major == major && table[i].minor == minor)
			return &table[i];
	return NULL;
}
