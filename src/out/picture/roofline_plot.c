/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws rooflines. */
#include "config.h"

#include "out/picture/roofline_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "out/picture/chart.h"
#include "base/fsroot.h"
#include "base/mem.h"
#include "base/numeric.h"
#include "base/strbuf.h"

/* How far the picture reaches to both sides of the ridges, as a factor. */
#define MARGIN 16
/* Kernels that take the most time; behind them the dots are small. */
#define KERNELS_MAX 16
#define MAX_SERIES (2 * ROOFLINE_MAX_ROOFS + 2 * ROOFLINE_MAX_VIEWS + KERNELS_MAX)

const char *roofline_unit(enum roof_role role)
{
	return role == ROOF_FLOP ? "GFLOP/s" : "GB/s";
}

struct picture {
	const struct roofline *r;
	double low, high;		/* of the intensity axis */
	double peak, widest;		/* the highest bounds, FLOP/s and B/s; NAN when unknown */
	struct chart_series series[MAX_SERIES];
	double x[MAX_SERIES][2], y[MAX_SERIES][2];
	char labels[MAX_SERIES][64];
	int n;
};

/* Adds the series whose points stand in x and y. A NULL label keeps it out of the legend. */
static void add(struct picture *p, enum chart_style style, int color, int points, const char *label)
{
	struct chart_series *s = &p->series[p->n];

	*s = (struct chart_series){
		.style = style, .color = color, .x = p->x[p->n], .y = p->y[p->n], .n = points
	};
	if (label) {
		snprintf(p->labels[p->n], sizeof(p->labels[0]), "%s", label);
		s->label = p->labels[p->n];
	}
	p->n++;
}

/* Draws a bandwidth from the left edge up to the highest roof, and a performance from the first
 * ridge to the right edge. */
static void add_bound(struct picture *p, const struct roof *roof, double bound,
	enum chart_style style, int color)
{
	double *x = p->x[p->n], *y = p->y[p->n];
	char label[64];

	if (!isfinite(bound) || !isfinite(p->peak))
		return;
	x[0] = p->low;
	x[1] = p->high;
	y[0] = y[1] = bound / 1e9;
	if (roof->role == ROOF_BYTES) {
		x[1] = p->peak / bound;
		y[0] = p->low * bound / 1e9;
		y[1] = p->peak / 1e9;
	} else if (p->widest > 0) {
		x[0] = fmax(p->low, bound / p->widest);
	}
	numeric_print(label, sizeof(label), "%.20s %.4g %s", roof->label, bound / 1e9,
		roofline_unit(roof->role));
	/* The theory is drawn beside what was measured and then needs no line in the legend. */
	add(p, style, color, 2,
		style == CHART_DOTTED && isfinite(roof->measured) ? NULL : label);
}

static void add_point(struct picture *p, const struct roof_point *at, int color, const char *level,
	const char *what)
{
	char label[64];

	if (!isfinite(at->intensity) || !isfinite(at->flop_per_s))
		return;
	p->x[p->n][0] = at->intensity;
	p->y[p->n][0] = at->flop_per_s / 1e9;
	snprintf(label, sizeof(label), "%s (%s)", what, level);
	add(p, CHART_MARKS, color, 1, label);
}

/* Adds the counted kernels at the outermost level of memory that each has; a kernel that takes all
 * the time has nine times the area of one that takes none. */
static void add_kernels(struct picture *p, const struct kernel_list *l)
{
	char label[64];
	int left = KERNELS_MAX;

	for (int i = 0; l && i < l->n && left > 0; i++) {
		const struct kernel_line *k = &l->lines[i];
		int at = p->r->n_views - 1, first = p->n;

		while (at > 0 && !isfinite(k->points[at].intensity))
			at--;
		if (!k->counted || at < 0)
			continue;
		snprintf(label, sizeof(label), "%.40s", k->name);
		add_point(p, &k->points[at], KERNELS_MAX - left + 2, p->r->views[at].level, label);
		if (p->n == first)
			continue;
		p->series[first].size = 1 + 2 * sqrt(fmin(fmax(k->share, 0), 1));
		left--;
	}
}

/* Chooses the range so that all ridges and points are in the picture. */
static void find_range(struct picture *p)
{
	const struct roofline *r = p->r;
	const struct roof *top = roofline_top(r);

	p->peak = top ? roof_bound(top) : NAN;
	p->widest = NAN;
	for (int i = 0; i < r->n_roofs; i++)
		if (r->roofs[i].role == ROOF_BYTES)
			p->widest = fmax(p->widest, roof_bound(&r->roofs[i]));
	p->low = INFINITY;
	p->high = 0;
	for (int i = 0; i < r->n_views; i++) {
		double ridge = roofline_ridge(r, &r->views[i], NULL);

		if (!isfinite(ridge))
			continue;
		p->low = fmin(p->low, ridge);
		p->high = fmax(p->high, ridge);
	}
	if (!(p->high > 0))
		p->low = p->high = 1;
	p->low /= MARGIN;
	p->high *= MARGIN;
	for (int i = 0; i < r->n_views; i++) {
		double x = r->views[i].live.intensity;

		if (!isfinite(x) || !(x > 0))
			continue;
		p->low = fmin(p->low, x / 2);
		p->high = fmax(p->high, 2 * x);
	}
}

void roofline_svg(const struct roofline *r, const struct kernel_list *kernels, const char *title,
	const char *note, struct strbuf *out)
{
	struct picture *p = xcalloc(1, sizeof(*p));
	struct chart chart = { .title = title,
		.note = note,
		.x_label = "FLOP/B",
		.y_label = "GFLOP/s",
		.log_x = true,
		.log_y = true,
		.series = p->series };

	p->r = r;
	find_range(p);
	for (int i = 0; i < r->n_roofs; i++) {
		add_bound(p, &r->roofs[i], r->roofs[i].measured, CHART_LINE, i);
		add_bound(p, &r->roofs[i], r->roofs[i].theory.v, CHART_DOTTED, i);
	}
	add_kernels(p, kernels);
	for (int i = 0; i < r->n_views; i++) {
		add_point(p, &r->views[i].live, i, r->views[i].level, "now");
		add_point(p, &r->views[i].predicted, i + 4, r->views[i].level, "predicted");
	}
	chart.n_series = p->n;
	chart_svg(&chart, out);
	free(p);
}

bool roofline_plot(const struct roofline *r, const struct kernel_list *kernels, const char *title,
	const char *note, const char *path, struct err *err)
{
	struct strbuf out = { 0 };

	roofline_svg(r, kernels, title, note, &out);
	bool good = file_replace(path, strbuf_str(&out), out.len, err);
	strbuf_release(&out);
	return good;
}
