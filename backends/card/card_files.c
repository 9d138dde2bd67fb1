/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the files of sysfs that drivers of different vendors have in common. */
#include "config.h"

#include "backends/card/card.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "backends/card/drm_card.h"
#include "backends/common/stand_ins.h"
#include "base/mem.h"
#include "base/numeric.h"
#include "base/clock.h"
#include "base/fsroot.h"

/* Reading a card's files counts as use of it: amdgpu takes and gives back a reference of runtime
 * power management for each read, which starts the delay anew after which the card may be suspended
 * (Linux drivers/gpu/drm/amd/pm/amdgpu_pm.c, amdgpu_pm_put_access();
 * Documentation/power/runtime_pm.rst). Who reads more often than the delay is long keeps the card
 * awake for ever.
 *
 * A zeroed struct is a card that is never left alone. Plain data. */
struct card_rest {
	char card[32];
	int64_t delay_ns;	/* after which the driver may suspend it; 0: it never does */
	int64_t idle_since_ns;	/* 0: it works */
	int64_t until_ns;	/* it is left alone until then; 0: it is not */
	int64_t next_ns;	/* not again before */
	int64_t before_ns;	/* the window before */
};

#define IDLE_NS (2 * NS_PER_S) /* so long it has to be idle first */
#define MARGIN_NS (2 * NS_PER_S) /* beyond the delay, for the driver to do it */
#define AGAIN_NS (60 * NS_PER_S)
#define DELAY_MAX_MS 60000 /* nobody wants to miss more of a card */

static void card_rest_init(struct card_rest *r, const struct fsroot *fs, const char *card)
{
	uint64_t ms;

	*r = (struct card_rest){ 0 };
	snprintf(r->card, sizeof(r->card), "%.31s", card);
	/* A delay below 0, which is no number here, forbids it. */
	if (fsroot_number(fs, &ms, "/sys/class/drm/%s/device/power/autosuspend_delay_ms", card) &&
		ms <= DELAY_MAX_MS)
		r->delay_ns = (int64_t)ms * NS_PER_MS + 1;
}

/* "on" is what people write there who want the card awake. */
static bool may_sleep(const struct card_rest *r, const struct fsroot *fs)
{
	char control[16];

	return fsroot_line(fs, control, sizeof(control), "/sys/class/drm/%s/device/power/control",
		       r->card) &&
		!strcmp(control, "auto");
}

struct screens {
	const struct card_rest *r;
	const struct fsroot *fs;
	bool on;
};

/* Connectors are folders "card0-DP-1". */
static bool note_connector(void *ctx, const char *name)
{
	struct screens *s = ctx;
	size_t len = strlen(s->r->card);
	char text[16];

	if (strncmp(name, s->r->card, len) != 0 || name[len] != '-')
		return true;
	s->on = fsroot_line(s->fs, text, sizeof(text), "/sys/class/drm/%s/enabled", name) &&
		!strcmp(text, "enabled");
	return !s->on;
}

static bool has_screen(const struct card_rest *r, const struct fsroot *fs)
{
	struct screens s = { .r = r, .fs = fs };

	fsroot_each(fs, "/sys/class/drm", note_connector, &s, NULL);
	return s.on;
}

/* Says whether this window's files are not to be read. is_idle: nothing that was read, and nobody
 * who uses the card, says that it works. A card that did not fall asleep although it was left alone
 * is held awake by somebody else, and has its next chance a minute later; one with a screen that is
 * on has none. */
static bool card_rest_now(
	struct card_rest *r, const struct fsroot *fs, bool is_idle, int64_t now_ns)
{
	int64_t window_ns = now_ns - r->before_ns;

	r->before_ns = now_ns;
	if (!r->delay_ns)
		return false;
	if (!is_idle) {
		r->idle_since_ns = r->until_ns = 0;
		return false;
	}
	if (!r->idle_since_ns)
		r->idle_since_ns = now_ns;
	if (r->until_ns) {
		if (now_ns < r->until_ns)
			return true;
		r->until_ns = 0;
		r->next_ns = now_ns + AGAIN_NS;
		return false;
	}
	/* Long windows leave it alone anyway. */
	if (now_ns - r->idle_since_ns < IDLE_NS || now_ns < r->next_ns ||
		window_ns > r->delay_ns + MARGIN_NS)
		return false;
	r->next_ns = now_ns + AGAIN_NS;
	if (!may_sleep(r, fs) || has_screen(r, fs))
		return false;
	r->until_ns = now_ns + r->delay_ns + MARGIN_NS;
	return true;
}

/* Where a row's file is. */
enum place {
	PLACE_DEVICE,	/* the folder of the card's device */
	PLACE_LINK,	/* that of the device whose PCIe link leads to the machine */
	PLACE_DEVFREQ,	/* the device's clock in devfreq (ABI/testing/sysfs-class-devfreq) */
	PLACE_HWMON,	/* its sensors (Documentation/hwmon/sysfs-interface.rst) */
};

/* amdgpu's node answers questions about the same sensors and heaps (AMDGPU_INFO_SENSOR,
 * AMDGPU_INFO_MEMORY). All that is shown of them stands in these files too, since Linux 4.19, so
 * that the node is not kept open for it, which would keep the card awake.
 *
 * The number in the file is multiplied by factor. Of several rows for one counter the first whose
 * file can be read is taken. A sensor with a label is searched by it, and file begins with its kind
 * ("temp"); without one the file is named whole. */
static const struct card_row {
	struct counter_desc desc;
	enum place place;
	const char *file, *label;
	double factor;
} rows[] = {
	{ { "card_busy_pct", "number", 8, COUNTER_GAUGE }, PLACE_DEVICE, "gpu_busy_percent", NULL, 1 },
	{ { "card_memory_busy_pct", "number", 8, COUNTER_GAUGE }, PLACE_DEVICE, "mem_busy_percent", NULL, 1 },
	{ { "card_media_busy_pct", "number", 8, COUNTER_GAUGE }, PLACE_DEVICE, "vcn_busy_percent", NULL, 1 },
	{ { "local_memory_bytes", "B", 64, COUNTER_GAUGE }, PLACE_DEVICE, "mem_info_vram_total", NULL, 1 },
	{ { "local_memory_used_bytes", "B", 64, COUNTER_GAUGE }, PLACE_DEVICE, "mem_info_vram_used", NULL, 1 },
	{ { "shared_memory_bytes", "B", 64, COUNTER_GAUGE }, PLACE_DEVICE, "mem_info_gtt_total", NULL, 1 },
	{ { "shared_memory_used_bytes", "B", 64, COUNTER_GAUGE }, PLACE_DEVICE, "mem_info_gtt_used", NULL, 1 },
	{ { "link_mtransfers", "number", 32, COUNTER_GAUGE }, PLACE_LINK, "current_link_speed", NULL, 1000 },
	{ { "link_lanes", "number", 16, COUNTER_GAUGE }, PLACE_LINK, "current_link_width", NULL, 1 },
	{ { "card_clock_hz", "Hz", 64, COUNTER_GAUGE }, PLACE_DEVFREQ, "cur_freq", NULL, 1 },
	{ { "card_clock_hz", "Hz", 64, COUNTER_GAUGE }, PLACE_HWMON, "freq", "sclk", 1 },
	{ { "card_memory_clock_hz", "Hz", 64, COUNTER_GAUGE }, PLACE_HWMON, "freq", "mclk", 1 },
	{ { "card_allowed_hz", "Hz", 64, COUNTER_GAUGE }, PLACE_DEVFREQ, "max_freq", NULL, 1 },
	{ { "card_wanted_hz", "Hz", 64, COUNTER_GAUGE }, PLACE_DEVFREQ, "target_freq", NULL, 1 },
	{ { "temperature_mdegc", "mdegC", 32, COUNTER_GAUGE }, PLACE_HWMON, "temp", "edge", 1 },
	{ { "temperature_mdegc", "mdegC", 32, COUNTER_GAUGE }, PLACE_HWMON, "temp1_input", NULL, 1 },
	{ { "temperature_hot_mdegc", "mdegC", 32, COUNTER_GAUGE }, PLACE_HWMON, "temp", "junction", 1 },
	{ { "temperature_vram_mdegc", "mdegC", 32, COUNTER_GAUGE }, PLACE_HWMON, "temp", "mem", 1 },
	{ { "fan_rpm", "number", 32, COUNTER_GAUGE }, PLACE_HWMON, "fan1_input", NULL, 1 },
	{ { "card_power_uw", "uW", 64, COUNTER_GAUGE }, PLACE_HWMON, "power1_average", NULL, 1 },
	{ { "card_power_uw", "uW", 64, COUNTER_GAUGE }, PLACE_HWMON, "power1_input", NULL, 1 },
};

/* Limits, as constants; the first file of a name that can be read. A limit of 0 is switched off,
 * and one that people or firmware change while the card works is read in each window. The highest
 * clock is the last one of the list; max_freq is the one that is allowed now, also by cooling. */
static const struct limit_row {
	const char *name;
	enum place place;
	const char *file;
	double factor;
	bool moves;
} limits[] = {
	{ "max_clock_hz", PLACE_DEVFREQ, "available_frequencies", 1, false },
	{ "max_clock_hz", PLACE_DEVFREQ, "max_freq", 1, false },
	{ "card_power_limit_w", PLACE_HWMON, "power1_cap", 1e-6, true },
	{ "card_power_limit_w", PLACE_HWMON, "power1_max", 1e-6, true },
	{ "temperature_limit_mdegc", PLACE_HWMON, "temp1_crit", 1, false },
	{ "temperature_limit_mdegc", PLACE_HWMON, "temp1_max", 1, false },
	{ "link_mtransfers_max", PLACE_LINK, "max_link_speed", 1000, false },
	{ "link_lanes_max", PLACE_LINK, "max_link_width", 1, false },
};

#define ROWS ((int)ARRAY_LEN(rows))
#define BUSY_ROW 0 /* card_busy_pct */

struct card_files {
	struct source source;
	const struct fsroot *fs;
	struct device *device;
	char card[32];
	char limit_paths[ARRAY_LEN(limits)][192];	/* of those that count */
	bool has_limits;		/* they were read */
	char paths[ARRAY_LEN(rows)][192];	/* empty: there is no such file */
	struct counter_desc counters[ARRAY_LEN(rows)];
	uint64_t values[ARRAY_LEN(rows)];
	enum why whys[ARRAY_LEN(rows)];
	bool asleep, gone, rests;
	struct card_rest rest;
	const struct source *busy;	/* NULL: the card is never left alone */
	/* the driver's busy time over the window of the clients that runs, as far as it was looked at */
	double busy_ns, span_ns;
	int64_t looked_ns, clients_ns;
	struct second_busy second;
	bool busy_disagrees;
	int64_t window_ns;
};

/* The folders of a card; empty where it has none. */
struct folders {
	char at[4][160];
};

static void find_folders(struct folders *f, const struct fsroot *fs, const char *card)
{
	char name[64];

	*f = (struct folders){ 0 };
	snprintf(f->at[PLACE_DEVICE], sizeof(f->at[0]), "/sys/class/drm/%.31s/device", card);
	card_link_folder(fs, card, f->at[PLACE_LINK], sizeof(f->at[0]));
	snprintf(f->at[PLACE_DEVFREQ], sizeof(f->at[0]), "/sys/class/drm/%.31s/device/devfreq", card);
	if (fsroot_first(fs, f->at[PLACE_DEVFREQ], "", name, sizeof(name)))
		snprintf(f->at[PLACE_DEVFREQ], sizeof(f->at[0]),
			"/sys/class/drm/%.31s/device/devfreq/%s", card, name);
	else
		f->at[PLACE_DEVFREQ][0] = '\0';
	if (!drm_card_hwmon(fs, card, f->at[PLACE_HWMON], sizeof(f->at[0])))
		f->at[PLACE_HWMON][0] = '\0';
}

bool card_files_number(const struct fsroot *fs, const char *path, double factor, double *out,
	struct err *err)
{
	char line[64], *end;

	if (!fsroot_read_line(fs, path, line, sizeof(line), err))
		return false;
	double v = numeric_scan(line, &end);
	*out = v * factor;
	return end != line && isfinite(v) && v >= 0 && *out < 0x1p63;
}

static void find_file(struct card_files *s, const struct folders *f, int i)
{
	const struct card_row *row = &rows[i];
	const char *folder = f->at[row->place];
	char path[192];
	struct err err = { 0 };
	double v;

	s->counters[i] = row->desc;
	s->counters[i].name[0] = '\0';	/* nobody is offered a nameless counter */
	for (int k = 0; k < i; k++)
		if (!strcmp(s->counters[k].name, row->desc.name))
			return;
	if (!folder[0])
		return;
	snprintf(path, sizeof(path), "%.150s/%s", folder, row->file);
	if (row->label &&
		!hwmon_find_label(s->fs, folder, row->file, row->label, path, sizeof(path)))
		return;
	/* A card that sleeps is not read, and one that is slow is read later: the file counts as
	 * one that works. */
	bool good = !s->asleep && card_files_number(s->fs, path, row->factor, &v, &err);
	if (!good && !s->asleep && err.code != ERR_BUSY)
		return;
	if (!good && !fsroot_exists(s->fs, path))
		return;
	snprintf(s->paths[i], sizeof(s->paths[i]), "%s", path);
	s->counters[i] = row->desc;
}

/* Reads a number, or the last one of a list, which has the highest at its end. */
static bool read_limit(const struct fsroot *fs, const char *path, double factor, double *out)
{
	char line[1024];

	if (!fsroot_read_line(fs, path, line, sizeof(line), NULL))
		return false;
	*out = NAN;
	for (char *p = line, *end; *p; p = end) {
		double v = numeric_scan(p, &end);

		if (end == p)
			break;
		*out = v * factor;
	}
	return isfinite(*out) && *out >= 0;
}

/* Reads the limits that the card has, or those that may have moved. Equations are bound again when
 * one is another. */
static void read_limits(struct card_files *s)
{
	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		const struct limit_row *l = &limits[i];
		double v;

		if (!s->limit_paths[i][0] || (s->has_limits && !l->moves) ||
			!read_limit(s->fs, s->limit_paths[i], l->factor, &v))
			continue;
		s->source.rebind |= device_follow_limit(s->device, l->name, v, l->file);
	}
	s->has_limits = true;
}

/* A driver that does not tell its busy time may have an idle card. */
static bool is_idle(const struct card_files *s)
{
	uint64_t pct;

	return !(card_files_value(&s->source, "card_busy_pct", &pct) && pct > 0) && !card_busy_works(s->busy);
}

/* Its clients' time is a part of the card's: where the driver says far less, its number is none.
 * What it says is added up over the same time. */
static void compare_busy(struct card_files *s, int64_t now_ns)
{
	int64_t ended_ns;
	uint64_t pct = 0;
	double share = card_busy_share(s->busy, &ended_ns);

	if (ended_ns != s->clients_ns) {
		s->busy_disagrees = second_busy_differs(&s->second, s->busy_ns / s->span_ns, share, ended_ns);
		s->clients_ns = ended_ns;
		s->busy_ns = s->span_ns = 0;
	}
	if (!card_files_value(&s->source, "card_busy_pct", &pct))
		pct = 100;
	s->busy_ns += (double)pct / 100 * (double)(now_ns - s->looked_ns);
	s->span_ns += (double)(now_ns - s->looked_ns);
	if (s->busy_disagrees)
		s->whys[BUSY_ROW] = WHY_DISAGREES;
}

static bool files_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct card_files *s = (struct card_files *)src;
	struct card_rest *r = &s->rest;
	double v;

	s->asleep = drm_card_is_asleep(s->fs, s->card);
	s->gone = drm_card_is_gone(s->fs, s->card, err);
	s->rests = false;
	if (s->gone)
		return false;
	if (s->asleep) {
		/* When it is awake again it has a chance soon. */
		r->idle_since_ns = r->until_ns = r->next_ns = r->before_ns = 0;
		s->looked_ns = now_ns;
		return true;
	}
	s->rests = s->busy && card_rest_now(r, s->fs, is_idle(s), now_ns);
	for (int i = 0; i < ROWS && !s->rests; i++) {
		if (!s->paths[i][0])
			continue;
		s->whys[i] = WHY_STALE;
		if (!card_files_number(s->fs, s->paths[i], rows[i].factor, &v, NULL))
			continue;
		s->whys[i] = WHY_OK;
		s->values[i] = (uint64_t)(v + 0.5);
	}
	if (!s->rests) {
		read_limits(s);
		if (s->busy)
			compare_busy(s, now_ns);
	}
	s->looked_ns = now_ns;
	return true;
}

static void files_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct card_files *s = (struct card_files *)src;

	source_window(out, &s->window_ns, now_ns);
	if (s->gone)
		out->why = WHY_GONE;
	else if (s->asleep)
		out->why = WHY_ASLEEP;
	else if (s->rests)
		out->quality |= SAMPLE_HELD;
	out->whys = s->whys;
	memcpy(out->values, s->values, sizeof(s->values));
}

static const struct source_ops files_ops = {
	.size = sizeof(struct card_files),
	.ready = files_ready, .collect = files_collect,
};

struct source *card_files_open(struct device *d, const struct open_options *o)
{
	struct card_files *s = source_new(&files_ops);
	struct folders f;

	s->source.look_often = true;
	s->source.feed =
		(struct feed){ .name = "card", .counters = s->counters, .n_counters = ROWS };
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s sysfs", d->driver);
	s->fs = o->fs;
	card_rest_init(&s->rest, o->fs, d->id);
	s->window_ns = s->looked_ns = s->clients_ns = o->now_ns;
	snprintf(s->card, sizeof(s->card), "%.31s", d->id);
	s->asleep = drm_card_is_asleep(o->fs, s->card);
	find_folders(&f, o->fs, s->card);
	s->device = d;
	for (int i = 0; i < ROWS; i++)
		find_file(s, &f, i);
	for (size_t i = 0; i < ARRAY_LEN(limits); i++)
		if (f.at[limits[i].place][0])
			snprintf(s->limit_paths[i], sizeof(s->limit_paths[i]), "%.150s/%s",
				f.at[limits[i].place], limits[i].file);
	if (!s->asleep)
		read_limits(s);
	s->source.rebind = false;
	return &s->source;
}

void card_files_let_rest(struct source *files, const struct source *busy)
{
	((struct card_files *)files)->busy = busy;
}

bool card_files_value(const struct source *files, const char *counter, uint64_t *out)
{
	const struct card_files *s = (const struct card_files *)files;

	for (int i = 0; i < ROWS; i++) {
		if (strcmp(s->counters[i].name, counter) != 0)
			continue;
		*out = s->values[i];
		return s->whys[i] == WHY_OK;
	}
	return false;
}

bool card_files_rest(const struct source *files)
{
	return ((const struct card_files *)files)->rests;
}
