/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the windows of sessions as OpenMetrics text. */
#include "config.h"

#include "out/openmetrics.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out/writer.h"
#include "base/clock.h"
#include "base/mem.h"

/* Writes the names of base dimensions, numerators first. A watt and a hertz have their own
 * names. */
static const char *unit_suffix(const struct unit *u, char *buf, size_t size)
{
	static const struct unit watt = { 1, { [UNIT_SECOND] = -1, [UNIT_JOULE] = 1 } };
	static const struct unit hertz = { 1, { [UNIT_SECOND] = -1, [UNIT_CYCLE] = 1 } };
	static const struct unit none = { 1, { 0 } };
	static const char *const many[UNIT_DIMS] = { "seconds", "cycles", "ticks", "bytes", "flops",
		"joules", "kelvin" };
	static const char *const one[UNIT_DIMS] = { "per_second", "per_cycle", "per_tick",
		"per_byte", "per_flop", "per_joule", "per_kelvin" };
	struct strbuf text = { 0 };
	bool has_name = unit_same_dims(u, &watt) || unit_same_dims(u, &hertz);

	if (unit_same_dims(u, &watt))
		strbuf_add(&text, "watts");
	if (unit_same_dims(u, &hertz))
		strbuf_add(&text, "hertz");
	if (unit_same_dims(u, &none) && u->scale < 1)
		strbuf_add(&text, "ratio");
	for (int d = 0; d < UNIT_DIMS && !has_name; d++)
		if (u->exp[d] > 0)
			strbuf_add_word(&text, "_", many[d]);
	for (int d = 0; d < UNIT_DIMS && !has_name; d++)
		if (u->exp[d] < 0)
			strbuf_add_word(&text, "_", one[d]);
	snprintf(buf, size, "%s", strbuf_str(&text));
	strbuf_release(&text);
	return buf;
}

/* Adds a label's value or a help text with backslash, quote and newline escaped. */
static void add_escaped(struct strbuf *out, const char *text, bool quotes)
{
	for (; text && *text; text++) {
		if (*text == '\\' || (quotes && *text == '"'))
			strbuf_addc(out, '\\');
		if (*text == '\n')
			strbuf_add(out, "\\n");
		else
			strbuf_addc(out, *text);
	}
}

static void add_label(struct strbuf *out, const char *name, const char *value)
{
	strbuf_addf(out, "%s=\"", name);
	add_escaped(out, value, true);
	strbuf_addc(out, '"');
}

struct text {
	const struct openmetrics_about *about;
	int n;
	bool legacy;
	struct strbuf *out;
};

/* Begins a family. In the older format its name is the name of its samples. */
static void family(const struct text *t, const char *name, const char *type, const char *unit,
	const char *help)
{
	const char *suffix = "";

	if (t->legacy && !strcmp(type, "counter"))
		suffix = "_total";
	if (t->legacy && !strcmp(type, "info")) {
		suffix = "_info";
		type = "gauge";
	}
	strbuf_addf(t->out, "# TYPE %s%s %s\n", name, suffix, type);
	if (!t->legacy && *unit)
		strbuf_addf(t->out, "# UNIT %s %s\n", name, unit);
	strbuf_addf(t->out, "# HELP %s%s ", name, suffix);
	add_escaped(t->out, help, false);
	strbuf_addc(t->out, '\n');
}

/* Writes the name and the labels up to the closing brace. Each line says when it is not from live
 * hardware. */
static void begin_sample(
	const struct text *t, const struct openmetrics_about *about, const char *name)
{
	strbuf_addf(t->out, "%s{", name);
	add_label(t->out, "device", about->name);
	if (about->device->simulated)
		strbuf_add(t->out, ",sim=\"true\"");
	if (about->device->recorded)
		strbuf_add(t->out, ",recorded=\"true\"");
}

static void next_label(const struct text *t, const char *name, const char *value)
{
	strbuf_addc(t->out, ',');
	add_label(t->out, name, value);
}

static void end_sample(const struct text *t, double v)
{
	strbuf_add(t->out, "} ");
	strbuf_add_double(t->out, v);
	strbuf_addc(t->out, '\n');
}

static void device_info(const struct text *t)
{
	family(t, "rooftop_device", "info", "", "What is watched, and how.");
	for (int i = 0; i < t->n; i++) {
		const struct device *d = t->about[i].device;

		begin_sample(t, &t->about[i], "rooftop_device_info");
		next_label(t, "name", d->name);
		next_label(t, "driver", d->driver);
		next_label(t, "generation", d->generation);
		next_label(t, "pci", d->pci_address);
		next_label(t, "source", t->about[i].how);
		next_label(t, "set", t->about[i].set->name);
		for (int k = 0; k < d->n_words; k++)
			next_label(t, d->words[k].name, d->words[k].text);
		end_sample(t, 1);
	}
}

static double windows_of(const struct snapshot *s)
{
	return (double)s->seq;
}

static double lost_of(const struct snapshot *s)
{
	return (double)s->lost_total;
}

static double end_of(const struct snapshot *s)
{
	return (double)s->wall_ns / NS_PER_S;
}

static double length_of(const struct snapshot *s)
{
	return (double)s->window_ns / NS_PER_S;
}

/* Figures about a device's windows themselves. before is the figure while there is no window yet;
 * NAN means no sample. */
static const struct {
	const char *name, *type, *unit, *help;
	double before;
	double (*value)(const struct snapshot *s);
} plain[] = {
	{ "rooftop_windows", "counter", "", "Complete windows since the program started.", 0,
		windows_of },
	{ "rooftop_reports_lost", "counter", "", "Loss events of the counters' source.", NAN,
		lost_of },
	{ "rooftop_window_end_timestamp_seconds", "gauge", "seconds",
		"When the window of these values ended, Unix time.", NAN, end_of },
	{ "rooftop_window_length_seconds", "gauge", "seconds",
		"Length of the window by the source's own clock.", NAN, length_of },
};

static void plain_families(const struct text *t, bool any_window)
{
	char full[96];

	for (size_t k = 0; k < ARRAY_LEN(plain); k++) {
		if (k > 0 && !any_window)
			return;
		family(t, plain[k].name, plain[k].type, plain[k].unit, plain[k].help);
		snprintf(full, sizeof(full), "%s", plain[k].name);
		if (!strcmp(plain[k].type, "counter"))
			snprintf(full, sizeof(full), "%s_total", plain[k].name);
		for (int i = 0; i < t->n; i++) {
			double v = plain[k].before;

			if (t->about[i].snap)
				v = plain[k].value(t->about[i].snap);
			if (isnan(v))
				continue;
			begin_sample(t, &t->about[i], full);
			end_sample(t, v);
		}
	}
}

/* What limits each device: a label that changes says more than a number would. */
static void verdict_families(const struct text *t)
{
	family(t, "rooftop_bound", "info", "", "What limits the device, and by which resource.");
	for (const struct openmetrics_about *a = t->about; a < t->about + t->n; a++) {
		if (!a->snap)
			continue;
		begin_sample(t, a, "rooftop_bound_info");
		next_label(t, "kind", verdict_kind_name(a->snap->verdict.kind));
		next_label(t, "bound", a->snap->verdict.bound);
		end_sample(t, 1);
	}
	family(t, "rooftop_headroom_ratio", "gauge", "ratio",
		"Time now over the time without the limit that is named, at most.");
	for (const struct openmetrics_about *a = t->about; a < t->about + t->n; a++) {
		if (!a->snap || !isfinite(a->snap->verdict.headroom))
			continue;
		begin_sample(t, a, "rooftop_headroom_ratio");
		end_sample(t, a->snap->verdict.headroom);
	}
}

/* A metric of one device, or of the cells of one of its maps. */
struct series {
	char name[160];
	int device, metric;
	const struct cell_map *map; /* NULL: a metric of the device itself */
};

struct series_list {
	struct series *item;
	size_t n, cap;
};

/* Metrics are exported under names such as "rooftop_gti_read_throughput_bytes_per_second". */
static void add_series(const struct text *t, struct series_list *l, int device, int metric,
	const struct cell_map *map)
{
	const struct metric *m = &t->about[device].set->metrics[metric];
	const char *prefix = "rooftop";
	char unit[64];

	if (!writer_shows(m) || (!map && writer_why(t->about[device].snap->values[metric])))
		return;
	l->item = array_grow(l->item, l->n, &l->cap, sizeof(*l->item));
	struct series *s = &l->item[l->n++];
	s->device = device;
	s->metric = metric;
	s->map = map;
	if (map)
		prefix = "rooftop_cell";
	unit_suffix(&m->unit, unit, sizeof(unit));
	snprintf(s->name, sizeof(s->name), "%s_%s", prefix, m->name);
	if (*unit)
		snprintf(s->name, sizeof(s->name), "%s_%s_%s", prefix, m->name, unit);
	for (char *p = s->name; *p; p++)
		if (!isalnum((unsigned char)*p))
			*p = '_';
}

static int by_name(const void *a, const void *b)
{
	const struct series *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (order == 0)
		order = x->device - y->device;
	return order;
}

static void samples(const struct text *t, const struct series *s)
{
	const struct openmetrics_about *about = &t->about[s->device];
	const struct metric *m = &about->set->metrics[s->metric];

	if (!s->map) {
		begin_sample(t, about, s->name);
		if (m->flags & METRIC_ESTIMATED)
			strbuf_add(t->out, ",estimated=\"true\"");
		/* The label belongs to the metric, not the window: if it came and went it would
		 * split the series. */
		if (about->snap->mux && about->snap->mux[s->metric].multiplexed)
			strbuf_add(t->out, ",multiplexed=\"true\"");
		end_sample(t, about->snap->values[s->metric].v * m->unit.scale);
		return;
	}
	for (int j = 0; j < s->map->n; j++) {
		struct value v = cell_value(s->map, j, s->metric);

		if (writer_why(v))
			continue;
		begin_sample(t, about, s->name);
		next_label(t, "scope", s->map->scope);
		next_label(t, "cell", s->map->names[j]);
		end_sample(t, v.v * m->unit.scale);
	}
}

/* The samples of a family stand together for all devices. Families of one device keep the order of
 * its metrics. */
static void metric_families(const struct text *t)
{
	struct series_list l = { 0 };
	char unit[64];

	for (int d = 0; d < t->n; d++) {
		const struct snapshot *s = t->about[d].snap;

		for (int i = 0; s && i < t->about[d].set->n_metrics; i++)
			add_series(t, &l, d, i, NULL);
		for (int k = 0; s && k < s->n_maps; k++)
			for (int i = 0; i < s->maps[k].n_metrics; i++)
				add_series(t, &l, d, s->maps[k].metrics[i], &s->maps[k]);
	}
	if (t->n > 1 && l.n > 0)
		qsort(l.item, l.n, sizeof(*l.item), by_name);
	for (size_t i = 0; i < l.n; i++) {
		const struct series *s = &l.item[i];
		const struct metric *m = &t->about[s->device].set->metrics[s->metric];
		const char *help = m->text;

		if (!help || !*help)
			help = metric_label(m);
		if (i == 0 || strcmp(s->name, s[-1].name) != 0)
			family(t, s->name, "gauge", unit_suffix(&m->unit, unit, sizeof(unit)),
				help);
		samples(t, s);
	}
	free(l.item);
}

/* A missing value is a sample too, so that absent() in a rule has a reason to show. */
static void missing(const struct text *t)
{
	family(t, "rooftop_missing", "gauge", "",
		"Metrics without a value in this window, and why.");
	for (const struct openmetrics_about *a = t->about; a < t->about + t->n; a++)
		for (int i = 0; a->snap && i < a->set->n_metrics; i++) {
			const char *why = writer_why(a->snap->values[i]);

			if (!writer_shows(&a->set->metrics[i]) || !why)
				continue;
			begin_sample(t, a, "rooftop_missing");
			next_label(t, "metric", a->set->metrics[i].name);
			next_label(t, "why", why);
			end_sample(t, 1);
		}
}

void openmetrics_write(
	const struct openmetrics_about *about, int n, bool legacy, struct strbuf *out)
{
	struct text t = { about, n, legacy, out };
	bool any_window = false;

	for (int i = 0; i < n; i++)
		any_window = any_window || about[i].snap;
	device_info(&t);
	plain_families(&t, any_window);
	if (any_window) {
		verdict_families(&t);
		metric_families(&t);
		missing(&t);
	}
	if (!legacy)
		strbuf_add(out, "# EOF\n");
}
