/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads gauges of a card in sysfs: throttle reasons and hwmon. */
#include "config.h"

#include "backends/common/backend.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backends/card/drm_card.h"
#include "backends/intel/platform/platform.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/fsroot.h"

/* What is counted: samples that were taken, and those of them with a reason of that kind. A sample
 * may have several. */
enum throttle_kind {
	THROTTLE_SAMPLES,
	THROTTLE_HEAT,
	THROTTLE_POWER,
	THROTTLE_CURRENT,
	THROTTLE_OTHER, /* a reason that this program does not know, or none is named */
	THROTTLE_KINDS
};

#define THROTTLE_MAX_REASONS 32

struct throttle {
	const struct fsroot *fs;
	char folder[128], prefix[24]; /* "/sys/...", "reason_" */
	char clock[160]; /* the file of the actual clock, 0 while the GPU rests */
	char status[160]; /* the file that says whether there is any reason; "": none */
	char reasons[THROTTLE_MAX_REASONS][32]; /* names behind the prefix */
	int n;
	uint64_t counts[THROTTLE_KINDS];
};

/* The names of Linux i915 (gt/intel_gt_sysfs_pm.c) and xe (xe_gt_throttle.c). */
static const struct {
	const char *reason;
	enum throttle_kind kind;
} kinds[] = {
	{ "thermal", THROTTLE_HEAT },
	{ "prochot", THROTTLE_HEAT },
	{ "ratl", THROTTLE_HEAT },
	{ "vr_thermalert", THROTTLE_HEAT },
	{ "vr_thermal", THROTTLE_HEAT },
	{ "soc_thermal", THROTTLE_HEAT },
	{ "soc_avg_thermal", THROTTLE_HEAT },
	{ "mem_thermal", THROTTLE_HEAT },
	{ "pl1", THROTTLE_POWER },
	{ "pl2", THROTTLE_POWER },
	{ "psys_pl1", THROTTLE_POWER },
	{ "psys_pl2", THROTTLE_POWER },
	{ "psys_crit", THROTTLE_POWER },
	{ "pl4", THROTTLE_CURRENT },
	{ "vr_tdc", THROTTLE_CURRENT },
	{ "iccmax", THROTTLE_CURRENT },
};

/* Returns the kind of a reason by its name behind the prefix: "pl1" is THROTTLE_POWER. */
static enum throttle_kind throttle_kind_of(const char *reason)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (!strcmp(kinds[i].reason, reason))
			return kinds[i].kind;
	return THROTTLE_OTHER;
}

/* Kernels add reasons, so every file with the prefix is one. */
static bool add_reason(void *ctx, const char *name)
{
	struct throttle *t = ctx;
	size_t len = strlen(t->prefix);

	if (strncmp(name, t->prefix, len) != 0 || t->n == THROTTLE_MAX_REASONS)
		return true;
	if (strcmp(name + len, "status") != 0)
		snprintf(t->reasons[t->n++], sizeof(t->reasons[0]), "%.31s", name + len);
	return true;
}

/* Looks for the files; returns false when the card has none. */
static bool throttle_find(struct throttle *t, const struct fsroot *fs, const char *card)
{
	/* Each driver has, below the card, the folder of the reasons, their prefix, the status and
	 * the clock. */
	static const struct {
		const char *folder, *prefix, *status, *clock;
	} drivers[] = {
		{ "gt/gt0", "throttle_reason_", "throttle_reason_status",
			"gt/gt0/rps_act_freq_mhz" },
		{ "gt/gt0", "throttle_reason_", "throttle_reason_status", "gt_act_freq_mhz" },
		{ "device/tile0/gt0/freq0/throttle", "reason_", "status",
			"device/tile0/gt0/freq0/act_freq" },
	};

	for (size_t i = 0; i < ARRAY_LEN(drivers); i++) {
		*t = (struct throttle){ .fs = fs };
		snprintf(t->prefix, sizeof(t->prefix), "%s", drivers[i].prefix);
		snprintf(t->folder, sizeof(t->folder), "/sys/class/drm/%.31s/%s", card,
			drivers[i].folder);
		snprintf(t->clock, sizeof(t->clock), "/sys/class/drm/%.31s/%s", card,
			drivers[i].clock);
		snprintf(t->status, sizeof(t->status), "%s/%s", t->folder, drivers[i].status);
		if (!fsroot_exists(fs, t->status))
			t->status[0] = '\0';
		fsroot_each(fs, t->folder, add_reason, t, NULL);
		if (t->n && fsroot_exists(fs, t->clock))
			return true;
	}
	return false;
}

static bool is_set(const struct throttle *t, const char *path)
{
	uint64_t v;

	return fsroot_read_u64(t->fs, path, &v, NULL) && v;
}

/* Takes a sample, unless the GPU rests: its reasons would be old, and asking could wake it. The
 * caller has made sure that the card is not switched off. */
static void throttle_sample(struct throttle *t)
{
	bool seen[THROTTLE_KINDS] = { false }, any = false;
	char path[192];

	if (!is_set(t, t->clock))
		return;
	t->counts[THROTTLE_SAMPLES]++;
	if (t->status[0] && !is_set(t, t->status))
		return;
	for (int i = 0; i < t->n; i++) {
		snprintf(path, sizeof(path), "%s/%s%s", t->folder, t->prefix, t->reasons[i]);
		if (is_set(t, path))
			any = seen[throttle_kind_of(t->reasons[i])] = true;
	}
	seen[THROTTLE_OTHER] |= t->status[0] && !any;
	for (int k = THROTTLE_HEAT; k < THROTTLE_KINDS; k++)
		t->counts[k] += seen[k];
}

/* The files of i915 (gt/intel_gt_sysfs_pm.c) and of xe (xe_gt_throttle.c) lie below the card. Those
 * of hwmon lie in the folder of the card's sensor (ABI/testing/sysfs-driver-intel-i915-hwmon,
 * -xe-hwmon). */
static const struct gt_row {
	struct counter_desc desc;
	const char *i915, *xe;
	const char *hwmon[2];	/* the first that exists */
	const char *label;	/* the kind of sensor in hwmon that is meant, wherever it stands */
} rows[] = {
	{ { "throttled", "%", 8, COUNTER_GAUGE }, "gt/gt0/throttle_reason_status", "device/tile0/gt0/freq0/throttle/status", { NULL }, NULL },
	{ { "throttled_pl1", "%", 8, COUNTER_GAUGE }, "gt/gt0/throttle_reason_pl1", "device/tile0/gt0/freq0/throttle/reason_pl1", { NULL }, NULL },
	{ { "throttled_pl2", "%", 8, COUNTER_GAUGE }, "gt/gt0/throttle_reason_pl2", "device/tile0/gt0/freq0/throttle/reason_pl2", { NULL }, NULL },
	{ { "throttled_pl4", "%", 8, COUNTER_GAUGE }, "gt/gt0/throttle_reason_pl4", "device/tile0/gt0/freq0/throttle/reason_pl4", { NULL }, NULL },
	{ { "throttled_thermal", "%", 8, COUNTER_GAUGE }, "gt/gt0/throttle_reason_thermal", "device/tile0/gt0/freq0/throttle/reason_thermal", { NULL }, NULL },
	{ { "throttled_prochot", "%", 8, COUNTER_GAUGE }, "gt/gt0/throttle_reason_prochot", "device/tile0/gt0/freq0/throttle/reason_prochot", { NULL }, NULL },
	{ { "temperature_mdegc", "mdegC", 32, COUNTER_GAUGE }, NULL, NULL, { "temp1_input", "temp2_input" }, "pkg" },
	{ { "temperature_vram_mdegc", "mdegC", 32, COUNTER_GAUGE }, NULL, NULL, { "temp3_input" }, "vram" },
	{ { "fan_rpm", "number", 32, COUNTER_GAUGE }, NULL, NULL, { "fan1_input" }, NULL },
};

#define ROWS ((int)ARRAY_LEN(rows))

/* Samples of reasons stand behind the rows, by kind. */
static const struct counter_desc throttle_rows[THROTTLE_KINDS] = {
	[THROTTLE_SAMPLES] = { "throttle_samples", "number", 64, COUNTER_CUMULATIVE },
	[THROTTLE_HEAT] = { "throttle_heat_samples", "number", 64, COUNTER_CUMULATIVE },
	[THROTTLE_POWER] = { "throttle_power_samples", "number", 64, COUNTER_CUMULATIVE },
	[THROTTLE_CURRENT] = { "throttle_current_samples", "number", 64, COUNTER_CUMULATIVE },
	[THROTTLE_OTHER] = { "throttle_other_samples", "number", 64, COUNTER_CUMULATIVE },
};

#define COUNTERS (ARRAY_LEN(rows) + THROTTLE_KINDS)
/* A window has that many samples, unless they would come faster or slower than these. */
#define SAMPLES_PER_WINDOW 8
#define SAMPLE_LEAST_NS (5 * NS_PER_MS)
#define SAMPLE_MOST_NS (100 * NS_PER_MS)

struct gt_files {
	struct source source;
	const struct fsroot *fs;
	struct device *device;
	char card[32], hwmon[128];	/* "": it has none */
	char paths[ARRAY_LEN(rows)][160];	/* empty: there is no such file */
	struct counter_desc counters[COUNTERS];
	uint64_t values[COUNTERS];
	enum why whys[COUNTERS];
	struct throttle throttle;
	uint64_t begun[THROTTLE_KINDS];		/* its counts when the window began */
	bool asleep;
	int64_t window_ns;
};

/* Limits in hwmon; of several rows for a constant the first one that has a number. A limit of 0 is
 * switched off. */
static const struct limit_row {
	enum intel_driver driver;
	const char *file, *name;
	double scale;
} limits[] = {
	{ INTEL_I915, "power1_max", "gpu_power_limit_w", 1e-6 },
	{ INTEL_XE, "power1_max", "card_power_limit_w", 1e-6 },
	{ INTEL_XE, "power2_max", "gpu_power_limit_w", 1e-6 },
	{ INTEL_I915, "temp1_max", "temperature_limit_mdegc", 1 },
	{ INTEL_I915, "temp1_crit", "temperature_limit_mdegc", 1 },
	{ INTEL_XE, "temp2_max", "temperature_limit_mdegc", 1 },
	{ INTEL_XE, "temp2_crit", "temperature_limit_mdegc", 1 },
};

/* Reads them again in each window: people change them while the card works, and one that slept when
 * it was opened tells them when it wakes. */
static void read_limits(struct gt_files *s)
{
	char origin[64];
	uint64_t v;

	for (size_t i = 0; i < ARRAY_LEN(limits) && s->hwmon[0]; i++) {
		const struct limit_row *l = &limits[i];

		if (l->driver != intel_driver_of(s->device) ||
			!fsroot_number(s->fs, &v, "%s/%s", s->hwmon, l->file))
			continue;
		snprintf(origin, sizeof(origin), "hwmon %s", l->file);
		s->source.rebind |= device_follow_limit(
			s->device, l->name, (double)v * l->scale, origin);
	}
}

/* A card that sleeps is not woken. A file that cannot be read costs only its own value. */
static bool files_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct gt_files *s = (struct gt_files *)src;

	(void)now_ns;
	(void)err;
	s->asleep = drm_card_is_asleep(s->fs, s->card);
	if (clock_timer_clear(src->fd) && !s->asleep)
		throttle_sample(&s->throttle);
	if (!s->asleep)
		read_limits(s);
	for (int i = 0; i < ROWS && !s->asleep; i++) {
		s->whys[i] = WHY_OK;
		if (s->paths[i][0] && !fsroot_read_u64(s->fs, s->paths[i], &s->values[i], NULL))
			s->whys[i] = WHY_STALE;
		/* Over several windows a word is a share of them, which is no whole number. */
		if (rows[i].i915)
			s->values[i] = s->values[i] ? 100 : 0;
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
	for (int k = 0; k < THROTTLE_KINDS; k++)
		out->values[ROWS + k] = s->throttle.counts[k] - s->begun[k];
	memcpy(s->begun, s->throttle.counts, sizeof(s->begun));
}

static void files_close(struct source *src)
{
	struct gt_files *s = (struct gt_files *)src;

	if (s->source.fd >= 0)
		close(s->source.fd);
}

/* Samples the words of throttling several times a window. */
static void retime(struct source *src, int64_t window_ns)
{
	int64_t ns = min_i64(window_ns / SAMPLES_PER_WINDOW, SAMPLE_MOST_NS);

	ns = max_i64(ns, SAMPLE_LEAST_NS);
	clock_timer_set(src->fd, ns, ns);
}

static const struct source_ops files_ops = {
	.size = sizeof(struct gt_files),
	.retime = retime, .ready = files_ready, .collect = files_collect, .close = files_close,
};

/* Finds a row's file among those of the sensor; "" when it has none. xe labels its temperatures
 * "pkg" and "vram", and has others between them (xe_hwmon.c). */
static void find_in_hwmon(
	const struct gt_files *s, const struct gt_row *row, const char *hwmon, char path[160])
{
	if (row->label && hwmon_find_label(s->fs, hwmon, "temp", row->label, path, 160))
		return;
	for (size_t k = 0; k < ARRAY_LEN(row->hwmon) && row->hwmon[k]; k++) {
		snprintf(path, 160, "%.120s/%s", hwmon, row->hwmon[k]);
		if (!fsroot_exists(s->fs, path))
			continue;
		/* A file with a label is another sensor than the one that the label was to find. */
		int word = (int)strcspn(row->hwmon[k], "_");
		if (!row->label || !fsroot_has(s->fs, "%s/%.*s_label", hwmon, word, row->hwmon[k]))
			return;
	}
	path[0] = '\0';
}

static bool find_files(struct gt_files *s)
{
	char path[160];
	bool any = false;

	for (int i = 0; i < ROWS; i++) {
		const char *below[] = { rows[i].i915, rows[i].xe };

		s->counters[i] = rows[i].desc;
		for (size_t k = 0; k < ARRAY_LEN(below) && !s->paths[i][0]; k++) {
			snprintf(path, sizeof(path), "/sys/class/drm/%s/%s", s->card,
				text_or(below[k], ""));
			if (below[k] && fsroot_exists(s->fs, path))
				snprintf(s->paths[i], sizeof(s->paths[i]), "%s", path);
		}
		if (s->hwmon[0] && !s->paths[i][0])
			find_in_hwmon(s, &rows[i], s->hwmon, s->paths[i]);
		if (!s->paths[i][0])	/* nobody is offered a nameless counter */
			s->counters[i].name[0] = '\0';
		any |= s->paths[i][0] != '\0';
	}
	memcpy(s->counters + ROWS, throttle_rows, sizeof(throttle_rows));
	if (throttle_find(&s->throttle, s->fs, s->card))
		return true;
	for (int k = 0; k < THROTTLE_KINDS; k++)
		s->counters[ROWS + k].name[0] = '\0';
	return any;
}

static void attach(
	const struct device_entry *e, const struct open_options *o, struct open_device *dev)
{
	if (intel_driver_of(&dev->device) == INTEL_NO_DRIVER ||
		dev->n_sources == DEVICE_MAX_SOURCES)
		return;
	struct gt_files *s = source_new(&files_ops);
	s->source.feed =
		(struct feed){ .name = "gt", .counters = s->counters, .n_counters = COUNTERS };
	s->fs = o->fs;
	s->window_ns = o->now_ns;
	snprintf(s->card, sizeof(s->card), "%.31s", e->device.id);
	s->device = &dev->device;
	if (!drm_card_hwmon(s->fs, s->card, s->hwmon, sizeof(s->hwmon)))
		s->hwmon[0] = '\0';
	if (!drm_card_is_asleep(o->fs, s->card))
		read_limits(s);
	s->source.rebind = false;
	if (!find_files(s)) {
		source_close(&s->source);
		return;
	}
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s sysfs", dev->device.driver);
	if (s->counters[ROWS].name[0])
		s->source.fd = clock_timer_open();
	retime(&s->source, o->delay_ns);
	open_device_tried(dev, "gt", "throttle and sensors",
		"what holds the clock down; temperature and fan of discrete cards", NULL);
	dev->sources[dev->n_sources++] = &s->source;
}

const struct companion gt_files_companion = { .name = "gt", .attach = attach };
