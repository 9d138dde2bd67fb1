/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Energy of discrete Intel GPUs: the driver adds up its registers behind hwmon files that everybody
 * may read (Documentation/ABI/testing/sysfs-driver-intel-i915-hwmon,
 * sysfs-driver-intel-xe-hwmon). */
#include "config.h"

#include "backends/power/energy.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "core/value/accum.h"

/* What a file counts. label NULL: the driver has no labels and one file for the whole device. */
static const struct hwmon_file {
	const char *driver, *file, *label;
	enum energy_plane plane;
} files[] = {
	{ "i915", "energy1_input", NULL, ENERGY_GPU },
	{ "xe", "energy1_input", "card", ENERGY_CARD },
	{ "xe", "energy1_input", "pkg", ENERGY_GPU },
	{ "xe", "energy2_input", "pkg", ENERGY_GPU },
};

struct hwmon_reader {
	struct energy_reader reader;
	const struct fsroot *fs;
	char paths[ENERGY_PLANES][160];
	uint64_t first_uj[ENERGY_PLANES];
};

static bool read_files(
	struct energy_reader *reader, int64_t now_ns, struct energy_reading *out, struct err *err)
{
	struct hwmon_reader *r = (struct hwmon_reader *)reader;

	for (int p = 0; p < ENERGY_PLANES; p++) {
		uint64_t uj;

		if (!(reader->planes >> p & 1))
			continue;
		if (!fsroot_read_u64(r->fs, r->paths[p], &uj, err))
			return false;
		out->uj[p] = accum_delta(r->first_uj[p], uj, 64);
	}
	out->planes |= reader->planes;
	out->t_ns = fsroot_answer_ns(r->fs, now_ns);
	return true;
}

static const struct energy_reader_ops ops = {
	.size = sizeof(struct hwmon_reader), .read = read_files
};

struct search {
	struct hwmon_reader *r;
	unsigned wanted;
	char folder[96];	/* .../hwmon */
};

static bool label_is(
	const struct fsroot *fs, const char *folder, const char *file, const char *label)
{
	char line[32];

	if (!fsroot_line(fs, line, sizeof(line), "%s/%.7s_label", folder, file))
		return !label;
	return label && !strcmp(line, label);
}

static bool look_at_folder(void *ctx, const char *name)
{
	struct search *s = ctx;
	char folder[160], driver[32];

	snprintf(folder, sizeof(folder), "%s/%.40s", s->folder, name);
	if (!fsroot_line(s->r->fs, driver, sizeof(driver), "%s/name", folder))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		enum energy_plane p = files[i].plane;

		if (strcmp(files[i].driver, driver) != 0 || !(s->wanted >> p & 1) ||
			!label_is(s->r->fs, folder, files[i].file, files[i].label))
			continue;
		snprintf(
			s->r->paths[p], sizeof(s->r->paths[p]), "%.140s/%s", folder, files[i].file);
		if (!fsroot_read_u64(s->r->fs, s->r->paths[p], &s->r->first_uj[p], NULL))
			continue;
		/* Linux 6.16 has the file of the whole card and counts nothing in it: a recorded
		 * B580 stood at 0 beside 29 kJ of its package. */
		if (p != ENERGY_CARD || s->r->first_uj[p] > 0)
			s->r->reader.planes |= 1u << p;
	}
	return true;
}

static bool open_hwmon(struct energy_reader *reader, const struct energy_target *t,
	unsigned wanted, struct err *err)
{
	struct hwmon_reader *r = (struct hwmon_reader *)reader;
	struct search s = { .r = r, .wanted = wanted };

	reader->is_card = true;
	r->fs = t->fs;
	snprintf(s.folder, sizeof(s.folder), "/sys/bus/pci/devices/%.16s/hwmon",
		t->device->pci_address);
	if (t->device->pci_address[0])
		fsroot_each(t->fs, s.folder, look_at_folder, &s, NULL);
	return reader->planes || err_set(err, ERR_UNSUPPORTED,
		"the device has no energy counter of its own (hwmon), as processor graphics have none");
}

const struct energy_route energy_hwmon = {
	.name = "hwmon", .how = "hwmon", .ops = &ops, .open = open_hwmon
};
