/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The backend of Arm Mali GPUs: cards of panfrost and panthor, nodes of Arm's own driver. It says
 * what they are, and opens them. */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/common/backend.h"
#include "backends/card/drm_card.h"
#include "backends/mali/dump_sources.h"
#include "backends/mali/kbase.h"
#include "base/mem.h"
#include "backends/card/drm_node.h"
#include "base/parse.h"
#include "base/fsroot.h"

#define KBASE_NODES 4	/* /dev/mali0 to /dev/mali3 */

/* Linux Documentation/gpu/drm-usage-stats.rst and panfrost.rst. All engines have one clock. */
#define CURRENT_KEY "drm-curfreq-fragment:"
#define MAX_KEY "drm-maxfreq-fragment:"

struct clock_files {
	struct mali_clock_reader reader;
	const struct fsroot *fs;
	struct drm_node node;		/* its fdinfo is read; -1: devfreq */
	char folder[192];		/* of devfreq */
};

/* A line "KEY:	800000000 Hz". */
static bool find_hz(const char *text, const char *key, uint64_t *hz)
{
	const char *at = strstr(text, key);
	char number[24];

	if (!at)
		return false;
	at += strlen(key);
	at += strspn(at, " \t");
	size_t len = strspn(at, "0123456789");
	snprintf(number, sizeof(number), "%.*s",
		(int)(len < sizeof(number) ? len : sizeof(number) - 1), at);
	return parse_u64(number, hz);
}

/* Reads the file of our own descriptor. It belongs to this process, so it is not below the
 * prefix. */
static bool read_fdinfo(int fd, char *buf, size_t size)
{
	char path[48];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	return file_read_text(AT_FDCWD, path, buf, size) > 0;
}

static bool read_devfreq(
	const struct clock_files *c, const char *file, uint64_t *hz, struct err *err)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", c->folder, file);
	return fsroot_read_u64(c->fs, path, hz, err);
}

/* The highest clock is that of the list; max_freq is what is allowed now, also by cooling. */
static bool read_highest(const struct clock_files *c, uint64_t *hz)
{
	char list[4096], *end;

	if (!fsroot_line(c->fs, list, sizeof(list), "%s/available_frequencies", c->folder))
		*list = '\0';
	*hz = 0;
	for (const char *at = list;; at = end) {
		uint64_t one = strtoull(at, &end, 10);

		if (end == at)
			return *hz > 0 || read_devfreq(c, "max_freq", hz, NULL);
		if (one > *hz)
			*hz = one;
	}
}

static bool read_clock(struct mali_clock_reader *r, int64_t now_ns, uint64_t *now_hz,
	uint64_t *target_hz, struct err *err)
{
	struct clock_files *c = (struct clock_files *)r;
	char text[4096];

	(void)now_ns;
	if (c->reader.has_target && !read_devfreq(c, "target_freq", target_hz, err))
		return false;
	if (c->node.fd < 0)
		return read_devfreq(c, "cur_freq", now_hz, err);
	return (read_fdinfo(c->node.fd, text, sizeof(text)) &&
		       find_hz(text, CURRENT_KEY, now_hz)) ||
		err_set(err, ERR_SYS, "%s: its driver no longer tells the clock", c->node.card);
}

static void close_clock(struct mali_clock_reader *r)
{
	drm_node_close(&((struct clock_files *)r)->node);
}

static const struct mali_clock_ops clock_ops = {
	.size = sizeof(struct clock_files), .read = read_clock, .close = close_clock
};

/* /sys/class/drm/card0/device/devfreq/fde60000.gpu */
static bool find_devfreq(struct clock_files *c, const char *folder)
{
	char path[120], name[64];

	snprintf(path, sizeof(path), "%.100s/devfreq", folder);
	bool found = fsroot_first(c->fs, path, "", name, sizeof(name));
	snprintf(c->folder, sizeof(c->folder), "%s/%s", path, name);
	return found;
}

static bool find_fdinfo(struct clock_files *c, const char *card, uint64_t *max_hz)
{
	char text[4096];
	uint64_t hz;

	if (!card || !drm_node_open(&c->node, c->fs, card, NULL))
		return false;
	if (read_fdinfo(c->node.fd, text, sizeof(text)) && find_hz(text, CURRENT_KEY, &hz)) {
		find_hz(text, MAX_KEY, max_hz);
		return true;
	}
	drm_node_close(&c->node);
	return false;
}

/* folder: the device's in sysfs, "/sys/class/drm/card0/device". card: of a DRM driver whose fdinfo
 * is to be asked first, or NULL. NULL with err when nobody tells the clock. *max_hz: the highest
 * one, 0 unknown. */
static struct mali_clock_reader *mali_clock_files_open(const struct fsroot *fs, const char *folder,
	const char *card, uint64_t *max_hz, struct err *err)
{
	struct clock_files *c = mali_clock_new(&clock_ops);
	uint64_t hz;

	*max_hz = 0;
	c->fs = fs;
	c->node.fd = -1;
	bool devfreq = find_devfreq(c, folder) && read_devfreq(c, "cur_freq", &hz, NULL);
	c->reader.has_target = devfreq && read_devfreq(c, "target_freq", &hz, NULL);
	bool fdinfo = find_fdinfo(c, card, max_hz);
	if (devfreq && !*max_hz && !read_highest(c, max_hz))
		*max_hz = 0;
	snprintf(c->reader.how, sizeof(c->reader.how), "%s", fdinfo ? "DRM fdinfo" : "devfreq");
	if (devfreq || fdinfo)
		return &c->reader;
	mali_clock_close(&c->reader);
	err_set(err, ERR_UNSUPPORTED, "neither its driver nor devfreq below %s tells the clock",
		folder);
	return NULL;
}

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
