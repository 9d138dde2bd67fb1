/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the directives of a metric set become events and register values. */
#ifndef BACKENDS_INTEL_OA_OA_PROFILE_H
#define BACKENDS_INTEL_OA_OA_PROFILE_H

#include <stdbool.h>

#include "backends/intel/oa/oa_program.h"
#include "base/err.h"
#include "core/metric/metric.h"

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

#endif
