/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "out/openmetrics.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "out/writer.h"
#include "base/clock.h"

/* Names of base dimensions, numerators first; a watt and a hertz have names of their own. */
static const char *unit_suffix(const struct unit *u, char *buf, size_t size)
{
	static const struct unit watt = { 1, { [UNIT_SECOND] = -1, [UNIT_JOULE] = 1 } };
	static const struct unit hertz = { 1, { [UNIT_SECOND] = -1, [UNIT_CYCLE] = 1 } };
	static const struct unit none = { 1, { 0 } };
	static const char *const many[UNIT_DIMS] = { "seconds", "cycles", "ticks", "bytes", "flops",
		"joules", "kelvin" };
	static const char *const one[UNIT_DIMS] = { "second", "cycle", "tick", "byte", "flop",
		"joule", "kelvin" };
	size_t len = 0;

	buf[0] = '\0';
	if (unit_same_dims(u, &none))
		snprintf(buf, size, "%s", u->scale < 1 ? "ratio" : "");
	else if (unit_same_dims(u, &watt))
		snprintf(buf, size, "watts");
	else if (unit_same_dims(u, &hertz))
		snprintf(buf, size, "hertz");
	else
		for (int pass = 0; pass < 2; pass++)
			for (int d = 0; d < UNIT_DIMS && len < size; d++)
				if (pass ? u->exp[d] < 0 : u->exp[d] > 0)
					len += (size_t)snprintf(buf + len, size - len, "%s%s%s",
						len ? "_" : "", pass ? "per_" : "",
						pass ? one[d] : many[d]);
	return buf;
}

/* "rooftop_gti_read_throughput_bytes_per_second": the name under which a metric is exported.
 * Returns buf. */
static const char *openmetrics_name(const struct metric *m, bool cell, char *buf, size_t size)
{
	char unit[64];
	size_t len, start = 8;

	unit_suffix(&m->unit, unit, sizeof(unit));
	snprintf(buf, size, "rooftop_%s%s%s%s", cell ? "cell_" : "", m->name, *unit ? "_" : "",
		unit);
	len = strlen(buf);
	for (size_t i = start; i < len; i++)
		if (!isalnum((unsigned char)buf[i]))
			buf[i] = '_';
	return buf;
}

/* A label's value or a help text: backslash, quote and newline are escaped. */
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
	bool legacy;
	struct strbuf *out;
};

/* In the older format a family is named as its samples are. */
static void family(const struct text *t, const char *name, const char *type, const char *unit,
	const char *help)
{
	const char *suffix = t->legacy && !strcmp(type, "counter") ? "_total"
		: t->legacy && !strcmp(type, "info")		   ? "_info"
								   : "";

	strbuf_addf(t->out, "# TYPE %s%s %s\n", name, suffix,
		t->legacy && !strcmp(type, "info") ? "gauge" : type);
	if (!t->legacy && *unit)
		strbuf_addf(t->out, "# UNIT %s %s\n", name, unit);
	strbuf_addf(t->out, "# HELP %s%s ", name, suffix);
	add_escaped(t->out, help, false);
	strbuf_addc(t->out, '\n');
}

/* Name and labels up to the closing brace. What is not live hardware says so in every line. */
static void begin_sample(const struct text *t, const char *name)
{
	const struct device *d = t->about->device;

	strbuf_addf(t->out, "%s{", name);
	add_label(t->out, "device", d->id);
	if (d->simulated)
		strbuf_add(t->out, ",sim=\"true\"");
	if (d->recorded)
		strbuf_add(t->out, ",recorded=\"true\"");
}

static void end_sample(const struct text *t, double v)
{
	strbuf_add(t->out, "} ");
	strbuf_add_double(t->out, v);
	strbuf_addc(t->out, '\n');
}

static void plain(const struct text *t, const char *name, const char *type, const char *unit,
	const char *help, double v)
{
	char full[96];

	family(t, name, type, unit, help);
	snprintf(full, sizeof(full), "%s%s", name, !strcmp(type, "counter") ? "_total" : "");
	begin_sample(t, full);
	end_sample(t, v);
}

static void device_info(const struct text *t)
{
	const struct device *d = t->about->device;

	family(t, "rooftop_device", "info", "", "What is watched, and how.");
	begin_sample(t, "rooftop_device_info");
	strbuf_addc(t->out, ',');
	add_label(t->out, "name", d->name);
	strbuf_addc(t->out, ',');
	add_label(t->out, "driver", d->driver);
	strbuf_addc(t->out, ',');
	add_label(t->out, "generation", d->generation);
	strbuf_addc(t->out, ',');
	add_label(t->out, "pci", d->pci_address);
	strbuf_addc(t->out, ',');
	add_label(t->out, "source", t->about->how);
	strbuf_addc(t->out, ',');
	add_label(t->out, "set", t->about->set->name);
	end_sample(t, 1);
}

static bool has_number(struct value v)
{
	return v.why == WHY_OK && isfinite(v.v);
}

static void metric_family(
	const struct text *t, const struct metric *m, bool cell, char *name, size_t size)
{
	char unit[64];

	openmetrics_name(m, cell, name, size);
	family(t, name, "gauge", unit_suffix(&m->unit, unit, sizeof(unit)),
		m->text && *m->text ? m->text
			: m->label  ? m->label
				    : m->name);
}

static void values(const struct text *t, const struct snapshot *s)
{
	char name[160];

	for (int i = 0; i < t->about->set->n_metrics; i++) {
		const struct metric *m = &t->about->set->metrics[i];

		if (!writer_shows(m) || !has_number(s->values[i]))
			continue;
		metric_family(t, m, false, name, sizeof(name));
		begin_sample(t, name);
		if (m->flags & METRIC_ESTIMATED)
			strbuf_add(t->out, ",estimated=\"true\"");
		/* Of the metric, not of the window: a label that came and went would split the
		 * series. */
		if (s->mux && s->mux[i].multiplexed)
			strbuf_add(t->out, ",multiplexed=\"true\"");
		end_sample(t, s->values[i].v * m->unit.scale);
	}
}

static void cells(const struct text *t, const struct cell_map *map)
{
	char name[160];

	for (int i = 0; i < map->n_metrics; i++) {
		const struct metric *m = &t->about->set->metrics[map->metrics[i]];

		if (!writer_shows(m))
			continue;
		metric_family(t, m, true, name, sizeof(name));
		for (int j = 0; j < map->n; j++) {
			struct value v = cell_value(map, j, map->metrics[i]);

			if (!has_number(v))
				continue;
			begin_sample(t, name);
			strbuf_addc(t->out, ',');
			add_label(t->out, "scope", map->scope);
			strbuf_addc(t->out, ',');
			add_label(t->out, "cell", map->names[j]);
			end_sample(t, v.v * m->unit.scale);
		}
	}
}

/* What is missing is a sample too: absent() in a rule then has a reason to show. */
static void missing(const struct text *t, const struct snapshot *s)
{
	family(t, "rooftop_missing", "gauge", "",
		"Metrics without a value in this window, and why.");
	for (int i = 0; i < t->about->set->n_metrics; i++) {
		const struct metric *m = &t->about->set->metrics[i];

		if (!writer_shows(m) || has_number(s->values[i]))
			continue;
		begin_sample(t, "rooftop_missing");
		strbuf_addc(t->out, ',');
		add_label(t->out, "metric", m->name);
		strbuf_addc(t->out, ',');
		add_label(t->out, "why",
			why_name(s->values[i].why == WHY_OK ? WHY_OUT_OF_RANGE : s->values[i].why));
		end_sample(t, 1);
	}
}

void openmetrics_write(const struct openmetrics_about *about, const struct snapshot *s, bool legacy,
	struct strbuf *out)
{
	struct text t = { about, legacy, out };

	device_info(&t);
	plain(&t, "rooftop_windows", "counter", "", "Complete windows since the program started.",
		s ? (double)s->seq : 0);
	if (s) {
		plain(&t, "rooftop_reports_lost", "counter", "",
			"Loss events of the counters' source.", (double)s->lost_total);
		plain(&t, "rooftop_window_end_timestamp_seconds", "gauge", "seconds",
			"When the window of these values ended, Unix time.",
			(double)s->wall_ns / NS_PER_S);
		plain(&t, "rooftop_window_length_seconds", "gauge", "seconds",
			"Length of the window by the source's own clock.",
			(double)s->window_ns / NS_PER_S);
		values(&t, s);
		for (int i = 0; i < s->n_maps; i++)
			cells(&t, &s->maps[i]);
		missing(&t, s);
	}
	if (!legacy)
		strbuf_add(out, "# EOF\n");
}
