/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The backend of real Intel GPUs: which cards are its own, and how each driver's are opened. */
#include "config.h"

#include "backends/common/backend.h"

#include <stdio.h>
#include <string.h>

#include "backends/common/stand_ins.h"
#include "backends/card/drm_card.h"
#include "backends/intel/i915/i915_device.h"
#include "backends/intel/live/assemble.h"
#include "backends/intel/platform/platform.h"
#include "backends/intel/xe/xe_device.h"
#include "base/mem.h"

/* The functions that open and program the cards of one driver. */
struct card_driver {
	bool (*is_built_in)(void);	/* NULL: always */
	bool (*open)(const struct device_entry *e, const struct open_options *o,
		struct open_device *dev, struct err *err);
	bool (*reprogram)(struct source *oa, const struct device *d, const struct metric_set *set,
		struct err *err);
	bool samples_stalls;
};

static const struct card_driver drivers[] = {
	[INTEL_I915] = { i915_is_built_in, i915_device_open, i915_stream_reprogram, false },
	[INTEL_XE] = { NULL, xe_device_open, xe_stream_reprogram, true },
};

/* The last row is for cards that cannot be read because of their driver, or the lack of one. */
static const struct card_claim cards[] = {
	{ .driver = "i915" },
	{ .driver = "xe" },
	{ .pci_vendor = INTEL_PCI_VENDOR },
};

/* What they mean stands in i915_perf.c and xe_observation.c of Linux. */
static const char *const settings[] = {
	"dev.i915.perf_stream_paranoid", "dev.xe.observation_paranoid", NULL
};

static const struct card_driver *driver_of(const struct device *d)
{
	enum intel_driver driver = intel_driver_of(d);

	return driver == INTEL_NO_DRIVER ? NULL : &drivers[driver];
}

static void use_without_sets(struct device_entry *e, const struct err *why)
{
	snprintf(e->device.platform, sizeof(e->device.platform), INTEL_NO_SETS);
	e->refusal = *why;
	err_hint(&e->refusal,
		"clocks, engines, energy and processes are shown; a newer version may know its "
		"counters");
	e->usable = true;
}

/* Without clock files nothing of an unknown part can be opened here; it is a card like any other
 * then. */
static bool has_clock_files(const struct device *d, const struct fsroot *fs)
{
	struct source *s = gt_clock_open(d->id, &(struct open_options){ .fs = fs });

	source_close(s);
	return s != NULL;
}

/* Opens what stands beside OA counters, with the reason why those are not there. */
static bool open_without_sets(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	struct intel_part parts[2] = {
		{ .name = "OA counters",
			.gives = "counters of the GPU itself",
			.refusal = e->refusal },
		{ .name = "clock files", .gives = "actual and requested clock, RC6 residency" },
	};

	*dev = (struct open_device){ .device = e->device };
	if (o->access && strcmp(o->access, "auto") != 0)
		return drm_card_refuse_open(e, err);
	gt_clock_limits(o->fs, e->device.id, &dev->device);
	intel_device_set_consts(&dev->device);
	parts[1].source = gt_clock_open(e->device.id, o);
	if (!parts[1].source)
		err_set(&parts[1].refusal, ERR_UNSUPPORTED,
			"no clock file below /sys/class/drm/%s can be read", e->device.id);
	return intel_device_assemble(dev, parts, ARRAY_LEN(parts), err);
}

/* The tables know the full part of a PCI id, and not what the fuses of this one left. Its topology
 * stays unknown until it is opened. Whether its counters may be read is known only then, too. */
static void identify(struct device_entry *e, const struct drm_card *card, const struct fsroot *fs)
{
	struct device *d = &e->device;
	const struct card_driver *driver = driver_of(d);
	struct err unknown;
	bool has_ids = d->pci_vendor && d->pci_device, known = false;

	(void)card;
	if (d->pci_vendor && d->pci_vendor != INTEL_PCI_VENDOR)
		return;
	if (has_ids)
		known = intel_device_identify(d, &unknown);
	if (!has_ids)
		drm_card_refuse(e, "sysfs does not say which PCI device it is");
	else if (!known && (!driver || !has_clock_files(d, fs)))
		drm_card_refuse(e, "%s", unknown.msg);
	else if (!known)
		use_without_sets(e, &unknown);
	else if (!driver && d->driver[0])
		drm_card_refuse(e, "driver '%s' gives no access to OA counters", d->driver);
	else if (driver && driver->is_built_in && !driver->is_built_in())
		drm_card_refuse(e, "this build leaves live OA counters out, for want of libdrm");
	else
		e->usable = driver != NULL;
	memset(&d->topology, 0, sizeof(d->topology));
	d->n_consts = 0;
	/* Graphics of the processor are on its own bus, and a card lies behind a bridge. */
	d->shares_memory = !intel_platform_is_card(d->platform) &&
		!strncmp(d->pci_address, "0000:00:", strlen("0000:00:"));
	if (!d->driver[0])
		err_hint(&e->refusal, "%s",
			"sudo modprobe i915, or xe from Lunar Lake on; 'lspci -k' shows which "
			"driver it wants");
}

static bool open_card(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	if (!e->usable)
		return drm_card_refuse_open(e, err);
	if (!strcmp(e->device.platform, INTEL_NO_SETS))
		return open_without_sets(e, o, dev, err);
	if (!driver_of(&e->device)->open(e, o, dev, err))
		return false;
	dev->stamp_shift = intel_cs_clock_shift(intel_platform_by_name(dev->device.platform));
	return true;
}

/* The sampling of EU stalls is a source of its own, which only opening the device adds or leaves
 * out. */
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
	const struct card_driver *driver = driver_of(&dev->device);

	if (driver->samples_stalls && !has_right_sources(dev, set))
		return err_set(err, ERR_UNSUPPORTED,
			"%s: set %s reads other sources than the one before", dev->device.id,
			set->name);
	for (int i = 0; i < dev->n_sources; i++) {
		struct source *oa = reopening_source_inner(dev->sources[i]);

		if (!oa || strcmp(oa->feed.name, "oa"))
			continue;
		bool good = oa->ops->ready(oa, now_ns, err) &&
			driver->reprogram(oa, &dev->device, set, err);
		if (good)
			intel_oa_uses_set(dev->sources[i], set);
		reopening_source_changed(dev->sources[i]);
		return good;
	}
	return err_set(err, ERR_UNSUPPORTED, "%s: no OA stream is open", dev->device.id);
}

const struct backend intel_backend = {
	.name = "intel",
	.description = "Intel GPUs: live OA counters through i915 perf and xe observation",
	.has_ways = true,
	.cards = cards,
	.n_cards = ARRAY_LEN(cards),
	.driver_hint = "sudo modprobe i915, or xe from Lunar Lake on; 'lspci -k' shows which driver it wants",
	.settings = settings,
	.identify = identify,
	.open = open_card,
	.reprogram = reprogram_card,
};
