/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes CSV by RFC 4180, but with line ends of one byte. There is one row of names, and a cell
 * without a number is empty. */
#include "config.h"

#include "out/lines/writer.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "core/verdict/verdict.h"

/* The names of the row that all devices share: metric, or metric[cell]. */
struct names {
	char **name;
	int n;
};

/* Says whether a column is that of a metric, or of a cell of it. */
static bool is_column(const char *column, const char *metric, const char *cell)
{
	size_t len = strlen(metric), cell_len = cell ? strlen(cell) : 0;

	if (strncmp(column, metric, len) != 0)
		return false;
	if (!cell)
		return !column[len];
	return column[len] == '[' && !strncmp(column + len + 1, cell, cell_len) &&
		!strcmp(column + len + 1 + cell_len, "]");
}

/* Returns the place of a column, which most often is the one that is guessed; -1: there is none. */
static int place_of(const struct names *names, const char *metric, const char *cell, int guess)
{
	for (int i = 0; i < names->n; i++) {
		int at = (guess + i) % names->n;

		if (is_column(names->name[at], metric, cell))
			return at;
	}
	return -1;
}

static void add_column(struct names *names, const char *metric, const char *cell)
{
	if (place_of(names, metric, cell, 0) >= 0)
		return;
	names->name = xreallocarray(names->name, (size_t)names->n + 1, sizeof(*names->name));
	names->name[names->n++] = cell ? xasprintf("%s[%s]", metric, cell) : xstrdup(metric);
}

/* Makes a column for each metric, then one for each cell of each metric of a map. */
static void add_columns(const struct writer_run *run, struct names *names)
{
	for (int i = 0; i < run->n_shown; i++)
		add_column(names, run->set->metrics[run->shown[i]].name, NULL);
	for (int k = 0; k < run->n_maps; k++) {
		const struct cell_map *map = &run->maps[k];

		for (int i = 0; i < map->n_metrics * map->n; i++)
			if (writer_has(run, map->metrics[i / map->n]))
				add_column(names,
					run->set->metrics[map->metrics[i / map->n]].name,
					map->names[i % map->n]);
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
		add_columns(&runs[i], &names);
		has_context |= runs[i].per_report;
	}
	for (int i = 0; i < n; i++) {
		runs[i].names = names.name;
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
	runs[0].has_names = true;
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

/* Puts a number into its column, which is looked for behind the last one. A source that began anew
 * may have cells for which the head has no column: those are left out. */
static void put(struct writer_run *run, int *last, int metric, const char *cell, double v)
{
	const struct names names = { .name = run->names, .n = run->n_row };
	int at = place_of(&names, run->set->metrics[metric].name, cell, *last + 1);

	if (at < 0)
		return;
	run->row[at] = v;
	*last = at;
}

static void fill_row(struct writer_run *run, const struct snapshot *s)
{
	int last = -1;

	for (int i = 0; i < run->n_row; i++)
		run->row[i] = NAN;
	for (int i = 0; i < run->n_shown; i++)
		put(run, &last, run->shown[i], NULL,
			number(s, run->shown[i], s->values[run->shown[i]]));
	for (int k = 0; k < s->n_maps; k++) {
		const struct cell_map *map = &s->maps[k];

		for (int i = 0; i < map->n_metrics * map->n; i++) {
			int metric = map->metrics[i / map->n];

			if (writer_has(run, metric))
				put(run, &last, metric, map->names[i % map->n],
					number(s, metric, cell_value(map, i % map->n, metric)));
		}
	}
}

static void window(struct writer_run *run, const struct snapshot *s, struct strbuf *out)
{
	char utc[32];

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
		strbuf_addf(out, ",%s", text_or(s->report_why, ""));
	}
	fill_row(run, s);
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
	for (int i = 0; run->has_names && i < run->n_row; i++)
		free(run->names[i]);
	if (run->has_names)
		free(run->names);
	free(run->row);
	free(run->cells);
	run->has_names = false;
	run->row = NULL;
	run->cells = NULL;
}

const struct writer csv_writer = { .begin = begin, .window = window };
