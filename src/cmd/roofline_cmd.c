/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints and draws rooflines. */
#include "config.h"

#include "cmd/roofline_cmd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "out/chart.h"
#include "session/devices.h"
#include "out/output.h"
#include "session/refresh.h"
#include "out/rows.h"
#include "base/fsroot.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/numeric.h"

/* The picture reaches so far to both sides of the ridges. */
#define MARGIN 16
#define MAX_SERIES (2 * ROOFLINE_MAX_ROOFS + 2 * ROOFLINE_MAX_VIEWS)

static const struct column columns[] = {
	{ "what", N_("what"), 5, true },
	{ "name", N_("name"), 8, true },
	{ "label", NULL, 0, true },
	{ "unit", N_("unit"), 8, true },
	{ "theory", N_("theory"), 8, false },
	{ "nominal", NULL, 0, false },
	{ "measured", N_("measured"), 8, false },
	{ "measured_at", NULL, 0, true },
	{ "kernel", NULL, 0, true },
	{ "clock_mhz", NULL, 0, false },
	{ "ridge", N_("ridge"), 7, false },
	{ "intensity", "FLOP/B", 8, false },
	{ "gflops", "GFLOP/s", 8, false },
	{ "allowed", N_("allowed"), 8, false },
	{ "headroom", N_("headroom"), 8, false },
	{ "note", N_("note"), 0, true },
	{ "sim", NULL, 0, false },
};

static const char *date_of(const struct roof_record *rec, char *buf)
{
	return rec ? clock_format_utc(rec->wall_ns, buf) : NULL;
}

static void roof_note(const struct roof *roof, char *buf, size_t size)
{
	char date[32];

	buf[0] = '\0';
	if (roof->record)
		snprintf(buf, size, _("measured on %.10s with %s"), date_of(roof->record, date),
			roof->record->kernel);
	else if (roof->theory.why != WHY_OK)
		snprintf(buf, size, "%s", _(why_text(roof->theory.why)));
	else if (roof->nominal && roof->follows_clock)
		snprintf(buf, size, "%s", _("at the highest clock"));
}

/* What a row is about, after the word that nothing of it is hardware. */
static void add_note(struct rows *rows, bool simulated, const char *text)
{
	char note[200];

	if (simulated)
		snprintf(note, sizeof(note), "%s%s", *text ? _("SIMULATED; ") : _("SIMULATED"),
			text);
	rows_text(rows, simulated ? note : text);
	rows_bool(rows, simulated);
}

static void roof_row(
	struct rows *rows, const struct roofline *r, const struct roof *roof, bool simulated)
{
	char date[32], note[160];

	roof_note(roof, note, sizeof(note));
	rows_text(rows, "roof");
	rows_text(rows, roof->name);
	rows_text(rows, roof->label);
	rows_text(rows, roof->role == ROOF_FLOP ? "GFLOP/s" : "GB/s");
	rows_number(rows, roof->theory.v / 1e9);
	rows_bool(rows, roof->nominal);
	rows_number(rows, roof->measured / 1e9);
	rows_text(rows, date_of(roof->record, date));
	rows_text(rows, roof->record ? roof->record->kernel : NULL);
	rows_number(
		rows, roof->follows_clock ? (roof->nominal ? r->max_hz : r->clock_hz) / 1e6 : NAN);
	for (int i = 0; i < 5; i++)
		rows_number(rows, NAN);
	add_note(rows, simulated, note);
	rows_end(rows);
}

static void view_row(
	struct rows *rows, const struct roofline *r, const struct roof_view *v, bool simulated)
{
	double allowed = roofline_attainable(r, v, NULL, v->live.intensity);

	rows_text(rows, "point");
	rows_text(rows, v->level);
	rows_text(rows, v->level);
	rows_text(rows, "GFLOP/s");
	rows_number(rows, NAN);
	rows_bool(rows, false);
	rows_number(rows, NAN);
	rows_text(rows, NULL);
	rows_text(rows, NULL);
	rows_number(rows, r->clock_hz / 1e6);
	rows_number(rows, roofline_ridge(r, v, NULL));
	rows_number(rows, v->live.intensity);
	rows_number(rows, v->live.flop_per_s / 1e9);
	rows_number(rows, allowed / 1e9);
	rows_number(rows, v->live.flop_per_s > 0 ? allowed / v->live.flop_per_s : NAN);
	add_note(rows, simulated,
		v->why == WHY_OK ? r->estimated ? _("FLOP are an upper bound") : ""
				 : _(why_text(v->why)));
	rows_end(rows);
}

static void add_rows(
	const struct roofline *r, bool simulated, enum output_form form, struct strbuf *out)
{
	struct rows rows;

	rows_begin(&rows, form, columns, (int)ARRAY_LEN(columns), out);
	for (int i = 0; i < r->n_roofs; i++)
		roof_row(&rows, r, &r->roofs[i], simulated);
	for (int i = 0; i < r->n_views; i++)
		view_row(&rows, r, &r->views[i], simulated);
}

/* --- the picture --- */

struct picture {
	const struct roofline *r;
	double low, high;		/* of the intensity axis */
	struct chart_series series[MAX_SERIES];
	double x[MAX_SERIES][2], y[MAX_SERIES][2];
	char labels[MAX_SERIES][64];
	int n;
};

static void add(struct picture *p, enum chart_style style, int color, int points, const char *label)
{
	struct chart_series *s = &p->series[p->n];

	snprintf(p->labels[p->n], sizeof(p->labels[0]), "%s", label ? label : "");
	*s = (struct chart_series){ .label = label ? p->labels[p->n] : NULL, .style = style, .color = color, .x = p->x[p->n],
		.y = p->y[p->n], .n = points };
	p->n++;
}

/* From the left edge up to the highest roof, or from the first ridge to the right edge. */
static void add_bound(
	struct picture *p, const struct roof *roof, double bound, bool is_theory, int color)
{
	const struct roof *top = roofline_top(p->r);
	double peak = top ? roof_bound(top) : NAN, widest = 0;
	char label[64];

	if (!isfinite(bound) || !isfinite(peak))
		return;
	for (int i = 0; i < p->r->n_roofs; i++)
		if (p->r->roofs[i].role == ROOF_BYTES)
			widest = fmax(widest, roof_bound(&p->r->roofs[i]));
	if (roof->role == ROOF_BYTES) {
		p->x[p->n][0] = p->low;
		p->x[p->n][1] = peak / bound;
		p->y[p->n][0] = p->low * bound / 1e9;
		p->y[p->n][1] = peak / 1e9;
	} else {
		p->x[p->n][0] = widest > 0 ? fmax(p->low, bound / widest) : p->low;
		p->x[p->n][1] = p->high;
		p->y[p->n][0] = p->y[p->n][1] = bound / 1e9;
	}
	numeric_print(label, sizeof(label), "%.20s %.4g %s", roof->label, bound / 1e9,
		roof->role == ROOF_FLOP ? "GFLOP/s" : "GB/s");
	add(p, is_theory ? CHART_DOTTED : CHART_LINE, color, 2,
		is_theory && isfinite(roof->measured) ? NULL : label);
}

static void add_point(struct picture *p, const struct roof_point *at, enum chart_style style,
	int color, const char *level, const char *what)
{
	char label[64];

	if (!isfinite(at->intensity) || !isfinite(at->flop_per_s))
		return;
	p->x[p->n][0] = at->intensity;
	p->y[p->n][0] = at->flop_per_s / 1e9;
	snprintf(label, sizeof(label), "%s (%s)", what, level);
	add(p, style, color, 1, label);
}

static void find_range(struct picture *p)
{
	p->low = INFINITY;
	p->high = 0;
	for (int i = 0; i < p->r->n_views; i++) {
		double ridge = roofline_ridge(p->r, &p->r->views[i], NULL);

		p->low = isfinite(ridge) ? fmin(p->low, ridge) : p->low;
		p->high = isfinite(ridge) ? fmax(p->high, ridge) : p->high;
	}
	p->low = isfinite(p->low) ? p->low / MARGIN : 1.0 / MARGIN;
	p->high = p->high > 0 ? p->high * MARGIN : MARGIN;
	for (int i = 0; i < p->r->n_views; i++) {
		double x = p->r->views[i].live.intensity;

		p->low = x > 0 ? fmin(p->low, x / 2) : p->low;
		p->high = isfinite(x) ? fmax(p->high, 2 * x) : p->high;
	}
}

bool roofline_plot(const struct roofline *r, const char *title, const char *note, const char *path,
	struct err *err)
{
	struct picture *p = xcalloc(1, sizeof(*p));
	struct chart chart = { .title = title,
		.note = note,
		.x_label = "FLOP/B",
		.y_label = "GFLOP/s",
		.log_x = true,
		.log_y = true,
		.series = p->series };
	struct strbuf out = { 0 };
	bool good;

	p->r = r;
	find_range(p);
	for (int i = 0; i < r->n_roofs; i++) {
		add_bound(p, &r->roofs[i], r->roofs[i].measured, false, i);
		add_bound(p, &r->roofs[i], r->roofs[i].theory.v, true, i);
	}
	for (int i = 0; i < r->n_views; i++) {
		add_point(p, &r->views[i].live, CHART_MARKS, i, r->views[i].level, _("now"));
		add_point(p, &r->views[i].predicted, CHART_MARKS, i + 4, r->views[i].level,
			_("predicted"));
	}
	chart.n_series = p->n;
	chart_svg(&chart, &out);
	good = file_replace(path, strbuf_str(&out), out.len, err);
	strbuf_release(&out);
	free(p);
	return good;
}

/* --- the command --- */

static bool watch_windows(struct session *ses)
{
	uint64_t left = ses->opt->windows ? ses->opt->windows : 1;

	while (left > 0 && !ses->ended) {
		struct timespec pause = { 0 };
		int64_t ns = refresh_period_ns(ses);

		if (!ses->clock.is_virtual && !ses->dev->sources[0]->self_paced) {
			pause.tv_sec = ns / NS_PER_S;
			pause.tv_nsec = ns % NS_PER_S;
			nanosleep(&pause, NULL);
		}
		left -= ses->clock.is_virtual ? refresh_virtual_step(ses) : refresh_tick(ses);
	}
	return refresh_snapshot(ses) != NULL;
}

static bool open_device(struct session *ses, struct err *err)
{
	int index;

	if (!devices_choose(ses, false, &index, err))
		return false;
	if (ses->devices.entries[index].device.simulated ||
		ses->devices.entries[index].device.recorded)
		session_virtual_clock(ses, 0);
	return devices_open(ses, index, NULL, err);
}

static bool print(struct session *ses, enum output_form form, struct err *err)
{
	struct strbuf out = { 0 };
	struct output file;
	bool good = output_open(&file, ses->opt->output, OUTPUT_TRUNCATE, err);

	add_rows(&ses->roofline, ses->dev->device.simulated, form, &out);
	good = good && output_write(&file, &out, err) && output_close(&file, err);
	strbuf_release(&out);
	return good;
}

enum status roofline_cmd(struct session *ses, enum output_form form)
{
	struct err err = { 0 };
	char note[200];

	if (!open_device(ses, &err))
		goto fail;
	if (!watch_windows(ses) && ses->roofline.n_roofs == 0) {
		err_set(&err, ERR_UNSUPPORTED, _("metric set %s of '%s' has no roofs"),
			ses->set->name, ses->dev->device.id);
		err_hint(&err, _("roof lines in metric files make them, see rooftop-metrics(5)"));
		goto fail;
	}
	snprintf(note, sizeof(note), "%s%s", ses->dev->device.simulated ? _("SIMULATED; ") : "",
		_("lines are measured, dots are theory"));
	if (ses->opt->plot &&
		!roofline_plot(&ses->roofline, ses->dev->device.name, note, ses->opt->plot, &err))
		goto fail;
	if (print(ses, form, &err) || err.code == ERR_END)
		return STATUS_GOOD;
fail:
	session_print_err(&err);
	return session_status(&err);
}
