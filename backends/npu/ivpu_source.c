/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of ivpu (Linux Documentation/ABI/testing/sysfs-driver-ivpu). Reading the busy time
 * holds up the submission of jobs, so that it is read once a second at most. None of the files
 * wakes the NPU. */
#include "config.h"

#include "backends/npu/npu_sources.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/mem.h"

enum { BUSY, CLOCK, MEMORY, COUNTERS };

static const struct counter_desc counters[COUNTERS] = {
	[BUSY] = { "npu_busy_us", "us", 64, COUNTER_CUMULATIVE },
	[CLOCK] = { "npu_mhz", "MHz", 32, COUNTER_GAUGE },
	[MEMORY] = { "npu_memory_bytes", "B", 64, COUNTER_GAUGE },
};

/* Of several files for a counter the first that exists is taken: names of newer kernels (7.2) first. */
static const struct file_row {
	int counter;
	const char *file;
} files[] = {
	{ BUSY, "npu_busy_time_us" },
	{ CLOCK, "freq/current_freq" },
	{ CLOCK, "npu_current_frequency_mhz" },
	{ MEMORY, "npu_memory_utilization" },
};

static const char *const max_files[] = { "freq/hw_max_freq", "npu_max_frequency_mhz" };

#define PACE_NS (1 * NS_PER_S)

struct ivpu_source {
	struct source source;
	const struct fsroot *fs;
	char id[32];
	char paths[COUNTERS][128];	/* empty: there is no such file */
	struct counter_desc counters[COUNTERS];
	uint64_t now[COUNTERS];
	uint64_t busy_before_us;
	enum why whys[COUNTERS];
	int64_t read_ns, begun_ns;	/* of the last reading, and of the one before */
	bool gone, busy_was_read, knows_before;	/* by the last reading, and by the one before */
};

static void read_files(struct ivpu_source *s)
{
	s->busy_before_us = s->now[BUSY];
	s->knows_before = s->busy_was_read;
	s->busy_was_read = false;
	for (int i = 0; i < COUNTERS; i++) {
		if (!s->paths[i][0])
			continue;
		s->whys[i] = WHY_STALE;
		if (fsroot_read_u64(s->fs, s->paths[i], &s->now[i], NULL))
			s->whys[i] = WHY_OK;
	}
	s->busy_was_read = s->whys[BUSY] == WHY_OK;
}

static bool ivpu_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct ivpu_source *s = (struct ivpu_source *)src;

	s->gone = npu_is_gone(s->fs, s->id, err);
	if (s->gone)
		return false;
	if (now_ns - s->read_ns < PACE_NS)
		return true;
	read_files(s);
	s->begun_ns = s->read_ns;
	s->read_ns = now_ns;
	return true;
}

static enum why busy_why(const struct ivpu_source *s)
{
	if (!s->busy_was_read)
		return WHY_STALE;
	if (!s->knows_before || s->begun_ns == s->read_ns)
		return WHY_NOT_YET;
	return s->now[BUSY] >= s->busy_before_us ? WHY_OK : WHY_GAP;
}

/* Windows that end between two readings have the last one again. */
static void ivpu_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct ivpu_source *s = (struct ivpu_source *)src;
	int64_t begun_ns = s->begun_ns;

	source_window(out, &begun_ns, s->read_ns);
	if (s->read_ns != now_ns)
		out->quality |= SAMPLE_HELD;
	if (s->gone) {
		out->why = WHY_GONE;
		return;
	}
	/* Without a window there is nothing yet, but the clock and the memory are of a moment. */
	out->why = WHY_OK;
	s->whys[BUSY] = busy_why(s);
	out->values[BUSY] = s->now[BUSY] - s->busy_before_us;
	out->values[CLOCK] = s->now[CLOCK];
	out->values[MEMORY] = s->now[MEMORY];
	out->whys = s->whys;
}

static const struct source_ops ivpu_ops = {
	.size = sizeof(struct ivpu_source),
	.ready = ivpu_ready, .collect = ivpu_collect,
};

static void find_files(struct ivpu_source *s)
{
	char folder[96], path[160];

	npu_folder(s->id, folder, sizeof(folder));
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, files[i].file);
		if (s->paths[files[i].counter][0] || !fsroot_exists(s->fs, path))
			continue;
		snprintf(s->paths[files[i].counter], sizeof(s->paths[0]), "%.127s", path);
		s->counters[files[i].counter] = counters[files[i].counter];
	}
}

static void read_max(struct device *d, const struct fsroot *fs)
{
	char folder[96], path[160];
	uint64_t mhz;

	npu_folder(d->id, folder, sizeof(folder));
	for (size_t i = 0; i < ARRAY_LEN(max_files); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, max_files[i]);
		if (!fsroot_read_u64(fs, path, &mhz, NULL) || !mhz)
			continue;
		device_set_roof(d, "max_clock_hz", (double)mhz * 1e6, ROOF_READ, false, max_files[i]);
		return;
	}
}

struct source *ivpu_open(struct device *d, const struct open_options *o, struct err *err)
{
	struct ivpu_source *s = source_new(&ivpu_ops);
	bool any = false;

	s->source.look_often = true;
	s->source.feed = (struct feed){ .name = "npu", .how = "ivpu sysfs",
		.counters = s->counters, .n_counters = COUNTERS };
	s->fs = o->fs;
	snprintf(s->id, sizeof(s->id), "%.31s", d->id);
	find_files(s);
	for (int i = 0; i < COUNTERS; i++)
		any |= s->paths[i][0] != '\0';
	if (!any) {
		err_set(err, ERR_UNSUPPORTED, "%s: its driver tells no busy time", d->id);
		err_hint(err, "%s", "Linux tells it since version 6.11");
		source_close(&s->source);
		return NULL;
	}
	read_max(d, o->fs);
	read_files(s);
	s->read_ns = s->begun_ns = o->now_ns;
	return &s->source;
}
