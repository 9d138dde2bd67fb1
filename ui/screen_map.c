/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A map: one metric for each part of the device, as shades and numbers, with what the parts have in common and their past. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/mem.h"
#include "ui/grid.h"
#include "ui/pane_meters.h"
#include "ui/plot.h"
#include "ui/screen.h"

#define NUMBER_W 6
#define CELL_MIN_W 8		/* marker, number, blank */
#define CELL_MAX_H 6
#define HISTORY_MIN_H 4
#define BALANCE_W 38
#define BALANCE_MIN_H 8
#define GRAPH_MIN_H 6
#define CLASSES 5		/* of the distribution */
#define DIGIT_GROUP 8		/* digits between two blanks */

/* What is shown: the view's choice brought into range. map NULL: there is none. */
struct chosen {
	const struct cell_map *map;
	const struct history *history;
	int index;		/* of the map */
	int column;		/* of the metric, in the map */
	int metric;
	int cell;
	double top;
	double number_scale;
	const struct metric *m;
};

static bool choose(const struct view *v, const struct view_model *m, struct chosen *ch)
{
	const struct map_view *at = &v->map;

	memset(ch, 0, sizeof(*ch));
	if (!m->snap || m->snap->set != m->set || m->snap->n_maps < 1)
		return false;
	ch->index = at->map >= 0 && at->map < m->snap->n_maps ? at->map : 0;
	ch->map = &m->snap->maps[ch->index];
	ch->column = at->metric >= 0 && at->metric < ch->map->n_metrics ? at->metric : 0;
	ch->metric = ch->map->metrics[ch->column];
	ch->m = &m->set->metrics[ch->metric];
	ch->cell = at->cell < 0 ? 0 : at->cell >= ch->map->n ? ch->map->n - 1 : at->cell;
	ch->history = m->cell_history ? &m->cell_history[ch->index] : NULL;
	return true;
}

/* The roof, or else a round number above everything seen so far; on demand the highest cell. */
static double scale_top(const struct view *v, const struct view_model *m, const struct chosen *ch)
{
	double ceiling = meter_ceiling(m, ch->metric), max = 0;

	if (ceiling > 0 && !v->map.relative)
		return ceiling;
	for (int i = 0; i < ch->map->n; i++) {
		max = fmax(max, cell_value(ch->map, i, ch->metric).v);
		if (!v->map.relative && ch->history && ch->history->max)
			max = fmax(max, (double)ch->history->max[i * ch->map->n_metrics + ch->column]);
	}
	return v->map.relative && max > 0 ? max : plot_nice_top(max);
}

/* --- one cell --- */

static const char *number_text(const struct chosen *ch, int cell, char *buf, size_t size)
{
	return meter_number(buf, size, ch->m, cell_value(ch->map, cell, ch->metric).v, ch->number_scale, NUMBER_W - 1);
}

static double fraction(const struct chosen *ch, int cell)
{
	double f = cell_value(ch->map, cell, ch->metric).v / ch->top;

	return f < 0 ? 0 : f > 1 ? 1 : f;
}

/* Blank is 0 and nothing else; where there is no number an x. */
static uint32_t shade(const struct glyphs *g, double f)
{
	static const char seven_bits[] = " .:-=+*#%@";
	static const uint32_t blocks[] = { ' ', 0x2591, 0x2592, 0x2593, 0x2588 };

	if (isnan(f))
		return 'x';
	if (!(f > 0))
		return ' ';
	return g->braille ? blocks[1 + (int)fmin(f * 4, 3)] : (uint32_t)seven_bits[1 + (int)fmin(f * 9, 8)];
}

static char digit(double f)
{
	return isnan(f) ? 'x' : (char)('0' + (int)fmin(f * 10, 9));
}

static enum role shade_role(double f)
{
	return isnan(f) ? ROLE_NONE_VALUE : f < 0.6 ? ROLE_BAR_LOW : f < 0.9 ? ROLE_BAR_MID : ROLE_BAR_HIGH;
}

/* Number in the first line, with the name where no labels stand around; below and beside it the shade. */
static void draw_cell(struct screen *s, const struct chosen *ch, const struct grid *g, int cell, struct rect r, int name_w)
{
	double f = fraction(ch, cell);
	bool selected = cell == ch->cell, stale = cell_is_stale(s->m->snap, ch->map, cell, s->m->delay_ns);
	enum role role = selected ? ROLE_SELECTED : isnan(f) ? ROLE_NONE_VALUE : ROLE_VALUE;
	char number[32];
	int x = r.x + 1;

	if (selected)
		canvas_put(s->c, r.x, r.y, s->g->marker, ROLE_SELECTED);
	if (!g->named) {
		canvas_field(s->c, x, r.y, name_w, false, selected ? ROLE_SELECTED : ROLE_LABEL, ch->map->names[cell]);
		x += name_w;
	}
	canvas_field(s->c, x, r.y, NUMBER_W - 1, true, role, number_text(ch, cell, number, sizeof(number)));
	canvas_put(s->c, x + NUMBER_W - 1, r.y, stale ? '?' : ' ', ROLE_WARN);
	x += NUMBER_W;
	if (r.h == 1 && r.x + r.w - 1 - x >= 4)
		plot_bar(s->c, s->g, x, r.y, r.x + r.w - 1 - x, f);
	if (r.h > 1)
		canvas_fill(s->c, (struct rect){ r.x + 1, r.y + 1, r.w - 2, r.h - 1 - (r.h > 2) }, shade(s->g, f), shade_role(f));
}

/* --- the grid --- */

static int longest_name(const struct cell_map *map)
{
	int w = 0;

	for (int i = 0; i < map->n; i++)
		w = format_columns(map->names[i]) > w ? format_columns(map->names[i]) : w;
	return w;
}

/* How the cells go into a rectangle. digits: one character for each. */
struct shape {
	struct grid g;
	bool digits;
	int label_w, name_w;
	int cell_w, cell_h;
	int head_h;		/* line with the names of columns */
};

static void shape_digits(struct shape *p, const struct cell_map *map, struct rect in)
{
	int room;

	p->digits = true;
	if (!p->g.named)
		p->label_w = longest_name(map) + 2;
	room = in.w - p->label_w - 1;
	room -= room / (DIGIT_GROUP + 1);
	if (!p->g.named)
		grid_make(&p->g, map, room >= DIGIT_GROUP ? room / DIGIT_GROUP * DIGIT_GROUP : room);
	p->cell_w = p->cell_h = 1;
	p->head_h = 0;
}

static void shape_make(struct shape *p, const struct view *v, const struct cell_map *map, struct rect in)
{
	memset(p, 0, sizeof(*p));
	p->name_w = longest_name(map) + 1;
	grid_make(&p->g, map, in.w / (CELL_MIN_W + p->name_w));
	if (p->g.named) {
		p->name_w = 0;
		p->head_h = 1;
		for (int i = 0; i < p->g.rows; i++)
			p->label_w = (int)strlen(p->g.row[i]) + 2 > p->label_w ? (int)strlen(p->g.row[i]) + 2 : p->label_w;
	}
	p->cell_w = p->g.cols ? (in.w - p->label_w) / p->g.cols : 0;
	p->cell_h = p->g.rows ? (in.h - p->head_h) / p->g.rows : 0;
	p->cell_h = p->cell_h > CELL_MAX_H ? CELL_MAX_H : p->cell_h;
	p->cell_w = p->cell_w > 30 ? 30 : p->cell_w;
	if (v->map.digits || p->cell_h < 1 || p->cell_w < CELL_MIN_W + p->name_w)
		shape_digits(p, map, in);
}

/* First row shown, so that the selected cell is among them. */
static int first_row(const struct shape *p, const struct chosen *ch, int visible)
{
	int row, col;

	grid_place(&p->g, ch->map, ch->cell, &row, &col);
	return layout_scroll(0, row, visible, p->g.rows);
}

static void draw_digits(struct screen *s, const struct chosen *ch, const struct shape *p, struct rect in)
{
	int top = first_row(p, ch, in.h);

	for (int row = top; row < p->g.rows && row - top < in.h; row++) {
		int first = grid_cell(&p->g, ch->map, row, 0);

		canvas_field(s->c, in.x + 1, in.y + row - top, p->label_w - 1, false, ROLE_LABEL,
			p->g.named ? p->g.row[row] : first >= 0 ? ch->map->names[first] : "");
		for (int col = 0; col < p->g.cols; col++) {
			int cell = grid_cell(&p->g, ch->map, row, col), x = in.x + p->label_w + col + col / DIGIT_GROUP;
			double f = cell >= 0 ? fraction(ch, cell) : NAN;

			if (cell >= 0)
				canvas_put(s->c, x, in.y + row - top, (uint32_t)digit(f), cell == ch->cell ? ROLE_SELECTED : shade_role(f));
		}
	}
}

static void draw_cells(struct screen *s, const struct chosen *ch, const struct shape *p, struct rect in)
{
	int visible = (in.h - p->head_h) / p->cell_h, top = first_row(p, ch, visible);

	for (int col = 0; col < p->g.cols && p->g.named; col++)
		canvas_field(s->c, in.x + p->label_w + col * p->cell_w + 1, in.y, NUMBER_W - 1, true, ROLE_LABEL, p->g.col[col]);
	for (int row = top; row < p->g.rows && row - top < visible; row++) {
		int y = in.y + p->head_h + (row - top) * p->cell_h;

		if (p->g.named)
			canvas_field(s->c, in.x + 1, y, p->label_w - 1, false, ROLE_LABEL, p->g.row[row]);
		for (int col = 0; col < p->g.cols; col++) {
			int cell = grid_cell(&p->g, ch->map, row, col);

			if (cell >= 0)
				draw_cell(s, ch, &p->g, cell, (struct rect){ in.x + p->label_w + col * p->cell_w, y, p->cell_w, p->cell_h },
					p->name_w);
		}
	}
}

/* --- words --- */

static void age_text(const struct screen *s, const struct chosen *ch, char *buf, size_t size)
{
	int64_t oldest = INT64_MAX, newest = 0;
	double now = (double)s->m->snap->mono_ns;

	for (int i = 0; i < ch->map->n; i++) {
		if (!ch->map->t_ns[i])
			continue;
		oldest = ch->map->t_ns[i] < oldest ? ch->map->t_ns[i] : oldest;
		newest = ch->map->t_ns[i] > newest ? ch->map->t_ns[i] : newest;
	}
	if (!newest)
		snprintf(buf, size, "%s", _("never measured"));
	else if (oldest == newest)
		snprintf(buf, size, _("age %.1f s"), (now - (double)newest) / NS_PER_S);
	else
		snprintf(buf, size, _("age %.1f to %.1f s"), (now - (double)newest) / NS_PER_S, (now - (double)oldest) / NS_PER_S);
}

/* "scale 0 [ ░▒▓█] 100", "scale 0 [0123456789] 100" */
static void scale_text(const struct screen *s, const struct chosen *ch, bool digits, char *buf, size_t size)
{
	const char *shades = digits ? "0123456789" : s->g->braille ? " ░▒▓█" : " .:-=+*#%@";
	char top[24];

	snprintf(buf, size, _("scale 0 [%s] %s"), shades, meter_ceiling_number(top, sizeof(top), ch->top));
}

static void balance_line(const struct chosen *ch, const struct cell_stats *st, int room, char *buf, size_t size)
{
	char min[24], mean[24], max[24];

	meter_number(min, sizeof(min), ch->m, st->min, ch->number_scale, NUMBER_W);
	meter_number(mean, sizeof(mean), ch->m, st->mean, ch->number_scale, NUMBER_W);
	meter_number(max, sizeof(max), ch->m, st->max, ch->number_scale, NUMBER_W);
	if (isnan(st->imbalance))
		snprintf(buf, size, _("min %s  mean %s  max %s"), min, mean, max);
	else
		snprintf(buf, size, _("min %s  mean %s  max %s  max/mean %.2f"), min, mean, max, st->imbalance);
	/* TRANSLATORS: the same for a narrow screen: smallest and largest value, largest over mean */
	if (format_columns(buf) > room && !isnan(st->imbalance))
		snprintf(buf, size, _("%s to %s, max/mean %.2f"), min, max, st->imbalance);
}

/* In the lower line of the frame: what else there is to look at, as far as it fits. */
static void draw_keys(struct screen *s, const struct chosen *ch, struct rect r)
{
	char part[80];
	int x = r.x + 2, end = r.x + r.w - 2, metrics = 0, at = 0;

	for (int k = 0; k < s->m->snap->n_maps; k++) {
		at = k == ch->index ? metrics + ch->column + 1 : at;
		metrics += s->m->snap->maps[k].n_metrics;
	}
	for (int i = 0; i < 4; i++) {
		if (i == 0)
			snprintf(part, sizeof(part), _(" e metric %d of %d "), at, metrics);
		else if (i == 1 && s->m->map_set)
			snprintf(part, sizeof(part), _(" M set %s "), s->m->map_set);
		else if (i == 2)
			snprintf(part, sizeof(part), "%s", s->v->map.relative ? _(" s scale to the roof ") : _(" s scale to the highest "));
		else if (i == 3)
			snprintf(part, sizeof(part), "%s", s->v->map.digits ? _(" d shades ") : _(" d digits "));
		else
			continue;
		if (x + format_columns(part) > end)
			return;
		x += canvas_text(s->c, x, r.y + r.h - 1, ROLE_DIM, part) + 1;
	}
}

/* Title, shades, statement of what a cell is; returns the rows of the grid. */
static struct rect draw_frame(struct screen *s, const struct chosen *ch, struct rect r, const struct cell_stats *st, bool has_balance)
{
	char title[96], extra[96], note[96], age[48], line[160];
	struct rect in;
	struct shape p;

	snprintf(title, sizeof(title), "%s: %s", ch->map->scope, ch->m->label ? ch->m->label : ch->m->name);
	snprintf(extra, sizeof(extra), "%s%s", meter_unit(ch->m), ch->m->flags & METRIC_ESTIMATED ? " ~" : "");
	in = box_frame(s->c, s->g, r, true, title, extra);
	shape_make(&p, s->v, ch->map, in);
	scale_text(s, ch, p.digits, note, sizeof(note));
	age_text(s, ch, age, sizeof(age));
	snprintf(line, sizeof(line), "%s  %s", note, age);
	box_note(s->c, s->g, r, box_title_columns(title, extra), ROLE_TEXT, line);
	draw_keys(s, ch, r);
	if (in.h < 3)
		return in;
	/* What a cell is must always be said; figures have their own pane where there is room. */
	if (!has_balance && in.h >= 2) {
		balance_line(ch, st, in.w - 1, line, sizeof(line));
		canvas_field(s->c, in.x + 1, in.y + in.h - 1, in.w - 1, false, ROLE_TEXT, line);
		in.h--;
	}
	if (*ch->map->text) {
		snprintf(line, sizeof(line), _("%d cells, %s"), ch->map->n, _(ch->map->text));
		glyphs_field(s->c, s->g, in.x + 1, in.y + in.h - 1, in.w - 1, ROLE_DIM, line);
		in.h--;
	}
	return in;
}

/* --- the panes below --- */

static void draw_history(struct screen *s, const struct chosen *ch, struct rect r)
{
	char extra[64];
	int name_w = longest_name(ch->map), top, x, w;
	struct rect in;

	snprintf(extra, sizeof(extra), _("newest right, top is %g"), ch->top);
	in = box_frame(s->c, s->g, r, false, _("History"), extra);
	top = layout_scroll(0, ch->cell, in.h, ch->map->n);
	x = in.x + name_w + 2;
	w = in.w - name_w - 3 - NUMBER_W;
	for (int i = 0; i < in.h && top + i < ch->map->n; i++) {
		int cell = top + i;
		struct series series = { ch->history, cell * ch->map->n_metrics + ch->column, ch->top };
		char number[32];
		bool selected = cell == ch->cell;

		if (selected)
			canvas_put(s->c, in.x, in.y + i, s->g->marker, ROLE_SELECTED);
		canvas_field(s->c, in.x + 1, in.y + i, name_w, false, selected ? ROLE_SELECTED : ROLE_LABEL, ch->map->names[cell]);
		plot_spark(s->c, s->g, x, in.y + i, w, &series);
		canvas_field(s->c, in.x + in.w - NUMBER_W, in.y + i, NUMBER_W - 1, true, selected ? ROLE_SELECTED : ROLE_VALUE,
			number_text(ch, cell, number, sizeof(number)));
	}
	box_scroll_mark(s->c, s->g, r, top, in.h, ch->map->n);
}

static void draw_graph(struct screen *s, const struct chosen *ch, struct rect r)
{
	struct series series = { ch->history, ch->cell * ch->map->n_metrics + ch->column, ch->top };
	char title[96];

	snprintf(title, sizeof(title), "%s: %s", ch->map->names[ch->cell], ch->m->label ? ch->m->label : ch->m->name);
	pane_graph_series(s, ch->m, title, &series, cell_value(ch->map, ch->cell, ch->metric).v, ch->number_scale, r, false);
}

/* Cells of a class, which ends below its upper bound; the last one takes the top itself. */
static int count_class(const struct screen *s, const struct chosen *ch, int class)
{
	int n = 0;

	for (int i = 0; i < ch->map->n; i++) {
		double f = fraction(ch, i);

		if (isnan(f) || cell_is_stale(s->m->snap, ch->map, i, s->m->delay_ns))
			continue;
		n += (int)fmin(f * CLASSES, CLASSES - 1) == class;
	}
	return n;
}

static void draw_balance(struct screen *s, const struct chosen *ch, const struct cell_stats *st, struct rect r)
{
	struct rect in = box_frame(s->c, s->g, r, false, _("Balance"), NULL);
	char min[24], mean[24], max[24], line[96];
	int y = in.y;

	canvas_clip(s->c, in);
	snprintf(line, sizeof(line), _("%d with a value, %d old, %d without"), st->n, st->stale, st->none);
	glyphs_field(s->c, s->g, in.x + 1, y++, in.w - 1, ROLE_TEXT, line);
	meter_number(min, sizeof(min), ch->m, st->min, ch->number_scale, NUMBER_W);
	meter_number(mean, sizeof(mean), ch->m, st->mean, ch->number_scale, NUMBER_W);
	meter_number(max, sizeof(max), ch->m, st->max, ch->number_scale, NUMBER_W);
	snprintf(line, sizeof(line), _("min %s  mean %s  max %s"), min, mean, max);
	glyphs_field(s->c, s->g, in.x + 1, y++, in.w - 1, ROLE_TEXT, line);
	if (!isnan(st->imbalance)) {
		snprintf(line, sizeof(line), _("imbalance, max over mean  %.2f"), st->imbalance);
		glyphs_field(s->c, s->g, in.x + 1, y++, in.w - 1, ROLE_TEXT, line);
	}
	for (int i = CLASSES - 1; i >= 0 && y < in.y + in.h; i--, y++) {
		int n = count_class(s, ch, i);

		snprintf(line, sizeof(line), "%4g -%5g %4d", ch->top * i / CLASSES, ch->top * (i + 1) / CLASSES, n);
		canvas_text(s->c, in.x + 1, y, n ? ROLE_TEXT : ROLE_DIM, line);
		if (n)
			plot_bar(s->c, s->g, in.x + 18, y, in.w - 19, (double)n / ch->map->n);
	}
	canvas_unclip(s->c);
}

/* --- the screen --- */

/* No map: which set has one, and the key. */
static void draw_nothing(struct screen *s)
{
	struct rect r = s->l.body;
	char text[400] = "";

	if (!s->m->snap || s->m->snap->set != s->m->set)
		snprintf(text, sizeof(text), "%s", _("no complete window has been measured yet"));
	else if (s->m->map_set)
		snprintf(text, sizeof(text), _("The set %s counts the device as a whole: there is no map of its parts.\nM turns to the set %s, which has one."),
			s->m->set->name, s->m->map_set);
	else if (s->m->device && s->m->device->recorded)
		snprintf(text, sizeof(text), _("The set %s counts the device as a whole: there is no map of its parts.\nIt is what the recording holds."),
			s->m->set->name);
	else
		snprintf(text, sizeof(text), _("The set %s counts the device as a whole, and no other set of this device has a map of its parts."),
			s->m->set ? s->m->set->name : "--");
	canvas_clip(s->c, r);
	box_text(s->c, (struct rect){ r.x + 2, r.y + r.h / 3, r.w > 4 ? r.w - 4 : 1, r.h - r.h / 3 }, 0, text);
	canvas_unclip(s->c);
}

/* Rows that the pane with the grid wants, frame, names and statement included. */
static int grid_rows_wanted(const struct shape *p, bool has_balance, bool has_text)
{
	int per = p->digits ? 1 : CELL_MAX_H;

	return p->g.rows * per + p->head_h + 2 + has_text + !has_balance;
}

/* Height of the pane with a line for each of n cells. The figures beside it want more when there are few cells. */
static int history_rows(int n, int w, int room)
{
	static const int wanted[] = { 3 + CLASSES + 2, BALANCE_MIN_H };

	for (size_t i = 0; i < ARRAY_LEN(wanted) && w >= 2 * BALANCE_W; i++)
		if (n + 2 < wanted[i] && room >= wanted[i] + GRAPH_MIN_H)
			return wanted[i];
	return n + 2;
}

/* The grid above, past and figures below, the selected cell's past at the bottom, where each has room for something. */
static void divide(const struct screen *s, const struct chosen *ch, struct rect panes[4])
{
	struct rect r = s->l.body, in = { 0, 0, r.w - 2, r.h };
	struct shape p;
	int least, rows, below = ch->map->n + 2 + 2 * GRAPH_MIN_H;

	memset(panes, 0, 4 * sizeof(panes[0]));
	panes[0] = r;
	shape_make(&p, s->v, ch->map, in);
	least = 2 + 1 + p.head_h + p.g.rows * (p.digits ? 1 : 2) + 1;
	if (below < BALANCE_MIN_H + 2)
		below = BALANCE_MIN_H + 2;
	if (below > r.h - least)
		below = r.h - least;
	if (below < HISTORY_MIN_H)
		return;
	if (r.h - below > grid_rows_wanted(&p, true, *ch->map->text))
		below = r.h - grid_rows_wanted(&p, true, *ch->map->text);
	panes[0].h = r.h - below;
	panes[1] = (struct rect){ r.x, r.y + panes[0].h, r.w, below };
	rows = history_rows(ch->map->n, r.w, below);
	if (below >= rows + GRAPH_MIN_H) {
		panes[1].h = rows;
		panes[3] = (struct rect){ r.x, panes[1].y + panes[1].h, r.w, below - panes[1].h };
	}
	if (r.w < 2 * BALANCE_W || below < BALANCE_MIN_H)
		return;
	panes[1].w = r.w - BALANCE_W;
	panes[2] = (struct rect){ r.x + panes[1].w, panes[1].y, BALANCE_W, panes[1].h };
}

static void draw(struct screen *s)
{
	struct chosen ch;
	struct cell_stats st;
	struct rect panes[4], in;
	struct shape p;

	if (!choose(s->v, s->m, &ch)) {
		draw_nothing(s);
		return;
	}
	ch.top = scale_top(s->v, s->m, &ch);
	ch.number_scale = meter_number_scale(s->m, ch.metric);
	st = cell_stats_make(s->m->snap, ch.map, ch.metric, s->m->delay_ns);
	divide(s, &ch, panes);
	canvas_clip(s->c, panes[0]);
	in = draw_frame(s, &ch, panes[0], &st, panes[2].h > 0);
	shape_make(&p, s->v, ch.map, in);
	if (p.digits)
		draw_digits(s, &ch, &p, in);
	else
		draw_cells(s, &ch, &p, in);
	canvas_unclip(s->c);
	if (panes[1].h > 0)
		draw_history(s, &ch, panes[1]);
	if (panes[3].h > 0)
		draw_graph(s, &ch, panes[3]);
	if (panes[2].h > 0)
		draw_balance(s, &ch, &st, panes[2]);
}

int screen_map_metric(const struct view *v, const struct view_model *m)
{
	struct chosen ch;

	return choose(v, m, &ch) ? ch.metric : -1;
}

/* --- keys --- */

/* The shape that is on the screen, for moves by rows. */
static bool shape_at(const struct view *v, const struct view_model *m, const struct chosen *ch, int w, int h, struct shape *p, struct rect *in)
{
	struct screen s = { .v = v, .m = m };
	struct rect panes[4];

	chrome_layout(&s.l, m, w, h);
	if (s.l.number_only)
		return false;
	divide(&s, ch, panes);
	*in = (struct rect){ panes[0].x + 1, panes[0].y + 1, panes[0].w - 2, panes[0].h - 2 };
	if (in->h >= 3)
		in->h -= (panes[2].h == 0) + (*ch->map->text != '\0');
	shape_make(p, v, ch->map, *in);
	return true;
}

static void move_cell(struct view *v, const struct view_model *m, enum command cmd, int w, int h)
{
	struct chosen ch;
	struct shape p;
	struct rect in;
	int row, col, cell;

	if (!choose(v, m, &ch) || !shape_at(v, m, &ch, w, h, &p, &in))
		return;
	grid_place(&p.g, ch.map, ch.cell, &row, &col);
	switch (cmd) {
	case CMD_TOP: v->map.cell = 0; return;
	case CMD_BOTTOM: v->map.cell = ch.map->n - 1; return;
	case CMD_MAP_LEFT: cell = ch.cell - 1; break;
	case CMD_MAP_RIGHT: cell = ch.cell + 1; break;
	case CMD_UP: cell = grid_cell(&p.g, ch.map, row - 1, col); break;
	case CMD_DOWN: cell = grid_cell(&p.g, ch.map, row + 1, col); break;
	default: return;
	}
	if (cell >= 0 && cell < ch.map->n)
		v->map.cell = cell;
}

/* The next metric of this map, then the first one of the next map. */
static void next_metric(struct view *v, const struct view_model *m)
{
	struct chosen ch;

	if (!choose(v, m, &ch))
		return;
	v->map.metric = ch.column + 1;
	if (v->map.metric < ch.map->n_metrics)
		return;
	v->map.metric = 0;
	v->map.map = (ch.index + 1) % m->snap->n_maps;
	v->map.cell = v->map.map == ch.index ? ch.cell : 0;
}

static bool command(struct view *v, const struct view_model *m, enum command cmd, int w, int h, enum command *out)
{
	if (view_is_move(cmd) || cmd == CMD_MAP_LEFT || cmd == CMD_MAP_RIGHT) {
		move_cell(v, m, cmd, w, h);
	} else if (cmd == CMD_MAP_METRIC) {
		next_metric(v, m);
	} else if (cmd == CMD_MAP_DIGITS) {
		v->map.digits = !v->map.digits;
	} else if (cmd == CMD_MAP_SCALE) {
		v->map.relative = !v->map.relative;
	} else if (cmd == CMD_EXPLAIN) {
		v->explain = screen_map_metric(v, m) >= 0;
		v->explain_top = 0;
	} else if (cmd == CMD_MAP_SET) {
		*out = cmd;
	} else {
		return false;
	}
	return true;
}

static void click(struct view *v, const struct view_model *m, const struct key_event *k, int w, int h)
{
	struct chosen ch;
	struct shape p;
	struct rect in;
	int cell, col, row;

	if (!choose(v, m, &ch) || !shape_at(v, m, &ch, w, h, &p, &in) || !view_in_rect(&in, k->x, k->y))
		return;
	col = k->x - in.x - p.label_w;
	row = k->y - in.y - p.head_h;
	if (col < 0 || row < 0)
		return;
	col = p.digits ? col - col / (DIGIT_GROUP + 1) : col / p.cell_w;
	row = row / p.cell_h + first_row(&p, &ch, (in.h - p.head_h) / p.cell_h);
	cell = grid_cell(&p.g, ch.map, row, col);
	if (cell >= 0)
		v->map.cell = cell;
}

static const struct footer_key footer[] = {
	{ CMD_MAP_METRIC, CMD_NONE, N_("Metric") },
	{ CMD_MAP_SET, CMD_NONE, N_("Map set") },
	{ CMD_MAP_SCALE, CMD_NONE, N_("Scale") },
	{ CMD_MAP_DIGITS, CMD_NONE, N_("Digits") },
	{ CMD_PAUSE, CMD_NONE, N_("Pause") },
	{ CMD_FASTER, CMD_SLOWER, N_("Rate") },
};

const struct screen_ops screen_map = {
	.name = "map",
	.title = N_("Map"),
	.brief = N_("Map"),
	.turn = CMD_SCREEN_MAP,
	.keys = "on-map",
	.footer = footer,
	.n_footer = (int)ARRAY_LEN(footer),
	.draw = draw,
	.command = command,
	.click = click,
};
