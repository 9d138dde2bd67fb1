/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts sessions, and entries that could not be opened, into the rows of the exported text. */
#include "config.h"

#include "out/export/export_metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/window/refresh.h"
#include "base/clock.h"
#include "base/fsroot.h"
#include "base/mem.h"
#include "base/parse.h"
#include "out/export/metric_family.h"
#include "out/export/openmetrics.h"
#include "out/lines/writer.h"

/* --- energy --- */

static struct energy_sums *sums_of(struct export_metrics *x, const struct session *ses)
{
	for (int i = 0; i < x->n_sums; i++)
		if (x->sums[i].session == ses)
			return &x->sums[i];
	return NULL;
}

static bool are_of(const struct energy_sums *e, const struct session *ses)
{
	return e->n_metrics == ses->now->set->n_metrics &&
		!strncmp(e->set, ses->now->set->name, sizeof(e->set) - 1) &&
		!strcmp(e->device, ses->dev->device.id);
}

/* Another set has other metrics, whose sums begin at 0, as a counter may. */
static struct energy_sums *make_sums(struct export_metrics *x, const struct session *ses)
{
	struct energy_sums *e = sums_of(x, ses);

	if (!e) {
		x->sums = xreallocarray(x->sums, (size_t)x->n_sums + 1, sizeof(*x->sums));
		e = &x->sums[x->n_sums++];
		*e = (struct energy_sums){ .session = ses };
	}
	if (!are_of(e, ses)) {
		free(e->joules);
		e->n_metrics = ses->now->set->n_metrics;
		e->joules = xcalloc((size_t)e->n_metrics + 1, sizeof(*e->joules));
		snprintf(e->set, sizeof(e->set), "%s", ses->now->set->name);
		snprintf(e->device, sizeof(e->device), "%s", ses->dev->device.id);
	}
	return e;
}

void export_metrics_window(struct export_metrics *x, const struct session *ses)
{
	const struct snapshot *s = refresh_snapshot(ses);
	struct energy_sums *e = make_sums(x, ses);
	struct metric_family family;

	for (int i = 0; s && i < s->set->n_metrics; i++) {
		if (writer_why(s->values[i]) || snapshot_is_kept(s, i))
			continue;
		metric_family_of(&s->set->metrics[i], false, &family);
		if (family.is_summed && s->values[i].v > 0)
			e->joules[i] += s->values[i].v;
	}
}

void export_metrics_leave(struct export_metrics *x, const struct session *ses)
{
	struct energy_sums *e = sums_of(x, ses);

	if (!e)
		return;
	free(e->joules);
	*e = x->sums[--x->n_sums];
}

void export_metrics_release(struct export_metrics *x)
{
	for (int i = 0; i < x->n_sums; i++)
		free(x->sums[i].joules);
	free(x->sums);
	*x = (struct export_metrics){ 0 };
}

/* --- devices --- */

static enum device_state state_of(const struct session *ses, const struct snapshot *s)
{
	if (ses->play.ended)
		return DEVICE_ENDED;
	if (ses->opened.stands_in)
		return DEVICE_LOST;
	if (!s)
		return DEVICE_STARTING;
	switch (s->why) {
	case WHY_GONE: return DEVICE_LOST;
	case WHY_ASLEEP: return DEVICE_ASLEEP;
	case WHY_PERMISSION:
	case WHY_BUSY: return DEVICE_REFUSED;
	case WHY_STALE: return DEVICE_STALE;
	default: break;
	}
	switch (s->verdict.kind) {
	case VERDICT_LOST: return DEVICE_LOST;
	case VERDICT_ASLEEP: return DEVICE_ASLEEP;
	case VERDICT_PERMISSION: return DEVICE_REFUSED;
	default: return DEVICE_OK;
	}
}

static void about_session(
	struct export_metrics *x, const struct session *ses, struct openmetrics_about *out)
{
	const struct snapshot *s = refresh_snapshot(ses);
	const struct energy_sums *e = sums_of(x, ses);

	*out = (struct openmetrics_about){ .name = ses->opened.name,
		.device = &ses->dev->device,
		.state = state_of(ses, s),
		.set = ses->now->set,
		.how = ses->dev->sources[0]->feed.how,
		.snap = s,
		.age_s = NAN };
	if (s)
		out->age_s = (double)(clock_mono_ns(&ses->clock) - s->mono_ns) / NS_PER_S;
	if (e && are_of(e, ses))
		out->sums = e->joules;
}

static bool is_open(const struct program *p, size_t entry)
{
	const struct session *ses = session_of_entry(p, (int)entry);

	return ses && ses->dev;
}

/* A device that was pulled out is no device of the machine. Its session waits for it. */
static bool has_left(const struct program *p, const struct session *ses)
{
	return ses->opened.entry >= 0 && p->devices.entries[ses->opened.entry].gone;
}

/* A device of this machine that nobody can open is in the text with its reason: a fleet wants to know
 * of it. */
static int about_refused(const struct program *p, struct openmetrics_about *out)
{
	int n = 0;

	for (size_t i = 0; i < p->devices.count; i++) {
		const struct device_entry *e = &p->devices.entries[i];

		if (e->usable || e->device.simulated || e->device.recorded || is_open(p, i))
			continue;
		out[n++] = (struct openmetrics_about){ .name = e->device.id,
			.device = &e->device,
			.state = DEVICE_REFUSED,
			.refusal = e->refusal.msg,
			.how = "",
			.age_s = NAN };
	}
	return n;
}

/* --- the program --- */

/* The second number is in pages, proc(5). */
static double resident_bytes(void)
{
	const struct fsroot machine = { .prefix = "" };
	char line[128];
	uint64_t pages;

	if (!fsroot_read_line(&machine, "/proc/self/statm", line, sizeof(line), NULL))
		return NAN;
	const char *second = strchr(line, ' ');
	if (!second)
		return NAN;
	char *end = line + (second - line) + 1 + strcspn(second + 1, " ");
	*end = '\0';
	if (!parse_u64(second + 1, &pages))
		return NAN;
	return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

void export_metrics_write(struct export_metrics *x, const struct program *p,
	enum exposition_form form, struct strbuf *out)
{
	size_t most = (size_t)p->n_sessions + p->devices.count;
	struct openmetrics_about *about = xcalloc(most + 1, sizeof(*about));
	int n = 0;

	for (int i = 0; i < p->n_sessions; i++)
		if (p->sessions[i]->dev && !has_left(p, p->sessions[i]))
			about_session(x, p->sessions[i], &about[n++]);
	n += about_refused(p, about + n);
	const struct openmetrics_self self = { .start_s = (double)x->start_wall_ns / NS_PER_S,
		.cpu_s = (double)clock_self_cpu_ns() / NS_PER_S,
		.resident_bytes = resident_bytes(),
		.scrapes = (double)++x->scrapes,
		.lists_processes = p->opt->clients };
	openmetrics_write(about, n, &self, form, out);
	free(about);
}
