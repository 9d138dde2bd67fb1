/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws charts. */
#include "config.h"

#include "out/picture/chart.h"

#include <math.h>
#include <stdio.h>

#include "base/format.h"
#include "base/numeric.h"

#define PLOT_WIDTH 565
#define PLOT_HEIGHT 412	/* at least: a long legend makes it higher */
#define LEFT 70
#define RIGHT 20
#define TOP 56
#define BOTTOM 52
#define TICKS 6
#define LEGEND_ROW 18
#define LEGEND_KEY 44		/* from the plot to the text */
#define MARK_RADIUS 3.2
/* Widest letters of the three sizes of text; fonts differ between viewers. */
#define TEXT_COLUMN 7.2
#define TITLE_COLUMN 9.8
#define HEAD_ROOM 1.04
#define BARS_SHARE 0.7		/* of the room of a name */
#define LINE_WIDTH 1.6
#define MARK_GROWTH 0.35	/* for each curve on it */
#define MAX_WEIGHT 4
#define CUT_FROM 0.25		/* share of the highest value that the lowest has on a cut axis */
#define BARS_CUT_FROM 0.8	/* the same where bars lose their length by it */
#define STUMP 4			/* what is left of a bar whose length would say something wrong */
#define CAPTION_ROW 20
#define SAME_PLACE 4		/* curves nearer than this cover each other */

/* Maps values from low to high to places between from and to. */
struct axis {
	bool is_log;
	double low, high, from, to;
	double step;	/* between ticks; on a logarithmic axis a factor */
	bool is_cut;	/* it begins above 0 */
};

/* What series are drawn with. */
struct frame {
	struct axis x, y;
	double width, height;	/* of the canvas */
	double bottom, right;	/* of the plot */
	int n_bars;		/* series of bars */
};

/* Dark ones first, then light ones of the same hues. */
static const char *const colors[CHART_COLORS] = { "#1f5fa8", "#c4561b", "#2c7a3f", "#8b3a8b",
	"#8a6d00", "#008080", "#a02040", "#555555", "#74b3f0", "#f5a873", "#8fd19e", "#d79ad7",
	"#d6bd55", "#66cfcf", "#ea8ba5", "#aaaaaa" };

/* Shapes around 0 in units of a mark's radius. */
static const char *const marks[CHART_MARKS_KNOWN] = {
	"M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0Z",
	"M-.9 -.9H.9V.9H-.9Z",
	"M0 -1.1L1.1 .9H-1.1Z",
	"M0 -1.3L1.3 0L0 1.3L-1.3 0Z",
	"M0 1.1L1.1 -.9H-1.1Z",
	"M-1.2 -.4H-.4V-1.2H.4V-.4H1.2V.4H.4V1.2H-.4V.4H-1.2Z",
};

static double place(const struct axis *a, double v)
{
	double share = (v - a->low) / (a->high - a->low);

	if (a->is_log)
		share = log(v / a->low) / log(a->high / a->low);
	return a->from + share * (a->to - a->from);
}

static bool is_shown(const struct axis *a, double v)
{
	return isfinite(v) && (!a->is_log || v > 0);
}

/* Makes both ends fall on ticks. Without any data the axis goes from 0 (or 1) to 1 (or 10). */
static void finish_axis(struct axis *a)
{
	double power;

	if (a->is_log) {
		if (!(a->low <= a->high)) {
			a->low = 1;
			a->high = 10;
		}
		a->low = exp2(floor(log2(a->low) + 1e-9));
		a->high = exp2(ceil(log2(a->high) - 1e-9));
		if (!(a->high > a->low))
			a->high = 2 * a->low;
		a->step = exp2(ceil(log2(a->high / a->low) / (2 * TICKS)));
		return;
	}
	if (!a->is_cut)
		a->low = fmin(a->low, 0);
	if (!(a->high > a->low))
		a->high = a->low + 1;
	/* Steps are 1, 2 or 5 times a power of ten. */
	double raw = (a->high - a->low) / TICKS;
	power = pow(10, floor(log10(raw)));
	a->step = 10 * power;
	if (raw <= 5 * power)
		a->step = 5 * power;
	if (raw <= 2.5 * power)
		a->step = 2 * power;
	if (raw <= power)
		a->step = power;
	a->low = floor(a->low / a->step) * a->step;
	a->high = ceil(a->high / a->step - 1e-9) * a->step;
}

static struct axis make_axis(const struct chart *c, bool is_y, const struct frame *f)
{
	struct axis a = { c->log_x, INFINITY, -INFINITY, LEFT, f->right, 0, false };

	if (is_y) {
		a.is_log = c->log_y;
		a.from = f->bottom;
		a.to = TOP;
	} else if (c->x_names) {
		a.low = -0.5;
		a.high = c->n_x_names - 0.5;
		a.step = 1;
		return a;
	}
	for (int i = 0; i < c->n_series; i++) {
		const double *v = is_y ? c->series[i].y : c->series[i].x;

		for (int k = 0; k < c->series[i].n; k++) {
			if (!is_shown(&a, v[k]))
				continue;
			a.low = fmin(a.low, v[k]);
			a.high = fmax(a.high, v[k]);
		}
	}
	a.is_cut = is_y && !a.is_log && c->may_cut_y &&
		a.low > (f->n_bars ? BARS_CUT_FROM : CUT_FROM) * a.high;
	/* Marks and the numbers above bars need some room below the upper edge. */
	if (a.is_cut)
		a.high += (a.high - a.low) * (HEAD_ROOM - 1);
	else if (is_y && !a.is_log && a.high > 0)
		a.high *= HEAD_ROOM;
	finish_axis(&a);
	return a;
}

static double legend_width(const struct chart *c)
{
	int columns = 0;

	for (int i = 0; i < c->n_series; i++)
		if (c->series[i].label && format_columns(c->series[i].label) > columns)
			columns = format_columns(c->series[i].label);
	return columns > 0 ? LEGEND_KEY + columns * TEXT_COLUMN : 0;
}

static struct frame make_frame(const struct chart *c)
{
	struct frame f = { 0 };
	int rows = 0;

	for (int i = 0; i < c->n_series; i++) {
		rows += c->series[i].label != NULL;
		f.n_bars += c->series[i].style == CHART_BARS;
	}
	f.width = LEFT + PLOT_WIDTH + legend_width(c) + RIGHT;
	f.width = fmax(f.width, LEFT + format_columns(c->title) * TITLE_COLUMN + RIGHT);
	if (c->note)
		f.width = fmax(f.width, LEFT + format_columns(c->note) * TEXT_COLUMN + RIGHT);
	f.width = ceil(f.width);
	f.right = f.width - RIGHT - legend_width(c);
	f.bottom = TOP + fmax(PLOT_HEIGHT, rows * LEGEND_ROW);
	f.height = f.bottom + BOTTOM;
	if (c->caption) {
		f.height += CAPTION_ROW;
		f.width = fmax(f.width,
			ceil(LEFT + format_columns(c->caption) * TEXT_COLUMN + RIGHT));
		f.right = f.width - RIGHT - legend_width(c);
	}
	f.x = make_axis(c, false, &f);
	f.y = make_axis(c, true, &f);
	return f;
}

static void add_text(struct strbuf *out, double x, double y, const char *extra, const char *text)
{
	char at[64];

	numeric_print(at, sizeof(at), "x=\"%.1f\" y=\"%.1f\"", x, y);
	strbuf_addf(out, "<text %s %s>", at, extra);
	strbuf_add_xml(out, text);
	strbuf_add(out, "</text>\n");
}

static void add_rule(struct strbuf *out, double x1, double y1, double x2, double y2)
{
	char at[128];

	numeric_print(at, sizeof(at), "<path d=\"M%.1f %.1fL%.1f %.1f\" class=\"grid\"/>\n", x1, y1,
		x2, y2);
	strbuf_add(out, at);
}

/* An axis may be of sizes or of rates, so a factor of 1024 is never written as one of 1000. */
static void print_tick(char *buf, size_t size, bool is_log, double v)
{
	const double mebi = 1 << 20;

	if (is_log && v >= mebi && fmod(v, mebi) == 0)
		numeric_print(buf, size, "%gMi", v / mebi);
	else
		numeric_print(buf, size, fabs(v) < 1e6 ? "%.6g" : "%.2g", v);
}

static void add_ticks(const struct axis *x, const struct axis *y, bool is_y, struct strbuf *out)
{
	const struct axis *a = is_y ? y : x;
	double n = (a->high - a->low) / a->step;

	if (a->is_log)
		n = floor(log2(a->high / a->low) / log2(a->step) + 1e-9);
	for (int i = 0; i <= lround(n); i++) {
		double v = a->low + i * a->step, at;
		char label[32];

		if (a->is_log)
			v = a->low * pow(a->step, i);
		at = place(a, v);
		print_tick(label, sizeof(label), a->is_log, v);
		if (is_y) {
			add_rule(out, x->from, at, x->to, at);
			add_text(out, x->from - 8, at + 4, "text-anchor=\"end\"", label);
		} else {
			add_rule(out, at, y->from, at, y->to);
			add_text(out, at, y->from + 18, "text-anchor=\"middle\"", label);
		}
	}
}

static const char *color_of(const struct chart_series *s)
{
	return s->color < 0 ? "#000000" : colors[s->color % CHART_COLORS];
}

static void add_line(
	const struct chart_series *s, const struct frame *f, int weight, struct strbuf *out)
{
	double width = s->style == CHART_DOTTED ? 1 : LINE_WIDTH * weight;
	char at[64], pen = 'M';

	numeric_print(at, sizeof(at), "%.2g", width);
	strbuf_addf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" %sd=\"", color_of(s),
		at, s->style == CHART_DOTTED ? "stroke-dasharray=\"2 4\" " : "");
	for (int i = 0; i < s->n; i++) {
		if (!is_shown(&f->x, s->x[i]) || !is_shown(&f->y, s->y[i])) {
			pen = 'M';
			continue;
		}
		numeric_print(at, sizeof(at), "%c%.1f %.1f", pen, place(&f->x, s->x[i]),
			place(&f->y, s->y[i]));
		strbuf_add(out, at);
		pen = 'L';
	}
	strbuf_add(out, "\"/>\n");
}

/* Adds the bars of a series, which is the bar-th of those of the chart. */
static void add_bars(
	const struct chart_series *s, const struct frame *f, int bar, struct strbuf *out)
{
	double room = (place(&f->x, 1) - place(&f->x, 0)) * BARS_SHARE;
	double width = room / f->n_bars;
	char text[128];

	for (int i = 0; i < s->n; i++) {
		if (!is_shown(&f->x, s->x[i]) || !is_shown(&f->y, s->y[i]))
			continue;
		double left = place(&f->x, s->x[i]) - room / 2 + bar * width;
		double top = place(&f->y, s->y[i]);

		numeric_print(text, sizeof(text),
			"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
			left, top, width - 2, f->y.is_cut ? STUMP : f->y.from - top, color_of(s));
		strbuf_add(out, text);
		numeric_print(text, sizeof(text), "%.4g", s->y[i]);
		add_text(out, left + width / 2 - 1, top - 5, "text-anchor=\"middle\"", text);
	}
}

static void add_mark(
	const struct chart_series *s, double x, double y, int weight, struct strbuf *out)
{
	char text[192];

	numeric_print(text, sizeof(text),
		"<path transform=\"translate(%.1f %.1f) scale(%.1f)\" fill=\"%s\" d=\"%s\"/>\n", x, y,
		MARK_RADIUS * (s->size > 0 ? s->size : 1 + MARK_GROWTH * (weight - 1)), color_of(s),
		marks[s->mark % CHART_MARKS_KNOWN]);
	strbuf_add(out, text);
}

/* Adds a series of lines or marks. */
static void add_curve(
	const struct chart_series *s, const struct frame *f, int weight, struct strbuf *out)
{
	if (s->style != CHART_MARKS)
		add_line(s, f, weight, out);
	if (s->style != CHART_MARKS && s->style != CHART_LINE_MARKS)
		return;
	for (int i = 0; i < s->n; i++)
		if (is_shown(&f->x, s->x[i]) && is_shown(&f->y, s->y[i]))
			add_mark(s, place(&f->x, s->x[i]), place(&f->y, s->y[i]), weight, out);
}

/* Tells whether curves cover each other at half or more of the places that both have. */
static bool is_covered(
	const struct chart_series *a, const struct chart_series *b, const struct frame *f)
{
	int both = 0, same = 0;

	for (int i = 0, k = 0; i < a->n && k < b->n;) {
		if (a->x[i] < b->x[k]) {
			i++;
		} else if (a->x[i] > b->x[k]) {
			k++;
		} else {
			double apart = place(&f->y, a->y[i++]) - place(&f->y, b->y[k++]);

			both++;
			same += fabs(apart) < SAME_PLACE;
		}
	}
	return both > 0 && 2 * same >= both;
}

/* Returns how many times as wide as others a line is: by one more for each later one on it. */
static int weight_of(const struct chart *c, const struct frame *f, int at)
{
	int weight = 1;

	if (c->series[at].style != CHART_LINE_MARKS)
		return 1;
	for (int i = at + 1; i < c->n_series && weight < MAX_WEIGHT; i++)
		if (c->series[i].style == CHART_LINE_MARKS &&
			is_covered(&c->series[at], &c->series[i], f))
			weight++;
	return weight;
}

static void add_legend(const struct chart *c, const struct frame *f, struct strbuf *out)
{
	double y = TOP + 8, x = f->right + 14;
	struct axis still = { .low = 0, .high = 1, .from = 0, .to = 1 };
	struct frame place_itself = { .x = still, .y = still };

	for (int i = 0; i < c->n_series; i++) {
		const struct chart_series *s = &c->series[i];
		double xs[] = { x, x + 22 }, ys[] = { y, y }, middle = x + 11;
		struct chart_series key = *s;
		char text[128];

		if (!s->label)
			continue;
		key.x = xs;
		key.y = ys;
		key.n = 2;
		if (s->style == CHART_MARKS) {
			key.x = &middle;
			key.n = 1;
		}
		if (s->style == CHART_BARS) {
			numeric_print(text, sizeof(text),
				"<rect x=\"%.1f\" y=\"%.1f\" width=\"22\" height=\"10\" fill=\"%s\"/>\n",
				x, y - 5, color_of(s));
			strbuf_add(out, text);
		} else {
			add_curve(&key, &place_itself, weight_of(c, f, i), out);
		}
		add_text(out, x + 30, y + 4, "", s->label);
		y += LEGEND_ROW;
	}
}

void chart_svg(const struct chart *c, struct strbuf *out)
{
	struct frame f = make_frame(c);
	double middle = (TOP + f.bottom) / 2;
	char text[160], label[80];
	int bars = 0;

	numeric_print(text, sizeof(text),
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 "
		"0 %.0f %.0f\">\n",
		f.width, f.height, f.width, f.height);
	strbuf_add(out, text);
	strbuf_add(out,
		"<style>text{font:12px "
		"sans-serif;fill:#222}.title{font-size:16px;font-weight:bold}.note{fill:#666}"
		".grid{stroke:#ddd;stroke-width:1;fill:none}</style>\n<rect width=\"100%\" "
		"height=\"100%\" fill=\"#fff\"/>\n");
	add_text(out, LEFT, 24, "class=\"title\"", c->title);
	if (c->note)
		add_text(out, LEFT, 42, "class=\"note\"", c->note);
	add_text(out, (LEFT + f.right) / 2, f.bottom + BOTTOM - 12,
		"text-anchor=\"middle\"", c->x_label);
	if (c->caption)
		add_text(out, LEFT, f.height - 12, "class=\"note\"", c->caption);
	numeric_print(text, sizeof(text), "text-anchor=\"middle\" transform=\"rotate(-90 16 %.1f)\"",
		middle);
	if (f.y.is_cut)
		numeric_print(label, sizeof(label), "%.60s, axis from %g", c->y_label, f.y.low);
	else
		snprintf(label, sizeof(label), "%s", c->y_label);
	add_text(out, 16, middle, text, label);
	if (c->x_names)
		for (int i = 0; i < c->n_x_names; i++)
			add_text(out, place(&f.x, i), f.y.from + 18, "text-anchor=\"middle\"",
				c->x_names[i]);
	else
		add_ticks(&f.x, &f.y, false, out);
	add_ticks(&f.x, &f.y, true, out);
	for (int i = 0; i < c->n_series; i++) {
		if (c->series[i].style == CHART_BARS)
			add_bars(&c->series[i], &f, bars++, out);
		else
			add_curve(&c->series[i], &f, weight_of(c, &f, i), out);
	}
	add_legend(c, &f, out);
	strbuf_add(out, "</svg>\n");
}
