/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hardware counters of each CPU: the events that the metric set asks for with "program NAME TERMS",
 * in as few groups as the kernel accepts. Groups that do not fit beside each other take turns, and
 * their counts are scaled to the whole window. */
#include "config.h"

#include "backends/cpu/cpu_names.h"
#include "backends/cpu/sources.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/refused.h"
#include "backends/perf/perf_event.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/parse.h"
#include "core/accum.h"

#define MAX_EVENTS 16
#define MAX_GROUPS 8
/* AMD's FLOPs event, whose Merge event kernels program from 5.6 on (commit 5738891229a2). */
#define AMD_FLOPS_EVENT 0x003
#define MERGE_MAJOR 5
#define MERGE_MINOR 6

/* Two counters follow the events: how long the groups of a CPU had counters, and how long they
 * should have had them. */
enum { SHARE_RUNNING, SHARE_ENABLED, SHARES };

struct event {
	struct perf_event perf;
	int group, member;	/* group -1: refused */
	enum why why;
};

/* The groups of one CPU. */
struct cpu_groups {
	struct perf_group groups[MAX_GROUPS];
	struct perf_counts now[MAX_GROUPS], begin[MAX_GROUPS];
};

struct events_source {
	struct source source;
	struct cpu_feed feed;
	struct cpu_info *info;
	const struct fsroot *fs;
	struct perf_pmu pmu;
	struct event events[MAX_EVENTS];
	int n_events, n_groups;
	int group_max;			/* members that a group may have */
	/* a group was accepted and not scheduled: open smaller ones */
	bool too_big;
	bool reopened;			/* in this window, which has nothing to say */
	struct counter_desc counters[MAX_EVENTS + SHARES];
	enum why whys[MAX_EVENTS + SHARES];
	struct cpu_groups *cpus;	/* [n] or NULL */
	bool failed;
	struct err refusal;		/* of the last event that was refused */
};

/* --- what to count --- */

bool cpu_event_is_sound(const struct fsroot *fs, const struct cpu_info *info,
	const struct perf_event *e, struct err *err)
{
	char release[64];
	int major, minor;

	/* Hygon's processors have cores of AMD. */
	if ((strcmp(info->vendor, "AuthenticAMD") && strcmp(info->vendor, "HygonGenuine")) ||
		cpu_event_code(e) != AMD_FLOPS_EVENT)
		return true;
	/* When the kernel does not tell its version, the loop will show it. */
	if (!fsroot_read_line(
		    fs, "/proc/sys/kernel/osrelease", release, sizeof(release), NULL) ||
		sscanf(release, "%d.%d", &major, &minor) != 2 || major > MERGE_MAJOR ||
		(major == MERGE_MAJOR && minor >= MERGE_MINOR))
		return true;
	err_set(err, ERR_UNSUPPORTED,
		_("Linux %s counts AMD's FLOPs event without its Merge event, so too little"),
		release);
	return err_hint(err, _("Linux 5.6 or later"));
}

static void add_counter(
	struct events_source *s, int i, const char *name, size_t len, const char *unit)
{
	struct counter_desc *d = &s->counters[i];

	snprintf(d->name, sizeof(d->name), "%.*s", (int)len, name);
	snprintf(d->unit, sizeof(d->unit), "%s", unit);
	d->bits = 64;
	d->kind = COUNTER_CUMULATIVE;
}

static void refuse(struct events_source *s, struct event *e, const struct err *err)
{
	e->group = -1;
	e->why = refused_why(err->code);
	if (err != &s->refusal)
		s->refusal = *err;
}

/* "program NAME TERMS": the name "cycles" counts cycles, every other one counts events. */
static void read_program(struct events_source *s, const struct metric_set *set, bool has_pmu)
{
	const struct set_directive *d;
	int pos = 0;

	while (set && (d = metric_set_directive(set, "program", &pos))) {
		struct event *e = &s->events[s->n_events];
		struct err err = { 0 };
		const char *args = d->args, *name, *unit = "1";
		size_t len;

		if (s->n_events == MAX_EVENTS || !parse_word(&args, &name, &len))
			continue;
		if (len == 6 && !memcmp(name, "cycles", 6))
			unit = "cycle";
		else if (!strncmp(name, CPU_CHOSEN, strlen(CPU_CHOSEN)))
			unit = "events";
		add_counter(s, s->n_events++, name, len, unit);
		args += strspn(args, " \t");
		if (!has_pmu && !strchr(args, '/'))
			refuse(s, e, &s->refusal);
		else if (!cpu_event_find(s->fs, &s->pmu, args, &e->perf, &err) ||
			!cpu_event_is_sound(s->fs, s->info, &e->perf, &err))
			refuse(s, e, &err);
	}
	add_counter(s, s->n_events + SHARE_RUNNING, "pmu_running_ns", 14, "ns");
	add_counter(s, s->n_events + SHARE_ENABLED, "pmu_enabled_ns", 14, "ns");
}

/* --- opening: the first CPU decides what fits into a group --- */

static void close_cpu(struct events_source *s, int cpu)
{
	for (int g = 0; g < s->n_groups; g++)
		perf_group_close(&s->cpus[cpu].groups[g]);
}

static void close_cpus(struct events_source *s)
{
	for (int i = 0; s->cpus && i < s->feed.n; i++)
		close_cpu(s, i);
	free(s->cpus);
	s->cpus = NULL;
	s->n_groups = 0;
}

/* A group that is full is refused with EINVAL, and so is an event that the processor does not have.
 * In a group of its own the event shows which it was. */
static void place_event(struct events_source *s, struct event *e)
{
	struct cpu_groups *c = &s->cpus[0];
	struct err err = { 0 };

	e->group = s->n_groups - 1;
	if (s->n_groups && c->groups[e->group].n < s->group_max &&
		perf_group_add(s->fs, &c->groups[e->group], &e->perf, s->feed.cpus[0], &err)) {
		e->member = c->groups[e->group].n - 1;
		return;
	}
	if (s->n_groups == MAX_GROUPS ||
		!perf_group_add(s->fs, &c->groups[s->n_groups], &e->perf, s->feed.cpus[0], &err)) {
		refuse(s, e, &err);
		return;
	}
	e->group = s->n_groups++;
	e->member = 0;
}

/* A CPU that went offline meanwhile (ENODEV) has no counts. The others keep theirs. */
static bool open_like_first(struct events_source *s, int cpu)
{
	struct err err = { 0 };

	for (int i = 0; i < s->n_events; i++) {
		const struct event *e = &s->events[i];

		if (e->group < 0 ||
			perf_group_add(s->fs, &s->cpus[cpu].groups[e->group], &e->perf,
				s->feed.cpus[cpu], &err))
			continue;
		close_cpu(s, cpu);
		if (err.sys == ENODEV)
			return true;
		s->refusal = err;
		return false;
	}
	return true;
}

static bool counts_on(const struct perf_pmu *pmu, int cpu)
{
	for (int i = 0; i < pmu->n_cpus; i++) {
		if (pmu->cpus[i] == cpu)
			return true;
	}
	return pmu->n_cpus == 0;
}

static bool read_all(struct events_source *s, struct err *err)
{
	for (int i = 0; i < s->feed.n; i++) {
		for (int g = 0; g < s->n_groups; g++) {
			if (s->cpus[i].groups[g].n &&
				!perf_group_read(&s->cpus[i].groups[g], &s->cpus[i].now[g], err))
				return false;
		}
	}
	return true;
}

static void begin_window(struct events_source *s)
{
	for (int i = 0; s->cpus && i < s->feed.n; i++)
		memcpy(s->cpus[i].begin, s->cpus[i].now, sizeof(s->cpus[i].begin));
}

static void open_cpus(struct events_source *s)
{
	bool good = true;

	s->cpus = xcalloc((size_t)s->feed.n, sizeof(*s->cpus));
	for (int i = 0; i < s->n_events; i++) {
		if (s->events[i].why == WHY_OK)
			place_event(s, &s->events[i]);
	}
	for (int i = 1; i < s->feed.n && good; i++)
		good = !counts_on(&s->pmu, s->feed.cpus[i]) || open_like_first(s, i);
	if (good && s->n_groups && read_all(s, &s->refusal)) {
		begin_window(s);
		return;
	}
	close_cpus(s);
	for (int i = 0; i < s->n_events; i++) {
		if (s->events[i].why == WHY_OK)
			refuse(s, &s->events[i], &s->refusal);
	}
}

/* An event that counts a known loop wrongly is not shown. Where the Merge event is missing, only
 * the number tells. */
static void refuse_flops(struct events_source *s, const struct err *err)
{
	const struct cpu_loop_event *loop = cpu_loop_event(s->info->row->platform);
	struct perf_event e;

	if (!perf_pmu_terms(s->fs, &s->pmu, loop->terms, &e, NULL))
		return;
	for (int i = 0; i < s->n_events; i++) {
		if (cpu_event_code(&s->events[i].perf) == cpu_event_code(&e) && s->events[i].why == WHY_OK)
			refuse(s, &s->events[i], err);
	}
}

/* --- windows --- */

static bool events_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct events_source *s = (struct events_source *)src;

	(void)now_ns;
	if (s->cpus && s->too_big) {
		close_cpus(s);
		open_cpus(s);
		s->reopened = true;
	}
	s->too_big = false;
	if (!s->cpus)
		return true;
	s->failed = !read_all(s, err);
	return !s->failed;
}

/* The count as if the group had run all the time. SAMPLE_NONE: it never ran. */
static uint64_t scaled(const struct perf_counts *a, const struct perf_counts *b, int member)
{
	uint64_t enabled = b->enabled_ns - a->enabled_ns, running = b->running_ns - a->running_ns;
	uint64_t count = b->values[member] - a->values[member];

	if (running == 0)
		return SAMPLE_NONE;
	if (running >= enabled)
		return count;
	return (uint64_t)((double)count * (double)enabled / (double)running);
}

static void fill_row(struct events_source *s, int cpu, uint64_t *row)
{
	const struct cpu_groups *c = &s->cpus[cpu];

	for (int i = 0; i < s->n_events; i++) {
		const struct event *e = &s->events[i];

		row[i] = SAMPLE_NONE;
		if (e->group >= 0 && c->groups[e->group].n)
			row[i] = scaled(&c->begin[e->group], &c->now[e->group], e->member);
	}
	row[s->n_events + SHARE_RUNNING] = row[s->n_events + SHARE_ENABLED] = 0;
	for (int g = 0; g < s->n_groups; g++) {
		row[s->n_events + SHARE_RUNNING] += accum_delta(
			c->begin[g].running_ns, c->now[g].running_ns, 64);
		row[s->n_events + SHARE_ENABLED] += accum_delta(
			c->begin[g].enabled_ns, c->now[g].enabled_ns, 64);
	}
}

/* When the kernel accepts a group it looks at all counters, also at those that others hold, so it
 * may never schedule the group. The next reading opens smaller ones. */
static void note_too_big(struct events_source *s)
{
	for (int i = 0; i < s->n_events && !s->too_big; i++) {
		int largest = 2;

		if (s->whys[i] != WHY_NO_COUNTER || s->group_max == 1)
			continue;
		for (int g = 0; g < s->n_groups; g++)
			if (s->cpus[0].groups[g].n > largest)
				largest = s->cpus[0].groups[g].n;
		s->group_max = largest - 1;
		s->too_big = true;
	}
}

static void events_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct events_source *s = (struct events_source *)src;

	for (int i = 0; s->cpus && i < s->feed.n; i++)
		fill_row(s, i, &s->feed.rows[i * s->feed.n_counters]);
	cpu_feed_sum(&s->feed, now_ns, out);
	for (int i = 0; i < s->n_events; i++) {
		bool ran = !s->cpus;

		/* When an event ran on no CPU, somebody else holds the counters, such as the
		 * watchdog for lockups. */
		for (int k = 0; k < s->feed.n; k++)
			ran |= s->feed.rows[k * s->feed.n_counters + i] != SAMPLE_NONE;
		s->whys[i] = s->events[i].why;
		if (s->whys[i] == WHY_OK && !ran)
			s->whys[i] = WHY_NO_COUNTER;
	}
	out->whys = s->whys;
	if (!s->cpus)
		out->why = refused_why(s->refusal.code);
	else if (s->failed)
		out->why = WHY_STALE;
	else if (s->reopened)
		out->why = WHY_NOT_YET;
	else
		note_too_big(s);
	s->reopened = false;
	begin_window(s);
}

static bool events_retry(struct source *src, int64_t now_ns, struct err *err)
{
	struct events_source *s = (struct events_source *)src;

	(void)now_ns;
	if (s->cpus && !s->failed)
		return true;
	close_cpus(s);
	for (int i = 0; i < s->n_events; i++) {
		if (s->events[i].why != WHY_UNSUPPORTED)
			s->events[i].why = WHY_OK;
	}
	if (cpu_core_pmu(s->fs, &s->pmu, &s->refusal))
		open_cpus(s);
	if (s->cpus)
		return true;
	if (err)
		*err = s->refusal;
	return false;
}

static void events_close(struct source *src)
{
	struct events_source *s = (struct events_source *)src;

	close_cpus(s);
	cpu_feed_release(&s->feed);
	free(s->info);
	free(s);
}

static const struct source_ops events_ops = {
	.ready = events_ready,
	.collect = events_collect,
	.retry = events_retry,
	.close = events_close,
};

struct source *cpu_events_open(
	const struct cpu_info *info, const struct open_options *o, struct err *err)
{
	struct events_source *s = xcalloc(1, sizeof(*s));
	struct err loop = { 0 };
	char what[160];

	s->source = (struct source){ .ops = &events_ops,
		.feed = { .how = "perf events", .counters = s->counters } };
	s->info = xcalloc(1, sizeof(*s->info));
	*s->info = *info;
	s->fs = o->fs;
	s->group_max = PERF_GROUP_MAX;
	bool has_pmu = cpu_core_pmu(o->fs, &s->pmu, &s->refusal);
	read_program(s, o->set, has_pmu);
	s->source.feed.n_counters = s->n_events + SHARES;
	cpu_feed_init(&s->feed, &s->source, info, "events", o->now_ns);
	bool any = false;
	for (int i = 0; i < s->n_events; i++)
		any |= s->events[i].why == WHY_OK;
	if (!has_pmu && !any)
		snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s", _("refused"));
	else if (s->n_events)
		open_cpus(s);
	else
		err_set(&s->refusal, ERR_UNSUPPORTED,
			_("the events of this processor are not known here"));
	if (s->cpus && !cpu_self_test(info, o->fs, what, sizeof(what), &loop) &&
		loop.code == ERR_UNSUPPORTED)
		refuse_flops(s, &loop);
	*err = s->refusal;
	if (s->n_events)
		*err = (struct err){ 0 };
	for (int i = 0; i < s->n_events; i++)
		if (s->events[i].why != WHY_OK)
			*err = s->refusal;
	return &s->source;
}
