/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A map: one metric for each part of the device, as shades and numbers, with what the parts have in
 * common and their past. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "ui/screens/map.h"
#include "ui/frame/pane_meters.h"
#include "ui/draw/plot.h"
#include "base/minmax.h"

#define HISTORY_MIN_H 4
#define BALANCE_W 38
#define BALANCE_MIN_H 8
#define GRAPH_MIN_H 6

static bool choose(const struct view *v, const struct view_model *m, struct map_choice *ch)
{
	const struct map_view *at = &v->map;

	*ch = (struct map_choice){ .snap = m->snap };
	if (!m->snap || m->snap->set != m->set)
		ch->snap = m->bound;
	if (!ch->snap || ch->snap->set != m->set || ch->snap->n_maps < 1)
		return false;
	if (at->map >= 0 && at->map < ch->snap->n_maps)
		ch->index = at->map;
	ch->map = &ch->snap->maps[ch->index];
	if (at->metric >= 0 && at->metric < ch->map->n_metrics)
		ch->column = at->metric;
	ch->metric = ch->map->metrics[ch->column];
	ch->m = &m->set->metrics[ch->metric];
	ch->cell = clamp(at->cell, 0, ch->map->n - 1);
	ch->groups = balance_groups(ch->snap, ch->map);
	if (m->cell_history)
		ch->history = &m->cell_history[ch->index];
	return true;
}

/* The roof, or else a round number above all values so far; the highest cell when the user
 * wants. */
static double scale_top(
	const struct view *v, const struct view_model *m, const struct map_choice *ch)
{
	double ceiling = meter_ceiling(m, ch->metric), max = 0;

	if (ceiling > 0 && !v->map.relative)
		return ceiling;
	for (int i = 0; i < ch->map->n; i++) {
		max = fmax(max, cell_value(ch->map, i, ch->metric).v);
		if (!v->map.relative && ch->history && ch->history->max)
			max = fmax(
				max, (double)ch->history->max[i * ch->map->n_metrics + ch->column]);
	}
	if (v->map.relative && max > 0)
		return max;
	return plot_nice_top(max);
}

/* --- the screen --- */

/* Why there is no map, and what would give one. */
static void draw_nothing(struct screen *s)
{
	const struct view_model *m = s->m;
	const char *set = m->set ? m->set->name : "--";
	struct rect r = s->l.body;
	char text[400];

	if (!m->snap && !m->bound)
		snprintf(text, sizeof(text), "%s", _("no complete window has been measured yet"));
	else if (!m->map_set && m->device && m->device->recorded)
		snprintf(text, sizeof(text),
			_("The set %s counts the device as a whole: there is no map of its "
			  "parts.\nIt is what the recording holds."),
			set);
	else if (!m->map_set)
		snprintf(text, sizeof(text),
			_("The set %s counts the device as a whole, and no other set of this "
			  "device has a map of its parts."),
			set);
	else if (m->paused)
		snprintf(text, sizeof(text),
			_("The map has a set of its own, %s, which counts when the screen is not "
			  "paused (Space)."),
			m->map_set);
	else if (m->recording)
		snprintf(text, sizeof(text),
			_("The map has a set of its own, %s, and a recording holds what one set "
			  "counts: the map comes when it has ended."),
			m->map_set);
	else
		snprintf(text, sizeof(text),
			_("The map has a set of its own, %s, which this device does not count "
			  "now: the log says why."),
			m->map_set);
	canvas_clip(s->c, r);
	box_text(s->c, (struct rect){ r.x + 2, r.y + r.h / 3, max_of(r.w - 4, 1), r.h - r.h / 3 },
		0, text);
	canvas_unclip(s->c);
}

/* Says in place of a map that it comes, or why it does not: no cell of it was ever counted. */
static void draw_unmeasured(struct screen *s, const struct map_choice *ch)
{
	const struct value v = ch->snap->values[ch->metric];
	char text[300];

	map_title(ch, text, sizeof(text));
	struct rect in = box_frame(s, s->l.body, true, text, NULL);
	if (v.why == WHY_OK || v.why == WHY_NOT_YET)
		snprintf(text, sizeof(text),
			_("The map of %s is not measured yet. The set %s counts it while this "
			  "screen is shown; the first result comes after a window of %g s."),
			metric_label(ch->m), s->m->set->name, (double)s->m->delay_ns / NS_PER_S);
	else
		snprintf(text, sizeof(text), _("The map of %s has no values: %s."),
			metric_label(ch->m), _(why_text(v.why)));
	box_text(s->c, (struct rect){ in.x + 1, in.y + in.h / 3, in.w - 2, in.h - in.h / 3 }, 0,
		text);
}

/* Height of the pane that has a line for each of n cells. With few cells the figures beside it need
 * more. */
static int history_rows(int n, int w, int room)
{
	static const int wanted[] = { 3 + MAP_CLASSES + 2, BALANCE_MIN_H };

	for (size_t i = 0; i < ARRAY_LEN(wanted) && w >= 2 * BALANCE_W; i++)
		if (n + 2 < wanted[i] && room >= wanted[i] + GRAPH_MIN_H)
			return wanted[i];
	return n + 2;
}

/* The grid stands above, past and figures below it, and the selected cell's past at the bottom,
 * each only where it has room. */
static void divide(const struct screen *s, struct map_choice *ch, struct rect panes[4])
{
	struct rect r = s->l.body, in = { 0, 0, r.w - 2, r.h };
	struct map_shape p;
	int few = 2, most = MAP_CELL_MAX_H;	/* lines of a cell */
	int words = ch->groups ? 2 : ch->map->n > 1;
	int least, wanted, rows, below = ch->map->n + 2 + 2 * GRAPH_MIN_H;

	memset(panes, 0, 4 * sizeof(panes[0]));
	panes[0] = r;
	map_shape_make(&p, s->v, ch->map, in);
	if (p.digits)
		few = most = 1;
	least = 2 + 1 + p.head_h + p.g.rows * few + 1;
	below = min_of(max_of(below, BALANCE_MIN_H + 2), r.h - least);
	if (below < HISTORY_MIN_H)
		return;
	/* What the grid does not want, frame, names and statement included, is for the rest. */
	wanted = p.g.rows * most + p.head_h + 2 + (*ch->map->text != '\0') + words;
	below = max_of(below, r.h - wanted);
	panes[0].h = r.h - below;
	panes[1] = (struct rect){ r.x, r.y + panes[0].h, r.w, below };
	rows = history_rows(ch->map->n, r.w, below);
	if (below >= rows + GRAPH_MIN_H) {
		panes[1].h = rows;
		panes[3] = (struct rect){ r.x, panes[1].y + panes[1].h, r.w, below - panes[1].h };
	}
	if (r.w >= 2 * BALANCE_W && below >= BALANCE_MIN_H) {
		panes[1].w = r.w - BALANCE_W;
		ch->has_balance = true;
		panes[2] = (struct rect){ r.x + panes[1].w, panes[1].y, BALANCE_W, panes[1].h };
	}
	/* Words have the lines that the cells do not need. */
	in = map_cells_rect(ch, panes[0]);
	ch->says = clamp(in.h - p.head_h - p.g.rows, 0, words);
}

static void draw(struct screen *s)
{
	struct map_choice ch;
	struct rect panes[4];

	if (!choose(s->v, s->m, &ch)) {
		draw_nothing(s);
		return;
	}
	ch.top = scale_top(s->v, s->m, &ch);
	ch.number_scale = meter_number_scale(s->m, ch.metric);
	ch.stats = cell_stats_make(ch.snap, ch.map, ch.metric, s->m->delay_ns);
	balance_make(
		&ch.balance, ch.map, ch.metric, balance_since_ns(ch.snap, s->m->delay_ns));
	if (!map_is_measured(&ch)) {
		draw_unmeasured(s, &ch);
		return;
	}
	divide(s, &ch, panes);
	map_pane_draw(s, &ch, panes[0]);
	if (panes[1].h > 0)
		map_history_draw(s, &ch, panes[1]);
	if (panes[3].h > 0)
		map_graph_draw(s, &ch, panes[3]);
	if (panes[2].h > 0)
		map_balance_draw(s, &ch, panes[2]);
}

/* --- keys --- */

static void move_cell(struct view *v, const struct screen *s, enum command cmd)
{
	struct map_choice ch;
	int cell;

	if (!choose(v, s->m, &ch) || s->l.number_only)
		return;
	switch (cmd) {
	case CMD_TOP: v->map.cell = 0; return;
	case CMD_BOTTOM: v->map.cell = ch.map->n - 1; return;
	case CMD_LEFT: cell = ch.cell - 1; break;
	case CMD_RIGHT: cell = ch.cell + 1; break;
	case CMD_UP: cell = v->map.above; break;
	case CMD_DOWN: cell = v->map.below; break;
	default: return;
	}
	if (cell >= 0 && cell < ch.map->n)
		v->map.cell = cell;
}

/* --- what the screen draws --- */

/* The next metric of this map, then the first one of the next map; or the one before. */
static enum command step_metric(struct view *v, const struct view_model *m, int step)
{
	struct map_choice ch;

	if (!choose(v, m, &ch))
		return CMD_NONE;
	v->map.metric = ch.column + step;
	if (v->map.metric >= 0 && v->map.metric < ch.map->n_metrics)
		return CMD_NONE;
	v->map.map = (ch.index + ch.snap->n_maps + step) % ch.snap->n_maps;
	v->map.metric = step > 0 ? 0 : ch.snap->maps[v->map.map].n_metrics - 1;
	if (v->map.map != ch.index)
		v->map.cell = 0;
	return CMD_NONE;
}

static void metric_text(const struct view *v, const struct view_model *m, char *buf, size_t size)
{
	struct map_choice ch;

	snprintf(buf, size, "%s", choose(v, m, &ch) ? metric_label(ch.m) : "--");
}

static enum command step_set(struct view *v, const struct view_model *m, int step)
{
	(void)v;
	(void)m;
	(void)step;
	return CMD_MAP_SET;
}

static void set_text(const struct view *v, const struct view_model *m, char *buf, size_t size)
{
	(void)v;
	snprintf(buf, size, "%s", m->set ? m->set->name : "--");
}

static const struct drawn_line drawn[] = {
	DRAWN_LINE(N_("metric"), metric_text, step_metric),
	DRAWN_LINE(N_("set"), set_text, step_set),
	DRAWN_SWITCH(N_("shades up to"), map.relative, N_("the roof"), N_("the highest cell")),
	DRAWN_SWITCH(N_("cells as"), map.digits, N_("shades"), N_("one digit")),
};

static bool command(
	struct view *v, const struct screen *s, enum command cmd, enum command *out)
{
	if (select_is_move(cmd) || cmd == CMD_LEFT || cmd == CMD_RIGHT)
		move_cell(v, s, cmd);
	else if (cmd == CMD_PANE_NEXT)
		*out = step_metric(v, s->m, 1);
	else if (cmd == CMD_PANE_PREVIOUS)
		*out = step_metric(v, s->m, -1);
	else
		return false;
	return true;
}

static int explained(const struct view *v, const struct view_model *m)
{
	struct map_choice ch;

	if (!choose(v, m, &ch))
		return -1;
	return ch.metric;
}

static bool cell_has(const void *rows, int row, const char *text)
{
	const struct cell_map *map = rows;

	return select_contains(map->names[row], text);
}

/* A cell by its name. */
static bool find(struct view *v, const struct screen *s, const char *text, int step)
{
	struct map_choice ch;

	if (!choose(v, s->m, &ch))
		return false;
	struct select_rows rows = { ch.map, ch.map->n, ch.cell, cell_has };
	return view_find_row(v, s, &rows, text, step);
}

static void choose_cell(struct view *v, const struct view_model *m, int list, int row)
{
	(void)m;
	(void)list;
	v->map.cell = row;
}

static const struct footer_key footer[] = {
	{ CMD_PANE_NEXT, CMD_NONE, N_("Metric") },
	{ CMD_DRAWN, CMD_NONE, N_("Draw") },
	{ CMD_EXPLAIN, CMD_NONE, N_("Explain") },
	{ CMD_PAUSE, CMD_NONE, N_("Pause") },
	{ CMD_FASTER, CMD_SLOWER, N_("Rate") },
};

const struct screen_ops screen_map = {
	SCREEN_FOOTER(footer),
	SCREEN_DRAWN(drawn),
	.metric = explained,
	.draw = draw,
	.command = command,
	.find = find,
	.choose = choose_cell,
};
