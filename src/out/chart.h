/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line charts as SVG: axes, ticks, curves, marks, a legend. Knows nothing of what it draws. */
#ifndef OUT_CHART_H
#define OUT_CHART_H

#include <stdbool.h>

#include "base/strbuf.h"

enum chart_style { CHART_LINE, CHART_MARKS, CHART_LINE_MARKS, CHART_DOTTED };

/* Points that are not finite, or not above 0 on a logarithmic axis, are left out; a line has a gap
 * there. */
struct chart_series {
	const char *label;	/* NULL: not in the legend */
	enum chart_style style;
	int color;		/* 0 to 7; series of one colour belong together */
	const double *x, *y;
	int n;
};

/* Text is not translated here. Ranges are those of the data; from 0 on linear axes. */
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
