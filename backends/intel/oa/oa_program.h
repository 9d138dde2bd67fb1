/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a metric set asks of the OA unit, as events and registers. */
#ifndef BACKENDS_INTEL_OA_OA_PROGRAM_H
#define BACKENDS_INTEL_OA_OA_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/intel/oa/oa_events.h"
#include "backends/intel/oa/oa_pes.h"
#include "backends/intel/oa/oa_reg.h"

/* A list of this many is longer than any known one (Xe2: 214 registers) and than any that a kernel
 * has been asked to take. */
#define OA_MAX_REGS 4096

/* What a set asks of the OA unit. regs stand in the order in which they are written, because the
 * order of NOA matters. */
struct oa_profile {
	struct oa_event events[OA_FLEX_COUNTERS];	/* of A7 + i */
	struct oa_pes_event pes[OA_PES_COUNTERS];	/* of P0 + i */
	/* name of the register file (data/oa); empty when only A counters are used */
	char config[48];
	struct oa_reg *regs;
	size_t n_regs, cap_regs;
	/* Blocks of B0 to B7 that "program" lines ask for, as bits, and those whose signals are
	 * inferred (oa_ask.h). */
	uint8_t asked, inferred;
	/* The set asks for nothing. Kernels refuse a programming without registers, so regs has one
	 * that switches off a counter that nobody reads. */
	bool asks_nothing;
	/* our own, made from the register values: equal programming has an equal uuid */
	char uuid[37];
};

/* Appends a register. Returns false when there are too many. */
bool oa_profile_add(
	struct oa_profile *p, enum oa_reg_kind kind, uint32_t address, uint32_t value);
void oa_profile_release(struct oa_profile *p);

#endif
