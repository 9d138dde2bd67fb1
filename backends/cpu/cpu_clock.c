/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock of each CPU: what cpufreq says, else the mean of APERF over MPERF where the kernel's
 * PMU msr has them, else what /proc/cpuinfo says. And what the units of its core could do at it. */
#include "config.h"

#include "backends/cpu/sources.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/perf/perf_event.h"
#include "base/mem.h"

enum { OUT_KHZ, OUT_PEAK, OUT_COUNTERS };

static const struct counter_desc counters[OUT_COUNTERS] = {
	[OUT_KHZ] = { "core_clock_khz", "kHz", 64, COUNTER_GAUGE },
	[OUT_PEAK] = { "peak_sp_flop_per_cycle", "uFLOP/cycle", 64, COUNTER_GAUGE },
};

/* The size of a processor's part of /proc/cpuinfo; most of it is the list of flags. */
#define CPUINFO_BYTES 4096

enum { MSR_TSC, MSR_APERF, MSR_MPERF, MSR_EVENTS };

/* The core of a CPU. */
struct cpu_core {
	int first;		/* the place of the CPU that stands for it */
	int flop_per_cycle;
	bool knows_width;
	int threads;		/* of it that have a clock now, where it stands first */
};

struct clock_source {
	struct source source;
	struct cpu_feed feed;
	const struct fsroot *fs;
	bool (*read)(struct clock_source *s, struct err *err);
	bool failed;
	uint64_t *khz;				/* [n] SAMPLE_NONE: unknown, or the CPU is offline */
	struct cpu_core *cores;			/* [n] */
	enum why whys[OUT_COUNTERS];
	struct perf_event msr_events[MSR_EVENTS];
	struct perf_group *groups;		/* [n] or NULL; one without members: the CPU is offline */
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

/* The mean since the last collect: ready() only looks, and is called again before it. A CPU that
 * went offline ends its events. */
static bool read_msr(struct clock_source *s, struct err *err)
{
	bool any = false;

	for (int i = 0; i < s->feed.n; i++) {
		struct perf_counts now;

		s->khz[i] = SAMPLE_NONE;
		if (s->groups[i].n && !perf_group_read(&s->groups[i], &now, err))
			perf_group_close(&s->groups[i]);
		if (!s->groups[i].n)
			continue;
		s->khz[i] = mean_khz(&s->begin[i], &now);
		any = true;
	}
	return any;
}

static bool open_cpu(struct clock_source *s, int i)
{
	for (int e = 0; e < MSR_EVENTS; e++) {
		if (perf_group_add(s->fs, &s->groups[i], &s->msr_events[e], s->feed.cpus[i], NULL))
			continue;
		perf_group_close(&s->groups[i]);
		return false;
	}
	return true;
}

/* Begins the next mean, also of a CPU that has come back. */
static bool begin_msr(struct clock_source *s)
{
	bool any = false;

	for (int i = 0; i < s->feed.n; i++) {
		if (!s->groups[i].n && !open_cpu(s, i))
			continue;
		if (perf_group_read(&s->groups[i], &s->begin[i], NULL))
			any = true;
		else
			perf_group_close(&s->groups[i]);
	}
	return any;
}

static bool open_msr(struct clock_source *s)
{
	static const char *const names[MSR_EVENTS] = { "tsc", "aperf", "mperf" };
	struct perf_pmu pmu;

	if (!perf_pmu_find(s->fs, "msr", &pmu, NULL))
		return false;
	for (int e = 0; e < MSR_EVENTS; e++) {
		if (!perf_pmu_event(s->fs, &pmu, names[e], &s->msr_events[e], NULL))
			return false;
	}
	s->groups = xcalloc((size_t)s->feed.n, sizeof(*s->groups));
	s->begin = xcalloc((size_t)s->feed.n, sizeof(*s->begin));
	return begin_msr(s);
}

static void close_msr(struct clock_source *s)
{
	for (int i = 0; s->groups && i < s->feed.n; i++)
		perf_group_close(&s->groups[i]);
	free(s->groups);
	free(s->begin);
	s->groups = NULL;
	s->begin = NULL;
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

/* The mean clock of the CPUs that have one. */
static double mean_of_clocks(const struct clock_source *s)
{
	double sum = 0;
	int n = 0;

	for (int i = 0; i < s->feed.n; i++) {
		if (s->khz[i] == SAMPLE_NONE)
			continue;
		sum += (double)s->khz[i];
		n++;
	}
	return sum > 0 ? sum / n : 1;
}

/* A core's units at its clock, shared by its CPUs that are online, in a cycle of the mean clock, so
 * that all of them times this clock are what the device could do. Where a width is not known there
 * is no sum. */
static void fill_rows(struct clock_source *s)
{
	double mean_khz = mean_of_clocks(s);
	bool is_known = true;

	for (int i = 0; i < s->feed.n; i++)
		s->cores[i].threads = 0;
	for (int i = 0; i < s->feed.n; i++)
		s->cores[s->cores[i].first].threads += s->khz[i] != SAMPLE_NONE;
	for (int i = 0; i < s->feed.n; i++) {
		const struct cpu_core *c = &s->cores[i];
		uint64_t *row = &s->feed.rows[i * OUT_COUNTERS];

		is_known &= c->knows_width;
		row[OUT_KHZ] = s->khz[i];
		row[OUT_PEAK] = SAMPLE_NONE;
		if (s->khz[i] != SAMPLE_NONE && c->flop_per_cycle)
			row[OUT_PEAK] = (uint64_t)llround(1e6 * (double)s->khz[i] / mean_khz *
				c->flop_per_cycle / s->cores[c->first].threads);
	}
	s->whys[OUT_PEAK] = is_known ? WHY_OK : WHY_UNKNOWN_CONST;
}

static void clock_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct clock_source *s = (struct clock_source *)src;

	fill_rows(s);
	cpu_feed_sum(&s->feed, now_ns, out);
	out->whys = s->whys;
	if (s->failed)
		out->why = WHY_STALE;
	if (s->groups)
		begin_msr(s);
}

static void clock_close(struct source *src)
{
	struct clock_source *s = (struct clock_source *)src;

	close_msr(s);
	cpu_feed_release(&s->feed);
	free(s->info);
	free(s->text);
	free(s->cores);
	free(s->khz);
}

static const struct source_ops clock_ops = {
	.size = sizeof(struct clock_source),
	.ready = clock_ready, .collect = clock_collect, .close = clock_close,
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

/* The place of the CPU that stands for the core of the one at place i; where it is not known which
 * core that is, each stands for its own. */
static int first_of_core(const struct cpu_info *info, int i)
{
	int first = 0;

	if (info->core_of[i] < 0)
		return i;
	while (info->core_of[first] != info->core_of[i])
		first++;
	return first;
}

struct source *cpu_clock_open(
	const struct cpu_info *info, const struct open_options *o, struct err *err)
{
	struct clock_source *s = source_new(&clock_ops);

	s->source.feed = (struct feed){ .counters = counters,
		.n_counters = (int)ARRAY_LEN(counters) };
	cpu_feed_init(&s->feed, &s->source, info, "clock", o->now_ns);
	s->fs = o->fs;
	s->khz = xcalloc((size_t)info->n_cpus, sizeof(*s->khz));
	s->cores = xcalloc((size_t)info->n_cpus, sizeof(*s->cores));
	for (int i = 0; i < info->n_cpus; i++) {
		s->cores[i].first = first_of_core(info, i);
		s->cores[i].knows_width = cpu_info_width(info, i, &s->cores[i].flop_per_cycle);
	}
	if (choose(s))
		return &s->source;
	source_close(&s->source);
	err_set(err, ERR_UNSUPPORTED,
		"neither cpufreq nor the PMU msr nor /proc/cpuinfo tells the clock");
	return NULL;
}

void cpu_clock_leave_out(struct source *src, const struct cpu_info *info, const char *kind)
{
	struct clock_source *s = (struct clock_source *)src;

	for (int i = 0; i < s->feed.n; i++) {
		int k = core_kind_of(&info->kinds, s->feed.cpus[i]);

		if (k < 0 || strcmp(info->kinds.kinds[k].name, kind) != 0)
			continue;
		s->cores[i].flop_per_cycle = 0;
		s->cores[i].knows_width = true;
	}
}
