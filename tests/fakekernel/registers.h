/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The registers of the fake GPU: what reading gives and what writing does. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define FAKE_BAR_BYTES (16u << 20)
#define FAKE_MAX_SUBSLICES 64

/* What all processes see of the registers that are more than memory; lies in the tree
 * (i915/registers). Zeroed is a GPU after reset, but for what initialised stands for. */
struct fake_reg_state {
	bool initialised;
	uint32_t generation;		/* changes with each programming */
	/* model time since which the OA unit counts; 0: it does not */
	int64_t enabled_ns;
	uint32_t flex[FAKE_MAX_SUBSLICES][7];	/* EU_PERF_CNT_CTL of each subslice */
	uint32_t wells[2];		/* forcewake bits that are held: render, GT */
	uint32_t steering;		/* as the kernel has it */
	uint32_t n_writes;
	struct {
		uint32_t kind, address, value;
	} writes[1024];			/* to the OA unit and its signal network, in order */
};

/* Opens the files of the tree behind the registers; once does for a process. False: they are not
 * there. */
bool fake_registers_open(void);
/* before_write: the instruction at hand writes, and may read as well. */
uint32_t fake_register_read(uint32_t address, bool before_write);
void fake_register_write(uint32_t address, uint32_t value);
