/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes the kernels of the thesis, by name, as the instructions that a compiler makes of them.
 *
 * Modelled: algorithms 3 to 8 of Duarte 2018 (single, loop, unroll, private, copy, power;
 * operations add, sub, mul, div, mad; vectors of 1 to 16; single and double precision), and
 * `stream`, a copy whose data fit no cache, with `read` and `write`, its halves; the other families
 * of the catalogue (triad, update, mixed intensities, SLM, latency, atomics, launches), by what
 * their bodies ask for; and loads of one resource each: `chase` (latency of the L3), `slm`, `send`
 * and `xmx`. Instruction counts and SIMD
 * widths follow what Intel's graphics compiler makes for Gen9 (ocloc 22.43, -device kbl): vectors
 * become independent instructions of at most 16 channels (8 in double precision); SIMD32 up to
 * vectors of 8, SIMD16 above, in double precision for vectors half as wide, where a loop computes, and
 * twice as wide where it only copies; a loop ends
 * in add, one cmp for each 16 channels, and a branch that no FPU sees. Loops are unrolled 128, 64
 * or 32 times, less for wider vectors (the thesis names these three depths). The prologue is the
 * address arithmetic of the thesis' figure 4.2.
 * Assumed: division is one math instruction on FPU1 at a quarter of the rate and four instructions
 * of refinement; the outer loop of `power` repeats 64 / width times; a vector of 16, which takes a
 * quarter of a thread's registers, is moved once at the end of each unrolled loop, as compilers do
 * where a value of the last trip and the one of the next need different registers. These moves make
 * it slower than the others; the thesis has it as the least efficient of all. (ocloc makes none of
 * these moves; the thesis' compiler is older and cannot be asked.)
 * Vectors of `mix` are loaded by as many messages as they need and stay where these put them, because
 * nothing else is done with their elements; `slm.read` adds what it reads and rotates the sum with
 * one instruction each.
 * Fitted: how much of a pipe's energy the operands of a width cost, struct kernel.effort. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "backends/sim/model/eu_array.h"

#define KERNEL_DEFAULT_TRIPS 8192

/* Makes a kernel by its name, such as "private.mad.sp.x1", "copy.dp.x16" or "stream.sp.x4". The
 * loop count N of the algorithms is n; hz turns memory latency into cycles. */
bool kernel_make(const struct eu_config *c, double hz, const char *name, int n, struct kernel *out,
	struct err *err);
/* Takes into account how many groups a launch has, where each of them has memory of its own. */
void kernel_fit_groups(const struct eu_config *c, double hz, int groups, struct kernel *k);
/* Writes the name of kernel i as the catalogue of stress kernels has it: "flops.private.mad.sp.x1",
 * "mem.copy.dp.x16". Those names can be given too. Returns false from the last one on. */
bool kernel_name(size_t i, char *buf, size_t size);

/* Holds what a name says, without a device. */
struct kernel_words {
	const char *family, *op, *type;	/* "private", "mad" or "", "sp" */
	const char *text;		/* a sentence */
	int width;
	bool needs_dp, needs_xmx, divides, one_item, lone;
	/* per work item, one pass of the loop; counted: steps, increments or launches */
	double flop, read_bytes, write_bytes, local_bytes, counted;
};
/* Describes the kernel of that name. Returns false when no kernel has it. */
bool kernel_describe(const char *name, struct kernel_words *out);
/* Returns the shapes of names, for messages. */
const char *kernel_names(void);

/* Makes what a desktop does in a frame: a full screen of pixels, vertices, and a blur on the
 * compute pipe; they have no name to choose. */
void kernel_make_desktop(const struct eu_config *c, enum shader_stage stage, struct kernel *out);
