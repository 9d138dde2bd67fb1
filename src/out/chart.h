/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws line charts as SVG: axes, ticks, curves, marks, a legend. It does not know what the data
 * mean. */
#ifndef OUT_CHART_H
#define OUT_CHART_H

#include <stdbool.h>

#include "base/strbuf.h"

enum chart_style { CHART_LINE, CHART_MARKS, CHART_LINE_MARKS, CHART_DOTTED };

/* The chart leaves out points that are not finite, or not above 0 on a logarithmic axis. A line has
 * a gap there. */
struct chart_series {
	const char *label;	/* NULL: not in the legend */
	enum chart_style style;
	int color;		/* 0 to 7; series of one colour belong together */
	const double *x, *y;
	int n;
};

/* The chart does not translate its texts. Axes span the data; linear axes include 0. */
struct chart {
	const char *title;
	const char *note;	/* below the title, NULL */
	const char *x_label, *y_label;
	bool log_x, log_y;
	const struct chart_series *series;
	int n_series;
};

void chart_svg(const struct chart *c, struct strbuf *out);

#endif
