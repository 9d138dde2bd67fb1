/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the roofline screen, which other screens in ui/ may use, too. */
#pragma once

#include "core/roofline/roofline.h"
#include "ui/frame/screen.h"

#define ROOF_TRAILS 4		/* lengths of trails to choose from */
#define ROOF_ZOOMS 3		/* all, half, a quarter of the plot */
#define ROOF_NEW_TRAIL_S 10	/* points younger than this have a sign of their own */

/* Returns the roofline of the snapshot that is shown, or NULL when there is none, or none with a
 * roof. */
const struct roofline *roof_line(const struct view_model *m);
/* Returns the level of memory that the user chose, or NULL when there is no roofline, or it has no
 * level. */
const struct roof_view *roof_level(const struct view *v, const struct roofline *r);
/* Returns level number n of the roofline. The outermost memory comes first, because it most often
 * bounds; levels whose bandwidth nobody knows come last. */
const struct roof_view *roof_nth_level(const struct roofline *r, int n);
/* Returns how far back trails go, in s. */
int roof_trail_s(const struct view *v);
/* Returns "GFLOP/s" or "FLOP/cycle", as the user wants FLOP to be counted. */
const char *roof_unit(const struct roofline *r, const struct view *v);
/* How many FLOP/s that is. */
double roof_unit_flop_per_s(const struct roofline *r, const struct view *v);
/* Writes a roof in the unit of its kind (bytes: GB/s), with as many decimals as the highest of its
 * kind, or "--" when it is not known. */
const char *roof_number(char *buf, size_t size, const struct roofline *r, const struct view *v,
	const struct roof *roof);

/* Draws the plot with its axes into area (roof_plot.c). Returns false, and draws nothing, when the
 * area is too small. */
bool roof_plot_draw(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect area);
/* Draws a small plot in a frame, whose title has the level, the unit and the headroom. */
void roof_pane_draw(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect box);

/* Writes "8.60x", what is allowed over what is reached, or "--" when there is no point. */
const char *roof_headroom(
	char *buf, size_t size, const struct roofline *r, const struct roof_view *view);
/* roof_words.c draws roofs, levels, legend and marks in a frame, one line of them, or the same as
 * text where no plot fits. */
void roof_panel_draw(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect box);
void roof_foot_draw(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect line);
void roof_text_draw(
	struct screen *s, const struct roofline *r, const struct roof_view *view, struct rect area);
