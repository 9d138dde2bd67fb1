/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Energy through the kernel's perf PMU "power": 64-bit counts in units of 2^-32 J whatever the
 * registers count in, one event per plane and package, all of a package in one read (Linux
 * arch/x86/events/rapl.c). */
#include "config.h"

#include "backends/power/energy.h"

#include "backends/cpu/cpu_info.h"
#include "backends/perf/perf_event.h"

/* Names of the PMU's events. Newer kernels have the cores of AMD in a PMU of their own, one counter
 * per core. */
static const char *const event_names[ENERGY_PLANES] = {
	[ENERGY_PACKAGE] = "energy-pkg",
	[ENERGY_CORES] = "energy-cores",
	[ENERGY_GPU] = "energy-gpu",
	[ENERGY_DRAM] = "energy-ram",
	[ENERGY_PSYS] = "energy-psys",
};

struct perf_reader {
	struct energy_reader reader;
	/* one per package */
	struct perf_group groups[PERF_PMU_CPUS];
	int n_groups;
	enum energy_plane members[ENERGY_PLANES];	/* of each group, in order */
	double uj_per_count[ENERGY_PLANES];		/* by member */
	int n_members;
};

static bool read_groups(
	struct energy_reader *reader, int64_t now_ns, struct energy_reading *out, struct err *err)
{
	struct perf_reader *r = (struct perf_reader *)reader;
	double uj[ENERGY_PLANES] = { 0 };

	for (int i = 0; i < r->n_groups; i++) {
		struct perf_counts counts;

		if (!perf_group_read(&r->groups[i], &counts, err))
			return false;
		for (int m = 0; m < r->n_members; m++)
			uj[m] += (double)counts.values[m] * r->uj_per_count[m];
	}
	for (int m = 0; m < r->n_members; m++)
		out->uj[r->members[m]] = (uint64_t)uj[m];
	out->planes |= reader->planes;
	out->t_ns = now_ns;
	return true;
}

static void close_groups(struct energy_reader *reader)
{
	struct perf_reader *r = (struct perf_reader *)reader;

	for (int i = 0; i < r->n_groups; i++)
		perf_group_close(&r->groups[i]);
}

static const struct energy_reader_ops ops = {
	.size = sizeof(struct perf_reader), .read = read_groups, .close = close_groups
};

/* AMD's register of the package is read by every CPU of it, and Linux 6.9 to 6.11 list a CPU for
 * each die: "perf/x86/rapl: Fix the energy-pkg event for AMD CPUs" (6.12). One CPU stays for each
 * package. */
static void keep_packages(const struct fsroot *fs, struct perf_pmu *pmu)
{
	int packages[PERF_PMU_CPUS], n = 0;

	for (int i = 0; i < pmu->n_cpus; i++) {
		int package = cpu_package(fs, pmu->cpus[i]), k = 0;

		while (k < n && (package < 0 || packages[k] != package))
			k++;
		if (k < n)
			continue;
		packages[n] = package;
		pmu->cpus[n++] = pmu->cpus[i];
	}
	pmu->n_cpus = n;
}

static bool open_perf(struct energy_reader *reader, const struct energy_target *t,
	unsigned wanted, struct err *err)
{
	struct perf_reader *r = (struct perf_reader *)reader;
	struct perf_event events[ENERGY_PLANES];
	struct perf_pmu pmu;

	bool good = perf_pmu_find(t->fs, "power", &pmu, err);
	for (int p = 0; good && p < ENERGY_PLANES; p++) {
		struct perf_event *e = &events[r->n_members];

		if (!(wanted >> p & 1) || !event_names[p] ||
			!perf_pmu_event(t->fs, &pmu, event_names[p], e, NULL))
			continue;
		r->members[r->n_members] = (enum energy_plane)p;
		r->uj_per_count[r->n_members++] = e->scale * 1e6;
		r->reader.planes |= 1u << p;
	}
	if (good && !r->n_members)
		good = err_set(err, ERR_UNSUPPORTED,
			"the kernel's PMU 'power' has no plane that is not read already");
	good = good && perf_pmu_needs_cpus(&pmu, err);
	if (good && cpu_is_amd(t->fs))
		keep_packages(t->fs, &pmu);
	for (int i = 0; good && i < pmu.n_cpus; i++) {
		struct perf_group *g = &r->groups[r->n_groups++];

		for (int m = 0; good && m < r->n_members; m++)
			good = perf_group_add(t->fs, g, &events[m], pmu.cpus[i], err);
	}
	/* RAPL is of x86 alone. */
	if (!good && err && err->code == ERR_UNSUPPORTED && !*err->hint && cpu_is_x86(t->fs))
		err_hint(err, "sudo modprobe rapl (virtual machines have none)");
	if (!good)
		close_groups(reader);
	return good;
}

const struct energy_route energy_perf = {
	.name = "perf", .how = "perf power PMU", .ops = &ops, .open = open_perf
};
