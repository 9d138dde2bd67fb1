/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names AMD GPUs and opens them: what every card has, and the driver's own table. */
#include "config.h"

#include "backends/common/backend.h"

#include <stdio.h>

#include "backends/amdgpu/amdgpu_sources.h"
#include "backends/card/drm_card.h"
#include "backends/memory/machine_memory.h"
#include "base/mem.h"

static const struct card_claim cards[] = { { .driver = "amdgpu" } };

static void identify(struct device_entry *e, const struct drm_card *card, const struct fsroot *fs)
{
	struct device *d = &e->device;
	struct amd_core core = amd_core_read(fs, card->name);

	amd_part_name(fs, d, d->name, sizeof(d->name));
	if (core.major)
		snprintf(d->generation, sizeof(d->generation), "gfx%u.%u.%u", core.major & 0xff,
			core.minor & 0xff, core.revision & 0xff);
	drm_card_use(e, "amdgpu");
	err_set(&e->refusal, ERR_UNSUPPORTED, "%s",
		"amdgpu hands out no counters of instructions or bytes");
	err_hint(&e->refusal, "%s",
		"busy time, clocks, power, heat, memory and processes are shown; rocprofiler "
		"counts for one program");
}

/* Without ROCm's part of the driver nobody can compute around the clients of DRM. busy counts those. */
static void add_kfd(struct open_device *dev, struct source *busy, const struct fsroot *fs)
{
	struct client_source *both = kfd_clients_open(dev->clients, busy, fs, &dev->device);

	if (!both)
		return;
	dev->clients = both;
	open_device_tried(dev, "clients", "KFD",
		"who computes on it, as with ROCm: compute units, copies, memory", NULL);
}

/* Only processors with graphics have the voltage of a north bridge (Linux amdgpu_pm.c,
 * hwmon_attributes_visible()). Its file tells so while they sleep; node and table tell it later. */
static bool is_processors(const struct fsroot *fs, const char *card)
{
	char folder[160];

	return drm_card_hwmon(fs, card, folder, sizeof(folder)) &&
		fsroot_has(fs, "%s/in1_label", folder);
}

static bool open_card(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	struct amd_core core = amd_core_read(o->fs, e->device.id);
	struct err why = { 0 };

	if (!drm_card_open(e, o, dev, err))
		return false;
	dev->device.shares_memory |= is_processors(o->fs, e->device.id);
	add_kfd(dev, dev->sources[1], o->fs);
	/* Opening the node of a card that sleeps would wake it. */
	bool told = false;
	if (drm_card_is_asleep(o->fs, e->device.id))
		err_set(&why, ERR_ASLEEP, "%s sleeps and is left asleep", e->device.id);
	else
		told = amd_set_consts(&dev->device, &core, o->fs, &why);
	open_device_tried(dev, "", "node", "units, clocks and memory, for roofs",
		told ? NULL : &why);
	why = (struct err){ 0 };
	struct source *s = amd_metrics_open(&dev->device, &core, dev->sources[0], o, &why);
	if (s)
		dev->sources[dev->n_sources++] = s;
	open_device_tried(dev, "metrics", "gpu_metrics",
		text_or(why.msg, "the driver's own table: powers, temperatures, throttling, links"),
		&why);
	if (amd_units_wanted(o->set)) {
		why = (struct err){ 0 };
		s = amd_units_open(&dev->device, &core, o, &why);
		if (s)
			dev->sources[dev->n_sources++] = s;
		open_device_tried(dev, "units", "GRBM_STATUS",
			"which units have work, by samples that keep the GPU awake", &why);
	}
	err_set(&why, ERR_UNSUPPORTED, "%s",
		"neither the driver's table nor the node told the memory's bandwidth, or its clock and width");
	dram_roof_check(dev, &why);
	return true;
}

const struct backend amdgpu_backend = {
	.name = "amdgpu",
	.description = "AMD GPUs: the files and the table of amdgpu",
	.counts_clients = true,
	.cards = cards,
	.n_cards = ARRAY_LEN(cards),
	.identify = identify,
	.open = open_card,
};
