/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows around the cells of a map the past of each and of the selected one, and how evenly they
 * share. */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "ui/screens/map.h"
#include "ui/frame/pane_meters.h"
#include "ui/frame/table.h"
#include "ui/draw/plot.h"

void map_history_draw(struct screen *s, const struct map_choice *ch, struct rect r)
{
	char extra[64];
	int name_w = map_longest_name(ch->map), top, x, w;

	snprintf(extra, sizeof(extra), _("newest right, top is %g"), ch->top);
	struct rect in = box_frame(s, r, false, _("History"), extra);
	top = layout_scroll(0, ch->cell, in.h, ch->map->n);
	x = in.x + name_w + 2;
	w = in.w - name_w - 3 - MAP_NUMBER_W;
	for (int i = 0; i < in.h && top + i < ch->map->n; i++) {
		int cell = top + i;
		struct series series = { .history = ch->history,
			.column = cell * ch->map->n_metrics + ch->column,
			.top = ch->top };
		char number[32];
		enum role name = ROLE_LABEL, value = ROLE_VALUE;

		if (cell == ch->cell)
			name = value = ROLE_SELECTED;
		table_row(s, in, in.x, in.y + i, cell, cell == ch->cell);
		canvas_field(s->c, in.x + 1, in.y + i, name_w, false, name, ch->map->names[cell]);
		plot_spark(s->c, s->g, (struct rect){ x, in.y + i, w, 1 }, &series);
		canvas_field(s->c, in.x + in.w - MAP_NUMBER_W, in.y + i, MAP_NUMBER_W - 1, true,
			value, map_number(ch, cell, number, sizeof(number)));
	}
	box_scroll_mark(s, r, top, in.h, ch->map->n);
}

void map_graph_draw(struct screen *s, const struct map_choice *ch, struct rect r)
{
	char title[96];
	struct graph graph = { title, ch->m,
		{ .history = ch->history,
			.column = ch->cell * ch->map->n_metrics + ch->column,
			.top = ch->top },
		cell_value(ch->map, ch->cell, ch->metric).v, ch->number_scale, false };

	snprintf(title, sizeof(title), "%s: %s", ch->map->names[ch->cell], metric_label(ch->m));
	pane_graph_series(s, &graph, r);
}

/* Draws the part of the curve k / (S ceil(k / S)) that has the groups of the load in its middle,
 * which is marked. */
static void draw_curve(struct screen *s, const struct map_choice *ch, struct rect r)
{
	static const char shades[] = ".:-=+*#%@";
	uint64_t half = (uint64_t)r.w / 2, first = ch->groups > half ? ch->groups - half : 1;

	for (int i = 0; i < r.w; i++) {
		uint64_t k = first + (uint64_t)i;
		double f = balance_curve(k, ch->map->n);
		uint32_t glyph = (uint32_t)shades[(int)(f * 8)];

		if (s->g->braille)
			glyph = 0x2581 + (uint32_t)(f * 7);
		canvas_put(s->c, r.x + i, r.y, glyph,
			k == ch->groups ? ROLE_SELECTED : ROLE_GRAPH);
	}
}

/* Draws what groups that are dealt in turn let expect, with the curve. Returns the lines that it
 * took. */
static int draw_expected(struct screen *s, const struct map_choice *ch, struct rect in, int y)
{
	char line[96];

	if (!ch->groups || y + 2 > in.y + in.h)
		return 0;
	/* TRANSLATORS: the number is mean over max for so many work-groups on so many cells */
	snprintf(line, sizeof(line),
		ngettext("%llu group on %d: mean over max %.3f",
			"%llu groups on %d: mean over max %.3f", (unsigned long)ch->groups),
		(unsigned long long)ch->groups, ch->map->n,
		balance_curve(ch->groups, ch->map->n));
	glyphs_field(s->c, s->g, in.x + 1, y, in.w - 2, ROLE_TEXT, line);
	draw_curve(s, ch, (struct rect){ in.x + 1, y + 1, in.w - 2, 1 });
	return 2;
}

void map_balance_draw(struct screen *s, const struct map_choice *ch, struct rect r)
{
	const struct cell_stats *st = &ch->stats;
	struct rect in = box_frame(s, r, false, _("Balance"), NULL);
	char line[96];
	int y = in.y, count[MAP_CLASSES] = { 0 };

	/* A class ends below its upper bound; the last one includes the top. */
	for (int i = 0; i < ch->map->n; i++) {
		double f = map_fraction(ch, i);

		if (!isnan(f) && !cell_is_stale(ch->snap, ch->map, i, s->m->delay_ns))
			count[(int)fmin(f * MAP_CLASSES, MAP_CLASSES - 1)]++;
	}
	canvas_clip(s->c, in);
	/* TRANSLATORS: ? and x are the signs of such cells on the map */
	snprintf(line, sizeof(line), _("%d cells, %d stale ?, %d missing x"), st->n, st->stale,
		st->none);
	glyphs_field(s->c, s->g, in.x + 1, y++, in.w - 2, ROLE_TEXT, line);
	map_range_text(ch, line, sizeof(line));
	glyphs_field(s->c, s->g, in.x + 1, y++, in.w - 2, ROLE_TEXT, line);
	if (!isnan(st->imbalance)) {
		snprintf(line, sizeof(line), _("imbalance, max over mean  %.2f"), st->imbalance);
		glyphs_field(s->c, s->g, in.x + 1, y++, in.w - 2, ROLE_TEXT, line);
	}
	y += draw_expected(s, ch, in, y);
	for (int i = MAP_CLASSES - 1; i >= 0 && y < in.y + in.h; i--, y++) {
		snprintf(line, sizeof(line), "%4g -%5g %4d", ch->top * i / MAP_CLASSES,
			ch->top * (i + 1) / MAP_CLASSES, count[i]);
		canvas_text(s->c, in.x + 1, y, count[i] ? ROLE_TEXT : ROLE_DIM, line);
		if (count[i])
			plot_bar(s->c, s->g, (struct rect){ in.x + 18, y, in.w - 19, 1 },
				(double)count[i] / ch->map->n);
	}
	canvas_unclip(s->c);
}
