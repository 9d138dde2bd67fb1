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

/* A value's place: low to high over from to to. */
struct axis {
	bool is_log;
	double low, high;
	double from, to;
	double step;	/* between ticks; on a logarithmic axis a factor */
};

static const char *const colors[] = { "#1f5fa8", "#c4561b", "#2c7a3f", "#8b3a8b", "#8a6d00",
	"#008080", "#a02040", "#555555" };

static double place(const struct axis *a, double v)
{
	double share = a->is_log ? log(v / a->low) / log(a->high / a->low)
				 : (v - a->low) / (a->high - a->low);

	return a->from + share * (a->to - a->from);
}

static bool is_shown(const struct axis *a, double v)
{
	return isfinite(v) && (!a->is_log || v > 0);
}

static void grow(struct axis *a, double v)
{
	if (!is_shown(a, v))
		return;
	a->low = fmin(a->low, v);
	a->high = fmax(a->high, v);
}

/* 1, 2 or 5 times a power of ten. */
static double nice_step(double raw)
{
	double power = pow(10, floor(log10(raw)));
	double m = raw / power;

	return power * (m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10);
}

/* Ends fall on ticks. Without any data the axis goes from 0 (or 1) to 1 (or 10). */
static void finish_axis(struct axis *a)
{
	double decades;

	if (!(a->low <= a->high)) {
		a->low = a->is_log ? 1 : 0;
		a->high = a->is_log ? 10 : 1;
	}
	if (a->is_log) {
		a->low = exp2(floor(log2(a->low) + 1e-9));
		a->high = exp2(ceil(log2(a->high) - 1e-9));
		if (!(a->high > a->low))
			a->high = 2 * a->low;
		decades = log2(a->high / a->low);
		a->step = exp2(ceil(decades / (2 * TICKS)));
		return;
	}
	a->low = fmin(a->low, 0);
	if (!(a->high > a->low))
		a->high = a->low + 1;
	a->step = nice_step((a->high - a->low) / TICKS);
	a->low = floor(a->low / a->step) * a->step;
	a->high = ceil(a->high / a->step - 1e-9) * a->step;
}

static struct axis make_axis(const struct chart *c, bool is_y)
{
	struct axis a = {
		.is_log = is_y ? c->log_y : c->log_x, .low = INFINITY, .high = -INFINITY
	};

	a.from = is_y ? HEIGHT - BOTTOM : LEFT;
	a.to = is_y ? TOP : WIDTH - RIGHT;
	for (int i = 0; i < c->n_series; i++)
		for (int k = 0; k < c->series[i].n; k++)
			grow(&a, is_y ? c->series[i].y[k] : c->series[i].x[k]);
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

static void add_tick(
	const struct axis *x, const struct axis *y, bool is_y, double v, struct strbuf *out)
{
	char label[32];

	numeric_print(label, sizeof(label), fabs(v) < 1e5 ? "%.5g" : "%.2g", v);
	if (is_y) {
		add_rule(out, x->from, place(y, v), x->to, place(y, v));
		add_text(out, x->from - 8, place(y, v) + 4, "text-anchor=\"end\"", label);
	} else {
		add_rule(out, place(x, v), y->from, place(x, v), y->to);
		add_text(out, place(x, v), y->from + 18, "text-anchor=\"middle\"", label);
	}
}

static void add_ticks(const struct axis *x, const struct axis *y, bool is_y, struct strbuf *out)
{
	const struct axis *a = is_y ? y : x;
	int n = (int)lround(a->is_log ? floor(log2(a->high / a->low) / log2(a->step) + 1e-9)
				      : (a->high - a->low) / a->step);

	for (int i = 0; i <= n; i++)
		add_tick(x, y, is_y, a->is_log ? a->low * pow(a->step, i) : a->low + i * a->step,
			out);
}

static void add_line(const struct chart_series *s, const struct axis *x, const struct axis *y,
	struct strbuf *out)
{
	bool pen_down = false;
	char at[64];

	strbuf_addf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"%s d=\"",
		colors[s->color & 7], s->style == CHART_DOTTED ? "1" : "1.6",
		s->style == CHART_DOTTED ? " stroke-dasharray=\"2 4\"" : "");
	for (int i = 0; i < s->n; i++) {
		if (!is_shown(x, s->x[i]) || !is_shown(y, s->y[i])) {
			pen_down = false;
			continue;
		}
		numeric_print(at, sizeof(at), "%c%.1f %.1f", pen_down ? 'L' : 'M',
			place(x, s->x[i]), place(y, s->y[i]));
		strbuf_add(out, at);
		pen_down = true;
	}
	strbuf_add(out, "\"/>\n");
}

static void add_marks(const struct chart_series *s, const struct axis *x, const struct axis *y,
	struct strbuf *out)
{
	char at[96];

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
		if (s->style != CHART_MARKS)
			add_line(&key, &still, &still, out);
		if (s->style == CHART_MARKS || s->style == CHART_LINE_MARKS)
			add_marks(&key, &still, &still, out);
		add_text(out, x + 30, y + 4, "", s->label);
		y += LEGEND_ROW;
	}
}

static void add_labels(const struct chart *c, struct strbuf *out)
{
	char turn[96];

	add_text(out, LEFT, 24, "class=\"title\"", c->title);
	if (c->note)
		add_text(out, LEFT, 42, "class=\"note\"", c->note);
	add_text(out, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "text-anchor=\"middle\"",
		c->x_label);
	numeric_print(turn, sizeof(turn),
		"text-anchor=\"middle\" transform=\"rotate(-90 16 %.1f)\"",
		(TOP + HEIGHT - BOTTOM) / 2.0);
	add_text(out, 16, (TOP + HEIGHT - BOTTOM) / 2.0, turn, c->y_label);
}

void chart_svg(const struct chart *c, struct strbuf *out)
{
	struct axis x = make_axis(c, false), y = make_axis(c, true);

	strbuf_addf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 "
		"0 %d %d\">\n",
		WIDTH, HEIGHT, WIDTH, HEIGHT);
	strbuf_add(out,
		"<style>text{font:12px "
		"sans-serif;fill:#222}.title{font-size:16px;font-weight:bold}.note{fill:#666}"
		".grid{stroke:#ddd;stroke-width:1;fill:none}</style>\n<rect width=\"100%\" "
		"height=\"100%\" fill=\"#fff\"/>\n");
	add_labels(c, out);
	add_ticks(&x, &y, false, out);
	add_ticks(&x, &y, true, out);
	for (int i = 0; i < c->n_series; i++) {
		if (c->series[i].style != CHART_MARKS)
			add_line(&c->series[i], &x, &y, out);
		if (c->series[i].style == CHART_MARKS || c->series[i].style == CHART_LINE_MARKS)
			add_marks(&c->series[i], &x, &y, out);
	}
	add_legend(c, out);
	strbuf_add(out, "</svg>\n");
}
