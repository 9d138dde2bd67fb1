/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the OA unit's registers lie in each generation: the facts are rows, each with its
 * source. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "backends/intel/oa/oa_profile.h"
#include "backends/intel/platform/platform.h"

/* A run of counter registers. Number first lies at address low, the next ones stride bytes apart. A
 * counter of 40 bits has its upper byte in the register behind the lower one (stride 8). */
struct oa_reg_run {
	char bank;
	uint8_t first, count;
	uint32_t low;
	uint8_t stride;
};

/* A counter that runs whether or not the unit is switched on, with registers of its own. */
struct oa_free_counter {
	uint8_t number;		/* of A */
	uint32_t low, high;
};

/* The fields of the register that says which slice and subslice answers the read of a replicated
 * register. */
struct oa_steering {
	uint32_t address;
	uint8_t slice_shift, subslice_shift;
	uint32_t slice_mask, subslice_mask;	/* before shifting */
	/* While this bit is set a write reaches all instances; it does not matter to reads (Linux
	 * intel_gt_mcr.c). 0: writes are not steered. */
	uint32_t multicast;
};

#define OA_REG_RUNS 5
#define OA_FREE_COUNTERS 4

struct oa_reg_set {
	const char *unit;		/* "OA", "OAG" */
	uint16_t first_verx10, last_verx10;
	uint32_t control, control_on;		/* counters enabled */
	uint32_t run, run_on;			/* counters run (not stopped), no timer reports */
	uint32_t ticks;
	struct oa_reg_run runs[OA_REG_RUNS];	/* count 0: end */
	struct oa_free_counter free[OA_FREE_COUNTERS];	/* low 0: end */
	struct oa_steering steering;
	const char *source;
};

#define OA_CONTROL_ENABLE 1u
/* The lower half of the render engine's time stamp on every generation (Linux intel_engine_regs.h,
 * RING_TIMESTAMP). */
#define OA_REG_TIMESTAMP 0x2358u
/* A write to this register goes through to another register network and cannot be read back (PRM,
 * NOA_WRITE). */
#define OA_REG_NOA_WRITE 0x9888u

/* Returns the table of a platform, or NULL when there is none. */
const struct oa_reg_set *oa_reg_set_of(const struct intel_platform *p);
/* Returns the address of a counter's lower register ("A", 7), or 0 when the unit has none; *high is
 * that of its upper byte, or 0. */
uint32_t oa_reg_counter(const struct oa_reg_set *r, char bank, int number, uint32_t *high);
/* Does the same for the register of a counter that counts without the unit. */
uint32_t oa_reg_free_counter(const struct oa_reg_set *r, char bank, int number, uint32_t *high);
/* Returns the steering register's value that names a subslice and is otherwise as before. */
uint32_t oa_steering_to(
	const struct oa_steering *s, uint32_t before, uint32_t slice, uint32_t subslice);
/* Finds the next subslice of a topology that is there and that steering can name, from bit *at of
 * its mask on, and moves *at behind it. Returns false when there is none: no other subslice is ever
 * steered to. */
bool oa_steering_next(const struct oa_steering *s, const struct topology *t, int *at,
	uint32_t *slice, uint32_t *subslice);
/* Returns whether a programming may write that register: only what the kernel's driver lets
 * programs ask for, and nothing else of the GPU. */
bool oa_reg_may_write(const struct intel_platform *p, const struct oa_reg *r);
