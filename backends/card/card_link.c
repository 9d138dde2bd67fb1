/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the link between card and machine, and reads its speed and lanes. */
#include "config.h"

#include "backends/card/card.h"

#include <stdio.h>
#include <string.h>

#include "backends/card/drm_card.h"
#include "base/mem.h"

/* Vendors whose cards have a PCIe switch: machine, upstream port, downstream port, GPU. The link of the
 * GPU's own function lies inside the chip and is none; the upstream port has the true one.
 *
 * AMD since Navi 10 (1002:1478, 1002:1479): the function always says its full width
 * (gitlab.freedesktop.org/drm/amd, issue 1967; github.com/ilya-zlobintsev/amdgpu-sysfs-rs, pull request
 * 6). Only its GPUs have bridges with that vendor id. Intel since DG2 (8086:4fa0, 8086:4fa4; Battlemage
 * alike): the function says 2.5 GT/s and one lane, as speed and as capability
 * (github.com/Syllo/nvtop, pull request 344; github.com/geerlingguy/raspberry-pi-pcie-devices, issues
 * 510 and 695). Ports of machines have Intel's vendor id, too, so that a card of it which tells a link
 * of its own is believed. */
static const struct inner_switch {
	uint64_t vendor;
	bool tells_one_lane;
} switches[] = {
	{ 0x1002, false },
	{ 0x8086, true },
};

#define CLASS_BRIDGE 0x0604	/* PCI-to-PCI bridge, without its programming interface */
#define ONE_LANE_MTRANSFERS 2500.

enum { MTRANSFERS, LANES, COUNTERS };

static const struct link_row {
	struct counter_desc desc;
	const char *file, *limit_file, *limit;
	double factor;
} rows[COUNTERS] = {
	[MTRANSFERS] = { { "link_mtransfers", "number", 32, COUNTER_GAUGE }, "current_link_speed",
		"max_link_speed", "link_mtransfers_max", 1000 },
	[LANES] = { { "link_lanes", "number", 16, COUNTER_GAUGE }, "current_link_width",
		"max_link_width", "link_lanes_max", 1 },
};

struct card_link {
	struct source source;
	const struct fsroot *fs;
	struct device *device;
	char card[32], folder[160];
	struct counter_desc counters[COUNTERS];
	uint64_t values[COUNTERS];
	enum why whys[COUNTERS];
	bool asleep, gone, has_folder;
	int64_t window_ns;
};

static bool read_file(const struct fsroot *fs, const char *folder, const char *file, double factor,
	double *out)
{
	char path[192];

	snprintf(path, sizeof(path), "%.150s/%s", folder, file);
	return card_files_number(fs, path, factor, out, NULL);
}

static bool has_id(const struct fsroot *fs, const char *folder, const char *file, int drop_bits,
	uint64_t wanted)
{
	uint64_t id;

	return fsroot_number(fs, &id, "%s/%s", folder, file) && id >> drop_bits == wanted;
}

static bool is_port(const struct fsroot *fs, const char *folder, uint64_t vendor)
{
	return has_id(fs, folder, "vendor", 0, vendor) && has_id(fs, folder, "class", 8, CLASS_BRIDGE);
}

static bool tells_one_lane(const struct fsroot *fs, const char *folder)
{
	double mtransfers, lanes;

	return read_file(fs, folder, rows[MTRANSFERS].file, rows[MTRANSFERS].factor, &mtransfers) &&
		read_file(fs, folder, rows[LANES].file, rows[LANES].factor, &lanes) &&
		mtransfers <= ONE_LANE_MTRANSFERS && lanes <= 1;
}

void card_link_folder(const struct fsroot *fs, const char *card, char *folder, size_t size)
{
	char inner[128], upper[144];

	snprintf(folder, size, "/sys/class/drm/%.31s/device", card);
	snprintf(inner, sizeof(inner), "/sys/class/drm/%.31s/device/..", card);
	snprintf(upper, sizeof(upper), "%s/..", inner);
	for (size_t i = 0; i < ARRAY_LEN(switches); i++) {
		const struct inner_switch *s = &switches[i];

		if (!has_id(fs, folder, "vendor", 0, s->vendor))
			continue;
		if (is_port(fs, inner, s->vendor) && is_port(fs, upper, s->vendor) &&
			(!s->tells_one_lane || tells_one_lane(fs, folder)))
			snprintf(folder, size, "%s", upper);
		return;
	}
}

/* A card that slept when it was opened is asked for its link when it wakes. */
static void find_folder(struct card_link *s)
{
	double v;

	card_link_folder(s->fs, s->card, s->folder, sizeof(s->folder));
	s->has_folder = true;
	for (int i = 0; i < COUNTERS; i++)
		if (!device_const(s->device, rows[i].limit) &&
			read_file(s->fs, s->folder, rows[i].limit_file, rows[i].factor, &v) && v > 0)
			device_set_roof(s->device, rows[i].limit, v, ROOF_READ, false, rows[i].limit_file);
}

static bool link_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct card_link *s = (struct card_link *)src;
	double v;

	(void)now_ns;
	s->asleep = drm_card_is_asleep(s->fs, s->card);
	s->gone = drm_card_is_gone(s->fs, s->card, err);
	if (s->gone)
		return false;
	if (!s->asleep && !s->has_folder) {
		find_folder(s);
		src->rebind = true;
	}
	for (int i = 0; i < COUNTERS && !s->asleep; i++) {
		s->whys[i] = WHY_STALE;
		if (!read_file(s->fs, s->folder, rows[i].file, rows[i].factor, &v))
			continue;
		s->whys[i] = WHY_OK;
		s->values[i] = (uint64_t)(v + 0.5);
	}
	return true;
}

static void link_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct card_link *s = (struct card_link *)src;

	source_window(out, &s->window_ns, now_ns);
	if (s->gone)
		out->why = WHY_GONE;
	else if (s->asleep)
		out->why = WHY_ASLEEP;
	out->whys = s->whys;
	memcpy(out->values, s->values, sizeof(s->values));
}

static const struct source_ops link_ops = {
	.size = sizeof(struct card_link),
	.ready = link_ready, .collect = link_collect,
};

static bool has_link(const struct open_device *dev)
{
	for (int i = 0; i < dev->n_sources; i++) {
		const struct feed *f = &dev->sources[i]->feed;

		for (int k = 0; k < f->n_counters; k++)
			if (!strcmp(f->counters[k].name, rows[LANES].desc.name))
				return true;
	}
	return false;
}

/* Graphics within a processor have no link: there are no files, or they say "Unknown" and no lanes. */
static bool is_on_link(const struct fsroot *fs, const char *card)
{
	char path[160];
	double v;

	if (drm_card_is_asleep(fs, card))
		return fsroot_has(fs, "/sys/class/drm/%s/device/%s", card, rows[LANES].file);
	snprintf(path, sizeof(path), "/sys/class/drm/%.31s/device", card);
	return read_file(fs, path, rows[LANES].file, 1, &v) && v > 0 &&
		read_file(fs, path, rows[MTRANSFERS].file, 1, &v);
}

static void attach(
	const struct device_entry *e, const struct open_options *o, struct open_device *dev)
{
	if (dev->device.simulated || !drm_is_card(e->device.id) || has_link(dev) ||
		dev->n_sources == DEVICE_MAX_SOURCES || !is_on_link(o->fs, e->device.id))
		return;
	struct card_link *s = source_new(&link_ops);
	s->source.feed =
		(struct feed){ .name = "link", .counters = s->counters, .n_counters = COUNTERS };
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "PCI sysfs");
	s->fs = o->fs;
	s->device = &dev->device;
	s->window_ns = o->now_ns;
	snprintf(s->card, sizeof(s->card), "%.31s", e->device.id);
	for (int i = 0; i < COUNTERS; i++)
		s->counters[i] = rows[i].desc;
	if (!drm_card_is_asleep(o->fs, s->card))
		find_folder(s);
	open_device_tried(
		dev, "link", "PCIe link", "speed and lanes of the card's link", NULL);
	dev->sources[dev->n_sources++] = &s->source;
}

const struct companion card_link_companion = { .name = "link", .attach = attach };
