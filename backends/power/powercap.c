/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Energy through /sys/class/powercap: zones are told by their names, never by their numbers (Linux
 * intel_rapl_common.c). */
#include "config.h"

#include "backends/power/energy.h"

#include <stdio.h>
#include <string.h>

#include "backends/cpu/cpu_info.h"
#include "base/mem.h"

#define POWERCAP "/sys/class/powercap"
#define MAX_ZONES 64

/* Name of a zone, up to what the kernel appends ("package-0", "package-0-die-1", "psys-1"). */
static const struct zone_name {
	const char *begins;
	enum energy_plane plane;
} zone_names[] = {
	{ "package-", ENERGY_PACKAGE },
	{ "core", ENERGY_CORES },
	{ "uncore", ENERGY_GPU },
	{ "dram", ENERGY_DRAM },
	{ "psys", ENERGY_PSYS },
};

struct zone {
	enum energy_plane plane;
	char folder[64];
	/* with that of its parent, so that the same one is taken once: "package-0/dram" */
	char name[32];
	uint64_t range_uj;	/* the counter starts again after this value */
	uint64_t last_uj;
	uint64_t sum_uj;	/* since opening */
};

struct powercap_reader {
	struct energy_reader reader;
	const struct fsroot *fs;
	struct zone zones[MAX_ZONES];
	int n_zones;
};

static bool read_zone(const struct fsroot *fs, const struct zone *z, uint64_t *uj, struct err *err)
{
	char path[128];

	snprintf(path, sizeof(path), POWERCAP "/%s/energy_uj", z->folder);
	return fsroot_read_u64(fs, path, uj, err);
}

/* Returns what was added since; after its range the counter goes back to 0. */
static uint64_t zone_delta(const struct zone *z, uint64_t now_uj)
{
	if (now_uj >= z->last_uj || !z->range_uj)
		return now_uj - z->last_uj;
	return now_uj + (z->range_uj + 1) - z->last_uj;
}

static bool read_zones(
	struct energy_reader *reader, int64_t now_ns, struct energy_reading *out, struct err *err)
{
	struct powercap_reader *r = (struct powercap_reader *)reader;
	uint64_t sums[ENERGY_PLANES] = { 0 };

	for (int i = 0; i < r->n_zones; i++) {
		struct zone *z = &r->zones[i];
		uint64_t now_uj;

		if (!read_zone(r->fs, z, &now_uj, err))
			return false;
		z->sum_uj += zone_delta(z, now_uj);
		z->last_uj = now_uj;
		sums[z->plane] += z->sum_uj;
	}
	for (int p = 0; p < ENERGY_PLANES; p++) {
		if (reader->planes >> p & 1)
			out->uj[p] = sums[p];
	}
	out->planes |= reader->planes;
	out->t_ns = fsroot_answer_ns(r->fs, now_ns);
	return true;
}

static const struct energy_reader_ops ops = {
	.size = sizeof(struct powercap_reader), .read = read_zones
};

/* --- finding --- */

struct search {
	struct powercap_reader *r;
	unsigned wanted;
};

static const struct zone_name *name_row(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(zone_names); i++) {
		if (!strncmp(name, zone_names[i].begins, strlen(zone_names[i].begins)))
			return &zone_names[i];
	}
	return NULL;
}

static void zone_title(const struct fsroot *fs, const char *folder, char *buf, size_t size)
{
	if (!fsroot_line(fs, buf, size, POWERCAP "/%s/name", folder))
		*buf = '\0';
}

/* The zone above "intel-rapl:0:2" is "intel-rapl:0". */
static void parent_title(const struct fsroot *fs, const char *folder, char *buf, size_t size)
{
	char parent[64];

	snprintf(parent, sizeof(parent), "%.63s", folder);
	char *colon = strrchr(parent, ':');
	*buf = '\0';
	if (!colon || colon == strchr(parent, ':'))
		return;
	*colon = '\0';
	zone_title(fs, parent, buf, size);
}

static bool is_known(const struct powercap_reader *r, const char *name)
{
	for (int i = 0; i < r->n_zones; i++) {
		if (!strcmp(r->zones[i].name, name))
			return true;
	}
	return false;
}

/* Only zones of the registers are taken: "intel-rapl-mmio:0" is the same package again. What AMD
 * calls core is one core of the package, and its dies are the same package again: "package-0-die-1"
 * of Linux 6.9 to 6.11 (powercap/intel_rapl: Fix the energy-pkg event for AMD CPUs). */
static bool look_at_zone(void *ctx, const char *folder)
{
	struct search *s = ctx;
	struct powercap_reader *r = s->r;
	struct zone z = { 0 };
	char title[32], parent[32];

	if (strncmp(folder, "intel-rapl:", strlen("intel-rapl:")) != 0 || r->n_zones == MAX_ZONES)
		return true;
	zone_title(r->fs, folder, title, sizeof(title));
	const struct zone_name *row = name_row(title);
	char *die = strstr(title, "-die-");
	if (die && cpu_is_amd(r->fs))
		*die = '\0';
	if (!row || !(s->wanted >> row->plane & 1) ||
		(row->plane == ENERGY_CORES && cpu_is_amd(r->fs)))
		return true;
	parent_title(r->fs, folder, parent, sizeof(parent));
	z.plane = row->plane;
	snprintf(z.folder, sizeof(z.folder), "%.63s", folder);
	snprintf(z.name, sizeof(z.name), "%.15s/%.15s", parent, title);
	if (!is_known(r, z.name) &&
		fsroot_number(r->fs, &z.range_uj, POWERCAP "/%s/max_energy_range_uj", folder))
		r->zones[r->n_zones++] = z;
	return true;
}

static void find_zones(struct powercap_reader *r, const struct fsroot *fs, unsigned wanted)
{
	struct search s = { .r = r, .wanted = wanted };

	r->fs = fs;
	fsroot_each(fs, POWERCAP, look_at_zone, &s, NULL);
}

/* Keeps the zones that may be read, and says in err what stopped the first of the others. */
static void keep_readable(struct powercap_reader *r, struct err *err)
{
	int n = 0;

	for (int i = 0; i < r->n_zones; i++) {
		struct zone z = r->zones[i];

		if (!read_zone(r->fs, &z, &z.last_uj, err->code ? NULL : err))
			continue;
		r->zones[n++] = z;
		r->reader.planes |= 1u << z.plane;
	}
	r->n_zones = n;
}

/* The limit of a zone by its term. Constraints are told by their names; old kernels have only the
 * long-term one. */
static bool zone_limit(const struct fsroot *fs, const struct zone *z, const char *wanted, double *w)
{
	char term[32];
	uint64_t uw;

	for (int i = 0; i < 3; i++) {
		if (!fsroot_line(fs, term, sizeof(term), POWERCAP "/%s/constraint_%d_name",
			    z->folder, i))
			snprintf(term, sizeof(term), "%s", i ? "" : "long_term");
		if (strcmp(term, wanted) != 0 ||
			!fsroot_number(fs, &uw, POWERCAP "/%s/constraint_%d_power_limit_uw",
				z->folder, i) ||
			!uw)
			continue;
		*w = (double)uw / 1e6;
		return true;
	}
	return false;
}

static double sum_of_limits(const struct powercap_reader *r, const char *term)
{
	double sum_w = 0, w;

	for (int i = 0; i < r->n_zones; i++) {
		if (!zone_limit(r->fs, &r->zones[i], term, &w))
			return 0;
		sum_w += w;
	}
	return sum_w;
}

/* Everybody may read the limits of packages, also where their energy is for root. */
struct powercap_limits powercap_limits(const struct fsroot *fs)
{
	struct powercap_reader r = { 0 };

	find_zones(&r, fs, 1u << ENERGY_PACKAGE);
	return (struct powercap_limits){ .long_term_w = sum_of_limits(&r, "long_term"),
		.short_term_w = sum_of_limits(&r, "short_term") };
}

/* Why there is nothing: no folder (a virtual machine, or a container that hides it), or no
 * permission (mode 0400 since Linux 5.10). */
static void explain(const struct energy_target *t, struct err *err)
{
	if (err->code == ERR_PERMISSION)
		err_hint(err,
			"until reboot: sudo chmod a+r %s/intel-rapl:*/energy_uj (energy can tell "
			"what others compute: CVE-2020-8694)",
			POWERCAP);
	if (err->code)
		return;
	if (!fsroot_exists(t->fs, POWERCAP))
		err_set(err, ERR_UNSUPPORTED, "the kernel has no powercap folder (%s)",
			POWERCAP);
	else
		err_set(err, ERR_UNSUPPORTED, "no energy zone of a processor lies in %s",
			POWERCAP);
	if (cpu_is_x86(t->fs))	/* RAPL is theirs alone */
		err_hint(err,
			"sudo modprobe intel_rapl_msr (virtual machines have none, containers "
			"hide it)");
}

static bool open_powercap(struct energy_reader *reader, const struct energy_target *t,
	unsigned wanted, struct err *err)
{
	struct powercap_reader *r = (struct powercap_reader *)reader;
	struct err first = { 0 };

	find_zones(r, t->fs, wanted);
	keep_readable(r, &first);
	if (r->n_zones)
		return true;
	explain(t, &first);
	if (err)
		*err = first;
	return false;
}

const struct energy_route energy_powercap = {
	.name = "powercap", .how = "powercap", .ops = &ops, .open = open_powercap
};
