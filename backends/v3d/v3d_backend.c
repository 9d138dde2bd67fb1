/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names V3D GPUs and opens them: the times of their queues, the global performance monitor, and
 * what the firmware of the board tells. */
#include "config.h"

#include "backends/common/backend.h"

#include <stdio.h>
#include <string.h>

#include "backends/card/drm_card.h"
#include "backends/card/drm_node.h"
#include "backends/memory/machine_memory.h"
#include "backends/v3d/v3d_sources.h"
#include "backends/v3d/v3d_uapi.h"
#include "base/mem.h"

static const struct card_claim cards[] = { { .driver = "v3d" } };

/* The parts that the driver binds to (Linux drivers/gpu/drm/v3d/v3d_drv.c, v3d_of_match), by the
 * device tree's name of them. QPUs: Broadcom's GPUs in Raspberry Pi 4 (two slices of four) and 5
 * (three of four), which the register of the part confirms where it can be read. */
static const struct part {
	const char *compatible, *name, *platform, *generation;
	int qpus;			/* 0: not known */
	double dram_bytes_per_s;	/* 0: not known */
	const char *dram_origin;
} parts[] = {
	{ "brcm,2711-v3d", "Broadcom VideoCore VI", "v3d42", "V3D 4.2", 8, 12.8e9,
		"Raspberry Pi 4: LPDDR4-3200, 32 bits" },
	{ "brcm,2712-v3d", "Broadcom VideoCore VII", "v3d71", "V3D 7.1", 12, 17.067e9,
		"Raspberry Pi 5: LPDDR4X-4267, 32 bits" },
};

static const struct part *part_of(const char *compatible)
{
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (!strcmp(parts[i].compatible, compatible))
			return &parts[i];
	return NULL;
}

static void identify(struct device_entry *e, const struct drm_card *card, const struct fsroot *fs)
{
	struct device *d = &e->device;
	const struct part *p = part_of(card->compatible);

	(void)fs;
	d->shares_memory = true;
	if (!p) {
		snprintf(d->name, sizeof(d->name), "%s", "Broadcom V3D GPU");
		drm_card_refuse(e, "%s is no part whose counters this program knows",
			text_or(card->compatible, card->driver));
		return;
	}
	snprintf(d->name, sizeof(d->name), "%s", p->name);
	snprintf(d->generation, sizeof(d->generation), "%s", p->generation);
	snprintf(d->counters, sizeof(d->counters), "V3D");
	drm_card_use(e, p->platform);
	e->refusal = (struct err){ 0 };
}

/* Asks the register that names the units; a GPU that sleeps is not asked. */
static void set_units(struct device *d, const struct part *p, const struct fsroot *fs)
{
	struct v3d_get_param ident = { .param = V3D_CORE0_IDENT1 };
	struct drm_node node;
	int qpus = 0;

	if (!drm_card_is_asleep(fs, d->id) && drm_node_open(&node, fs, d->id, NULL)) {
		if (node_ioctl(node.fd, V3D_GET_PARAM, &ident) == 0)
			qpus = (int)(ident.value >> 4 & 15) * (int)(ident.value >> 8 & 15);
		drm_node_close(&node);
	}
	if (!qpus)
		qpus = p->qpus;
	device_set_const(d, "qpu_count", qpus);
	struct device_const *c = device_set_roof(d, DRAM_ROOF, p->dram_bytes_per_s, ROOF_DATA_SHEET,
		true, p->dram_origin);
	c->reach = 0;
}

static bool open_card(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	const struct part *p = NULL;
	struct err why = { 0 };

	if (!drm_card_open(e, o, dev, err))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (!strcmp(parts[i].platform, e->device.platform))
			p = &parts[i];
	if (!p)
		return true;
	set_units(&dev->device, p, o->fs);
	struct source *s = v3d_queue_open(&dev->device, o, &why);
	if (s)
		dev->sources[dev->n_sources++] = s;
	open_device_tried(dev, "queues", "gpu_stats", "busy time and jobs of each queue, of everybody",
		s ? NULL : &why);
	why = (struct err){ 0 };
	s = v3d_perfmon_open(&dev->device, o, &why);
	if (s)
		dev->sources[dev->n_sources++] = s;
	open_device_tried(dev, "monitor", "monitor",
		"counters of the GPU; up to Linux 7.2 a reading loses the rest of the job that is running",
		&why);
	v3d_firmware_open(dev, o);
	dram_roof_check(dev, NULL);
	return true;
}

const struct backend v3d_backend = {
	.name = "v3d",
	.description = "Broadcom V3D GPUs (Raspberry Pi 4 and 5): the driver's performance monitor",
	.counts_clients = true,
	.cards = cards,
	.n_cards = ARRAY_LEN(cards),
	.identify = identify,
	.open = open_card,
};
