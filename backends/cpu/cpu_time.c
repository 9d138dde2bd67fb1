/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each CPU did with its time, by /proc/stat: ticks of USER_HZ
 * (Documentation/filesystems/proc.rst). */
#include "config.h"

#include "backends/cpu/sources.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/minmax.h"

enum {
	TIME_USER,
	TIME_NICE,
	TIME_SYSTEM,
	TIME_IDLE,
	TIME_IOWAIT,
	TIME_IRQ,
	TIME_SOFTIRQ,
	TIME_STEAL,
	TIME_FIELDS
};
enum { OUT_BUSY, OUT_TOTAL, OUT_USER, OUT_SYSTEM, OUT_IOWAIT, OUT_STEAL, OUT_COUNTERS };

/* USER_HZ is a unit of its own; the metrics only use shares of it. */
static const struct counter_desc counters[OUT_COUNTERS] = {
	[OUT_BUSY] = { "cpu_busy_ticks", "1", 64, COUNTER_CUMULATIVE },
	[OUT_TOTAL] = { "cpu_total_ticks", "1", 64, COUNTER_CUMULATIVE },
	[OUT_USER] = { "cpu_user_ticks", "1", 64, COUNTER_CUMULATIVE },
	[OUT_SYSTEM] = { "cpu_system_ticks", "1", 64, COUNTER_CUMULATIVE },
	[OUT_IOWAIT] = { "cpu_iowait_ticks", "1", 64, COUNTER_CUMULATIVE },
	[OUT_STEAL] = { "cpu_steal_ticks", "1", 64, COUNTER_CUMULATIVE },
};

/* A line is at most "cpu1023" and ten numbers. */
#define LINE_BYTES 256

struct time_source {
	struct source source;
	struct cpu_feed feed;
	const struct fsroot *fs;
	char *buf;
	size_t size;
	uint64_t (*now)[TIME_FIELDS];		/* [n] */
	uint64_t (*before)[TIME_FIELDS];
	bool *online;				/* [n] it has a line */
	bool *was_online;
	bool failed;
};

static void parse_line(struct time_source *s, const char *line)
{
	char *end;

	if (*line < '0' || *line > '9')
		return;	/* the sum over all CPUs */
	int i = cpu_feed_index(&s->feed, (int)strtol(line, &end, 10));
	if (i < 0)
		return;
	s->online[i] = true;
	for (int k = 0; k < TIME_FIELDS; k++)
		s->now[i][k] = strtoull(end, &end, 10);
}

static bool time_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct time_source *s = (struct time_source *)src;

	(void)now_ns;
	/* The lines of CPUs stand first, so that the rest of the file need not be read. */
	s->failed = !cpu_read_text(s->fs, "/proc/stat", s->buf, s->size, err);
	if (s->failed)
		return false;
	memset(s->online, 0, (size_t)s->feed.n * sizeof(*s->online));
	for (const char *p = s->buf; !strncmp(p, "cpu", 3); p += strcspn(p, "\n"), p += *p == '\n')
		parse_line(s, p + 3);
	return true;
}

static void fill_row(const struct time_source *s, int i, uint64_t *row)
{
	uint64_t d[TIME_FIELDS], total = 0;

	for (int k = 0; k < TIME_FIELDS; k++) {
		/* Idle time may go back a little when the kernel corrects it; that counts as 0. */
		d[k] = s->now[i][k] - min_u64(s->before[i][k], s->now[i][k]);
		total += d[k];
	}
	row[OUT_USER] = d[TIME_USER] + d[TIME_NICE];
	row[OUT_SYSTEM] = d[TIME_SYSTEM] + d[TIME_IRQ] + d[TIME_SOFTIRQ];
	row[OUT_BUSY] = row[OUT_USER] + row[OUT_SYSTEM];
	row[OUT_IOWAIT] = d[TIME_IOWAIT];
	row[OUT_STEAL] = d[TIME_STEAL];
	row[OUT_TOTAL] = total;
}

static void time_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct time_source *s = (struct time_source *)src;

	for (int i = 0; i < s->feed.n; i++) {
		uint64_t *row = &s->feed.rows[i * OUT_COUNTERS];

		if (s->online[i] && s->was_online[i])
			fill_row(s, i, row);
		else
			for (int c = 0; c < OUT_COUNTERS; c++)
				row[c] = SAMPLE_NONE;
	}
	memcpy(s->before, s->now, (size_t)s->feed.n * sizeof(*s->now));
	memcpy(s->was_online, s->online, (size_t)s->feed.n * sizeof(*s->online));
	cpu_feed_sum(&s->feed, now_ns, out);
	if (s->failed)
		out->why = WHY_STALE;
}

static void time_close(struct source *src)
{
	struct time_source *s = (struct time_source *)src;

	cpu_feed_release(&s->feed);
	free(s->buf);
	free(s->now);
	free(s->before);
	free(s->online);
	free(s->was_online);
}

static const struct source_ops time_ops = {
	.size = sizeof(struct time_source),
	.ready = time_ready, .collect = time_collect, .close = time_close,
};

struct source *cpu_time_open(const struct cpu_info *info, const struct open_options *o)
{
	struct time_source *s = source_new(&time_ops);
	size_t n = (size_t)info->n_cpus;

	s->source.feed = (struct feed){ .how = "/proc/stat", .counters = counters,
		.n_counters = OUT_COUNTERS };
	cpu_feed_init(&s->feed, &s->source, info, "time", o->now_ns);
	s->fs = o->fs;
	s->size = (n + 2) * LINE_BYTES;
	s->buf = xcalloc(1, s->size);
	s->now = xcalloc(n, sizeof(*s->now));
	s->before = xcalloc(n, sizeof(*s->before));
	s->online = xcalloc(n, sizeof(*s->online));
	s->was_online = xcalloc(n, sizeof(*s->was_online));
	time_ready(&s->source, o->now_ns, NULL);
	memcpy(s->before, s->now, n * sizeof(*s->now));
	memcpy(s->was_online, s->online, n * sizeof(*s->online));
	return &s->source;
}
