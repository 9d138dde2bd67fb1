/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills the lines of the screen of all devices from the windows of their sessions. */
#include "config.h"

#include "screen/console.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

#include "session/devices/devices.h"
#include "session/program.h"
#include "session/window/refresh.h"
#include "base/mem.h"
#include "core/verdict/verdict.h"

/* The first metric of that role that has a number now, in its own unit; NAN without one. */
static double number_of(const struct snapshot *s, enum limit_role role, double *roof)
{
	for (int i = 0; i < s->set->n_metrics; i++) {
		struct value v = snapshot_of_all_time(s, i);

		if (s->set->metrics[i].limit.role != role || v.why != WHY_OK)
			continue;
		double ceiling = s->ceilings[i].why == WHY_OK ? s->ceilings[i].v : NAN;
		if (roof)
			*roof = ceiling;
		if (role == LIMIT_CLOCK && !s->set->metrics[i].limit.while_awake)
			return clock_while_awake(v.v, number_of(s, LIMIT_ASLEEP, NULL) / 100, ceiling);
		return v.v;
	}
	return NAN;
}

/* The past of the metric that says how busy the device is. Its number may be missing now and
 * then. */
static void past_of(
	struct device_line *l, const struct session *ses, const struct snapshot *s)
{
	for (int i = 0; i < s->set->n_metrics && !l->past; i++) {
		if (s->set->metrics[i].limit.role != LIMIT_BUSY)
			continue;
		l->past = &ses->now->history;
		l->past_column = i;
		l->asleep_column = snapshot_asleep(s, i);
		if (l->asleep_column >= 0)
			l->asleep_top = 1 / s->set->metrics[l->asleep_column].unit.scale;
	}
}

/* Writes what limits the device, such as "MEMORY-BOUND DRAM 85 %". */
static void limit_text(struct device_line *l, const struct snapshot *s)
{
	const struct verdict *v = &s->verdict;
	char headline[64];

	verdict_headline(v, false, headline, sizeof(headline));
	snprintf(l->limit, sizeof(l->limit), "%s", headline);
	snprintf(l->limit_brief, sizeof(l->limit_brief), "%s", headline);
	if (v->metric >= 0 && v->metric < s->set->n_metrics && !isnan(v->share)) {
		const char *label = metric_label(&s->set->metrics[v->metric]);

		/* "Tiler, all time" is the Tiler here. */
		snprintf(l->limit, sizeof(l->limit), "%s  %.*s %.0f %%", headline,
			(int)strcspn(label, ","), label, 100 * v->share);
		snprintf(l->limit_brief, sizeof(l->limit_brief), "%s  %.0f %%", headline,
			100 * v->share);
	}
	l->headroom = v->headroom;
	l->inferred = v->flags & VERDICT_ESTIMATED;
}

static void open_line(struct device_line *l, const struct session *ses)
{
	const struct snapshot *s = refresh_snapshot(ses);

	l->open = true;
	if (ses->play.ended)
		snprintf(l->state, sizeof(l->state), "%s", _("ended"));
	if (!s) {
		snprintf(l->state, sizeof(l->state), "%s", _("no window yet"));
		return;
	}
	limit_text(l, s);
	past_of(l, ses, s);
	l->busy_pct = number_of(s, LIMIT_BUSY, NULL);
	l->clock_mhz = number_of(s, LIMIT_CLOCK, NULL);
	l->power_w = number_of(s, LIMIT_POWER, NULL);
	l->temperature_c = number_of(s, LIMIT_TEMPERATURE, NULL);
	l->memory_gb = number_of(s, LIMIT_MEMORY, &l->memory_all_gb);
}

static void add(struct all_devices *a, int entry, struct session *ses, const struct session *shown)
{
	const struct session *tells = ses ? ses : shown;
	size_t cap = a->cap;
	struct device_summary d;

	if ((size_t)a->n == cap) {
		cap = cap ? 2 * cap : 16;
		a->line = xreallocarray(a->line, cap, sizeof(*a->line));
		a->entry = xreallocarray(a->entry, cap, sizeof(*a->entry));
		a->session = xreallocarray(a->session, cap, sizeof(struct session *));
		a->cap = cap;
	}
	struct device_line *l = &a->line[a->n];
	devices_summary(tells, entry, &d);
	*l = (struct device_line){ .busy_pct = NAN,
		.clock_mhz = NAN,
		.power_w = NAN,
		.temperature_c = NAN,
		.memory_gb = NAN,
		.memory_all_gb = NAN,
		.headroom = NAN,
		.usable = d.usable,
		.shown = ses && ses == shown };
	snprintf(l->id, sizeof(l->id), "%s", ses ? ses->opened.name : d.id);
	snprintf(l->name, sizeof(l->name), "%s", d.name);
	l->vendor = d.vendor;
	snprintf(l->state, sizeof(l->state), "%s", ses ? "" : d.state);
	a->entry[a->n] = entry;
	a->session[a->n++] = ses;
	if (ses && ses->dev)
		open_line(l, ses);
}

void all_devices_update(struct all_devices *a, const struct session *shown, int *row)
{
	const struct program *p = shown->program;
	char was[sizeof(a->line->id)] = "";

	if (*row >= 0 && *row < a->n)
		snprintf(was, sizeof(was), "%s", a->line[*row].id);
	a->n = 0;
	for (int k = 0; k < p->n_sessions; k++)
		if (p->sessions[k]->opened.entry >= 0)
			add(a, p->sessions[k]->opened.entry, p->sessions[k], shown);
	for (size_t i = 0; i < p->devices.count; i++)
		if (!session_of_entry(p, (int)i))
			add(a, (int)i, NULL, shown);
	for (int i = 0; *was && i < a->n; i++)
		if (!strcmp(a->line[(*row + i) % a->n].id, was)) {
			*row = (*row + i) % a->n;
			return;
		}
}

void all_devices_release(struct all_devices *a)
{
	free(a->line);
	free(a->entry);
	free(a->session);
	*a = (struct all_devices){ 0 };
}
