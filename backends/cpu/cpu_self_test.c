/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts a loop whose operations are known on this thread. A kernel that programs AMD's FLOPs event
 * without its Merge event does not say so; only the number shows it. Versions do not tell either,
 * because some distributions take patches over one by one. */
#include "config.h"

#include "backends/cpu/sources.h"

#include <stdio.h>
#include <string.h>

#include "backends/perf/perf_event.h"
#include "base/i18n.h"

#define TURNS 250000
#define ADDITIONS_PER_TURN 4
#define ADDITIONS (TURNS * ADDITIONS_PER_TURN)
/* Allows for what else this thread does with floating point while it is counted. */
#define TOLERANCE 0.01

#if defined(__x86_64__)

/* Independent additions of eight floats each. Several retire in a cycle, which is more than a
 * single counter takes. */
__attribute__((target("avx"), noinline))
static void add(void)
{
	uint64_t turns = TURNS;

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
		: "+r"(turns) : : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4");
}

static bool run_loop(void)
{
	if (!__builtin_cpu_supports("avx"))
		return false;
	add();
	return true;
}

#elif defined(__aarch64__)

/* Independent additions of four floats each. */
static bool run_loop(void)
{
	uint64_t turns = TURNS;

	__asm__ volatile(
		"movi v0.4s, #0\n"
		"1:\n\t"
		"fadd v1.4s, v0.4s, v0.4s\n\t"
		"fadd v2.4s, v0.4s, v0.4s\n\t"
		"fadd v3.4s, v0.4s, v0.4s\n\t"
		"fadd v4.4s, v0.4s, v0.4s\n\t"
		"subs %0, %0, #1\n\t"
		"b.ne 1b\n\t"
		: "+r"(turns) : : "cc", "v0", "v1", "v2", "v3", "v4");
	return true;
}

#else

static bool run_loop(void)
{
	return false;
}

#endif

static bool judge(const struct perf_counts *c, int counts, char *what, size_t size, struct err *err)
{
	double want = (double)ADDITIONS * counts, got = (double)c->values[0];

	if (c->running_ns < c->enabled_ns) {
		err_set(err, ERR_BUSY,
			_("the loop had no counter all the time: other programs count as well"));
		return false;
	}
	snprintf(what, size, _("a known loop counts %.0f, as it should %.0f"), got, want);
	if (got >= want * (1 - TOLERANCE) && got <= want * (1 + TOLERANCE))
		return true;
	err_set(err, ERR_UNSUPPORTED,
		_("a known loop counts %.0f floating-point events instead of %.0f"), got, want);
	return err_hint(err,
		_("AMD needs Linux 5.6 or later; in a virtual machine the host may have an older "
		  "one"));
}

bool cpu_self_test(const struct cpu_info *info, const struct fsroot *fs, char *what, size_t size,
	struct err *err)
{
	const struct cpu_loop_event *event = NULL;
	struct perf_group g = { .n = 0 };
	struct perf_event e;
	struct perf_pmu pmu;
	struct perf_counts c;

	*what = '\0';
	if (info->row)
		event = cpu_loop_event(info->row->platform);
	if (!event)
		return err_set(err, ERR_BUSY, _("no event of this processor counts a known loop"));
	if (!cpu_core_pmu(fs, &pmu, err) || !perf_pmu_terms(fs, &pmu, event->terms, &e, err) ||
		!perf_group_add(fs, &g, &e, -1, err)) {
		if (err && err->code == ERR_UNSUPPORTED)
			err->code = ERR_BUSY;
		return false;
	}
	bool good = (run_loop() || err_set(err, ERR_BUSY, _("this processor has no vectors that the loop could use"))) &&
		perf_group_read(&g, &c, err) && judge(&c, event->counts, what, size, err);
	perf_group_close(&g);
	return good;
}
