/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock files of a card: limits, gauges and the RC6 counter. */
#include "config.h"

#include "backends/intel/live/assemble.h"

#include <stdio.h>
#include <string.h>

#include "backends/card/drm_card.h"
#include "base/clock.h"
#include "core/value/accum.h"

enum { FREQ_ACTUAL, FREQ_REQUESTED, FREQ_LIMIT, FREQ_RC6, FREQ_COUNTERS };

#define MAX_MHZ 100000	/* a higher value is no clock */
#define RC6_JITTER_MS 100
#define RC6_MS_BITS 32	/* the kernel prints its milliseconds as unsigned int */

/* One file of the first GT. The paths are from Linux i915: gt/intel_gt_sysfs_pm.c and, before there
 * were several GTs, i915_sysfs.c; xe: xe_gt_freq.c, xe_gt_idle.c. */
struct gt_file {
	const char *i915;	/* below the card's gt/gt0 */
	const char *i915_old;	/* below the card, where the kernel has no gt/gt0 */
	const char *xe;		/* below the device's tile0/gt0 */
};

static const struct gt_file min_file = { "rps_min_freq_mhz", "gt_min_freq_mhz", "freq0/min_freq" };
static const struct gt_file max_file = { "rps_max_freq_mhz", "gt_max_freq_mhz", "freq0/max_freq" };
/* RP0, what the part can do, whatever maximum somebody has set */
static const struct gt_file top_file = { "rps_RP0_freq_mhz", "gt_RP0_freq_mhz", "freq0/rp0_freq" };

static const struct freq_row {
	struct counter_desc desc;
	struct gt_file file;
} rows[FREQ_COUNTERS] = {
	[FREQ_ACTUAL] = { { "freq_actual_mhz", "MHz", 32, COUNTER_GAUGE },
		{ "rps_act_freq_mhz", "gt_act_freq_mhz", "freq0/act_freq" } },
	[FREQ_REQUESTED] = { { "freq_requested_mhz", "MHz", 32, COUNTER_GAUGE },
		{ "rps_cur_freq_mhz", "gt_cur_freq_mhz", "freq0/cur_freq" } },
	[FREQ_LIMIT] = { { "freq_limit_mhz", "MHz", 32, COUNTER_GAUGE },
		{ "rps_max_freq_mhz", "gt_max_freq_mhz", "freq0/max_freq" } },
	[FREQ_RC6] = { { "rc6_us", "us", 64, COUNTER_CUMULATIVE },
		{ "rc6_residency_ms", "power/rc6_residency_ms", "gtidle/idle_residency_ms" } },
};

struct freq_source {
	struct source source;
	const struct fsroot *fs;
	char card[32];
	char paths[FREQ_COUNTERS][128];		/* empty: there is no such file */
	struct counter_desc counters[FREQ_COUNTERS];
	int64_t window_ns;
	bool collected, failed, asleep;
	bool known;				/* rc6_before means something */
	uint64_t values[FREQ_COUNTERS];		/* as last read */
	uint64_t rc6_before, rc6_us;	/* the last value; the last window's result */
	int64_t rc6_ns, rc6_before_ns;	/* when the value was read, and the one before */
	bool late;			/* it was read by the thread for slow files */
	enum why whys[FREQ_COUNTERS];
};

/* Finds the path of the file below the prefix. Returns false when the card has none of the
 * three. */
static bool find_file(
	const struct fsroot *fs, const char *card, const struct gt_file *f, char *buf, size_t size)
{
	snprintf(buf, size, "/sys/class/drm/%.31s/gt/gt0/%s", card, f->i915);
	if (fsroot_exists(fs, buf))
		return true;
	snprintf(buf, size, "/sys/class/drm/%.31s/%s", card, f->i915_old);
	if (fsroot_exists(fs, buf))
		return true;
	snprintf(buf, size, "/sys/class/drm/%.31s/device/tile0/gt0/%s", card, f->xe);
	return fsroot_exists(fs, buf);
}

static uint64_t read_limit(const struct fsroot *fs, const char *card, const struct gt_file *f)
{
	char path[128];
	uint64_t mhz;

	if (!find_file(fs, card, f, path, sizeof(path)) || !fsroot_read_u64(fs, path, &mhz, NULL) ||
		mhz > MAX_MHZ)
		return 0;
	return mhz * 1000000;
}

void gt_clock_limits(const struct fsroot *fs, const char *card, struct device *d)
{
	d->min_hz = read_limit(fs, card, &min_file);
	d->max_hz = read_limit(fs, card, &top_file);
	if (!d->max_hz)
		d->max_hz = read_limit(fs, card, &max_file);
	char highest[80], lowest[80];
	if (find_file(fs, card, &max_file, highest, sizeof(highest)) &&
		find_file(fs, card, &min_file, lowest, sizeof(lowest)))
		snprintf(d->clock_files, sizeof(d->clock_files), "%s %s", highest, lowest);
}

static bool freq_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct freq_source *s = (struct freq_source *)src;

	s->failed = false;
	s->asleep = drm_card_is_asleep(s->fs, s->card);
	for (int i = 0; i < FREQ_COUNTERS && !s->asleep; i++)
		if (s->paths[i][0] &&
			!fsroot_read_u64(s->fs, s->paths[i], &s->values[i], s->failed ? NULL : err))
			s->failed = true;
	s->rc6_ns = fsroot_answer_ns(s->fs, now_ns);
	s->late = s->rc6_ns != now_ns;
	if (s->failed)
		drm_card_is_gone(s->fs, s->card, err);
	return !s->failed;
}

/* The residency may be longer than the window, because it is read a little late or early. When it
 * is twice as long, the counter has jumped. */
static void take_rc6(struct freq_source *s, struct sample *out)
{
	uint64_t ms = accum_delta(s->rc6_before, s->values[FREQ_RC6], RC6_MS_BITS);
	bool jumped = s->known && ms > 2 * (uint64_t)(out->window_ns / NS_PER_MS) + RC6_JITTER_MS;

	/* What a slow device has answered is of another interval than the window; without a new
	 * answer the last share holds. */
	int64_t between_ns = s->rc6_ns - s->rc6_before_ns;
	if (!s->late)
		s->rc6_us = ms * 1000;
	else if (between_ns > 0)
		s->rc6_us = (uint64_t)((double)ms * 1000 * (double)out->window_ns /
			(double)between_ns);
	out->values[FREQ_RC6] = s->rc6_us;
	s->rc6_before = s->values[FREQ_RC6];
	s->rc6_before_ns = s->rc6_ns;
	s->whys[FREQ_RC6] = jumped ? WHY_GAP : WHY_OK;
	out->lost += jumped;
	out->whys = s->whys;
}

static void freq_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct freq_source *s = (struct freq_source *)src;

	source_window(out, &s->window_ns, now_ns);
	if (s->asleep)
		out->why = WHY_ASLEEP;
	else if (s->failed)
		out->why = WHY_STALE;
	else if (!s->known)
		out->why = WHY_NOT_YET;
	out->values[FREQ_ACTUAL] = s->values[FREQ_ACTUAL];
	out->values[FREQ_REQUESTED] = s->values[FREQ_REQUESTED];
	out->values[FREQ_LIMIT] = s->values[FREQ_LIMIT];
	take_rc6(s, out);
	/* While the source was away, another driver may have counted from 0. */
	s->known = !s->failed && !s->asleep;
	if (!s->collected && !s->failed)
		out->quality |= SAMPLE_PARTIAL;
	s->collected = true;
}

static const struct source_ops freq_ops = {
	.size = sizeof(struct freq_source),
	.ready = freq_ready, .collect = freq_collect,
};

/* Reading the residency would wake a card that sleeps (Linux i915: gt/intel_gt_sysfs_pm.c takes a
 * wake reference for it). A nameless counter is offered to nobody. */
static bool find_files(struct freq_source *s)
{
	bool any = false;

	for (int i = 0; i < FREQ_COUNTERS; i++) {
		s->counters[i] = rows[i].desc;
		if (!find_file(s->fs, s->card, &rows[i].file, s->paths[i], sizeof(s->paths[i])) ||
		    (!s->asleep && !fsroot_read_u64(s->fs, s->paths[i], &s->values[i], NULL)))
			s->paths[i][0] = s->counters[i].name[0] = '\0';
		any |= s->paths[i][0] != '\0';
	}
	return any;
}

struct source *gt_clock_open(const char *card, const struct open_options *o)
{
	struct freq_source *s = source_new(&freq_ops);

	s->source.look_often = true;
	s->source.feed = (struct feed){ .name = "freq", .counters = s->counters,
		.n_counters = FREQ_COUNTERS };
	s->fs = o->fs;
	s->window_ns = o->now_ns;
	snprintf(s->card, sizeof(s->card), "%.31s", card);
	s->asleep = drm_card_is_asleep(s->fs, s->card);
	s->known = !s->asleep;
	if (!find_files(s)) {
		source_close(&s->source);
		return NULL;
	}
	s->rc6_before = s->values[FREQ_RC6];
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s clock files",
		strstr(s->paths[FREQ_ACTUAL], "/tile0/") ? "xe" : "i915");
	return &s->source;
}
