/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads gpu_stats at each window (Linux drivers/gpu/drm/v3d/v3d_sysfs.c, since 6.8). The running
 * job's time counts up to the moment of reading. Reading it wakes nothing. */
#include "config.h"

#include "backends/v3d/v3d_sources.h"

#include <stdio.h>
#include <string.h>

#include "backends/card/drm_card.h"
#include "base/parse.h"

enum { BUSIEST = V3D_QUEUES, COUNTERS_BUSY, COUNTERS = COUNTERS_BUSY + V3D_QUEUES };

/* First the time of each queue, then that of the busiest one, then the jobs of each. */
static const struct counter_desc counters[COUNTERS] = {
	[V3D_QUEUE_BIN] = { "queue_bin_ns", "ns", 64, COUNTER_CUMULATIVE },
	[V3D_QUEUE_RENDER] = { "queue_render_ns", "ns", 64, COUNTER_CUMULATIVE },
	[V3D_QUEUE_TFU] = { "queue_tfu_ns", "ns", 64, COUNTER_CUMULATIVE },
	[V3D_QUEUE_CSD] = { "queue_csd_ns", "ns", 64, COUNTER_CUMULATIVE },
	[V3D_QUEUE_CACHE_CLEAN] = { "queue_cache_clean_ns", "ns", 64, COUNTER_CUMULATIVE },
	[V3D_QUEUE_CPU] = { "queue_cpu_ns", "ns", 64, COUNTER_CUMULATIVE },
	[BUSIEST] = { "queue_busiest_ns", "ns", 64, COUNTER_CUMULATIVE },
	[COUNTERS_BUSY + V3D_QUEUE_BIN] = { "queue_bin_jobs", "number", 64, COUNTER_CUMULATIVE },
	[COUNTERS_BUSY + V3D_QUEUE_RENDER] = { "queue_render_jobs", "number", 64, COUNTER_CUMULATIVE },
	[COUNTERS_BUSY + V3D_QUEUE_TFU] = { "queue_tfu_jobs", "number", 64, COUNTER_CUMULATIVE },
	[COUNTERS_BUSY + V3D_QUEUE_CSD] = { "queue_csd_jobs", "number", 64, COUNTER_CUMULATIVE },
	[COUNTERS_BUSY + V3D_QUEUE_CACHE_CLEAN] = { "queue_cache_clean_jobs", "number", 64,
		COUNTER_CUMULATIVE },
	[COUNTERS_BUSY + V3D_QUEUE_CPU] = { "queue_cpu_jobs", "number", 64, COUNTER_CUMULATIVE },
};

static const char *const names[V3D_QUEUES] = {
	[V3D_QUEUE_BIN] = "bin",
	[V3D_QUEUE_RENDER] = "render",
	[V3D_QUEUE_TFU] = "tfu",
	[V3D_QUEUE_CSD] = "csd",
	[V3D_QUEUE_CACHE_CLEAN] = "cache_clean",
	[V3D_QUEUE_CPU] = "cpu",
};

struct queue_source {
	struct source source;
	const struct fsroot *fs;
	char card[32], path[96];
	struct counter_desc counters[COUNTERS];
	struct v3d_queue_stats now, before;
	enum why whys[COUNTERS];
	int64_t window_ns;
	bool failed, gone;
};

/* Takes a number up to the next blank. */
static bool take_number(const char **s, uint64_t *out)
{
	const char *word;
	char digits[24];
	size_t len;

	if (!parse_word(s, &word, &len) || len >= sizeof(digits))
		return false;
	memcpy(digits, word, len);
	digits[len] = '\0';
	return parse_u64(digits, out);
}

static bool take_row(const char *line, struct v3d_queue_stats *out)
{
	uint64_t timestamp_ns, jobs, busy_ns;
	const char *word;
	size_t len;

	if (!parse_word(&line, &word, &len))
		return true;
	if (!take_number(&line, &timestamp_ns) || !take_number(&line, &jobs) ||
		!take_number(&line, &busy_ns))
		return false;
	out->timestamp_ns = timestamp_ns;
	for (int q = 0; q < V3D_QUEUES; q++) {
		if (strlen(names[q]) != len || memcmp(names[q], word, len) != 0)
			continue;
		out->has[q] = true;
		out->jobs[q] = jobs;
		out->busy_ns[q] = busy_ns;
	}
	return true;
}

bool v3d_queue_parse(const char *text, struct v3d_queue_stats *out)
{
	char line[128];
	bool is_head = true;

	*out = (struct v3d_queue_stats){ 0 };
	while (*text) {
		size_t len = strcspn(text, "\n");

		if (len >= sizeof(line))
			return false;
		memcpy(line, text, len);
		line[len] = '\0';
		for (char *c = line; *c; c++)
			if (*c == '\t')
				*c = ' ';
		if (!is_head && !take_row(line, out))
			return false;
		is_head = false;
		text += len + (text[len] == '\n');
	}
	for (int q = 0; q < V3D_QUEUES; q++)
		if (out->has[q])
			return true;
	return false;
}

static bool read_stats(const struct queue_source *s, struct v3d_queue_stats *out, struct err *err)
{
	char text[1024];
	size_t len;

	if (!fsroot_read_bytes(s->fs, s->path, text, sizeof(text) - 1, &len, err))
		return false;
	text[len] = '\0';
	if (strlen(text) == len && v3d_queue_parse(text, out))
		return true;
	return err_set(err, ERR_PARSE, "%s: no table of queues as this program knows it", s->path);
}

static bool queue_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct queue_source *s = (struct queue_source *)src;

	(void)now_ns;
	s->gone = drm_card_is_gone(s->fs, s->card, err);
	if (s->gone)
		return false;
	s->failed = !read_stats(s, &s->now, err);
	return !s->failed;
}

static void take_queue(struct queue_source *s, int q, struct sample *out)
{
	enum why why = WHY_OK;

	if (!s->now.has[q])
		why = WHY_UNSUPPORTED;
	else if (!s->before.has[q])
		why = WHY_NOT_YET;
	else if (s->now.busy_ns[q] < s->before.busy_ns[q] || s->now.jobs[q] < s->before.jobs[q])
		why = WHY_GAP;	/* a driver that was loaded again counts from 0 */
	s->whys[q] = s->whys[COUNTERS_BUSY + q] = why;
	if (why != WHY_OK)
		return;
	out->values[q] = s->now.busy_ns[q] - s->before.busy_ns[q];
	out->values[COUNTERS_BUSY + q] = s->now.jobs[q] - s->before.jobs[q];
	if (q != V3D_QUEUE_CPU && out->values[q] >= out->values[BUSIEST]) {
		out->values[BUSIEST] = out->values[q];
		s->whys[BUSIEST] = WHY_OK;
	}
}

static void queue_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct queue_source *s = (struct queue_source *)src;

	source_window(out, &s->window_ns, now_ns);
	if (s->gone || s->failed) {
		out->why = s->gone ? WHY_GONE : WHY_STALE;
		s->before = (struct v3d_queue_stats){ 0 };
		return;
	}
	s->whys[BUSIEST] = WHY_NOT_YET;
	for (int q = 0; q < V3D_QUEUES; q++)
		take_queue(s, q, out);
	/* The times are those of the kernel's clock. */
	if (s->before.timestamp_ns && s->now.timestamp_ns > s->before.timestamp_ns)
		out->window_ns = (int64_t)(s->now.timestamp_ns - s->before.timestamp_ns);
	out->whys = s->whys;
	s->before = s->now;
}

static const struct source_ops queue_ops = {
	.size = sizeof(struct queue_source),
	.ready = queue_ready, .collect = queue_collect,
};

struct source *v3d_queue_open(const struct device *d, const struct open_options *o, struct err *err)
{
	struct queue_source *s = source_new(&queue_ops);

	s->source.feed = (struct feed){ .name = "queues", .how = "v3d gpu_stats",
		.counters = s->counters, .n_counters = COUNTERS };
	s->fs = o->fs;
	s->window_ns = o->now_ns;
	snprintf(s->card, sizeof(s->card), "%.31s", d->id);
	snprintf(s->path, sizeof(s->path), "/sys/class/drm/%.31s/device/gpu_stats", d->id);
	memcpy(s->counters, counters, sizeof(counters));
	if (!read_stats(s, &s->before, err)) {
		err_hint(err, "%s", "Linux has this file since version 6.8");
		source_close(&s->source);
		return NULL;
	}
	for (int q = 0; q < V3D_QUEUES; q++) {
		if (s->before.has[q])
			continue;
		s->counters[q].name[0] = '\0';	/* nobody is offered a nameless counter */
		s->counters[COUNTERS_BUSY + q].name[0] = '\0';
	}
	s->now = s->before;
	return &s->source;
}
