/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assembly, so that no compiler removes, widens or splits an operation of the loop. All numbers are
 * zero: none is denormal, and none needs help of microcode or of the kernel.
 * tests/packaging/cross.sh counts what a build for 64-bit Arm executes. */
#include "config.h"

#include "backends/cpu/sources.h"

#include <stdint.h>

#if defined(__x86_64__)

/* Independent additions of eight floats each. Several retire in a cycle, which is more than a
 * single counter takes. */
__attribute__((target("avx"), noinline))
static void add(void)
{
	uint64_t turns = KNOWN_LOOP_TURNS;

	__asm__ volatile(
		"vxorps %%ymm0, %%ymm0, %%ymm0\n"
		"1:\n\t"
		"vaddps %%ymm0, %%ymm0, %%ymm1\n\t"
		"vaddps %%ymm0, %%ymm0, %%ymm2\n\t"
		"vaddps %%ymm0, %%ymm0, %%ymm3\n\t"
		"vaddps %%ymm0, %%ymm0, %%ymm4\n\t"
		"dec %0\n\t"
		"jnz 1b\n\t"
		"vzeroupper"
		: "+r"(turns) : : "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4");
}

bool known_loop_run(void)
{
	if (!__builtin_cpu_supports("avx"))
		return false;
	add();
	return true;
}

#elif defined(__aarch64__)

/* Two independent additions of four floats each and a multiply-add, whose only input from the turn
 * before is its own sum. */
bool known_loop_run(void)
{
	uint64_t turns = KNOWN_LOOP_TURNS;

	__asm__ volatile(
		"movi v0.4s, #0\n\t"
		"movi v3.4s, #0\n"
		"1:\n\t"
		"fadd v1.4s, v0.4s, v0.4s\n\t"
		"fadd v2.4s, v0.4s, v0.4s\n\t"
		"fmla v3.4s, v0.4s, v0.4s\n\t"
		"subs %0, %0, #1\n\t"
		"b.ne 1b"
		: "+r"(turns) : : "cc", "memory", "v0", "v1", "v2", "v3");
	return true;
}

#else

bool known_loop_run(void)
{
	return false;
}

#endif
