/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes JSON lines: a header object, then one object for each complete window. */
#include "config.h"

#include "out/lines/writer.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "out/lines/parts.h"
#include "base/clock.h"
#include "base/json.h"
#include "core/snapshot/code_lines.h"

static void add_list(const struct writer_run *run, const char *name,
	bool (*is)(const struct metric_binding *b, int metric), struct strbuf *out)
{
	json_open(out, name, '[');
	for (int i = 0; run->rotation && i < run->set->n_metrics; i++)
		if (writer_shows(&run->set->metrics[i]) && rotation_asks(run->rotation, i, is))
			json_string(out, NULL, run->set->metrics[i].name);
	strbuf_addc(out, ']');
}

static void begin(struct writer_run *runs, int n, struct strbuf *out)
{
	for (const struct writer_run *run = runs; run < runs + n; run++) {
		strbuf_addc(out, '{');
		json_integer(out, "v", 1);
		json_bool(out, "header", true);
		json_string(out, "device", run->name);
		json_string(out, "name", run->device->name);
		json_string(out, "driver", run->device->driver);
		json_string(out, "source", run->how);
		json_bool(out, "sim", run->device->simulated);
		json_words(out, run->device);
		json_open(out, "units", '{');
		for (int i = 0; i < run->set->n_metrics; i++) {
			const struct metric *m = &run->set->metrics[i];

			if (writer_shows(m))
				json_string(out, m->name, writer_unit(m));
		}
		strbuf_addc(out, '}');
		add_list(run, "amounts", metric_is_amount, out);
		add_list(run, "no_means", metric_has_no_mean, out);
		strbuf_add(out, "}\n");
	}
}

static void add_metrics(const struct writer_run *run, const struct snapshot *s, struct strbuf *out)
{
	json_open(out, "metrics", '{');
	for (int i = 0; i < run->n_shown; i++)
		json_number(out, run->set->metrics[run->shown[i]].name,
			writer_number(s->values[run->shown[i]]));
	strbuf_addc(out, '}');
	json_open(out, "why", '{');
	for (int i = 0; i < run->n_shown; i++) {
		const char *why = writer_why(s->values[run->shown[i]]);

		if (why)
			json_string(out, run->set->metrics[run->shown[i]].name, why);
	}
	strbuf_addc(out, '}');
	json_open(out, "estimated", '[');
	for (int i = 0; i < run->n_shown; i++) {
		const struct metric *m = &run->set->metrics[run->shown[i]];

		if (m->flags & METRIC_ESTIMATED)
			json_string(out, NULL, m->name);
	}
	strbuf_addc(out, ']');
}

/* Adds for each metric of a map its values in all cells or, with reasons, why cells have none. A
 * metric without any reason is then left out. */
static void add_rows(
	const struct writer_run *run, const struct cell_map *map, bool reasons, struct strbuf *out)
{
	for (int i = 0; i < map->n_metrics; i++) {
		const struct metric *m = &run->set->metrics[map->metrics[i]];
		size_t start = out->len;
		bool any = !reasons;

		if (!writer_shows(m))
			continue;
		json_open(out, m->name, '[');
		for (int j = 0; j < map->n; j++) {
			struct value v = cell_value(map, j, map->metrics[i]);
			const char *why = writer_why(v);

			any |= why != NULL;
			if (reasons)
				json_string(out, NULL, why);
			else
				json_number(out, NULL, writer_number(v));
		}
		strbuf_addc(out, ']');
		if (!any)
			strbuf_cut(out, start);
	}
}

static void add_cells(const struct writer_run *run, const struct snapshot *s, struct strbuf *out)
{
	json_open(out, "cells", '[');
	for (int k = 0; k < s->n_maps; k++) {
		const struct cell_map *map = &s->maps[k];

		json_open(out, NULL, '{');
		json_string(out, "scope", map->scope);
		json_string(out, "cell", map->text);
		json_open(out, "names", '[');
		for (int j = 0; j < map->n; j++)
			json_string(out, NULL, map->names[j]);
		strbuf_addc(out, ']');
		json_open(out, "t_ns", '[');
		for (int j = 0; j < map->n; j++)
			json_integer(out, NULL, (long long)map->t_ns[j]);
		strbuf_addc(out, ']');
		json_open(out, "values", '{');
		add_rows(run, map, false, out);
		strbuf_addc(out, '}');
		json_open(out, "why", '{');
		add_rows(run, map, true, out);
		strbuf_add(out, "}}");
	}
	strbuf_addc(out, ']');
}

/* Adds, for metrics of sets that take turns, the share of time in which each was measured and the
 * age of its value. */
static void add_multiplexed(
	const struct writer_run *run, const struct snapshot *s, struct strbuf *out)
{
	json_open(out, "multiplexed", '{');
	for (int i = 0; i < run->set->n_metrics; i++) {
		const struct mux_value *mux = &s->mux[i];
		double age_ms = NAN;

		if (!writer_shows(&run->set->metrics[i]) || !mux->multiplexed)
			continue;
		if (mux->t_ns)
			age_ms = (double)(s->cells_ns - mux->t_ns) / NS_PER_MS;
		json_open(out, run->set->metrics[i].name, '{');
		json_number(out, "share", mux->share);
		json_number(out, "age_ms", age_ms);
		strbuf_addc(out, '}');
	}
	strbuf_addc(out, '}');
}

static void add_bytes(struct strbuf *out, const char *key, uint64_t bytes)
{
	json_number(out, key, bytes == UINT64_MAX ? NAN : (double)bytes);
}

static void add_clients(const struct client_table *t, struct strbuf *out)
{
	if (t->why != WHY_OK) {
		json_string(out, "clients", NULL);
		json_string(out, "clients_why", why_name(t->why));
		return;
	}
	json_open(out, "clients", '[');
	for (size_t i = 0; i < t->n_rows; i++) {
		const struct client_row *r = &t->rows[i];

		json_open(out, NULL, '{');
		json_integer(out, "pid", r->pid);
		json_number(out, "uid", r->uid == UINT32_MAX ? NAN : (double)r->uid);
		json_string(out, "user", r->user);
		json_string(out, "name", r->name);
		json_string(out, "command", r->command);
		json_integer(out, "client", (long long)r->client_id);
		json_open(out, "busy", '{');
		for (int k = 0; k < t->n_engines; k++)
			json_number(out, t->engines[k], (double)r->busy_pct[k]);
		strbuf_addc(out, '}');
		add_bytes(out, "total_bytes", r->total_bytes);
		add_bytes(out, "resident_bytes", r->resident_bytes);
		json_number(out, "cpu", (double)r->cpu_pct);
		strbuf_addc(out, '}');
	}
	strbuf_addc(out, ']');
	json_integer(out, "clients_hidden", t->hidden);
}

/* Adds the metrics of a context: those of the table, or all that have a number. */
static void add_context_metrics(const struct writer_run *run, const struct context_table *t,
	const struct context_row *r, struct strbuf *out)
{
	json_open(out, "metrics", '{');
	for (int i = 0; i < t->set->n_metrics; i++) {
		const struct metric *m = &t->set->metrics[i];
		bool wanted = run->lists_contexts;

		for (int k = 0; k < CONTEXT_COLUMNS; k++)
			wanted |= t->columns[k] == i;
		if (wanted && writer_shows(m) && isfinite(writer_number(r->values[i])))
			json_number(out, m->name, writer_number(r->values[i]));
	}
	strbuf_addc(out, '}');
}

static void add_contexts(
	const struct writer_run *run, const struct context_table *t, struct strbuf *out)
{
	char name[16];

	if (t->why != WHY_OK) {
		json_string(out, "contexts", NULL);
		json_string(out, "contexts_why", why_name(t->why));
		return;
	}
	json_open(out, "contexts", '[');
	for (int i = 0; i < t->n; i++) {
		const struct context_row *r = &t->rows[i];

		json_open(out, NULL, '{');
		json_string(out, "context", context_name(r, name, sizeof(name)));
		json_number(out, "share", r->share);
		json_number(out, "ran_ms", (double)r->ran_ns / NS_PER_MS);
		json_number(out, "switches_per_s", r->switches_hz);
		json_integer(out, "reports", (long long)r->reports);
		json_bool(out, "whole", r->whole);
		add_context_metrics(run, t, r, out);
		strbuf_addc(out, '}');
	}
	strbuf_addc(out, ']');
}

static void add_mhz(struct strbuf *out, const char *key, uint64_t hz)
{
	json_number(out, key, hz ? (double)hz / 1e6 : NAN);
}

/* Adds the lowest and the highest clock of the window. They are null where nothing tells them. */
static void add_clocks(const struct snapshot *s, struct strbuf *out)
{
	json_open(out, "clock_mhz", '{');
	add_mhz(out, "lowest", s->clock_low_hz);
	add_mhz(out, "highest", s->clock_high_hz);
	json_bool(out, "told", s->tells_clock);
	json_bool(out, "changed", s->clock_low_hz != s->clock_high_hz);
	strbuf_addc(out, '}');
}

static void add_place(const struct feed *f, const struct code_place *p, struct strbuf *out)
{
	json_integer(out, "samples", (long long)p->sum);
	for (int i = 0; i < f->n_code; i++)
		if (p->counts[i])
			json_integer(out, code_count_name(f, i), (long long)p->counts[i]);
	strbuf_addc(out, '}');
}

/* Adds at which instructions the window's samples were found. */
static void add_code(const struct snapshot *s, struct strbuf *out)
{
	const struct code_list *l = &s->code;
	char address[24];

	json_open(out, "code", '{');
	json_bool(out, "exact", l->exact);
	json_open(out, "places", '[');
	for (int i = 0; i < l->n; i++) {
		snprintf(address, sizeof(address), "%#" PRIx64, l->places[i].address);
		json_open(out, NULL, '{');
		json_string(out, "address", address);
		add_place(s->code_feed, &l->places[i], out);
	}
	strbuf_addc(out, ']');
	json_open(out, "rest", '{');
	add_place(s->code_feed, &l->rest, out);
	strbuf_addc(out, '}');
}

static void window(struct writer_run *run, const struct snapshot *s, struct strbuf *out)
{
	char utc[32];

	strbuf_addc(out, '{');
	json_integer(out, "v", 1);
	json_string(out, "t", clock_format_utc(s->wall_ns, utc));
	if (run->several)
		json_string(out, "device", run->name);
	json_integer(out, "mono_ns", s->mono_ns);
	json_number(out, "window_ms", (double)s->window_ns / NS_PER_MS);
	json_integer(out, "lost", (long long)s->lost);
	json_bool(out, "sim", run->device->simulated);
	if (s->report_why)
		json_string(out, "report", s->report_why);
	if (s->triggered[0] || s->triggered[1]) {
		json_open(out, "triggered", '{');
		json_integer(out, "trigger1", s->triggered[0]);
		json_integer(out, "trigger2", s->triggered[1]);
		strbuf_addc(out, '}');
	}
	json_verdict(out, &s->verdict, s->mono_ns);
	add_metrics(run, s, out);
	if (s->mux)
		add_multiplexed(run, s, out);
	if (s->n_maps)
		add_cells(run, s, out);
	if (run->device->has_oa_reports)
		add_clocks(s, out);
	if (s->code_feed)
		add_code(s, out);
	if (s->contexts)
		add_contexts(run, s->contexts, out);
	if (s->clients)
		add_clients(s->clients, out);
	strbuf_add(out, "}\n");
}

const struct writer json_writer = { .begin = begin, .window = window };
