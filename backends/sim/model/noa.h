/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the NOA network of a register list brings to the sixteen lanes of the OA unit: signals of
 * chosen subslices, and what B0 to B7 and C0 to C7 count of them.
 *
 * Known by exact register values only, those of Intel's sets TDL, HDCAndSF and Ext...: the signals
 * behind NOA registers are not published. Lane i is what B i counts and lane 8 + i what C i counts,
 * unless bits 31:28 of start triggers 2 and 6 give B0 to B3 and B4 to B7 to their boolean block,
 * which compares lanes (oa_boolean.h). So it is in all of the 799 sets of igt's oa-*.xml that write
 * these triggers: the bits name exactly the blocks that the set programs, and the equations of
 * single ports and of all ports of a unit agree on the lanes. A start trigger that gates counting
 * in another way than in these sets leaves nothing that is known. Modelled: a lane, or a group of
 * lanes that carries a code, shows its event in a share of the clocks of a phase. A unit that is
 * fused off keeps its lanes low.
 *
 * Assumed: signals are independent of each other; the ports of a thread dispatcher share the
 * threads of their subslice evenly and take a clock for each; threads end as evenly as they begin;
 * a signal stays as it is while a block looks at the outputs of others, a clock later; groups are
 * dealt to a subslice before there is room, and wait in its dispatcher (on hardware they may wait
 * in the global one); the second queue and pixel shaders are not used by compute kernels; the two
 * banks of local memory share its traffic, 64 bytes in a clock; the queues to the memory share the
 * requests, so that they fill together. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/intel/oa/oa_boolean.h"
#include "backends/intel/oa/oa_trigger.h"
#include "backends/sim/model/eu_array.h"

#define NOA_COUNTERS 16		/* B0 to B7, C0 to C7 */

struct noa_list;

/* Plain data; zero counts nothing. */
struct noa {
	const struct noa_list *list;	/* NULL: the list is not known */
	uint64_t subslice_mask;		/* as in struct topology */
	int stride;
	struct oa_booleans booleans;
	uint16_t lanes;			/* those that are known, as bits */
	uint16_t counted;		/* counters that follow from known lanes, as bits */
	uint8_t by_block;		/* B counters of boolean blocks, as bits */
};

/* Reads a programming. fingerprint: of its NOA writes (oa_unit.c). */
void noa_program(struct noa *n, uint64_t fingerprint, const struct oa_reg *regs, size_t n_regs,
	int graphics_ver);
/* Whether the output of a trigger follows from known lanes. */
bool noa_knows(const struct noa *n, const struct oa_trigger *t);
/* Returns the clocks of a phase in which the output of such a trigger is high. */
double noa_trigger(const struct noa *n, const struct oa_trigger *t, const struct phase *p);
/* Adds what the counters count of a phase to out, by counter. */
void noa_count(const struct noa *n, const struct phase *p, double out[NOA_COUNTERS]);
