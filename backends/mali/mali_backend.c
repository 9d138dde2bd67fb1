/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The backend of Arm Mali GPUs: cards of panfrost and panthor, nodes of Arm's own driver. It says
 * what they are, and opens them. */
#include "config.h"

#include "backends/common/backend.h"

#include <stdio.h>
#include <string.h>

#include "backends/card/drm_backend.h"
#include "backends/card/drm_card.h"
#include "backends/mali/dump_process.h"
#include "backends/mali/kbase.h"
#include "backends/mali/clock_files.h"
#include "backends/mali/panfrost.h"
#include "base/mem.h"

#define KBASE_NODES 4	/* /dev/mali0 to /dev/mali3 */

struct mali_driver {
	const char *name;
	const char *class;		/* where sysfs lists its devices */
	bool has_fdinfo;		/* which may tell the clock */
	bool (*identify)(const struct fsroot *fs, const char *id, struct mali_identity *out,
		struct err *err);
	struct mali_dumper *(*dumper)(const struct fsroot *fs, const char *id,
		const struct mali_layout *l, struct err *err);
};

static bool refuse_panthor(
	const struct fsroot *fs, const char *id, struct mali_identity *out, struct err *err)
{
	(void)fs;
	(void)id;
	(void)out;
	err_set(err, ERR_UNSUPPORTED, "%s",
		"panthor drives GPUs with command streams (Valhall and later), whose counters "
		"the kernel does not hand out");
	return err_hint(err, "%s",
		"rooftop reads those GPUs through Arm's own driver, kbase, and what sysfs and processes tell");
}

static const struct mali_driver drivers[] = {
	{ "panfrost", "/sys/class/drm", true, mali_panfrost_identify, mali_panfrost_dumper },
	{ "panthor", "/sys/class/drm", true, refuse_panthor, NULL },
	{ "mali", "/sys/class/misc", false, mali_kbase_identify, mali_kbase_dumper },
};

static const struct card_claim cards[] = { { .driver = "panfrost" }, { .driver = "panthor" } };

static const struct mali_driver *driver_of(const struct device *d)
{
	size_t i = 0;

	while (strcmp(drivers[i].name, d->driver) != 0)
		i++;
	return &drivers[i];
}

static bool settle(struct device_entry *e, const struct fsroot *fs, struct err *err)
{
	struct mali_identity id;

	e->usable = driver_of(&e->device)->identify(fs, e->device.id, &id, &e->refusal) &&
		mali_device_fill(&e->device, &id, &e->refusal);
	if (!e->usable && err)
		*err = e->refusal;
	return e->usable;
}

/* Every driver has known what a GPU is since it was bound, and asking wakes none; but panfrost resumes the
 * GPU whenever its node is closed (Linux panfrost_perfcnt.c, panfrost_perfcnt_close()). */
static void identify(struct device_entry *e, const struct drm_card *card, const struct fsroot *fs)
{
	snprintf(e->device.name, sizeof(e->device.name), "%s", "Arm Mali GPU");
	if (!card || !card->asleep || driver_of(&e->device)->identify != mali_panfrost_identify) {
		settle(e, fs, NULL);
		return;
	}
	if (*card->compatible)
		snprintf(e->device.name, sizeof(e->device.name), "Arm Mali GPU (%.60s)",
			card->compatible);
	snprintf(e->device.counters, sizeof(e->device.counters), "HWC");
	e->usable = true;
	e->refusal = (struct err){ 0 };
}

/* The nodes of kbase, Arm's own driver. */
static bool probe(const struct fsroot *fs, struct device_list *out, struct err *err)
{
	(void)err;
	for (int i = 0; i < KBASE_NODES; i++) {
		char path[32];

		snprintf(path, sizeof(path), "/dev/mali%d", i);
		if (!fsroot_exists(fs, path))
			continue;
		struct device_entry *e = device_list_add(out, &mali_backend);
		snprintf(e->device.id, sizeof(e->device.id), "mali%d", i);
		snprintf(e->device.driver, sizeof(e->device.driver), "mali");
		identify(e, NULL, fs);
	}
	return true;
}

/* Opens the clock before the counters: its roof is a constant of the device. */
static struct mali_clock_reader *open_clock(
	const struct open_options *o, struct device *d, struct mali_identity *id, struct err *err)
{
	const struct mali_driver *driver = driver_of(d);
	struct mali_clock_reader *r;
	char folder[128];
	uint64_t max_hz;

	snprintf(folder, sizeof(folder), "%s/%.40s/device", driver->class, d->id);
	r = mali_clock_files_open(o->fs, folder, driver->has_fdinfo ? d->id : NULL, &max_hz, err);
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
	bool good = mali_dump_sources_open(dev, l, dumper, o->now_ns, &refusal);

	if (!good && !clock) {
		open_device_close(dev);
		*err = refusal;
		return false;
	}
	open_device_tried(dev, "", dumper->how,
		"job manager, tiler, L2 slices, shader cores; keeps the GPU awake",
		good ? NULL : &refusal);
	if (clock)
		mali_clock_open(dev, clock, o->now_ns);
	if (!good)
		put_last_first(dev);
	open_device_tried(dev, "freq", "GPU clock",
		"the clock, and with devfreq what the governor asked for",
		clock ? NULL : no_clock);
	return true;
}

static bool open_device(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	struct err no_clock = { .code = ERR_NONE }, unused;
	struct mali_layout layout;
	struct mali_identity id;

	*dev = (struct open_device){ .device = e->device };
	if (!e->usable)
		return drm_card_refuse_open(e, err);
	const struct mali_driver *driver = driver_of(&e->device);
	if (!driver->identify(o->fs, e->device.id, &id, err) ||
		!mali_layout_init(&layout, &id, err))
		return false;
	struct mali_dumper *dumper = driver->dumper(o->fs, e->device.id, &layout, err);
	if (!dumper)
		return false;
	struct mali_clock_reader *clock = open_clock(o, &dev->device, &id, &no_clock);
	mali_device_fill(&dev->device, &id, NULL);
	return assemble(dev, o, &layout, mali_dump_process(dumper, e->device.id), clock, &no_clock,
		err ? err : &unused);
}

const struct backend mali_backend = {
	.name = "mali",
	.description = "Arm Mali GPUs since Bifrost: counters through panfrost and kbase",
	.cards = cards,
	.n_cards = ARRAY_LEN(cards),
	.identify = identify,
	.settle = settle,
	.probe = probe,
	.open = open_device,
};
