/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The GPU behind the fake panfrost and the fake kbase: the model of the simulated device.
 *
 * Own files of the tree: mali/model (spec of the simulated device, "g72,load=memory"), mali/version (kbase: interface that the driver
 * speaks, "11.13"; "old 10.6" and "csf 1.20" are the others), mali/bytes (kbase: size of a dump when it is to be wrong),
 * mali/owner.lock (panfrost: who counts), mali/core_bits (kbase: cores are named by their bits, as early kinstr_prfcnt did),
 * mali/hung (while it is there, calls that wait for the GPU do not return), mali/made (kinstr_prfcnt alone: "GPU_ID SLICES CORES WORDS",
 * hexadecimal and decimal, a GPU whose dumps have made-up words and last FAKE_MADE_NS each). */
#pragma once

#include <stdint.h>

#include "backends/sim/model/mali_gpu.h"

#define FAKE_MALI_DUMP_BYTES (MALI_MAX_BLOCKS * MALI_BLOCK_BYTES)

/* One who counts: what there was at the last dump. */
struct fake_counting {
	struct mali_sums before;
	int64_t since_ns;
};

#define FAKE_MADE_NS 500000000
#define FAKE_MADE_CYCLES 400000000

struct fake_made {
	struct mali_identity id;
	int cores, words;
};

/* NULL: the model is behind it. */
const struct fake_made *fake_mali_made(void);
/* Of the one or the other. */
const struct mali_identity *fake_mali_identity(void);
/* Fills in a made-up block, by its kind (0 to 3: front end, tiler, L2, core) and number. */
void fake_mali_words(int block, int index, uint64_t values[MALI_MAX_WORDS]);

/* NULL when the tree has no Mali GPU. */
const struct mali_gpu *fake_mali_gpu(void);
const struct mali_machine *fake_mali_machine(void);
uint64_t fake_mali_clock_hz(void);
/* Begins anew. */
void fake_counting_clear(struct fake_counting *c);
/* A dump of what was counted since, and the clocks of that time; what began there begins anew. dump
 * may be NULL, delta too. */
void fake_counting_dump(struct fake_counting *c, void *dump, struct mali_sums *delta);

/* Returns when the GPU answers. */
void fake_mali_wait(void);
/* errno and -1. */
int fake_mali_fail(int error);
