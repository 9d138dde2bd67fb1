/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of a map: their shapes, shades, numbers and digits, and the frame around them. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "ui/map.h"
#include "ui/pane_meters.h"
#include "ui/plot.h"

#define CELL_MIN_W 8		/* marker, number, blank */
#define CELL_MAX_W 48

/* --- one cell --- */

const char *map_number(const struct map_choice *ch, int cell, char *buf, size_t size)
{
	return meter_number(buf, size, ch->m, cell_value(ch->map, cell, ch->metric).v,
		ch->number_scale, MAP_NUMBER_W - 1);
}

double map_fraction(const struct map_choice *ch, int cell)
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
	return g->braille ? blocks[1 + (int)fmin(f * 4, 3)]
			  : (uint32_t)seven_bits[1 + (int)fmin(f * 9, 8)];
}

static char digit(double f)
{
	return isnan(f) ? 'x' : (char)('0' + (int)fmin(f * 10, 9));
}

static enum role shade_role(double f)
{
	return isnan(f)	  ? ROLE_NONE_VALUE
		: f < 0.6 ? ROLE_BAR_LOW
		: f < 0.9 ? ROLE_BAR_MID
			  : ROLE_BAR_HIGH;
}

/* Number in the first line, with the name where no labels stand around; below and beside it the
 * shade. */
static void draw_cell(struct screen *s, const struct map_choice *ch, const struct grid *g, int cell,
	struct rect r, int name_w)
{
	double f = map_fraction(ch, cell);
	bool selected = cell == ch->cell,
	     stale = cell_is_stale(s->m->snap, ch->map, cell, s->m->delay_ns);
	enum role role = selected ? ROLE_SELECTED : isnan(f) ? ROLE_NONE_VALUE : ROLE_VALUE;
	char number[32];
	int x = r.x + 1;

	if (selected)
		canvas_put(s->c, r.x, r.y, s->g->marker, ROLE_SELECTED);
	if (!g->named) {
		canvas_field(s->c, x, r.y, name_w, false, selected ? ROLE_SELECTED : ROLE_LABEL,
			ch->map->names[cell]);
		x += name_w;
	}
	canvas_put(s->c, x + MAP_NUMBER_W - 1, r.y, stale ? '?' : ' ', ROLE_WARN);
	x += MAP_NUMBER_W;
	/* Where there is room for nothing else, the number has the colour of the shade. */
	if (r.h == 1 && r.x + r.w - 1 - x < 4 && !selected)
		role = shade_role(f);
	canvas_field(s->c, x - MAP_NUMBER_W, r.y, MAP_NUMBER_W - 1, true, role,
		map_number(ch, cell, number, sizeof(number)));
	if (r.h == 1 && r.x + r.w - 1 - x >= 4)
		plot_bar(s->c, s->g, (struct rect){ x, r.y, r.x + r.w - 1 - x, 1 }, f);
	if (r.h > 1)
		canvas_fill(s->c, (struct rect){ r.x + 1, r.y + 1, r.w - 2, r.h - 1 - (r.h > 2) },
			shade(s->g, f), shade_role(f));
}

/* --- the grid --- */

int map_longest_name(const struct cell_map *map)
{
	int w = 0;

	for (int i = 0; i < map->n; i++)
		w = format_columns(map->names[i]) > w ? format_columns(map->names[i]) : w;
	return w;
}

static void shape_digits(struct map_shape *p, const struct cell_map *map, struct rect in)
{
	int room;

	p->digits = true;
	if (!p->g.named)
		p->label_w = map_longest_name(map) + 2;
	room = in.w - p->label_w - 1;
	room -= room / (MAP_DIGIT_GROUP + 1);
	if (!p->g.named)
		grid_make(&p->g, map,
			room >= MAP_DIGIT_GROUP ? room / MAP_DIGIT_GROUP * MAP_DIGIT_GROUP : room);
	p->cell_w = p->cell_h = 1;
	p->head_h = 0;
}

void map_shape_make(
	struct map_shape *p, const struct view *v, const struct cell_map *map, struct rect in)
{
	memset(p, 0, sizeof(*p));
	p->name_w = map_longest_name(map) + 1;
	grid_make(&p->g, map, in.w / (CELL_MIN_W + p->name_w));
	if (p->g.named) {
		p->name_w = 0;
		p->head_h = 1;
		for (int i = 0; i < p->g.rows; i++)
			p->label_w = (int)strlen(p->g.row[i]) + 2 > p->label_w
				? (int)strlen(p->g.row[i]) + 2
				: p->label_w;
	}
	p->cell_w = p->g.cols ? (in.w - p->label_w) / p->g.cols : 0;
	p->cell_h = p->g.rows ? (in.h - p->head_h) / p->g.rows : 0;
	p->cell_h = p->cell_h > MAP_CELL_MAX_H ? MAP_CELL_MAX_H : p->cell_h;
	p->cell_w = p->cell_w > CELL_MAX_W ? CELL_MAX_W : p->cell_w;
	if (v->map.digits || p->cell_h < 1 || p->cell_w < CELL_MIN_W + p->name_w)
		shape_digits(p, map, in);
}

/* First row shown, so that the selected cell is among them. */
int map_first_row(const struct map_shape *p, const struct map_choice *ch, int visible)
{
	int row, col;

	grid_place(&p->g, ch->map, ch->cell, &row, &col);
	return layout_scroll(0, row, visible, p->g.rows);
}

static void draw_digits(
	struct screen *s, const struct map_choice *ch, const struct map_shape *p, struct rect in)
{
	int top = map_first_row(p, ch, in.h);

	for (int row = top; row < p->g.rows && row - top < in.h; row++) {
		int first = grid_cell(&p->g, ch->map, row, 0);

		canvas_field(s->c, in.x + 1, in.y + row - top, p->label_w - 1, false, ROLE_LABEL,
			p->g.named ? p->g.row[row] : first >= 0 ? ch->map->names[first] : "");
		for (int col = 0; col < p->g.cols; col++) {
			int cell = grid_cell(&p->g, ch->map, row, col),
			    x = in.x + p->label_w + col + col / MAP_DIGIT_GROUP;
			double f = cell >= 0 ? map_fraction(ch, cell) : NAN;

			if (cell >= 0)
				canvas_put(s->c, x, in.y + row - top, (uint32_t)digit(f),
					cell == ch->cell ? ROLE_SELECTED : shade_role(f));
		}
	}
}

static void draw_cells(
	struct screen *s, const struct map_choice *ch, const struct map_shape *p, struct rect in)
{
	int visible = (in.h - p->head_h) / p->cell_h, top = map_first_row(p, ch, visible);

	for (int col = 0; col < p->g.cols && p->g.named; col++)
		canvas_field(s->c, in.x + p->label_w + col * p->cell_w + 1, in.y, MAP_NUMBER_W - 1,
			true, ROLE_LABEL, p->g.col[col]);
	for (int row = top; row < p->g.rows && row - top < visible; row++) {
		int y = in.y + p->head_h + (row - top) * p->cell_h;

		if (p->g.named)
			canvas_field(s->c, in.x + 1, y, p->label_w - 1, false, ROLE_LABEL,
				p->g.row[row]);
		for (int col = 0; col < p->g.cols; col++) {
			int cell = grid_cell(&p->g, ch->map, row, col);

			if (cell >= 0)
				draw_cell(s, ch, &p->g, cell,
					(struct rect){ in.x + p->label_w + col * p->cell_w, y,
						p->cell_w, p->cell_h },
					p->name_w);
		}
	}
}

/* --- words --- */

static void age_text(const struct screen *s, const struct map_choice *ch, char *buf, size_t size)
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
		snprintf(buf, size, _("age %.1f to %.1f s"), (now - (double)newest) / NS_PER_S,
			(now - (double)oldest) / NS_PER_S);
}

/* "scale 0 [ ░▒▓█] 100", "scale 0 [0123456789] 100" */
static void scale_text(
	const struct screen *s, const struct map_choice *ch, bool digits, char *buf, size_t size)
{
	const char *shades = digits ? "0123456789" : s->g->braille ? " ░▒▓█" : " .:-=+*#%@";
	char top[24];

	snprintf(buf, size, _("scale 0 [%s] %s"), shades,
		meter_ceiling_number(top, sizeof(top), ch->top));
}

static void range_numbers(const struct map_choice *ch, const struct cell_stats *st, char min[24],
	char mean[24], char max[24])
{
	meter_number(min, 24, ch->m, st->min, ch->number_scale, MAP_NUMBER_W);
	meter_number(mean, 24, ch->m, st->mean, ch->number_scale, MAP_NUMBER_W);
	meter_number(max, 24, ch->m, st->max, ch->number_scale, MAP_NUMBER_W);
}

void map_range_text(
	const struct map_choice *ch, const struct cell_stats *st, char *buf, size_t size)
{
	char min[24], mean[24], max[24];

	range_numbers(ch, st, min, mean, max);
	snprintf(buf, size, _("min %s  mean %s  max %s"), min, mean, max);
}

static void balance_line(
	const struct map_choice *ch, const struct cell_stats *st, int room, char *buf, size_t size)
{
	char min[24], mean[24], max[24];

	range_numbers(ch, st, min, mean, max);
	if (isnan(st->imbalance))
		map_range_text(ch, st, buf, size);
	else
		snprintf(buf, size, _("min %s  mean %s  max %s  max/mean %.2f"), min, mean, max,
			st->imbalance);
	/* TRANSLATORS: the same for a narrow screen: smallest and largest value, largest over
	 * mean */
	if (format_columns(buf) > room && !isnan(st->imbalance))
		snprintf(buf, size, _("%s to %s, max/mean %.2f"), min, max, st->imbalance);
}

/* In the lower line of the frame: what else there is to look at, as far as it fits. */
static void draw_keys(struct screen *s, const struct map_choice *ch, struct rect r)
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
			snprintf(part, sizeof(part), "%s",
				s->v->map.relative ? _(" s scale to the roof ")
						   : _(" s scale to the highest "));
		else if (i == 3)
			snprintf(part, sizeof(part), "%s",
				s->v->map.digits ? _(" d shades ") : _(" d digits "));
		else
			continue;
		if (x + format_columns(part) > end)
			return;
		x += canvas_text(s->c, x, r.y + r.h - 1, ROLE_DIM, part) + 1;
	}
}

struct rect map_cells_rect(const struct map_choice *ch, struct rect r, bool has_balance)
{
	struct rect in = { r.x + 1, r.y + 1, r.w - 2, r.h - 2 };

	if (in.h >= 3)
		in.h -= !has_balance + (*ch->map->text != '\0');
	return in;
}

/* Of digits the chosen one says what it stands for; returns the columns used. */
static int draw_selected(struct screen *s, const struct map_choice *ch, struct rect in, int y)
{
	char number[32], text[80];

	snprintf(text, sizeof(text), "%s  %s %s", ch->map->names[ch->cell],
		map_number(ch, ch->cell, number, sizeof(number)), meter_unit(ch->m));
	return canvas_text(s->c, in.x + 1, y, ROLE_VALUE, text) + 3;
}

/* What a cell is must always be said; figures have their own pane where there is room. */
static void draw_statements(struct screen *s, const struct map_choice *ch, struct rect in, int y,
	const struct cell_stats *st, bool has_balance, int selected_w)
{
	char line[160];

	if (*ch->map->text) {
		snprintf(line, sizeof(line),
			ngettext("%d cell, %s", "%d cells, %s", (unsigned long)ch->map->n),
			ch->map->n, _(ch->map->text));
		glyphs_field(s->c, s->g, in.x + 1 + selected_w, y++, in.w - 2 - selected_w,
			ROLE_DIM, line);
	}
	if (!has_balance) {
		balance_line(ch, st, in.w - 2, line, sizeof(line));
		canvas_field(s->c, in.x + 1, y, in.w - 2, false, ROLE_TEXT, line);
	}
}

/* Of scale and age the age goes first where both do not fit. */
static void draw_title(struct screen *s, const struct map_choice *ch, struct rect r, bool digits)
{
	char title[96], extra[96], note[96], age[48], line[160];
	int used;

	snprintf(
		title, sizeof(title), "%s: %s", i18n_optional(ch->map->scope), metric_label(ch->m));
	snprintf(extra, sizeof(extra), "%s%s", meter_unit(ch->m),
		ch->m->flags & METRIC_ESTIMATED ? " ~" : "");
	box_frame(s, r, true, title, extra);
	used = box_title_columns(title, extra);
	scale_text(s, ch, digits, note, sizeof(note));
	age_text(s, ch, age, sizeof(age));
	snprintf(line, sizeof(line), "%s  %s", note, age);
	box_note(s, r, used, ROLE_TEXT, format_columns(line) + 2 <= r.w - used - 2 ? line : note);
}

void map_pane_draw(struct screen *s, const struct map_choice *ch, struct rect r,
	const struct cell_stats *st, bool has_balance)
{
	struct rect in = map_cells_rect(ch, r, has_balance);
	struct map_shape p;

	map_shape_make(&p, s->v, ch->map, in);
	canvas_clip(s->c, r);
	draw_title(s, ch, r, p.digits);
	draw_keys(s, ch, r);
	if (in.h < r.h - 2)
		draw_statements(s, ch, in, in.y + in.h, st, has_balance,
			p.digits && *ch->map->text ? draw_selected(s, ch, in, in.y + in.h) : 0);
	if (p.digits)
		draw_digits(s, ch, &p, in);
	else
		draw_cells(s, ch, &p, in);
	canvas_unclip(s->c);
}
