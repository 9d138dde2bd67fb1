/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds NVIDIA GPUs, as DRM cards or, on servers without graphics, on the PCI bus alone, and opens
 * them. */
#include "config.h"

#include "backends/common/backend.h"

#include <stdio.h>
#include <string.h>

#include "backends/card/drm_backend.h"
#include "backends/card/drm_card.h"
#include "backends/memory/dram_roof.h"
#include "backends/nvidia/nvidia_clients.h"
#include "backends/nvidia/nvidia_files.h"
#include "backends/nvidia/nvml_source.h"
#include "base/clock.h"
#include "base/mem.h"

#define NVIDIA_VENDOR 0x10de
#define BUS_FOLDER "/sys/bus/pci/drivers/nvidia"

/* The driver of the bus; its DRM driver is nvidia-drm. */
static const struct card_claim cards[] = { { .driver = "nvidia" } };

/* Fills what can be known without the library. */
static void name_device(struct device *d, const struct fsroot *fs)
{
	struct nvidia_information info;
	char version[64] = "";

	snprintf(d->name, sizeof(d->name), "%s", "NVIDIA GPU");
	if (nvidia_information(fs, d->pci_address, &info) && info.model[0])
		memcpy(d->name, info.model, sizeof(d->name));
	nvidia_driver_version(fs, version, sizeof(version));
	device_set_word(d, "driver_version", "Driver", version);
	device_set_word(d, "uuid", "UUID", info.uuid);
	snprintf(d->counters, sizeof(d->counters), "NVML");
}

/* A GPU without the library can be opened, in case it is found all the same, but it is told to have no
 * counters. */
static void look_for_library(struct device_entry *e, const struct fsroot *fs)
{
	drm_card_use(e, "nvidia");
	e->refusal = (struct err){ 0 };
	if (nvidia_has_library(fs))
		return;
	e->device.counters[0] = '\0';
	err_set(&e->refusal, ERR_SYS, "%s", "NVIDIA's library is not installed");
	err_hint(&e->refusal, "%s",
		"install the library of the driver's version (Debian: libnvidia-ml1)");
}

static void identify(struct device_entry *e, const struct drm_card *card, const struct fsroot *fs)
{
	(void)card;
	name_device(&e->device, fs);
	look_for_library(e, fs);
}

struct scan {
	const struct fsroot *fs;
	struct device_list *out;
};

static bool is_address(const char *name)
{
	unsigned domain, bus, slot, function;

	return sscanf(name, "%x:%x:%x.%x", &domain, &bus, &slot, &function) == 4 && strlen(name) <= 15;
}

struct rank {
	const char *address;
	int n;
};

static bool count_before(void *ctx, const char *name)
{
	struct rank *r = ctx;

	r->n += is_address(name) && strcmp(name, r->address) < 0;
	return true;
}

/* The place of a GPU among all that the driver has, by their addresses: its node's number is told only while
 * it is awake, and a name must not depend on that. */
static int rank_of(const struct fsroot *fs, const char *address)
{
	struct rank r = { .address = address };

	fsroot_each(fs, BUS_FOLDER, count_before, &r, NULL);
	return r.n;
}

static uint32_t pci_number(const struct fsroot *fs, const char *address, const char *file)
{
	char path[96];
	uint64_t v;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%.15s/%s", address, file);
	return fsroot_read_u64(fs, path, &v, NULL) && v <= UINT32_MAX ? (uint32_t)v : 0;
}

/* The driver's folder has a link for each GPU, named by its address, and other files. */
static bool add_gpu(void *ctx, const char *name)
{
	struct scan *scan = ctx;

	if (!is_address(name))
		return true;
	for (size_t i = 0; i < scan->out->count; i++)
		if (!strcmp(scan->out->entries[i].device.pci_address, name))
			return true;
	struct device_entry *e = device_list_add(scan->out, &nvidia_backend);
	struct device *d = &e->device;
	snprintf(d->driver, sizeof(d->driver), "nvidia");
	snprintf(d->pci_address, sizeof(d->pci_address), "%.15s", name);
	d->pci_vendor = pci_number(scan->fs, name, "vendor");
	d->pci_device = pci_number(scan->fs, name, "device");
	d->pci_revision = pci_number(scan->fs, name, "revision");
	name_device(d, scan->fs);
	snprintf(d->id, sizeof(d->id), "nvidia%d", rank_of(scan->fs, name));
	look_for_library(e, scan->fs);
	return true;
}

/* GPUs without a DRM card; the cards were listed before. */
static bool probe(const struct fsroot *fs, struct device_list *out, struct err *err)
{
	struct scan scan = { .fs = fs, .out = out };

	return !fsroot_exists(fs, BUS_FOLDER) || fsroot_each(fs, BUS_FOLDER, add_gpu, &scan, err);
}

static bool open_gpu(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	struct err refusal = { 0 }, no_roof = { 0 };

	if (!e->usable)
		return drm_card_refuse_open(e, err);
	*dev = (struct open_device){ .device = e->device };
	if (o->access && strcmp(o->access, "auto") != 0) {
		err_set(err, ERR_UNSUPPORTED, "%s: NVIDIA's GPUs have one way to their counters",
			e->device.id);
		return err_hint(err, "--access is for cards with OA counters");
	}
	struct nvml_feeder *feeder = nvml_process_new(o->fs, &dev->device);
	dev->sources[dev->n_sources++] = nvml_source_open(dev, o, feeder, &refusal);
	struct source *instances = nvml_source_instances(dev->sources[0]);
	if (instances)
		dev->sources[dev->n_sources++] = instances;
	dev->clients = nvidia_clients_open(dev->sources[0], o->fs);
	open_device_tried(dev, "nvml", "NVML",
		"load, clocks, power, heat, memory, links, processes; from Hopper on the pipes "
		"(GPM)",
		refusal.code == ERR_NONE ? NULL : &refusal);
	err_set(&no_roof, ERR_UNSUPPORTED, "%s",
		"NVIDIA's library has not told the memory's clock and width");
	dram_roof_check(dev, &no_roof);
	return true;
}

const struct backend nvidia_backend = {
	.name = "nvidia",
	.description = "NVIDIA GPUs: NVIDIA's management library, with GPM from Hopper on",
	.cards = cards,
	.n_cards = ARRAY_LEN(cards),
	.identify = identify,
	.probe = probe,
	.open = open_gpu,
};
