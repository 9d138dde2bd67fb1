/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what is known of each device, family by family. The samples of a family stand together for
 * all devices, as both forms want it. */
#include "config.h"

#include "out/export/openmetrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out/export/exposition.h"
#include "out/lines/writer.h"
#include "base/clock.h"
#include "base/mem.h"
#include "core/verdict/verdict.h"

/* Writes a family with one number for each device; NAN means no sample. */
static void plain_family(struct openmetrics *t, const char *name, enum exposition_type type,
	const char *unit, const char *help,
	double (*value)(const struct openmetrics_about *a))
{
	exposition_family(&t->e, name, type, unit, help);
	for (const struct openmetrics_about *a = t->about; a < t->about + t->n; a++) {
		double v = value(a);

		if (isnan(v))
			continue;
		exposition_begin_of(&t->e, a->name, a->device);
		exposition_end(&t->e, v);
	}
}

/* --- identity and state --- */

static void hex_label(struct openmetrics *t, const char *name, uint32_t id)
{
	char text[16] = "";

	if (id)
		snprintf(text, sizeof(text), "%04x", id);
	exposition_label(&t->e, name, text);
}

static void device_info(struct openmetrics *t)
{
	exposition_family(
		&t->e, "rooftop_device", EXPOSITION_INFO, "", "What is watched, and how.");
	for (const struct openmetrics_about *a = t->about; a < t->about + t->n; a++) {
		const struct device *d = a->device;

		exposition_begin_of(&t->e, a->name, a->device);
		exposition_label(&t->e, "name", d->name);
		exposition_label(&t->e, "driver", d->driver);
		exposition_label(&t->e, "generation", d->generation);
		exposition_label(&t->e, "pci", d->pci_address);
		hex_label(t, "vendor", d->pci_vendor);
		hex_label(t, "model", d->pci_device);
		exposition_label(&t->e, "source", a->how);
		exposition_label(&t->e, "set", a->set ? a->set->name : "");
		for (int k = 0; k < d->n_words; k++)
			exposition_label(&t->e, d->words[k].name, d->words[k].text);
		exposition_end(&t->e, 1);
	}
}

static double is_up(const struct openmetrics_about *a)
{
	return a->state == DEVICE_OK;
}

static void states(struct openmetrics *t)
{
	static const char *const names[] = {
#define X(id, name) [DEVICE_##id] = name,
		DEVICE_STATE_LIST(X)
#undef X
	};

	plain_family(t, "rooftop_device_up", EXPOSITION_GAUGE, "",
		"1 while the device gives values.", is_up);
	exposition_family(&t->e, "rooftop_device_state", EXPOSITION_GAUGE, "",
		"1 for the state that the device is in, 0 for the others.");
	for (const struct openmetrics_about *a = t->about; a < t->about + t->n; a++)
		for (int i = 0; i < DEVICE_STATES; i++) {
			exposition_begin_of(&t->e, a->name, a->device);
			exposition_label(&t->e, "state", names[i]);
			exposition_end(&t->e, (int)a->state == i);
		}
	exposition_family(&t->e, "rooftop_device_refused", EXPOSITION_INFO, "",
		"Why a device of this machine cannot be used.");
	for (const struct openmetrics_about *a = t->about; a < t->about + t->n; a++) {
		if (!a->refusal)
			continue;
		exposition_begin_of(&t->e, a->name, a->device);
		exposition_label(&t->e, "why", a->refusal);
		exposition_end(&t->e, 1);
	}
}

/* --- windows --- */

static double windows_of(const struct openmetrics_about *a)
{
	if (a->snap)
		return (double)a->snap->seq;
	return a->refusal ? NAN : 0;
}

static double lost_of(const struct openmetrics_about *a)
{
	return a->snap ? (double)a->snap->lost_total : NAN;
}

static double end_of(const struct openmetrics_about *a)
{
	return a->snap ? (double)a->snap->wall_ns / NS_PER_S : NAN;
}

static double age_of(const struct openmetrics_about *a)
{
	return a->age_s;
}

static double length_of(const struct openmetrics_about *a)
{
	return a->snap ? (double)a->snap->window_ns / NS_PER_S : NAN;
}

static void windows(struct openmetrics *t)
{
	plain_family(t, "rooftop_windows", EXPOSITION_COUNTER, "",
		"Complete windows since the program started.", windows_of);
	plain_family(t, "rooftop_reports_lost", EXPOSITION_COUNTER, "",
		"Loss events of the counters' source.", lost_of);
	plain_family(t, "rooftop_window_end_timestamp_seconds", EXPOSITION_GAUGE, "seconds",
		"When the window of these values ended, Unix time.", end_of);
	plain_family(t, "rooftop_window_age_seconds", EXPOSITION_GAUGE, "seconds",
		"How long ago the window of these values ended.", age_of);
	plain_family(t, "rooftop_window_length_seconds", EXPOSITION_GAUGE, "seconds",
		"Length of the window by the source's own clock.", length_of);
}

/* --- the verdict --- */

static double headroom_of(const struct openmetrics_about *a)
{
	return a->snap && isfinite(a->snap->verdict.headroom) ? a->snap->verdict.headroom : NAN;
}

/* What limits each device: a label that changes says more than a number would. */
static void verdicts(struct openmetrics *t)
{
	exposition_family(&t->e, "rooftop_bound", EXPOSITION_INFO, "",
		"What limits the device, and by which resource.");
	for (const struct openmetrics_about *a = t->about; a < t->about + t->n; a++) {
		if (!a->snap)
			continue;
		exposition_begin_of(&t->e, a->name, a->device);
		exposition_label(&t->e, "kind", verdict_kind_name(a->snap->verdict.kind));
		exposition_label(&t->e, "bound", a->snap->verdict.bound);
		exposition_end(&t->e, 1);
	}
	plain_family(t, "rooftop_headroom_ratio", EXPOSITION_GAUGE, "ratio",
		"Time now over the time without the limit that is named, at most.", headroom_of);
}

/* --- metrics --- */

/* A metric of one device, or of the cells of one of its maps. */
struct series {
	struct metric_family family;
	int device, metric;
	int map; /* -1: a metric of the device itself */
};

struct series_list {
	struct series *item;
	size_t n, cap;
};

static void add_series(
	const struct openmetrics *t, struct series_list *l, int device, int metric, int map)
{
	const struct openmetrics_about *a = &t->about[device];
	const struct metric *m = &a->set->metrics[metric];

	if (!writer_shows(m) || (map < 0 && writer_why(a->snap->values[metric])))
		return;
	l->item = array_grow(l->item, l->n, &l->cap, sizeof(*l->item));
	struct series *s = &l->item[l->n++];
	s->device = device;
	s->metric = metric;
	s->map = map;
	metric_family_of(m, map >= 0, &s->family);
}

/* Compares what a reader tells apart. */
static int by_place(const struct series *x, const struct series *y)
{
	int order = strcmp(x->family.name, y->family.name);

	if (order == 0)
		order = x->device - y->device;
	if (order == 0)
		order = x->map - y->map;
	return order;
}

/* Of twins the metric that stands first in the set comes first. */
static int by_name(const void *a, const void *b)
{
	const struct series *x = a, *y = b;
	int order = by_place(x, y);

	return order ? order : x->metric - y->metric;
}

static void add_all(const struct openmetrics *t, struct series_list *l)
{
	for (int d = 0; d < t->n; d++) {
		const struct snapshot *s = t->about[d].snap;

		for (int i = 0; s && i < t->about[d].set->n_metrics; i++)
			add_series(t, l, d, i, -1);
		for (int k = 0; s && k < s->n_maps; k++)
			for (int i = 0; i < s->maps[k].n_metrics; i++)
				add_series(t, l, d, s->maps[k].metrics[i], k);
	}
	if (l->n > 1)
		qsort(l->item, l->n, sizeof(*l->item), by_name);
}

static void device_sample(struct openmetrics *t, const struct series *s)
{
	const struct openmetrics_about *a = &t->about[s->device];
	const struct metric *m = &a->set->metrics[s->metric];
	double v = a->snap->values[s->metric].v;

	if (s->family.is_summed && !a->sums)
		return;
	if (s->family.is_summed)
		v = a->sums[s->metric];
	exposition_begin_of(&t->e, a->name, a->device);
	if (m->flags & METRIC_ESTIMATED)
		exposition_label(&t->e, "estimated", "true");
	/* The label belongs to the metric, not the window: if it came and went it would split the
	 * series. */
	if (a->snap->mux && a->snap->mux[s->metric].multiplexed)
		exposition_label(&t->e, "multiplexed", "true");
	exposition_end(&t->e, v * m->unit.scale);
}

static void cell_samples(struct openmetrics *t, const struct series *s)
{
	const struct openmetrics_about *a = &t->about[s->device];
	const struct cell_map *map = &a->snap->maps[s->map];

	for (int j = 0; j < map->n; j++) {
		struct value v = cell_value(map, j, s->metric);

		if (writer_why(v))
			continue;
		exposition_begin_of(&t->e, a->name, a->device);
		exposition_label(&t->e, "scope", map->scope);
		exposition_label(&t->e, "cell", map->names[j]);
		exposition_end(&t->e, v.v * a->set->metrics[s->metric].unit.scale);
	}
}

static void metrics(struct openmetrics *t)
{
	struct series_list l = { 0 };

	add_all(t, &l);
	for (size_t i = 0; i < l.n; i++) {
		const struct series *s = &l.item[i];
		const struct metric *m = &t->about[s->device].set->metrics[s->metric];
		const struct metric_family *f = &s->family;
		const char *help = m->text;

		/* Names of metrics that differ only in their case, or in signs that no name here
		 * may have, are one name: the first one has it, because a reader refuses a sample
		 * that comes twice. */
		if (i > 0 && !by_place(s, s - 1))
			continue;
		if (!help || !*help)
			help = writer_label(m);
		if (i == 0 || strcmp(f->name, s[-1].family.name) != 0)
			exposition_family(&t->e, f->name, f->type, f->unit, help);
		if (s->map < 0)
			device_sample(t, s);
		else
			cell_samples(t, s);
	}
	free(l.item);
}

static void missing_sample(struct openmetrics *t, const struct openmetrics_about *a,
	const char *metric, const char *why)
{
	exposition_begin_of(&t->e, a->name, a->device);
	exposition_label(&t->e, "metric", metric);
	exposition_label(&t->e, "why", why);
	exposition_end(&t->e, 1);
}

/* A missing value is a sample too, so that absent() in a rule has a reason to show. */
static void missing(struct openmetrics *t, bool lists_processes)
{
	exposition_family(&t->e, "rooftop_missing", EXPOSITION_GAUGE, "",
		"Metrics without a value in this window, and why.");
	for (const struct openmetrics_about *a = t->about; a < t->about + t->n; a++) {
		for (int i = 0; a->snap && i < a->set->n_metrics; i++) {
			const char *why = writer_why(a->snap->values[i]);

			if (writer_shows(&a->set->metrics[i]) && why)
				missing_sample(t, a, a->set->metrics[i].name, why);
		}
		if (lists_processes && a->snap && a->snap->clients && a->snap->clients->why != WHY_OK)
			missing_sample(t, a, "processes", why_name(a->snap->clients->why));
	}
}

/* --- the program itself --- */

static void number(struct openmetrics *t, const char *name, enum exposition_type type,
	const char *unit, const char *help, double v)
{
	if (isnan(v))
		return;
	exposition_family(&t->e, name, type, unit, help);
	exposition_begin(&t->e);
	exposition_end(&t->e, v);
}

static void program(struct openmetrics *t, const struct openmetrics_self *self, int64_t began_ns)
{
	exposition_family(&t->e, "rooftop_build", EXPOSITION_INFO, "", "The program.");
	exposition_begin(&t->e);
	exposition_label(&t->e, "version", PACKAGE_VERSION);
	exposition_end(&t->e, 1);
	number(t, "rooftop_devices", EXPOSITION_GAUGE, "",
		"How many devices this text tells of.", t->n);
	number(t, "rooftop_exporter_start_timestamp_seconds", EXPOSITION_GAUGE, "seconds",
		"When the program started, Unix time.", self->start_s);
	number(t, "rooftop_exporter_cpu_seconds", EXPOSITION_COUNTER, "seconds",
		"CPU time that the program has used.", self->cpu_s);
	number(t, "rooftop_exporter_resident_memory_bytes", EXPOSITION_GAUGE, "bytes",
		"Memory that the program has now.", self->resident_bytes);
	number(t, "rooftop_scrapes", EXPOSITION_COUNTER, "",
		"Texts such as this one that were made.", self->scrapes);
	number(t, "rooftop_scrape_duration_seconds", EXPOSITION_GAUGE, "seconds",
		"How long it took to make this text.",
		(double)(clock_machine_ns() - began_ns) / NS_PER_S);
}

void openmetrics_write(const struct openmetrics_about *about, int n,
	const struct openmetrics_self *self, enum exposition_form form, struct strbuf *out)
{
	struct openmetrics t = { .about = about, .n = n, .e = { .form = form, .out = out } };
	int64_t began_ns = clock_machine_ns();
	bool any_window = false;

	for (int i = 0; i < n; i++)
		any_window = any_window || about[i].snap;
	device_info(&t);
	states(&t);
	windows(&t);
	if (any_window) {
		verdicts(&t);
		openmetrics_health(&t);
		metrics(&t);
		missing(&t, self->lists_processes);
		if (self->lists_processes)
			openmetrics_users(&t);
	}
	program(&t, self, began_ns);
	exposition_finish(&t.e);
}
