/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cards of the DRM drivers for Mali, and the nodes of Arm's own driver: who they are, and how they
 * are opened. */
#include "config.h"

#include "backends/mali/mali_backend.h"

#include <stdio.h>
#include <string.h>

#include "backends/drm/drm_node.h"
#include "backends/mali/dump_process.h"
#include "backends/mali/kbase.h"
#include "backends/mali/live_clock.h"
#include "backends/mali/panfrost.h"
#include "base/i18n.h"

#define DRM_CLASS "/sys/class/drm"
#define KBASE_NODES 4	/* /dev/mali0 to /dev/mali3 */
#define KBASE "mali"	/* what the devices of kbase name as their driver */

struct scan {
	const struct fsroot *fs;
	struct device_list *out;
};

static const char *const drivers[] = { "panfrost", "panthor", NULL };

static bool identify(
	const struct fsroot *fs, const struct device *d, struct mali_identity *id, struct err *err)
{
	return strcmp(d->driver, KBASE) ? mali_panfrost_identify(fs, d->id, id, err)
					: mali_kbase_identify(fs, d->id, id, err);
}

static void finish(struct device_entry *e, const struct fsroot *fs)
{
	struct mali_identity id;

	snprintf(e->device.name, sizeof(e->device.name), "%s", _("Arm Mali GPU"));
	e->usable = identify(fs, &e->device, &id, &e->refusal) &&
		mali_device_fill(&e->device, &id, &e->refusal);
}

static void refuse_panthor(struct device_entry *e)
{
	snprintf(e->device.name, sizeof(e->device.name), "%s", _("Arm Mali GPU"));
	err_set(&e->refusal, ERR_UNSUPPORTED, "%s",
		_("panthor drives GPUs with command streams (Valhall and later), whose counters "
		  "the kernel does not hand out"));
	err_hint(&e->refusal, "%s",
		_("rooftop knows the Bifrost family: G31, G51, G52, G71, G72 and G76"));
}

static bool add_card(void *ctx, const char *card)
{
	struct scan *scan = ctx;
	struct device_entry *e;
	char driver[16];

	if (!drm_card_driver(scan->fs, card, driver, sizeof(driver)) ||
		backend_of_driver(driver) != &mali_backend)
		return true;
	e = device_list_add(scan->out, &mali_backend);
	snprintf(e->device.id, sizeof(e->device.id), "%s", card);
	snprintf(e->device.driver, sizeof(e->device.driver), "%s", driver);
	if (strcmp(driver, "panthor"))
		finish(e, scan->fs);
	else
		refuse_panthor(e);
	return true;
}

/* Asking who they are wakes none: both drivers know it since they were bound. */
static bool probe(const struct fsroot *fs, struct device_list *out, struct err *err)
{
	struct scan scan = { .fs = fs, .out = out };

	for (int i = 0; i < KBASE_NODES; i++) {
		struct device_entry *e;
		char path[32];

		snprintf(path, sizeof(path), "/dev/mali%d", i);
		if (!fsroot_exists(fs, path))
			continue;
		e = device_list_add(out, &mali_backend);
		snprintf(e->device.id, sizeof(e->device.id), "mali%d", i);
		snprintf(e->device.driver, sizeof(e->device.driver), KBASE);
		finish(e, fs);
	}
	return !fsroot_exists(fs, DRM_CLASS) || fsroot_each(fs, DRM_CLASS, add_card, &scan, err);
}

/* The clock first: its roof is a constant of the device. */
static struct mali_clock_reader *open_clock(
	const struct open_options *o, struct device *d, struct mali_identity *id, struct err *err)
{
	bool drm = strcmp(d->driver, KBASE) != 0;
	struct mali_clock_reader *r;
	char folder[128];
	uint64_t max_hz;

	snprintf(folder, sizeof(folder), "%s/%.40s/device", drm ? DRM_CLASS : "/sys/class/misc",
		d->id);
	r = mali_live_clock(o->fs, folder, drm ? d->id : NULL, &max_hz, err);
	if (max_hz)
		id->max_hz = max_hz;
	return r;
}

/* The clock alone is the primary source then: the windows of a source that was refused say
 * nothing. */
static void put_last_first(struct open_device *dev)
{
	struct source *last = dev->sources[dev->n_sources - 1];

	memmove(&dev->sources[1], &dev->sources[0],
		(size_t)(dev->n_sources - 1) * sizeof(dev->sources[0]));
	dev->sources[0] = last;
}

static bool assemble(struct open_device *dev, const struct open_options *o,
	const struct mali_layout *l, struct mali_dumper *dumper, struct mali_clock_reader *clock,
	const struct err *no_clock, struct err *err)
{
	struct err refusal = { .code = ERR_NONE };
	bool good = mali_sampler_open(dev, l, dumper, o->now_ns, &refusal);

	if (!good && !clock) {
		open_device_close(dev);
		*err = refusal;
		return false;
	}
	open_device_tried(dev, "", dumper->how,
		_("job manager, tiler, L2 slices, shader cores; keeps the GPU awake"),
		good ? NULL : &refusal);
	if (clock)
		mali_clock_open(dev, clock, o->now_ns);
	if (!good)
		put_last_first(dev);
	open_device_tried(dev, "freq", _("GPU clock"),
		_("the clock, and with devfreq what the governor asked for"),
		clock ? NULL : no_clock);
	return true;
}

static bool open_device(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	struct err no_clock = { .code = ERR_NONE }, unused;
	struct mali_clock_reader *clock;
	struct mali_dumper *dumper;
	struct mali_layout layout;
	struct mali_identity id;

	*dev = (struct open_device){ .device = e->device };
	if (!e->usable) {
		err_set(err, e->refusal.code, "%s: %s", e->device.id, e->refusal.msg);
		return err_hint(err, "%s", e->refusal.hint);
	}
	if (!identify(o->fs, &e->device, &id, err) || !mali_layout_init(&layout, &id, err))
		return false;
	dumper = strcmp(e->device.driver, KBASE)
		? mali_panfrost_dumper(o->fs, e->device.id, &layout)
		: mali_kbase_dumper(o->fs, e->device.id, &layout, err);
	if (!dumper)
		return false;
	clock = open_clock(o, &dev->device, &id, &no_clock);
	mali_device_fill(&dev->device, &id, NULL);
	return assemble(dev, o, &layout, mali_dump_process(dumper, e->device.id), clock, &no_clock,
		err ? err : &unused);
}

const struct backend mali_backend = {
	.name = "mali",
	.description = N_("Arm Mali GPUs (Bifrost): counters through panfrost and kbase"),
	.drivers = drivers,
	.probe = probe,
	.open = open_device,
};
