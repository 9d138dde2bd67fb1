/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a metric set asks of the OA unit, as events and registers, and how its directives become
 * these. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/intel/oa/oa_events.h"
#include "backends/intel/oa/oa_pes.h"
#include "backends/intel/oa/oa_reg.h"
#include "base/err.h"
#include "core/metric/metric.h"

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

/* Finds the text of data/oa/NAME.oacfg (embedded or the user's); returns NULL when there is
 * none. */
typedef const char *oa_config_fn(const char *name);
/* Finds the built-in files. */
const char *oa_config_embedded(const char *name);

/* Builds the profile from the set's directives: "config NAME" (NOA and OA registers; its FLEX
 * registers count only when there are no program lines), "program A7 active" and "program B6
 * any(B0, B1)" lines (oa_ask.h), "trigger", or the "registers" of an imported
 * set. Of several "block" directives of one kind all whose tests the device passes are written, in
 * their order; the device is refused when it passes none. Broadwell with two slices has such lists,
 * one for each slice or each subslice. Linux 4.13 wrote them all (i915_oa_bdw.c,
 * get_render_basic_mux_config) and so does igt 1.27.1; igt of October 2025 replaces each by the
 * next (perf-registers-codegen.py), which leaves the first slice unrouted. Its topology has to be
 * that of the kernel. Counters that nobody programs are off. In regs, only the kind tells NOA, OA
 * and FLEX apart; their order is that of the files. */
bool oa_profile_build(struct oa_profile *p, const struct metric_set *set, const struct device *d,
	oa_config_fn *config, struct err *err);
