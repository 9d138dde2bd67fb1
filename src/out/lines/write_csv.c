/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes CSV by RFC 4180, but with line ends of one byte. There is one row of names, and a cell
 * without a number is empty. */
#include "config.h"

#include "out/lines/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "core/verdict/verdict.h"

#define METRIC_COLUMN_SIZE 128

/* The names of the row that all devices share. */
struct names {
	char **name;
	int n;
};

static int place_of(struct names *names, const char *name)
{
	for (int i = 0; i < names->n; i++)
		if (!strcmp(names->name[i], name))
			return i;
	names->name = xreallocarray(names->name, (size_t)names->n + 1, sizeof(*names->name));
	names->name[names->n] = xstrdup(name);
	return names->n++;
}

/* Makes a column for each metric, then one for each cell of each metric of a map: metric[cell]. */
static void find_places(struct writer_run *run, struct names *names)
{
	char name[METRIC_COLUMN_SIZE];
	int n = 0, most = run->set->n_metrics;

	for (int k = 0; k < run->n_maps; k++)
		most += run->maps[k].n_metrics * run->maps[k].n;
	run->places = xcalloc((size_t)most + 1, sizeof(*run->places));
	for (int i = 0; i < run->n_shown; i++)
		run->places[n++] = place_of(names, run->set->metrics[run->shown[i]].name);
	for (int k = 0; k < run->n_maps; k++) {
		const struct cell_map *map = &run->maps[k];

		for (int i = 0; i < map->n_metrics * map->n; i++) {
			const struct metric *m = &run->set->metrics[map->metrics[i / map->n]];

			if (!writer_has(run, map->metrics[i / map->n]))
				continue;
			snprintf(name, sizeof(name), "%s[%s]", m->name, map->names[i % map->n]);
			run->places[n++] = place_of(names, name);
		}
	}
}

/* Returns the unit of a column, whose name may end in [cell]. */
static const char *unit_of(const struct writer_run *runs, int n, const char *name)
{
	size_t len = strcspn(name, "[");

	for (int i = 0; i < n; i++)
		for (int k = 0; k < runs[i].set->n_metrics; k++) {
			const struct metric *m = &runs[i].set->metrics[k];

			if (strlen(m->name) == len && !strncmp(m->name, name, len))
				return writer_unit(m);
		}
	return "";
}

/* Adds the line of units below the names. */
static void add_units(
	const struct writer_run *runs, int n, const struct names *names, struct strbuf *out)
{
	if (runs[0].several)
		strbuf_addc(out, ',');
	strbuf_add(out, ",ns,ms,,");
	if (runs[0].has_context)
		strbuf_add(out, ",,");
	for (int i = 0; i < names->n; i++) {
		strbuf_addc(out, ',');
		strbuf_add_csv(out, unit_of(runs, n, names->name[i]));
	}
	strbuf_add(out, ",,,,,\n");
}

static void begin(struct writer_run *runs, int n, struct strbuf *out)
{
	struct names names = { 0 };
	bool has_context = false;

	for (int i = 0; i < n; i++) {
		find_places(&runs[i], &names);
		has_context |= runs[i].per_report;
	}
	for (int i = 0; i < n; i++) {
		runs[i].n_row = names.n;
		runs[i].has_context = has_context;
		runs[i].row = xcalloc((size_t)names.n + 1, sizeof(*runs[i].row));
	}
	if (runs[0].several)
		strbuf_add(out, "device,");
	strbuf_add(out, "t,mono_ns,window_ms,lost,sim");
	if (has_context)
		strbuf_add(out, ",context,report");
	for (int i = 0; i < names.n; i++) {
		strbuf_addc(out, ',');
		strbuf_add_csv(out, names.name[i]);
	}
	strbuf_add(out, ",verdict,bound,share,headroom,verdict_kept\n");
	if (runs[0].units)
		add_units(runs, n, &names, out);
	for (int i = 0; i < names.n; i++)
		free(names.name[i]);
	free(names.name);
}

/* A row holds what its own window measured, so between its turns a metric's cell is empty. */
static double number(const struct snapshot *s, int metric, struct value v)
{
	return snapshot_is_kept(s, metric) ? NAN : writer_number(v);
}

static void add_cell(struct strbuf *out, double v)
{
	strbuf_addc(out, ',');
	if (isfinite(v))
		strbuf_add_double(out, v);
}

static void window(struct writer_run *run, const struct snapshot *s, struct strbuf *out)
{
	char utc[32];
	int n = 0;

	if (run->several) {
		strbuf_add_csv(out, run->name);
		strbuf_addc(out, ',');
	}
	strbuf_addf(out, "%s,%lld,", clock_format_utc(s->wall_ns, utc), (long long)s->mono_ns);
	strbuf_add_double(out, (double)s->window_ns / NS_PER_MS);
	strbuf_addf(out, ",%llu,%d", (unsigned long long)s->lost, run->device->simulated);
	if (run->has_context) {
		const struct context_row *r = writer_context(s);
		char name[16];

		strbuf_addf(out, ",%s", r ? context_name(r, name, sizeof(name)) : "");
		strbuf_addf(out, ",%s", s->report_why ? s->report_why : "");
	}
	for (int i = 0; i < run->n_row; i++)
		run->row[i] = NAN;
	for (int i = 0; i < run->n_shown; i++)
		run->row[run->places[n++]] = number(s, run->shown[i], s->values[run->shown[i]]);
	for (int k = 0; k < s->n_maps; k++) {
		const struct cell_map *map = &s->maps[k];

		for (int i = 0; i < map->n_metrics * map->n; i++) {
			int metric = map->metrics[i / map->n];

			if (writer_has(run, metric))
				run->row[run->places[n++]] = number(
					s, metric, cell_value(map, i % map->n, metric));
		}
	}
	for (int i = 0; i < run->n_row; i++)
		add_cell(out, run->row[i]);
	strbuf_addf(out, ",%s,", verdict_kind_name(s->verdict.kind));
	strbuf_add_csv(out, s->verdict.bound);
	add_cell(out, s->verdict.share);
	add_cell(out, s->verdict.headroom);
	/* Once it told that the answer was of an earlier window, which it is not any more. */
	strbuf_add(out, ",0\n");
}

void writer_run_show(struct writer_run *run, int *shown, int n)
{
	run->is_chosen = shown;
	if (!shown) {
		shown = xcalloc((size_t)run->set->n_metrics + 1, sizeof(*shown));
		for (int i = 0; i < run->set->n_metrics; i++)
			if (writer_shows(&run->set->metrics[i]))
				shown[n++] = i;
	}
	run->shown = shown;
	run->n_shown = n;
}

bool writer_has(const struct writer_run *run, int metric)
{
	for (int i = 0; i < run->n_shown; i++)
		if (run->shown[i] == metric)
			return true;
	return false;
}

void writer_run_release(struct writer_run *run)
{
	free(run->shown);
	run->shown = NULL;
	free(run->places);
	free(run->row);
	free(run->cells);
	run->places = NULL;
	run->row = NULL;
	run->cells = NULL;
}

const struct writer csv_writer = { .begin = begin, .window = window };
