/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the roofline screen, which other screens may use, too; inside ui/ only. */
#ifndef UI_ROOF_H
#define UI_ROOF_H

#include "core/roofline.h"
#include "ui/screen.h"

#define ROOF_TRAILS 4		/* lengths of trails to choose from */
#define ROOF_NEW_TRAIL_S 10	/* younger points have a sign of their own */

/* Of the snapshot that is shown; NULL when there is none, or none with a roof. */
const struct roofline *roof_line(const struct view_model *m);
/* The user's level of memory; NULL when there is no roofline, or it has none. */
const struct roof_view *roof_level(const struct view *v, const struct roofline *r);
/* Level number n of the roofline. The outermost memory comes first, which is the one that most often
 * bounds; levels whose bandwidth nobody knows come last. */
const struct roof_view *roof_nth_level(const struct roofline *r, int n);
/* Returns how far back trails go, in s. */
int roof_trail_s(const struct view *v);
/* "GFLOP/s" or "FLOP/cycle", as the user wants FLOP. */
const char *roof_unit(const struct view *v);
/* A roof in the unit of its kind (bytes: GB/s), with as many decimals as the highest of its kind;
 * "--" when it is not known. */
const char *roof_number(char *buf, size_t size, const struct roofline *r, const struct view *v,
	const struct roof *roof);

/* roof_plot.c: the plot with its axes into area. False, and nothing is drawn: it is too small. */
bool roof_plot_draw(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect area);
/* A small one in a frame, whose title has the level, the unit and the headroom. */
void roof_pane_draw(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect box);

/* "8.60x", what is allowed over what is reached; "--" when there is no point. */
const char *roof_headroom(
	char *buf, size_t size, const struct roofline *r, const struct roof_view *view);
/* roof_words.c: roofs, levels, legend and marks in a frame; a line; the same as text, where no plot
 * fits. */
void roof_panel_draw(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect box);
void roof_foot_draw(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect line);
void roof_text_draw(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect area);

#endif
