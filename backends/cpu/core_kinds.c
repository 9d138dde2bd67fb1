/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the PMUs of cores by their files. */
#include "config.h"

#include "backends/cpu/cpu_info.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

#define DEVICES "/sys/bus/event_source/devices"

struct scan {
	const struct fsroot *fs;
	struct core_kinds *out;
};

/* What the names of such PMUs begin and end with (Linux arch/x86/events/intel/core.c, drivers/perf/
 * arm_pmuv3.c and apple_m1_cpu_pmu.c). */
static void short_name(const char *pmu, char *buf, size_t size)
{
	static const char *const beginnings[] = { "cpu_", "armv8_cortex_", "armv8_neoverse_",
		"armv9_cortex_", "armv8_", "apple_" };

	for (size_t i = 0; i < ARRAY_LEN(beginnings); i++)
		if (!strncmp(pmu, beginnings[i], strlen(beginnings[i]))) {
			pmu += strlen(beginnings[i]);
			break;
		}
	size_t len = strlen(pmu);
	if (len > strlen("_pmu") && !strcmp(pmu + len - strlen("_pmu"), "_pmu"))
		len -= strlen("_pmu");
	snprintf(buf, size, "%.*s", (int)len, pmu);
}

static bool add_kind(void *ctx, const char *name)
{
	struct scan *scan = ctx;
	struct core_kind *k = &scan->out->kinds[scan->out->n];
	bool is_all = !strcmp(name, "cpu");
	char path[160];

	snprintf(path, sizeof(path), DEVICES "/%.47s/cpus", name);
	if (scan->out->n == CORE_KINDS_MAX || (!is_all && !fsroot_exists(scan->fs, path)) ||
		!perf_pmu_find(scan->fs, name, &k->pmu, NULL))
		return true;
	if (k->pmu.has_list && !k->pmu.n_cpus) {
		snprintf(scan->out->without_cpus, sizeof(scan->out->without_cpus), "%s",
			k->pmu.name);
		return true;
	}
	short_name(name, k->name, sizeof(k->name));
	scan->out->n++;
	return true;
}

bool core_kind_is_small(const struct core_kind *k)
{
	return !strcmp(k->name, "atom") || !strcmp(k->name, "lowpower");
}

static bool is_first(const struct core_kind *a, const struct core_kind *b)
{
	if (core_kind_is_small(a) != core_kind_is_small(b))
		return core_kind_is_small(b);
	return a->pmu.n_cpus && b->pmu.n_cpus &&
		a->pmu.cpus[a->pmu.n_cpus - 1] > b->pmu.cpus[b->pmu.n_cpus - 1];
}

bool core_kinds_no_cpus(const struct core_kinds *k, struct err *err)
{
	struct perf_pmu pmu = { .has_list = true };

	if (!*k->without_cpus)
		return true;
	snprintf(pmu.name, sizeof(pmu.name), "%s", k->without_cpus);
	return perf_pmu_needs_cpus(&pmu, err);
}

bool core_kinds_find(const struct fsroot *fs, struct core_kinds *out, struct err *err)
{
	struct scan scan = { .fs = fs, .out = out };

	memset(out, 0, sizeof(*out));
	if (fsroot_exists(fs, DEVICES))
		fsroot_each(fs, DEVICES, add_kind, &scan, NULL);
	for (int i = 1; i < out->n; i++)
		for (int k = i; k > 0 && is_first(&out->kinds[k], &out->kinds[k - 1]); k--) {
			struct core_kind other = out->kinds[k];

			out->kinds[k] = out->kinds[k - 1];
			out->kinds[k - 1] = other;
		}
	if (out->n > 0)
		return true;
	if (*out->without_cpus)
		return core_kinds_no_cpus(out, err);
	/* The error names the PMU that most machines have. */
	return perf_pmu_find(fs, "cpu", &out->kinds[0].pmu, err);
}

int core_kind_of(const struct core_kinds *k, int cpu)
{
	for (int i = 0; i < k->n; i++) {
		const struct perf_pmu *pmu = &k->kinds[i].pmu;

		for (int c = 0; c < pmu->n_cpus; c++)
			if (pmu->cpus[c] == cpu)
				return i;
		if (pmu->n_cpus == 0)
			return i;
	}
	return -1;
}
