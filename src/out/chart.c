/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws charts. */
#include "config.h"

#include "out/chart.h"

#include <math.h>

#include "base/numeric.h"

#define WIDTH 860
#define HEIGHT 520
#define LEFT 70
#define RIGHT 225
#define TOP 56
#define BOTTOM 52
#define TICKS 6
#define LEGEND_ROW 18
#define MARK_RADIUS 3

/* Maps values from low to high to places between from and to. */
struct axis {
	bool is_log;
	double low, high, from, to;
	double step;	/* between ticks; on a logarithmic axis a factor */
};

static const char *const colors[] = { "#1f5fa8", "#c4561b", "#2c7a3f", "#8b3a8b", "#8a6d00",
	"#008080", "#a02040", "#555555" };

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
	a->low = fmin(a->low, 0);
	if (!(a->high > a->low))
		a->high = a->low + 1;
	/* Steps are 1, 2 or 5 times a power of ten. */
	double raw = (a->high - a->low) / TICKS;
	power = pow(10, floor(log10(raw)));
	a->step = 10 * power;
	if (raw <= 5 * power)
		a->step = 5 * power;
	if (raw <= 2 * power)
		a->step = 2 * power;
	if (raw <= power)
		a->step = power;
	a->low = floor(a->low / a->step) * a->step;
	a->high = ceil(a->high / a->step - 1e-9) * a->step;
}

static struct axis make_axis(const struct chart *c, bool is_y)
{
	struct axis a = { c->log_x, INFINITY, -INFINITY, LEFT, WIDTH - RIGHT, 0 };

	if (is_y) {
		a.is_log = c->log_y;
		a.from = HEIGHT - BOTTOM;
		a.to = TOP;
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
	finish_axis(&a);
	return a;
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
		numeric_print(label, sizeof(label), fabs(v) < 1e5 ? "%.5g" : "%.2g", v);
		if (is_y) {
			add_rule(out, x->from, at, x->to, at);
			add_text(out, x->from - 8, at + 4, "text-anchor=\"end\"", label);
		} else {
			add_rule(out, at, y->from, at, y->to);
			add_text(out, at, y->from + 18, "text-anchor=\"middle\"", label);
		}
	}
}

static void add_line(const struct chart_series *s, const struct axis *x, const struct axis *y,
	struct strbuf *out)
{
	static const char *const strokes[] = {
		[CHART_LINE] = "1.6\"",
		[CHART_LINE_MARKS] = "1.6\"",
		[CHART_DOTTED] = "1\" stroke-dasharray=\"2 4\"",
	};
	char at[64], pen = 'M';

	strbuf_addf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%s d=\"",
		colors[s->color & 7], strokes[s->style]);
	for (int i = 0; i < s->n; i++) {
		if (!is_shown(x, s->x[i]) || !is_shown(y, s->y[i])) {
			pen = 'M';
			continue;
		}
		numeric_print(at, sizeof(at), "%c%.1f %.1f", pen, place(x, s->x[i]),
			place(y, s->y[i]));
		strbuf_add(out, at);
		pen = 'L';
	}
	strbuf_add(out, "\"/>\n");
}

static void add_series(const struct chart_series *s, const struct axis *x, const struct axis *y,
	struct strbuf *out)
{
	char at[96];

	if (s->style != CHART_MARKS)
		add_line(s, x, y, out);
	if (s->style != CHART_MARKS && s->style != CHART_LINE_MARKS)
		return;
	for (int i = 0; i < s->n; i++) {
		if (!is_shown(x, s->x[i]) || !is_shown(y, s->y[i]))
			continue;
		numeric_print(at, sizeof(at),
			"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"%s\"/>\n",
			place(x, s->x[i]), place(y, s->y[i]), MARK_RADIUS, colors[s->color & 7]);
		strbuf_add(out, at);
	}
}

static void add_legend(const struct chart *c, struct strbuf *out)
{
	double y = TOP + 8, x = WIDTH - RIGHT + 14;
	struct axis still = { .low = 0, .high = 1, .from = 0, .to = 1 };

	for (int i = 0; i < c->n_series; i++) {
		const struct chart_series *s = &c->series[i];
		double xs[] = { x, x + 22 }, ys[] = { y, y };
		struct chart_series key = {
			.style = s->style, .color = s->color, .x = xs, .y = ys, .n = 2
		};

		if (!s->label)
			continue;
		add_series(&key, &still, &still, out);
		add_text(out, x + 30, y + 4, "", s->label);
		y += LEGEND_ROW;
	}
}

void chart_svg(const struct chart *c, struct strbuf *out)
{
	struct axis x = make_axis(c, false), y = make_axis(c, true);
	char turn[96];

	strbuf_addf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 "
		"0 %d %d\">\n",
		WIDTH, HEIGHT, WIDTH, HEIGHT);
	strbuf_add(out,
		"<style>text{font:12px "
		"sans-serif;fill:#222}.title{font-size:16px;font-weight:bold}.note{fill:#666}"
		".grid{stroke:#ddd;stroke-width:1;fill:none}</style>\n<rect width=\"100%\" "
		"height=\"100%\" fill=\"#fff\"/>\n");
	add_text(out, LEFT, 24, "class=\"title\"", c->title);
	if (c->note)
		add_text(out, LEFT, 42, "class=\"note\"", c->note);
	add_text(out, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "text-anchor=\"middle\"",
		c->x_label);
	numeric_print(turn, sizeof(turn),
		"text-anchor=\"middle\" transform=\"rotate(-90 16 %.1f)\"",
		(TOP + HEIGHT - BOTTOM) / 2.0);
	add_text(out, 16, (TOP + HEIGHT - BOTTOM) / 2.0, turn, c->y_label);
	add_ticks(&x, &y, false, out);
	add_ticks(&x, &y, true, out);
	for (int i = 0; i < c->n_series; i++)
		add_series(&c->series[i], &x, &y, out);
	add_legend(c, out);
	strbuf_add(out, "</svg>\n");
}
