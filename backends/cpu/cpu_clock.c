/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock of each CPU: what cpufreq says, else the mean of APERF over MPERF where the kernel's
 * PMU msr has them, else what /proc/cpuinfo says. */
#include "config.h"

#include "backends/cpu/sources.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/perf/perf_event.h"
#include "base/clock.h"
#include "base/mem.h"

static const struct counter_desc counters[] = { { "core_clock_khz", "kHz", 64, COUNTER_GAUGE } };

/* The size of a processor's part of /proc/cpuinfo; most of it is the list of flags. */
#define CPUINFO_BYTES 4096

enum { MSR_TSC, MSR_APERF, MSR_MPERF, MSR_EVENTS };

struct clock_source {
	struct source source;
	struct cpu_feed feed;
	const struct fsroot *fs;
	bool (*read)(struct clock_source *s, struct err *err);
	bool failed;
	uint64_t *khz;				/* [n] SAMPLE_NONE: unknown */
	struct perf_group *groups;		/* [n] or NULL */
	struct perf_counts *begin;		/* [n] of the window */
	struct cpu_info *info;			/* for /proc/cpuinfo, or NULL */
	char *text;
	size_t text_size;
};

/* --- cpufreq --- */

static bool read_cpufreq(struct clock_source *s, struct err *err)
{
	char path[128];

	(void)err;
	for (int i = 0; i < s->feed.n; i++) {
		snprintf(path, sizeof(path),
			"/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", s->feed.cpus[i]);
		if (!fsroot_read_u64(s->fs, path, &s->khz[i], NULL) || !s->khz[i])
			s->khz[i] = SAMPLE_NONE;
	}
	return true;
}

static bool open_cpufreq(struct clock_source *s)
{
	bool any = false;

	read_cpufreq(s, NULL);
	for (int i = 0; i < s->feed.n; i++)
		any |= s->khz[i] != SAMPLE_NONE;
	return any;
}

/* --- APERF and MPERF: both stop while the CPU sleeps, so their quotient is the clock while it
 * works --- */

static uint64_t mean_khz(const struct perf_counts *a, const struct perf_counts *b)
{
	double tsc = (double)(b->values[MSR_TSC] - a->values[MSR_TSC]),
	       ns = (double)(b->enabled_ns - a->enabled_ns);
	double aperf = (double)(b->values[MSR_APERF] - a->values[MSR_APERF]),
	       mperf = (double)(b->values[MSR_MPERF] - a->values[MSR_MPERF]);

	if (ns <= 0 || mperf <= 0)
		return SAMPLE_NONE;
	return (uint64_t)llround(tsc / ns * 1e6 * aperf / mperf);
}

/* The mean since the last collect: ready() only looks, and is called again before it. */
static bool read_msr(struct clock_source *s, struct err *err)
{
	for (int i = 0; i < s->feed.n; i++) {
		struct perf_counts now;

		if (!perf_group_read(&s->groups[i], &now, err))
			return false;
		s->khz[i] = mean_khz(&s->begin[i], &now);
	}
	return true;
}

static void begin_msr(struct clock_source *s)
{
	for (int i = 0; i < s->feed.n; i++) {
		if (!perf_group_read(&s->groups[i], &s->begin[i], NULL))
			s->failed = true;
	}
}

static bool open_msr(struct clock_source *s)
{
	static const char *const names[MSR_EVENTS] = { "tsc", "aperf", "mperf" };
	struct perf_event events[MSR_EVENTS];
	struct perf_pmu pmu;

	if (!perf_pmu_find(s->fs, "msr", &pmu, NULL))
		return false;
	for (int e = 0; e < MSR_EVENTS; e++) {
		if (!perf_pmu_event(s->fs, &pmu, names[e], &events[e], NULL))
			return false;
	}
	s->groups = xcalloc((size_t)s->feed.n, sizeof(*s->groups));
	s->begin = xcalloc((size_t)s->feed.n, sizeof(*s->begin));
	for (int i = 0; i < s->feed.n; i++) {
		for (int e = 0; e < MSR_EVENTS; e++) {
			if (!perf_group_add(
				    s->fs, &s->groups[i], &events[e], s->feed.cpus[i], NULL))
				return false;
		}
	}
	begin_msr(s);
	return !s->failed;
}

static void close_msr(struct clock_source *s)
{
	for (int i = 0; s->groups && i < s->feed.n; i++)
		perf_group_close(&s->groups[i]);
	free(s->groups);
	free(s->begin);
	s->groups = NULL;
	s->begin = NULL;
	s->failed = false;
}

/* --- /proc/cpuinfo --- */

static bool read_cpuinfo(struct clock_source *s, struct err *err)
{
	if (!cpu_read_text(s->fs, "/proc/cpuinfo", s->text, s->text_size, err))
		return false;
	cpu_info_parse(s->text, s->info);
	for (int i = 0; i < s->feed.n; i++)
		s->khz[i] = SAMPLE_NONE;
	for (int k = 0, i = 0; k < s->info->n_cpus && i < s->feed.n; k++) {
		while (i < s->feed.n && s->feed.cpus[i] < s->info->cpus[k])
			i++;
		if (i < s->feed.n && s->feed.cpus[i] == s->info->cpus[k] && s->info->mhz[k] > 0)
			s->khz[i] = (uint64_t)llround(s->info->mhz[k] * 1000);
	}
	return true;
}

static bool open_cpuinfo(struct clock_source *s)
{
	s->info = xcalloc(1, sizeof(*s->info));
	s->text_size = CPUINFO_BYTES * ((size_t)s->feed.n + 1);
	s->text = xcalloc(1, s->text_size);
	return read_cpuinfo(s, NULL) && s->khz[0] != SAMPLE_NONE;
}

/* --- the source --- */

static bool clock_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct clock_source *s = (struct clock_source *)src;

	(void)now_ns;
	s->failed = !s->read(s, err);
	return !s->failed;
}

static void clock_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct clock_source *s = (struct clock_source *)src;

	memcpy(s->feed.rows, s->khz, (size_t)s->feed.n * sizeof(*s->khz));
	cpu_feed_sum(&s->feed, now_ns, out);
	if (s->failed)
		out->why = WHY_STALE;
	else if (s->groups)
		begin_msr(s);
}

static void clock_close(struct source *src)
{
	struct clock_source *s = (struct clock_source *)src;

	close_msr(s);
	cpu_feed_release(&s->feed);
	free(s->info);
	free(s->text);
	free(s->khz);
	free(s);
}

static const struct source_ops clock_ops = {
	.ready = clock_ready, .collect = clock_collect, .close = clock_close
};

static bool choose(struct clock_source *s)
{
	const char *how = "cpufreq";

	if (open_cpufreq(s)) {
		s->read = read_cpufreq;
	} else if (open_msr(s)) {
		s->read = read_msr;
		how = "perf msr PMU, APERF/MPERF";
	} else {
		close_msr(s);
		if (!open_cpuinfo(s))
			return false;
		s->read = read_cpuinfo;
		how = "/proc/cpuinfo";
	}
	snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s", how);
	return true;
}

struct source *cpu_clock_open(
	const struct cpu_info *info, const struct open_options *o, struct err *err)
{
	struct clock_source *s = xcalloc(1, sizeof(*s));

	s->source = (struct source){ .ops = &clock_ops,
		.feed = { .counters = counters, .n_counters = (int)ARRAY_LEN(counters) } };
	cpu_feed_init(&s->feed, &s->source, info, "clock", o->now_ns);
	s->fs = o->fs;
	s->khz = xcalloc((size_t)info->n_cpus, sizeof(*s->khz));
	if (choose(s))
		return &s->source;
	clock_close(&s->source);
	err_set(err, ERR_UNSUPPORTED,
		"neither cpufreq nor the PMU msr nor /proc/cpuinfo tells the clock");
	return NULL;
}
