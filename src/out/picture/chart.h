/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws charts of lines or bars as SVG: axes, ticks, curves, marks, a legend. It does not know what
 * the data mean. The canvas grows with the title and the legend, so that no text leaves it. Lines
 * with marks that others lie on are wider than these, so that all of them are seen. */
#pragma once

#include <stdbool.h>

#include "base/strbuf.h"

/* CHART_BARS: a bar from 0 for each point, with its value above it, or its end alone where the axis
 * begins above 0; x counts the names of the chart's x_names from 0. Several series of bars stand
 * side by side. */
enum chart_style { CHART_LINE, CHART_MARKS, CHART_LINE_MARKS, CHART_DOTTED, CHART_BARS };

#define CHART_COLORS 16
#define CHART_MARKS_KNOWN 6

/* The chart leaves out points that are not finite, or not above 0 on a logarithmic axis. A line has
 * a gap there. */
struct chart_series {
	const char *label;	/* NULL: not in the legend */
	enum chart_style style;
	/* Both count on from 0 again after the last one. Series of one colour belong together. A
	 * colour below 0 is black, which no other one is. */
	int color, mark;
	double size;	/* of marks; 0: 1 */
	const double *x, *y;
	int n;
};

/* The chart does not translate its texts. Axes span the data; linear axes include 0. */
struct chart {
	const char *title;
	const char *note;	/* below the title, NULL */
	const char *caption;	/* below the axis, NULL */
	const char *x_label, *y_label;
	const char *const *x_names;	/* in place of numbers, or NULL */
	int n_x_names;
	bool log_x, log_y;
	/* The y axis may begin above 0, where the data are near each other and far from 0; its
	 * label then says where. */
	bool may_cut_y;
	const struct chart_series *series;
	int n_series;
};

void chart_svg(const struct chart *c, struct strbuf *out);
