/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a streaming multiprocessor (SM) of NVIDIA's GPUs can do in a clock, by compute capability. */
#pragma once

#include <stdbool.h>

/* Results of multiply-adds of one SM in a clock; 0: it has none, or nobody says. */
struct sm_lanes {
	int major, minor;
	int fp64, fp32, fp16;
	int tensor_half;	/* FP16 and BF16, dense */
	int tensor_int8, tensor_fp64;
	const char *architecture;
	bool certain;		/* somebody says so; else it goes by its kin */
};

/* What an SM has. A minor version that is not in the table goes by the one before it. The major
 * version is 0 where nothing is known. */
struct sm_lanes sm_lanes_of(int major, int minor);
