/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks, in this order: the card, the table of cards, the machine's firmware. */
#include "config.h"

#include "backends/intel/memory_roof.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backends/intel/platform/platform.h"
#include "backends/memory/dram_roof.h"
#include "base/i18n.h"
#include "base/mem.h"

/* --- the card's own word: Intel's Platform Monitoring Technology --- */

#define PMT "/sys/class/intel_pmt"
/* Battlemage's word of its memory (Intel's compute-runtime, product helper of bmg): the upper half
 * is the peak, in 100 Mbit/s. */
#define PEAK_AT 56
#define PEAK_UNIT_BITS 100e6

struct telemetry_search {
	const struct fsroot *fs;
	const struct device *d;
	double peak;
	struct err why;
};

double memory_roof_of_telemetry(const uint8_t *telem, size_t len)
{
	if (len < PEAK_AT + 4)
		return 0;
	return (telem[PEAK_AT + 2] | telem[PEAK_AT + 3] << 8) * PEAK_UNIT_BITS / 8;
}

static bool has_known_guid(const struct fsroot *fs, const char *folder)
{
	static const char *const guids[] = { "0x1e2f8200", "0x1e2f8201", "0x1e2f8202" };
	char path[128], guid[16];

	snprintf(path, sizeof(path), "%s/guid", folder);
	if (!fsroot_read_line(fs, path, guid, sizeof(guid), NULL))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(guids); i++)
		if (!strcmp(guid, guids[i]))
			return true;
	return false;
}

/* The folder is a link whose target leads through the card that it belongs to. */
static bool is_of_card(const struct fsroot *fs, const char *folder, const char *pci_address)
{
	char path[512], target[PATH_MAX];
	ssize_t n;

	if (!fsroot_path(fs, path, sizeof(path), "%s", folder))
		return false;
	n = readlink(path, target, sizeof(target) - 1);
	target[n > 0 ? n : 0] = '\0';
	return *pci_address && strstr(target, pci_address);
}

static bool look_at_telemetry(void *ctx, const char *name)
{
	struct telemetry_search *s = ctx;
	char folder[96], path[512];
	uint8_t telem[PEAK_AT + 4];

	snprintf(folder, sizeof(folder), PMT "/%.48s", name);
	if (strncmp(name, "telem", 5) != 0 || !has_known_guid(s->fs, folder) ||
		!is_of_card(s->fs, folder, s->d->pci_address) ||
		!fsroot_path(s->fs, path, sizeof(path), "%s/telem", folder))
		return true;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, telem, sizeof(telem));
	if (n < 0)
		err_sys(&s->why, _("cannot read '%s'"), path);
	else
		s->peak = memory_roof_of_telemetry(telem, (size_t)n);
	if (fd >= 0)
		close(fd);
	return false;
}

static bool ask_card(struct device *d, const struct fsroot *fs)
{
	struct telemetry_search s = { .fs = fs, .d = d };

	fsroot_each(fs, PMT, look_at_telemetry, &s, NULL);
	if (!(s.peak > 0))
		return false;
	device_set_roof(d, DRAM_ROOF, s.peak, ROOF_READ, false, "the card's telemetry (PMT)");
	return true;
}

/* --- the table --- */

static bool ask_table(struct device *d, uint64_t local_bytes, struct err *why)
{
	bool fits;
	const struct intel_card_memory *row =
		intel_card_memory(d->pci_device, local_bytes, &fits);
	const struct device_const *type = device_const(d, "hwconfig_memory_type");
	const struct device_const *channels = device_const(d, "memory_channel_count");
	const char *said = type ? intel_hwconfig_memory((uint32_t)type->v) : NULL;
	char origin[sizeof(type->origin)];

	if (!row)
		return err_set(why, ERR_UNSUPPORTED,
			_("nobody publishes the memory bandwidth of card 8086:%04x"),
			d->pci_device);
	if (said && strcmp(said, row->type) != 0)
		return err_set(why, ERR_UNSUPPORTED,
			_("the table says %s, but the card's firmware says %s"), row->type, said);
	snprintf(origin, sizeof(origin), "%s", row->source);
	if (said && channels)
		snprintf(origin, sizeof(origin), "%s; firmware: %s, %.0f channels", row->source,
			said, channels->v);
	device_set_roof(d, DRAM_ROOF, row->bytes_per_s, ROOF_DATA_SHEET, row->uncertain || !fits,
		origin)->reach = row->reach;
	return true;
}

bool memory_roof_find(
	struct device *d, const struct fsroot *fs, uint64_t local_bytes, struct err *why)
{
	if (!local_bytes && !intel_platform_is_card(d->platform))
		return dram_roof_of_machine(d, fs, intel_memory_reach(d->platform), why);
	return ask_card(d, fs) || ask_table(d, local_bytes, why);
}
