/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the graphics cards of the machine from sysfs alone and says which can be opened, and why
 * the others cannot. Wakes nothing. */
#include "config.h"

#include "backends/intel/intel_backend.h"

#include <stdio.h>
#include <string.h>

#include "backends/drm/drm_node.h"
#include "backends/reopening.h"
#include "backends/intel/i915/i915_device.h"
#include "backends/intel/i915/i915_stream.h"
#include "backends/intel/live/assemble.h"
#include "backends/intel/platform/platform.h"
#include "backends/intel/xe/xe_device.h"
#include "backends/intel/xe/xe_stall.h"
#include "backends/intel/xe/xe_stream.h"
#include "base/i18n.h"
#include "base/mem.h"

#define DRM_CLASS "/sys/class/drm"
#define VENDOR_INTEL 0x8086

struct vendor {
	uint32_t id;
	const char *name;
	const char *source;
};

static const struct vendor vendors[] = {
	{ 0x1002, "AMD", "pci.ids" },
	{ 0x102b, "Matrox", "pci.ids" },
	{ 0x10de, "NVIDIA", "pci.ids" },
	{ 0x1234, "QEMU", "pci.ids" },
	{ 0x15ad, "VMware", "pci.ids" },
	{ 0x1a03, "ASPEED", "pci.ids" },
	{ 0x1af4, "Red Hat virtio", "pci.ids" },
	{ VENDOR_INTEL, "Intel", "pci.ids" },
};

struct scan {
	const struct fsroot *fs;
	struct device_list *out;
};

static uint32_t read_id(const struct fsroot *fs, const char *card, const char *file)
{
	char path[128];
	uint64_t v;

	snprintf(path, sizeof(path), DRM_CLASS "/%.40s/device/%s", card, file);
	return fsroot_read_u64(fs, path, &v, NULL) && v <= UINT32_MAX ? (uint32_t)v : 0;
}

/* The driver of a card; empty when none is bound. */
static void read_driver(const struct fsroot *fs, const char *card, struct device *d)
{
	char path[128], name[64];

	snprintf(path, sizeof(path), DRM_CLASS "/%.40s/device/driver", card);
	if (fsroot_link_name(fs, path, name, sizeof(name)))
		snprintf(d->driver, sizeof(d->driver), "%.15s", name);
	snprintf(path, sizeof(path), DRM_CLASS "/%.40s/device", card);
	if (d->pci_vendor && fsroot_link_name(fs, path, name, sizeof(name)))
		snprintf(d->pci_address, sizeof(d->pci_address), "%.15s", name);
}

static void name_by_vendor(struct device *d)
{
	snprintf(d->name, sizeof(d->name), "%s", d->pci_vendor ? _("unknown GPU") : _("GPU"));
	for (size_t i = 0; i < ARRAY_LEN(vendors); i++)
		if (vendors[i].id == d->pci_vendor)
			/* TRANSLATORS: a graphics processor of the vendor %s */
			snprintf(d->name, sizeof(d->name), _("%s GPU"), vendors[i].name);
}

/* The tables know the full part of a PCI id, not what the fuses of this one left: its topology
 * stays unknown until it is opened. */
static void identify(struct device *d, struct err *unknown)
{
	if (d->pci_device)
		intel_device_identify(d, unknown);
	else
		err_set(unknown, ERR_UNSUPPORTED, _("sysfs does not say which PCI device it is"));
	memset(&d->topology, 0, sizeof(d->topology));
	d->n_consts = 0;
}

static bool is_intel_driver(const char *driver)
{
	return strcmp(driver, "i915") == 0 || strcmp(driver, "xe") == 0;
}

/* unknown: why an Intel GPU could not be identified, or without a code. */
static void refuse(struct device_entry *e, const struct err *unknown)
{
	const struct device *d = &e->device;

	if (unknown->code != ERR_NONE)
		err_set(&e->refusal, ERR_UNSUPPORTED, "%s", unknown->msg);
	else if (!d->driver[0])
		err_set(&e->refusal, ERR_UNSUPPORTED, _("no kernel driver is bound to it"));
	else if (!d->pci_vendor && is_intel_driver(d->driver))
		err_set(&e->refusal, ERR_UNSUPPORTED,
			_("sysfs does not say which PCI device it is"));
	else if (d->pci_vendor != VENDOR_INTEL)
		err_set(&e->refusal, ERR_UNSUPPORTED, _("no backend for driver '%s'"), d->driver);
	else if (strcmp(d->driver, "i915") == 0 && !i915_is_built_in())
		err_set(&e->refusal, ERR_UNSUPPORTED,
			_("this build leaves live OA counters out, for want of libdrm"));
	else
		err_set(&e->refusal, ERR_UNSUPPORTED,
			_("driver '%s' gives no access to OA counters"), d->driver);
	if (!d->driver[0] && d->pci_vendor == VENDOR_INTEL)
		err_hint(&e->refusal, "%s",
			_("sudo modprobe i915, or xe from Lunar Lake on; 'lspci -k' shows which "
			  "driver it wants"));
	else
		err_hint(&e->refusal, "%s",
			_("play a recording with -r FILE, or watch a simulated device with -D "
			  "sim:hd620"));
}

/* Whether its counters may be readable is known only when it is opened. */
static bool is_usable(const struct device *d)
{
	if (d->pci_vendor != VENDOR_INTEL || !d->platform[0])
		return false;
	return strcmp(d->driver, "xe") == 0 ||
		(strcmp(d->driver, "i915") == 0 && i915_is_built_in());
}

static void append_asleep(struct err *err)
{
	size_t len = strlen(err->msg);

	snprintf(
		err->msg + len, sizeof(err->msg) - len, "%s", _(" (it is asleep and was left so)"));
}

static bool add_card(void *ctx, const char *card)
{
	struct scan *scan = ctx;
	struct device_entry *e;
	struct err unknown = { .code = ERR_NONE };
	char driver[64];

	if (!drm_is_card(card) ||
		(drm_card_driver(scan->fs, card, driver, sizeof(driver)) &&
			backend_of_driver(driver)))
		return true;
	e = device_list_add(scan->out, &intel_backend);
	snprintf(e->device.id, sizeof(e->device.id), "%s", card);
	e->device.pci_vendor = read_id(scan->fs, card, "vendor");
	e->device.pci_device = read_id(scan->fs, card, "device");
	e->device.pci_revision = read_id(scan->fs, card, "revision");
	read_driver(scan->fs, card, &e->device);
	name_by_vendor(&e->device);
	if (e->device.pci_vendor == VENDOR_INTEL)
		identify(&e->device, &unknown);
	e->usable = is_usable(&e->device);
	if (e->usable)
		return true;
	refuse(e, &unknown);
	if (drm_card_is_asleep(scan->fs, card))
		append_asleep(&e->refusal);
	return true;
}

static bool probe(const struct fsroot *fs, struct device_list *out, struct err *err)
{
	struct scan scan = { .fs = fs, .out = out };

	/* A machine without graphics has no such folder. */
	if (!fsroot_exists(fs, DRM_CLASS))
		return true;
	return fsroot_each(fs, DRM_CLASS, add_card, &scan, err);
}

static bool open_card(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	if (e->usable)
		return strcmp(e->device.driver, "xe") ? i915_device_open(e, o, dev, err)
						      : xe_device_open(e, o, dev, err);
	err_set(err, e->refusal.code, "%s: %s", e->device.id, e->refusal.msg);
	return err_hint(err, "%s", e->refusal.hint);
}

/* Sampling of EU stalls is a source of its own, which only opening adds or leaves out. */
static bool has_right_sources(const struct open_device *dev, const struct metric_set *set)
{
	bool samples = false;

	for (int i = 0; i < dev->n_sources; i++)
		samples |= !strcmp(dev->sources[i]->feed.name, "stall");
	return samples == xe_stall_wanted(set);
}

static bool reprogram_card(
	struct open_device *dev, const struct metric_set *set, int64_t now_ns, struct err *err)
{
	bool is_xe = !strcmp(dev->device.driver, "xe");

	if (is_xe && !has_right_sources(dev, set))
		return err_set(err, ERR_UNSUPPORTED,
			_("%s: set %s reads other sources than the one before"), dev->device.id,
			set->name);
	for (int i = 0; i < dev->n_sources; i++) {
		struct source *oa = reopening_source_inner(dev->sources[i]);

		if (!oa || strcmp(oa->feed.name, "oa"))
			continue;
		if (!oa->ops->ready(oa, now_ns, err))
			return false;
		if (is_xe ? !xe_stream_reprogram(oa, set, err)
			  : !i915_stream_reprogram(oa, set, err))
			return false;
		intel_oa_uses_set(dev->sources[i], set);
		return true;
	}
	return err_set(err, ERR_UNSUPPORTED, _("%s: no OA stream is open"), dev->device.id);
}

const struct backend intel_backend = {
	.name = "intel",
	.description = N_("Intel GPUs: live OA counters through i915 perf and xe observation"),
	.has_ways = true,
	.probe = probe,
	.open = open_card,
	.reprogram = reprogram_card,
};
