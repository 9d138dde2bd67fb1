/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the roofline as rows. */
#include "config.h"

#include "cmd/tell/tell.h"

#include <math.h>
#include <stdio.h>

#include "cmd/load/jobs.h"
#include "out/lines/output.h"
#include "out/picture/roofline_plot.h"
#include "out/lines/rows.h"
#include "base/mem.h"
#include "core/snapshot/balance.h"

static const struct column columns[] = {
	{ "what", "what", 5, true },
	{ "name", "name", 10, true },
	{ "label", NULL, 0, true },
	{ "unit", "unit", 8, true },
	{ "theory", "theory", 8, false },
	{ "nominal", NULL, 0, false },
	{ "measured", "measured", 8, false },
	{ "measured_at", NULL, 0, true },
	{ "kernel", NULL, 0, true },
	{ "clock_mhz", "MHz", 6, false },
	{ "theory_highest", "highest", 8, false },
	{ "ridge", "ridge", 7, false },
	{ "intensity", "FLOP/B", 8, false },
	{ "gflops", "reached", 8, false },
	{ "allowed", "allowed", 8, false },
	{ "headroom", "headroom", 8, false },
	{ "note", "note", 0, true },
	{ "sim", NULL, 0, false },
	{ "source", NULL, 0, true },
	{ "uncertain", NULL, 0, false },
	{ "origin", NULL, 0, true },
};

/* Adds the last cells: a note, after the word for a simulated device, and where a roof comes from
 * (roof NULL: it is none). */
static void add_note(
	struct rows *rows, bool simulated, const char *text, const struct roof *roof)
{
	enum roof_source source = roof ? roof_bound_source(roof) : ROOF_SOURCE_NONE;
	bool rests = source != ROOF_SOURCE_NONE && source != ROOF_MEASURED && roof->bound;
	char note[200];

	if (simulated && *text) {
		snprintf(note, sizeof(note), "%s%s", "SIMULATED; ", text);
		text = note;
	} else if (simulated) {
		text = "SIMULATED";
	}
	rows_text(rows, text);
	rows_bool(rows, simulated);
	rows_text(rows, source == ROOF_SOURCE_NONE ? NULL : roof_source_name(source));
	rows_bool(rows, rests && roof->bound->uncertain);
	rows_text(rows, rests ? roof->bound->origin : NULL);
	rows_end(rows);
}

/* Says at which clock theory is, and what it rests on: ~ marks what no source confirms. */
static void theory_note(const struct roof *roof, char *buf, size_t size)
{
	const char *clock = "", *gap = "", *doubt = "", *origin = "";

	if (roof->nominal && roof->follows_clock)
		clock = "at the highest clock";
	if (roof->bound && roof->bound->uncertain)
		doubt = "~";
	if (roof->bound)
		origin = roof->bound->origin;
	if (*clock && *origin)
		gap = "; ";
	snprintf(buf, size, "%s%s%s%s", clock, gap, doubt, origin);
}

/* What the theory is at the device's highest clock; NAN where that is not known. */
static double highest_theory(const struct roofline *r, const struct roof *roof)
{
	if (!roof->follows_clock || roof->nominal)
		return roof->theory.v;
	return roof->theory.v * jobs_per(r->max_hz, r->clock_hz);
}

/* Says why there is no number; of a divided card also where to look instead. */
static void why_note(enum why why, const char *busiest, char *buf, size_t size)
{
	snprintf(buf, size, "%s", why_text(why));
	if (why == WHY_DIVIDED && busiest)
		snprintf(buf, size, "%s; the busiest on the map is %s", why_text(why), busiest);
}

static void roof_row(struct rows *rows, const struct roofline *r, const struct roof *roof,
	const char *busiest, bool simulated)
{
	const char *date = NULL, *kernel = NULL;
	double clock_hz = NAN;
	char buf[32], note[160] = "";

	if (roof->record) {
		date = clock_format_utc(roof->record->wall_ns, buf);
		kernel = roof->record->kernel;
		snprintf(note, sizeof(note), "measured on %.10s with %s", date, kernel);
	} else if (roof->theory.why != WHY_OK) {
		why_note(roof->theory.why, busiest, note, sizeof(note));
	} else {
		theory_note(roof, note, sizeof(note));
	}
	if (roof->follows_clock)
		clock_hz = r->clock_hz;
	if (roof->follows_clock && roof->nominal)
		clock_hz = r->max_hz;
	rows_text(rows, "roof");
	rows_text(rows, roof->name);
	rows_text(rows, roof->label);
	rows_in(rows, roofline_unit(roof->role), fmax(roof->theory.v, roof->measured) / 1e9);
	rows_unit(rows);
	rows_scaled(rows, roof->theory.v / 1e9, false);
	rows_bool(rows, roof->nominal);
	rows_scaled(rows, roof->measured / 1e9, false);
	rows_text(rows, date);
	rows_text(rows, kernel);
	rows_number(rows, clock_hz / 1e6);
	rows_scaled(rows, highest_theory(r, roof) / 1e9, false);
	for (int i = 0; i < 5; i++)
		rows_number(rows, NAN);
	add_note(rows, simulated, note, roof);
}

static void view_row(struct rows *rows, const struct roofline *r, const struct roof_view *v,
	const char *busiest, bool simulated)
{
	double allowed = roofline_attainable(r, v, roofline_live_top(r), v->live.intensity);
	char note[160] = "";

	if (v->why != WHY_OK)
		why_note(v->why, busiest, note, sizeof(note));
	else if (r->estimated)
		snprintf(note, sizeof(note), "FLOP are an upper bound");
	rows_text(rows, "point");
	rows_text(rows, v->level);
	rows_text(rows, v->level);
	rows_in(rows, "GFLOP/s", allowed / 1e9);
	rows_unit(rows);
	rows_number(rows, NAN);
	rows_bool(rows, false);
	rows_number(rows, NAN);
	rows_text(rows, NULL);
	rows_text(rows, NULL);
	rows_number(rows, r->clock_hz / 1e6);
	rows_number(rows, NAN);
	rows_number(rows, roofline_ridge(r, v, NULL));
	rows_number(rows, v->live.intensity);
	rows_scaled(rows, v->live.flop_per_s / 1e9, false);
	rows_scaled(rows, allowed / 1e9, false);
	rows_number(rows, jobs_per(allowed, v->live.flop_per_s));
	add_note(rows, simulated, note, NULL);
}

static bool print(struct session *ses, enum output_form form, struct err *err)
{
	const struct roofline *r = &ses->now->roofline;
	const char *busiest = balance_busiest(&ses->now->snaps[ses->now->front]).name;
	bool simulated = ses->dev->device.simulated;
	struct strbuf out = { 0 };
	struct rows rows;
	struct output file;
	bool good = output_open(&file, ses->opt->output, OUTPUT_TRUNCATE, err);

	rows_begin(&rows, form, columns, (int)ARRAY_LEN(columns), &out);
	for (int i = 0; i < r->n_roofs; i++)
		roof_row(&rows, r, &r->roofs[i], busiest, simulated);
	for (int i = 0; i < r->n_views; i++)
		view_row(&rows, r, &r->views[i], busiest, simulated);
	good = good && output_write(&file, &out, err) && output_close(&file, true, err);
	strbuf_release(&out);
	return good;
}

enum status roofline_cmd(struct session *ses, enum output_form form)
{
	struct err err = { 0 };
	const char *note = "lines are measured, dots are theory";

	if (!window_wait_open(ses, &err))
		goto fail;
	window_wait_last(ses);
	if (ses->now->roofline.n_roofs == 0) {
		err_set(&err, ERR_UNSUPPORTED, "metric set %s of '%s' has no roofs",
			ses->now->set->name, ses->dev->device.id);
		err_hint(&err, "-m help names its sets; roof lines in metric files make roofs, "
			"see rooftop-metrics(5)");
		goto fail;
	}
	if (ses->dev->device.simulated)
		note = "SIMULATED; lines are measured, dots are theory";
	if (ses->opt->plot &&
		!roofline_plot(
			&ses->now->roofline, NULL, ses->dev->device.name, note, ses->opt->plot,
			&err))
		goto fail;
	if (print(ses, form, &err) || err.code == ERR_END)
		return STATUS_GOOD;
fail:
	return session_fail(&err);
}
