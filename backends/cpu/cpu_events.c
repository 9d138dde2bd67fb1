/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hardware counters of each CPU: the events that the metric set asks for with "program NAME TERMS",
 * in as few groups as the kernel accepts. Groups that do not fit beside each other take turns, and
 * their counts are scaled to the whole window, which makes them estimates. */
#include "config.h"

#include "backends/cpu/cpu_info.h"
#include "backends/cpu/cpu_task.h"
#include "backends/cpu/sources.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/common/stand_ins.h"
#include "backends/perf/perf_event.h"
#include "base/mem.h"
#include "base/parse.h"
#include "core/value/accum.h"

#define MAX_EVENTS 16
#define MAX_GROUPS 8
/* AMD's FLOPs event, whose Merge event kernels program from 5.6 on (commit 5738891229a2). */
#define AMD_FLOPS_EVENT 0x003
#define MERGE_MAJOR 5
#define MERGE_MINOR 6

/* Two counters follow the events: how long the groups of a CPU had counters, and how long they
 * should have had them. */
enum { SHARE_RUNNING, SHARE_ENABLED, SHARES };

/* An event on one kind of cores. */
struct part {
	bool wanted;		/* the set asks for it there */
	struct perf_event perf;
	int group, member;	/* group -1: refused */
	enum why why;
};

struct event {
	struct part parts[CORE_KINDS_MAX];
	enum why why;		/* where no kind of cores counts it */
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
	struct core_kinds kinds;
	int first[CORE_KINDS_MAX];	/* place of the first CPU of a kind; -1: it has none here */
	struct event events[MAX_EVENTS];
	int n_events, n_groups[CORE_KINDS_MAX];
	int group_max;			/* members that a group may have */
	/* a group was accepted and not scheduled: open smaller ones */
	bool too_big;
	bool reopened;			/* in this window, which has nothing to say */
	struct counter_desc counters[MAX_EVENTS + SHARES];
	enum why whys[MAX_EVENTS + SHARES];
	struct cpu_groups *cpus;	/* [n] or NULL; one without groups is offline, or counts nothing */
	bool *online;			/* [n] */
	int others;			/* CPUs that were online without a row when it was opened */
	bool failed;
	struct err refusal;		/* of the last event that was refused */
	struct err of_kind[CORE_KINDS_MAX];	/* the same of a kind of cores */
};

/* Events of PMUs that are of no core stand with the first kind, also where there is none. */
static int max_kinds(const struct events_source *s)
{
	return s->kinds.n ? s->kinds.n : 1;
}

/* --- what to count --- */

bool cpu_event_is_sound(const struct fsroot *fs, const struct cpu_info *info,
	const struct perf_event *e, struct err *err)
{
	char release[64];
	int major, minor;

	if (!cpu_vendor_is_amd(info->vendor) || cpu_event_code(e) != AMD_FLOPS_EVENT)
		return true;
	/* When the kernel does not tell its version, the loop will show it. */
	if (!fsroot_read_line(
		    fs, "/proc/sys/kernel/osrelease", release, sizeof(release), NULL) ||
		sscanf(release, "%d.%d", &major, &minor) != 2 || major > MERGE_MAJOR ||
		(major == MERGE_MAJOR && minor >= MERGE_MINOR))
		return true;
	err_set(err, ERR_UNSUPPORTED,
		"Linux %s counts AMD's FLOPs event without its Merge event, so too little",
		release);
	return err_hint(err, "Linux 5.6 or later");
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

static void refuse(struct events_source *s, struct part *p, const struct err *err)
{
	p->group = -1;
	p->why = refused_why(err->code);
	if (err != &s->refusal)
		s->refusal = *err;
}

static int kind_named(const struct core_kinds *k, const char *word)
{
	size_t len = strcspn(word, "/");

	for (int i = 0; i < k->n; i++)
		if (strlen(k->kinds[i].pmu.name) == len && !strncmp(k->kinds[i].pmu.name, word, len))
			return i;
	return -1;
}

static void want(struct part *p, const struct perf_event *found)
{
	p->wanted = true;
	p->perf = *found;
}

/* A word of terms between slashes behind a star: for each kind of cores, as its own PMU understands
 * it. */
static bool read_terms_of_all(
	struct events_source *s, struct event *e, const char *inner, struct err *err)
{
	struct perf_event found;
	char terms[128];
	bool any = false;

	snprintf(terms, sizeof(terms), "%.*s", (int)strcspn(inner, "/"), inner);
	for (int k = 0; k < s->kinds.n; k++)
		if (cpu_event_find(s->fs, &s->kinds.kinds[k].pmu, terms, &found, err)) {
			want(&e->parts[k], &found);
			any = true;
		} else {
			s->of_kind[k] = *err;
		}
	if (!s->kinds.n)
		*err = s->refusal;
	return any;
}

/* One word of terms: for the cores of the PMU that it names, without a name for the first kind. An
 * event of a PMU that is of no core is opened on each CPU. */
static bool read_terms(struct events_source *s, struct event *e, const char *word, struct err *err)
{
	bool names = strchr(word, '/') != NULL;
	int kind = names ? kind_named(&s->kinds, word) : 0;
	struct perf_event found;

	if (!strncmp(word, "*/", 2))
		return read_terms_of_all(s, e, word + 2, err);
	if (!names && !s->kinds.n) {
		*err = s->refusal;
		return false;
	}
	if (!cpu_event_find(s->fs, &s->kinds.kinds[0].pmu, word, &found, err) ||
		!cpu_event_is_sound(s->fs, s->info, &found, err))
		return false;
	for (int k = 0; k < max_kinds(s); k++)
		if (kind < 0 || k == kind)
			want(&e->parts[k], &found);
	return true;
}

/* Words of terms behind the name: one for each kind of cores that counts it. */
static void read_event(struct events_source *s, struct event *e, const char *words)
{
	struct err first = { 0 }, err = { 0 };
	const char *word;
	char terms[128];
	size_t len;
	bool any = false;

	while (parse_word(&words, &word, &len)) {
		snprintf(terms, sizeof(terms), "%.*s", (int)len, word);
		if (read_terms(s, e, terms, &err))
			any = true;
		else if (first.code == ERR_NONE)
			first = err;
	}
	if (any)
		return;
	if (first.code == ERR_NONE)
		first = s->refusal;
	e->why = refused_why(first.code);
	for (int k = 0; k < CORE_KINDS_MAX; k++)
		refuse(s, &e->parts[k], &first);
}

/* "program NAME TERMS...": the name "cycles" counts cycles, every other one counts events. */
static void read_program(struct events_source *s, const struct metric_set *set)
{
	const struct set_directive *d;
	int pos = 0;

	while (set && (d = metric_set_directive(set, "program", &pos))) {
		const char *args = d->args, *name, *unit = "1";
		size_t len;

		if (s->n_events == MAX_EVENTS || !parse_word(&args, &name, &len))
			continue;
		if (len == 6 && !memcmp(name, "cycles", 6))
			unit = "cycle";
		else if (!strncmp(name, CPU_CHOSEN, strlen(CPU_CHOSEN)))
			unit = "events";
		add_counter(s, s->n_events, name, len, unit);
		read_event(s, &s->events[s->n_events++], args);
	}
	add_counter(s, s->n_events + SHARE_RUNNING, "pmu_running_ns", 14, "ns");
	add_counter(s, s->n_events + SHARE_ENABLED, "pmu_enabled_ns", 14, "ns");
}

/* --- opening: the first CPU decides what fits into a group --- */

static void close_cpu(struct events_source *s, int cpu)
{
	for (int g = 0; g < MAX_GROUPS; g++)
		perf_group_close(&s->cpus[cpu].groups[g]);
}

static void close_cpus(struct events_source *s)
{
	for (int i = 0; s->cpus && i < s->feed.n; i++)
		close_cpu(s, i);
	free(s->cpus);
	s->cpus = NULL;
	memset(s->n_groups, 0, sizeof(s->n_groups));
}

/* A group that is full is refused with EINVAL, and so is an event that the processor does not have.
 * In a group of its own the event shows which it was. */
static void place_part(struct events_source *s, struct part *p, int kind)
{
	struct cpu_groups *c = &s->cpus[s->first[kind]];
	int cpu = s->feed.cpus[s->first[kind]], *n = &s->n_groups[kind];
	struct err err = { 0 };

	p->group = *n - 1;
	if (*n && c->groups[p->group].n < s->group_max &&
		perf_group_add(s->fs, &c->groups[p->group], &p->perf, cpu, &err)) {
		p->member = c->groups[p->group].n - 1;
		return;
	}
	if (*n == MAX_GROUPS || !perf_group_add(s->fs, &c->groups[*n], &p->perf, cpu, &err)) {
		s->of_kind[kind] = err;
		refuse(s, p, &err);
		return;
	}
	p->group = (*n)++;
	p->member = 0;
}

/* A CPU that went offline meanwhile (ENODEV) has no counts until it is back. The others keep theirs. */
static bool open_like_first(struct events_source *s, int cpu, int kind)
{
	struct err err = { 0 };

	for (int i = 0; i < s->n_events; i++) {
		const struct part *p = &s->events[i].parts[kind];

		if (!p->wanted || p->group < 0 ||
			perf_group_add(s->fs, &s->cpus[cpu].groups[p->group], &p->perf,
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

static bool has_groups(const struct events_source *s, int cpu)
{
	return s->cpus[cpu].groups[0].n > 0;
}

/* The events of a CPU that goes offline end: a group says so when it is read, and what stands alone
 * is not counted on. */
static bool read_cpu(struct events_source *s, int cpu, struct err *err)
{
	struct cpu_groups *c = &s->cpus[cpu];

	for (int g = 0; g < MAX_GROUPS && c->groups[g].n; g++)
		if (!perf_group_read(&c->groups[g], &c->now[g], err))
			return false;
	return true;
}

/* False when no CPU counts any more. */
static bool read_all(struct events_source *s, struct err *err)
{
	bool any = false;

	for (int i = 0; i < s->feed.n; i++) {
		if (has_groups(s, i) && !read_cpu(s, i, err))
			close_cpu(s, i);
		any |= has_groups(s, i);
	}
	return any;
}

static void begin_window(struct events_source *s)
{
	for (int i = 0; s->cpus && i < s->feed.n; i++)
		memcpy(s->cpus[i].begin, s->cpus[i].now, sizeof(s->cpus[i].begin));
}

/* The kind of the CPU at that place of the feed; -1: none of them. Where no PMU of cores is known,
 * an event of another PMU is opened on all. */
static int kind_at(const struct events_source *s, int place)
{
	return s->kinds.n ? core_kind_of(&s->kinds, s->feed.cpus[place]) : 0;
}

/* Notes which CPUs are online. Where the kernel does not tell, all are. Returns how many of them
 * have no row. */
static int look_online(struct events_source *s)
{
	char list[4096] = "";
	int cpus[CPU_MAX], n = 0, others = 0;

	if (fsroot_read_line(s->fs, "/sys/devices/system/cpu/online", list, sizeof(list), NULL))
		n = perf_cpu_list(list, cpus, CPU_MAX);
	for (int i = 0; i < s->feed.n; i++)
		s->online[i] = n == 0;
	for (int i = 0; i < n; i++) {
		int place = cpu_feed_index(&s->feed, cpus[i]);

		if (place >= 0)
			s->online[place] = true;
		others += place < 0;
	}
	return others;
}

/* A CPU that is offline cannot show what fits into a group: PMUs of Arm go on listing it. */
static void find_first_cpus(struct events_source *s)
{
	s->others = look_online(s);
	for (int k = 0; k < CORE_KINDS_MAX; k++)
		s->first[k] = -1;
	for (int i = 0; i < s->feed.n; i++) {
		int kind = kind_at(s, i);

		if (kind >= 0 && s->first[kind] < 0 && s->online[i])
			s->first[kind] = i;
	}
}

static bool place_events(struct events_source *s)
{
	bool any = false;

	for (int k = 0; k < max_kinds(s); k++)
		for (int i = 0; i < s->n_events && s->first[k] >= 0; i++) {
			struct part *p = &s->events[i].parts[k];

			if (p->wanted && p->why == WHY_OK)
				place_part(s, p, k);
			any |= p->wanted && p->why == WHY_OK;
		}
	return any;
}

static void open_cpus(struct events_source *s)
{
	bool good;

	s->cpus = xcalloc((size_t)s->feed.n, sizeof(*s->cpus));
	find_first_cpus(s);
	good = place_events(s);
	for (int i = 0; i < s->feed.n && good; i++) {
		int kind = kind_at(s, i);

		good = kind < 0 || s->first[kind] < 0 || i == s->first[kind] ||
			open_like_first(s, i, kind);
	}
	if (good && read_all(s, &s->refusal)) {
		begin_window(s);
		return;
	}
	close_cpus(s);
	for (int i = 0; i < s->n_events; i++)
		for (int k = 0; k < CORE_KINDS_MAX; k++)
			if (s->events[i].parts[k].why == WHY_OK)
				refuse(s, &s->events[i].parts[k], &s->refusal);
}

/* An event that counts a known loop wrongly is not shown. Where the Merge event is missing, only
 * the number tells. */
static void refuse_flops(struct events_source *s, const struct err *err)
{
	const struct cpu_loop_event *loop = cpu_loop_event(s->info->row->platform);
	struct perf_event e;

	if (!perf_pmu_terms(s->fs, &s->kinds.kinds[0].pmu, loop->terms, &e, NULL))
		return;
	for (int i = 0; i < s->n_events; i++) {
		struct part *p = &s->events[i].parts[0];

		if (cpu_event_code(&p->perf) == cpu_event_code(&e) && p->why == WHY_OK)
			refuse(s, p, err);
	}
}

/* Why an event has no number on any kind of cores; WHY_OK: it has one on some. */
static enum why why_of(const struct events_source *s, const struct event *e)
{
	enum why why = e->why;

	for (int k = 0; k < max_kinds(s); k++) {
		if (!e->parts[k].wanted)
			continue;
		if (e->parts[k].why == WHY_OK)
			return WHY_OK;
		why = e->parts[k].why;
	}
	return why;
}

/* --- windows --- */

/* Whether events stood still though time passed: their CPU was offline in between, and its groups
 * of one event do not say so. */
static bool has_ended(const struct cpu_groups *c)
{
	return c->groups[0].n && c->now[0].enabled_ns == c->begin[0].enabled_ns;
}

static enum perf_turn turn_of(const struct events_source *s, int cpu, int group)
{
	return perf_counts_turn(&s->cpus[cpu].begin[group], &s->cpus[cpu].now[group]);
}

/* Whether a group took turns with others, or another program has all counters of a CPU. */
static bool is_counted_in_part(const struct events_source *s)
{
	for (int i = 0; i < s->feed.n; i++)
		for (int g = 0; g < MAX_GROUPS && s->cpus[i].groups[g].n; g++)
			if (turn_of(s, i, g) != PERF_RAN)
				return true;
	return false;
}

/* Whether the window ended before the event had its turn on each CPU: a sum over the others is
 * none. */
static bool waits(const struct events_source *s, int event)
{
	for (int i = 0; s->cpus && i < s->feed.n; i++) {
		int kind = kind_at(s, i);
		const struct part *p = &s->events[event].parts[kind < 0 ? 0 : kind];

		if (has_groups(s, i) && !has_ended(&s->cpus[i]) && p->wanted && p->group >= 0 &&
			turn_of(s, i, p->group) == PERF_WAITS)
			return true;
	}
	return false;
}

/* Begins to count CPUs that came back, and ends what is offline. What is online and not counted
 * makes sums too small, so they are estimates. */
static void follow_online(struct events_source *s, bool time_passed)
{
	bool complete = look_online(s) <= s->others;

	s->source.reopen = !complete;
	complete &= !time_passed || !is_counted_in_part(s);
	for (int i = 0; i < s->feed.n; i++) {
		int kind = kind_at(s, i);

		if (kind < 0 || s->first[kind] < 0)
			continue;
		if (!s->online[i] || (time_passed && has_ended(&s->cpus[i])))
			close_cpu(s, i);
		if (!s->online[i] || has_groups(s, i))
			continue;
		if (open_like_first(s, i, kind) && has_groups(s, i) && read_cpu(s, i, NULL))
			memcpy(s->cpus[i].begin, s->cpus[i].now, sizeof(s->cpus[i].begin));
		else
			close_cpu(s, i);
		complete &= has_groups(s, i);
	}
	s->source.rebind |= s->source.feed.estimated == complete;
	s->source.feed.estimated = !complete;
}

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
	int kind = kind_at(s, cpu);

	for (int i = 0; i < s->n_events; i++) {
		const struct part *p = &s->events[i].parts[kind < 0 ? 0 : kind];

		row[i] = SAMPLE_NONE;
		if (kind >= 0 && p->wanted && p->group >= 0 && c->groups[p->group].n)
			row[i] = scaled(&c->begin[p->group], &c->now[p->group], p->member);
	}
	row[s->n_events + SHARE_RUNNING] = row[s->n_events + SHARE_ENABLED] = 0;
	for (int g = 0; g < MAX_GROUPS && c->groups[g].n; g++) {
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

		if (s->whys[i] != WHY_NO_COUNTER || s->group_max == 1 || waits(s, i))
			continue;
		for (int k = 0; k < max_kinds(s); k++)
			for (int g = 0; g < s->n_groups[k]; g++)
				if (s->cpus[s->first[k]].groups[g].n > largest)
					largest = s->cpus[s->first[k]].groups[g].n;
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
		s->whys[i] = why_of(s, &s->events[i]);
		if (s->whys[i] == WHY_OK && (!ran || waits(s, i)))
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
	if (s->cpus && !s->failed)
		follow_online(s, out->window_ns > 0);
	begin_window(s);
}

static bool events_retry(struct source *src, int64_t now_ns, struct err *err)
{
	struct events_source *s = (struct events_source *)src;

	(void)now_ns;
	if (s->cpus && !s->failed)
		return true;
	close_cpus(s);
	for (int i = 0; i < s->n_events; i++)
		for (int k = 0; k < CORE_KINDS_MAX; k++)
			if (s->events[i].parts[k].why != WHY_UNSUPPORTED)
				s->events[i].parts[k].why = WHY_OK;
	if (core_kinds_find(s->fs, &s->kinds, &s->refusal))
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
	free(s->online);
	free(s->info);
}

static const struct source_ops events_ops = {
	.size = sizeof(struct events_source),
	.ready = events_ready, .collect = events_collect, .retry = events_retry,
	.close = events_close,
};

static bool counts_on(const struct events_source *s, int kind)
{
	for (int i = 0; i < s->n_events; i++)
		if (s->events[i].parts[kind].wanted && s->events[i].parts[kind].why == WHY_OK)
			return true;
	return false;
}

bool cpu_events_missing(
	const struct source *src, int place, char *kind, size_t size, struct err *err)
{
	const struct events_source *s = (const struct events_source *)src;

	if (!s->cpus)
		return false;
	for (int k = 0; k < s->kinds.n; k++) {
		if (s->first[k] < 0 || s->of_kind[k].code == ERR_NONE || counts_on(s, k))
			continue;
		if (place-- > 0)
			continue;
		snprintf(kind, size, "%s", s->kinds.kinds[k].name);
		*err = s->of_kind[k];
		return true;
	}
	if (place > 0 || core_kinds_no_cpus(&s->kinds, err))
		return false;
	snprintf(kind, size, "%s", s->kinds.without_cpus);
	return true;
}

struct source *cpu_events_open(
	const struct cpu_info *info, const struct open_options *o, struct err *err)
{
	struct events_source *s = source_new(&events_ops);
	struct err loop = { 0 };
	char what[160];

	s->source.feed = (struct feed){ .how = "perf events", .counters = s->counters };
	s->info = xcalloc(1, sizeof(*s->info));
	*s->info = *info;
	s->fs = o->fs;
	s->group_max = PERF_GROUP_MAX;
	bool has_pmu = core_kinds_find(o->fs, &s->kinds, &s->refusal);
	read_program(s, o->set);
	s->source.feed.n_counters = s->n_events + SHARES;
	cpu_feed_init(&s->feed, &s->source, info, "events", o->now_ns);
	s->online = xcalloc((size_t)info->n_cpus, sizeof(*s->online));
	bool any = false;
	for (int i = 0; i < s->n_events; i++)
		any |= why_of(s, &s->events[i]) == WHY_OK;
	if (!has_pmu && !any)
		snprintf(s->source.feed.how, sizeof(s->source.feed.how), "%s", "refused");
	else if (s->n_events)
		open_cpus(s);
	else
		err_set(&s->refusal, ERR_UNSUPPORTED,
			"the events of this processor are not known here");
	if (s->cpus && !cpu_self_test(info, o->fs, what, sizeof(what), &loop) &&
		loop.code == ERR_UNSUPPORTED)
		refuse_flops(s, &loop);
	*err = s->refusal;
	if (s->n_events)
		*err = (struct err){ 0 };
	for (int i = 0; i < s->n_events; i++)
		if (why_of(s, &s->events[i]) != WHY_OK)
			*err = s->refusal;
	return &s->source;
}
