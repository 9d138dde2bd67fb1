/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of a program that is started afterwards. */
#include "config.h"

#include "backends/cpu/cpu_task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/sources.h"
#include "backends/perf/perf_event.h"
#include "backends/common/stand_ins.h"
#include "base/call_watch.h"
#include "base/mem.h"
#include "base/parse.h"

/* What all events of a command are opened with. */
struct opening {
	const struct fsroot *fs;
	const struct cpu_info *info;
	const struct cpu_loop_event *known;	/* NULL: no event counts a known loop */
	struct err loop;		/* why the loop is not counted as it should be */
};

/* A kernel that counts a known loop wrongly would count the program wrongly. */
static bool is_wrong(const struct opening *o, const struct perf_event *event)
{
	struct perf_event flops;

	return o->loop.code == ERR_UNSUPPORTED && o->known &&
		cpu_event_find(o->fs, NULL, o->known->terms, &flops, NULL) &&
		event->type == flops.type && cpu_event_code(event) == cpu_event_code(&flops);
}

/* pmu NULL: the terms name one, or are of the first kind of cores. */
static void open_on(struct cpu_task_event *e, const struct opening *o, const struct perf_pmu *pmu,
	const char *terms)
{
	struct perf_event event;
	int fd;

	if (e->n_fds == CORE_KINDS_MAX || !cpu_event_find(o->fs, pmu, terms, &event, &e->refusal) ||
		!cpu_event_is_sound(o->fs, o->info, &event, &e->refusal))
		return;
	if (is_wrong(o, &event)) {
		e->refusal = o->loop;
		return;
	}
	fd = perf_task_open(o->fs, &event, &e->refusal);
	if (fd >= 0)
		e->fds[e->n_fds++] = fd;
}

/* One word for each kind of cores, or one behind a star for all, as in cpu_events.c: a command runs
 * on any of them. */
static void open_event(struct cpu_task_event *e, const struct opening *o)
{
	const struct core_kinds *k = &o->info->kinds;
	const char *words = e->terms, *word;
	char terms[128];
	size_t len;

	while (parse_word(&words, &word, &len)) {
		snprintf(terms, sizeof(terms), "%.*s", (int)len, word);
		if (strncmp(terms, "*/", 2)) {
			open_on(e, o, NULL, terms);
			continue;
		}
		terms[2 + strcspn(terms + 2, "/")] = '\0';
		for (int i = 0; i < k->n; i++)
			open_on(e, o, &k->kinds[i].pmu, terms + 2);
		if (!k->n)
			cpu_event_find(o->fs, NULL, terms + 2, &(struct perf_event){ 0 }, &e->refusal);
	}
}

static void read_set(struct cpu_task *t, const struct metric_set *set)
{
	const struct set_directive *d;
	int pos = 0;

	while (t->n < CPU_TASK_EVENTS && (d = metric_set_directive(set, "program", &pos))) {
		struct counter_desc *c = &t->counters[t->n];
		const char *args = d->args, *name;
		size_t len;

		if (!parse_word(&args, &name, &len))
			continue;
		*c = (struct counter_desc){ .bits = 64, .kind = COUNTER_CUMULATIVE, .unit = "1" };
		snprintf(c->name, sizeof(c->name), "%.*s", (int)len, name);
		if (!strcmp(c->name, "cycles"))
			snprintf(c->unit, sizeof(c->unit), "cycle");
		else if (!strncmp(c->name, CPU_CHOSEN, strlen(CPU_CHOSEN)))
			snprintf(c->unit, sizeof(c->unit), "events");
		snprintf(t->events[t->n].terms, sizeof(t->events[t->n].terms), "%s",
			args + strspn(args, " \t"));
		t->n++;
	}
}

bool cpu_task_open(
	struct cpu_task *t, const struct fsroot *fs, const struct metric_set *set, struct err *err)
{
	struct cpu_info *info = xcalloc(1, sizeof(*info));
	struct opening o = { .fs = fs, .info = info, .loop = { .code = ERR_NONE } };
	char what[160];
	int open = 0;

	*t = (struct cpu_task){ .n = 0 };
	read_set(t, set);
	if (!cpu_info_read(fs, info, err)) {
		free(info);
		return false;
	}
	if (info->row)
		o.known = cpu_loop_event(info->row->platform);
	cpu_self_test(info, fs, what, sizeof(what), &o.loop);
	for (int i = 0; i < t->n; i++) {
		struct cpu_task_event *e = &t->events[i];

		open_event(e, &o);
		open += e->n_fds > 0;
		t->whys[i] = WHY_OK;
		if (!e->n_fds)
			t->whys[i] = refused_why(e->refusal.code);
	}
	free(info);
	t->feed = (struct feed){ .name = "events",
		.how = "perf events of the command",
		.counters = t->counters,
		.n_counters = t->n };
	if (open)
		return true;
	if (!t->n)
		return err_set(err, ERR_UNSUPPORTED,
			"the events of this processor are not known here; --counter names some");
	if (err)
		*err = t->events[0].refusal;
	return false;
}

/* The count as if the event had had a counter all the time. Each kind of cores counts while the
 * command is on it, so that their times add up to the whole. */
static void take_event(struct cpu_task *t, int i, const struct perf_counts *c, struct sample *out)
{
	t->events[i].counted = 0;
	if (c->enabled_ns)
		t->events[i].counted = (double)c->running_ns / (double)c->enabled_ns;
	out->values[i] = c->values[0];
	if (c->running_ns < c->enabled_ns && c->running_ns)
		out->values[i] = (uint64_t)((double)c->values[0] * (double)c->enabled_ns /
			(double)c->running_ns);
	t->whys[i] = c->running_ns ? WHY_OK : WHY_NO_COUNTER;
}

static bool read_event(const struct cpu_task_event *e, struct perf_counts *sum, struct err *err)
{
	struct perf_counts c;

	*sum = (struct perf_counts){ 0 };
	for (int k = 0; k < e->n_fds; k++) {
		if (!perf_task_read(e->fds[k], &c, err))
			return false;
		sum->values[0] += c.values[0];
		sum->running_ns += c.running_ns;
		if (c.enabled_ns > sum->enabled_ns)
			sum->enabled_ns = c.enabled_ns;
	}
	if (sum->running_ns > sum->enabled_ns)
		sum->running_ns = sum->enabled_ns;
	return true;
}

bool cpu_task_read(struct cpu_task *t, int64_t elapsed_ns, struct sample *out, struct err *err)
{
	struct perf_counts c;

	*out = (struct sample){ .window_ns = elapsed_ns, .t1_ns = elapsed_ns, .whys = t->whys };
	for (int i = 0; i < t->n; i++) {
		if (!t->events[i].n_fds)
			continue;
		if (!read_event(&t->events[i], &c, err))
			return false;
		take_event(t, i, &c, out);
	}
	return true;
}

void cpu_task_close(struct cpu_task *t)
{
	for (int i = 0; i < t->n; i++)
		for (int k = 0; k < t->events[i].n_fds; k++)
			driver_close(t->events[i].fds[k]);
	t->n = 0;
}
