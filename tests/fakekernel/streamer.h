/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command streamer of the fake Intel drivers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/fakekernel/intel/intel.h"

struct fake_batch {
	/* So many bytes of the GPU's memory at an address of this batch's space; NULL: nothing is
	 * there. */
	uint8_t *(*memory)(const void *space, uint64_t address, size_t n);
	const void *space;
	uint32_t context;	/* whose batch it is: a context of i915, a queue of xe */
};

/* Runs what lies at an address to the end of the batch. False: the GPU hangs on it. */
bool fake_batch_run(const struct fake_batch *b, uint64_t address);
/* The stream of this process, whose programming reports are made with; context 0: of the whole GPU.
 * NULL: none any more. */
void fake_streamer_sees(struct fake_oa *s, uint32_t context);
