/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON lines: a header object, then one object per complete window. */
#include "config.h"

#include "out/writer.h"

#include <math.h>
#include <stdbool.h>

#include "session/client_scan.h"
#include "base/clock.h"

static void key(struct strbuf *out, const char *name, bool first)
{
	if (!first)
		strbuf_addc(out, ',');
	strbuf_add_json(out, name);
	strbuf_addc(out, ':');
}

static void begin(struct writer_run *run, struct strbuf *out)
{
	bool first = true;

	strbuf_add(out, "{\"v\":1,\"header\":true,\"device\":");
	strbuf_add_json(out, run->device->id);
	strbuf_add(out, ",\"driver\":");
	strbuf_add_json(out, run->device->driver);
	strbuf_add(out, ",\"source\":");
	strbuf_add_json(out, run->how);
	strbuf_addf(out, ",\"sim\":%s,\"units\":{", run->device->simulated ? "true" : "false");
	for (int i = 0; i < run->set->n_metrics; i++) {
		const struct metric *m = &run->set->metrics[i];

		if (!writer_shows(m))
			continue;
		key(out, m->name, first);
		strbuf_add_json(out, m->unit_text ? m->unit_text : "");
		first = false;
	}
	strbuf_add(out, "}}\n");
}

static void add_metrics(const struct writer_run *run, const struct snapshot *s, struct strbuf *out)
{
	bool first = true;

	strbuf_add(out, ",\"metrics\":{");
	for (int i = 0; i < run->set->n_metrics; i++) {
		if (!writer_shows(&run->set->metrics[i]))
			continue;
		key(out, run->set->metrics[i].name, first);
		strbuf_add_double(out, s->values[i].why == WHY_OK ? s->values[i].v : NAN);
		first = false;
	}
	strbuf_add(out, "},\"why\":{");
	first = true;
	for (int i = 0; i < run->set->n_metrics; i++) {
		if (!writer_shows(&run->set->metrics[i]) ||
			(s->values[i].why == WHY_OK && isfinite(s->values[i].v)))
			continue;
		key(out, run->set->metrics[i].name, first);
		strbuf_add_json(out,
			why_name(s->values[i].why == WHY_OK ? WHY_OUT_OF_RANGE : s->values[i].why));
		first = false;
	}
	strbuf_addc(out, '}');
}

/* The values of one metric in all cells of a map, or their reasons where there are none. */
static void add_row(const struct cell_map *map, int metric, bool reasons, struct strbuf *out)
{
	for (int j = 0; j < map->n; j++) {
		struct value v = cell_value(map, j, metric);

		strbuf_addc(out, j ? ',' : '[');
		if (!reasons)
			strbuf_add_double(out, v.why == WHY_OK ? v.v : NAN);
		else if (v.why == WHY_OK && isfinite(v.v))
			strbuf_add(out, "null");
		else
			strbuf_add_json(out, why_name(v.why == WHY_OK ? WHY_OUT_OF_RANGE : v.why));
	}
	strbuf_addc(out, ']');
}

static bool row_has_reason(const struct cell_map *map, int metric)
{
	for (int j = 0; j < map->n; j++) {
		if (!isfinite(cell_value(map, j, metric).v))
			return true;
	}
	return false;
}

static void add_rows(
	const struct writer_run *run, const struct cell_map *map, bool reasons, struct strbuf *out)
{
	bool first = true;

	for (int i = 0; i < map->n_metrics; i++) {
		const struct metric *m = &run->set->metrics[map->metrics[i]];

		if (!writer_shows(m) || (reasons && !row_has_reason(map, map->metrics[i])))
			continue;
		key(out, m->name, first);
		add_row(map, map->metrics[i], reasons, out);
		first = false;
	}
}

static void add_cells(const struct writer_run *run, const struct snapshot *s, struct strbuf *out)
{
	strbuf_add(out, ",\"cells\":[");
	for (int k = 0; k < s->n_maps; k++) {
		const struct cell_map *map = &s->maps[k];

		strbuf_add(out, k ? ",{\"scope\":" : "{\"scope\":");
		strbuf_add_json(out, map->scope);
		strbuf_add(out, ",\"cell\":");
		strbuf_add_json(out, map->text);
		strbuf_add(out, ",\"names\":[");
		for (int j = 0; j < map->n; j++) {
			strbuf_add(out, j ? "," : "");
			strbuf_add_json(out, map->names[j]);
		}
		strbuf_add(out, "],\"t_ns\":[");
		for (int j = 0; j < map->n; j++)
			strbuf_addf(out, "%s%lld", j ? "," : "", (long long)map->t_ns[j]);
		strbuf_add(out, "],\"values\":{");
		add_rows(run, map, false, out);
		strbuf_add(out, "},\"why\":{");
		add_rows(run, map, true, out);
		strbuf_add(out, "}}");
	}
	strbuf_addc(out, ']');
}

/* Metrics of sets in turns: the share of time that they were measured in, and how old their values
 * are. */
static void add_multiplexed(
	const struct writer_run *run, const struct snapshot *s, struct strbuf *out)
{
	bool first = true;

	strbuf_add(out, ",\"multiplexed\":{");
	for (int i = 0; i < run->set->n_metrics; i++) {
		const struct mux_value *mux = &s->mux[i];

		if (!writer_shows(&run->set->metrics[i]) || !mux->multiplexed)
			continue;
		key(out, run->set->metrics[i].name, first);
		strbuf_add(out, "{\"share\":");
		strbuf_add_double(out, mux->share);
		strbuf_add(out, ",\"age_ms\":");
		strbuf_add_double(
			out, mux->t_ns ? (double)(s->mono_ns - mux->t_ns) / NS_PER_MS : NAN);
		strbuf_addc(out, '}');
		first = false;
	}
	strbuf_addc(out, '}');
}

static void window(struct writer_run *run, const struct snapshot *s, struct strbuf *out)
{
	char utc[32];
	bool first = true;

	strbuf_add(out, "{\"t\":");
	strbuf_add_json(out, clock_format_utc(s->wall_ns, utc));
	strbuf_addf(out, ",\"mono_ns\":%lld,\"window_ms\":", (long long)s->mono_ns);
	strbuf_add_double(out, (double)s->window_ns / NS_PER_MS);
	strbuf_addf(out, ",\"lost\":%llu,\"sim\":%s", (unsigned long long)s->lost,
		run->device->simulated ? "true" : "false");
	add_metrics(run, s, out);
	strbuf_add(out, ",\"estimated\":[");
	for (int i = 0; i < run->set->n_metrics; i++) {
		const struct metric *m = &run->set->metrics[i];

		if (!writer_shows(m) || !(m->flags & METRIC_ESTIMATED))
			continue;
		if (!first)
			strbuf_addc(out, ',');
		strbuf_add_json(out, m->name);
		first = false;
	}
	strbuf_addc(out, ']');
	if (s->mux)
		add_multiplexed(run, s, out);
	if (s->n_maps)
		add_cells(run, s, out);
	clients_add_json(s->clients, out);
	strbuf_add(out, "}\n");
}

const struct writer json_writer = { .begin = begin, .window = window };
