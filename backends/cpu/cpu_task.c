/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of a program that is started afterwards. */
#include "config.h"

#include "backends/cpu/cpu_task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/cpu/cpu_names.h"
#include "backends/cpu/sources.h"
#include "backends/perf/perf_event.h"
#include "backends/refused.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/parse.h"

static void open_event(struct cpu_task *t, int i, const struct fsroot *fs,
	const struct cpu_info *info, const struct err *loop)
{
	const struct cpu_loop_event *known = NULL;
	struct cpu_task_event *e = &t->events[i];
	struct perf_event event, flops;

	if (info->row)
		known = cpu_loop_event(info->row->platform);
	e->fd = -1;
	if (!cpu_event_find(fs, NULL, e->terms, &event, &e->refusal) ||
		!cpu_event_is_sound(fs, info, &event, &e->refusal))
		return;
	/* A kernel that counts a known loop wrongly would count the program wrongly. */
	if (loop->code == ERR_UNSUPPORTED && known &&
		cpu_event_find(fs, NULL, known->terms, &flops, NULL) && event.type == flops.type &&
		cpu_event_code(&event) == cpu_event_code(&flops)) {
		e->refusal = *loop;
		return;
	}
	e->fd = perf_task_open(fs, &event, &e->refusal);
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
	struct err loop = { .code = ERR_NONE };
	char what[160];
	int open = 0;

	*t = (struct cpu_task){ .n = 0 };
	read_set(t, set);
	if (!cpu_info_read(fs, info, err)) {
		free(info);
		return false;
	}
	cpu_self_test(info, fs, what, sizeof(what), &loop);
	for (int i = 0; i < t->n; i++) {
		open_event(t, i, fs, info, &loop);
		open += t->events[i].fd >= 0;
		t->whys[i] = t->events[i].fd < 0 ? refused_why(t->events[i].refusal.code) : WHY_OK;
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
			_("the events of this processor are not known here; --counter names some"));
	if (err)
		*err = t->events[0].refusal;
	return false;
}

/* The count as if the event had had a counter all the time. */
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

bool cpu_task_read(struct cpu_task *t, int64_t elapsed_ns, struct sample *out, struct err *err)
{
	struct perf_counts c;

	*out = (struct sample){ .window_ns = elapsed_ns, .t1_ns = elapsed_ns, .whys = t->whys };
	for (int i = 0; i < t->n; i++) {
		if (t->events[i].fd < 0)
			continue;
		if (!perf_task_read(t->events[i].fd, &c, err))
			return false;
		take_event(t, i, &c, out);
	}
	return true;
}

void cpu_task_close(struct cpu_task *t)
{
	for (int i = 0; i < t->n; i++)
		if (t->events[i].fd >= 0)
			close(t->events[i].fd);
	t->n = 0;
}
