/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads gauges of a card in sysfs: throttle reasons and hwmon. */
#include "config.h"

#include "backends/intel/gt_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/drm/drm_card.h"
#include "backends/intel/platform/platform.h"
#include "base/i18n.h"
#include "base/mem.h"

/* The files of i915 (gt/intel_gt_sysfs_pm.c) and of xe (xe_gt_throttle.c) lie below the card. Those
 * of hwmon lie in the folder of the card's sensor (ABI/testing/sysfs-driver-intel-i915-hwmon,
 * -xe-hwmon). */
static const struct gt_row {
	struct counter_desc desc;
	const char *i915, *xe, *hwmon;
} rows[] = {
	{ { "throttled", "number", 8, COUNTER_GAUGE }, "gt/gt0/throttle_reason_status", "device/tile0/gt0/freq0/throttle/status", NULL },
	{ { "throttled_pl1", "number", 8, COUNTER_GAUGE }, "gt/gt0/throttle_reason_pl1", "device/tile0/gt0/freq0/throttle/reason_pl1", NULL },
	{ { "throttled_pl2", "number", 8, COUNTER_GAUGE }, "gt/gt0/throttle_reason_pl2", "device/tile0/gt0/freq0/throttle/reason_pl2", NULL },
	{ { "throttled_pl4", "number", 8, COUNTER_GAUGE }, "gt/gt0/throttle_reason_pl4", "device/tile0/gt0/freq0/throttle/reason_pl4", NULL },
	{ { "throttled_thermal", "number", 8, COUNTER_GAUGE }, "gt/gt0/throttle_reason_thermal", "device/tile0/gt0/freq0/throttle/reason_thermal", NULL },
	{ { "throttled_prochot", "number", 8, COUNTER_GAUGE }, "gt/gt0/throttle_reason_prochot", "device/tile0/gt0/freq0/throttle/reason_prochot", NULL },
	{ { "temperature_mdegc", "mdegC", 32, COUNTER_GAUGE }, NULL, NULL, "temp1_input" },
	{ { "fan_rpm", "number", 32, COUNTER_GAUGE }, NULL, NULL, "fan1_input" },
};

#define ROWS ((int)ARRAY_LEN(rows))

struct gt_files {
	struct source source;
	const struct fsroot *fs;
	char card[32];
	char paths[ARRAY_LEN(rows)][160];	/* empty: there is no such file */
	struct counter_desc counters[ARRAY_LEN(rows)];
	uint64_t values[ARRAY_LEN(rows)];
	enum why whys[ARRAY_LEN(rows)];
	bool asleep;
	int64_t window_ns;
};

/* A card that sleeps is not woken. A file that cannot be read costs only its own value. */
static bool files_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct gt_files *s = (struct gt_files *)src;

	(void)now_ns;
	(void)err;
	s->asleep = drm_card_is_asleep(s->fs, s->card);
	for (int i = 0; i < ROWS && !s->asleep; i++) {
		s->whys[i] = WHY_OK;
		if (s->paths[i][0] && !fsroot_read_u64(s->fs, s->paths[i], &s->values[i], NULL))
			s->whys[i] = WHY_STALE;
	}
	return true;
}

static void files_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct gt_files *s = (struct gt_files *)src;

	source_window(out, &s->window_ns, now_ns);
	out->why = s->asleep ? WHY_ASLEEP : WHY_OK;
	out->whys = s->whys;
	memcpy(out->values, s->values, sizeof(s->values));
}

static const struct source_ops files_ops = {
	.ready = files_ready, .collect = files_collect, .close = source_free
};

static bool find_files(struct gt_files *s)
{
	char path[160], hwmon[128];
	bool has_hwmon = drm_card_hwmon(s->fs, s->card, hwmon, sizeof(hwmon));
	bool any = false;

	for (int i = 0; i < ROWS; i++) {
		const char *below[] = { rows[i].i915, rows[i].xe };

		s->counters[i] = rows[i].desc;
		for (size_t k = 0; k < ARRAY_LEN(below) && !s->paths[i][0]; k++) {
			snprintf(path, sizeof(path), "/sys/class/drm/%s/%s", s->card,
				below[k] ? below[k] : "");
			if (below[k] && fsroot_exists(s->fs, path))
				snprintf(s->paths[i], sizeof(s->paths[i]), "%s", path);
		}
		if (rows[i].hwmon && has_hwmon) {
			snprintf(path, sizeof(path), "%s/%s", hwmon, rows[i].hwmon);
			if (fsroot_exists(s->fs, path))
				snprintf(s->paths[i], sizeof(s->paths[i]), "%s", path);
		}
		if (!s->paths[i][0])	/* nobody is offered a nameless counter */
			s->counters[i].name[0] = '\0';
		any |= s->paths[i][0] != '\0';
	}
	return any;
}

static void attach(
	const struct device_entry *e, const struct open_options *o, struct open_device *dev)
{
	if (intel_driver_of(&dev->device) == INTEL_NO_DRIVER ||
		dev->n_sources == DEVICE_MAX_SOURCES)
		return;
	struct gt_files *s = xcalloc(1, sizeof(*s));
	s->source = (struct source){ .ops = &files_ops,
		.fd = -1,
		.feed = { .name = "gt", .counters = s->counters, .n_counters = ROWS } };
	s->fs = o->fs;
	s->window_ns = o->now_ns;
	snprintf(s->card, sizeof(s->card), "%.31s", e->device.id);
	if (!find_files(s)) {
		free(s);
		return;
	}
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s sysfs", dev->device.driver);
	open_device_tried(dev, "gt", _("throttle and sensors"),
		_("what holds the clock down; temperature and fan of discrete cards"), NULL);
	dev->sources[dev->n_sources++] = &s->source;
}

const struct companion gt_files_companion = { .name = "gt", .attach = attach };
