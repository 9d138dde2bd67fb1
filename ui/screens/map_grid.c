/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the cells of a map with their shades, numbers and digits, and the frame around them. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/format.h"
#include "ui/screens/map.h"
#include "ui/frame/pane_meters.h"
#include "ui/draw/plot.h"
#include "base/minmax.h"
#include "core/verdict/verdict.h"

#define CELL_MIN_W 8		/* a marker, a number, a blank */
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

	if (f < 0)
		return 0;
	return f > 1 ? 1 : f;
}

#define DIGITS "0123456789"
#define SEVEN_BITS " .:-=+*#%@"

/* A blank means 0 and nothing else; x means that there is no number. */
static uint32_t shade(const struct glyphs *g, double f)
{
	static const uint32_t blocks[] = { ' ', 0x2591, 0x2592, 0x2593, 0x2588 };

	if (isnan(f))
		return 'x';
	if (!(f > 0))
		return ' ';
	if (g->braille)
		return blocks[1 + (int)fmin(f * 4, 3)];
	return (uint32_t)SEVEN_BITS[1 + (int)fmin(f * 9, 8)];
}

static enum role shade_role(double f)
{
	return isnan(f) ? ROLE_NONE_VALUE : ROLE_BAR;
}

/* The number stands in the first line, behind the name where the grid has no labels. The shade
 * stands below or beside it. */
static void draw_cell(struct screen *s, const struct map_choice *ch, const struct map_shape *p,
	int cell, struct rect r)
{
	double f = map_fraction(ch, cell);
	bool stale = cell_is_stale(ch->snap, ch->map, cell, s->m->delay_ns);
	enum role role = ROLE_VALUE, name_role = ROLE_LABEL;
	char number[32];
	int x = r.x + 1 + p->name_w + MAP_NUMBER_W, room = r.x + r.w - 1 - x;

	/* Where there is room for nothing else, the number has the colour of the shade. */
	if (isnan(f) || (r.h == 1 && room < 4))
		role = shade_role(f);
	if (cell == ch->cell) {
		role = name_role = ROLE_SELECTED;
		canvas_put(s->c, r.x, r.y, s->g->marker, role);
	}
	if (p->name_w)
		canvas_field(s->c, r.x + 1, r.y, p->name_w, false, name_role, ch->map->names[cell]);
	canvas_put(s->c, x - 1, r.y, stale ? '?' : ' ', ROLE_WARN);
	canvas_field(s->c, x - MAP_NUMBER_W, r.y, MAP_NUMBER_W - 1, true, role,
		map_number(ch, cell, number, sizeof(number)));
	if (r.h == 1 && room >= 4)
		plot_bar(s->c, s->g, (struct rect){ x, r.y, room, 1 }, f);
	if (r.h > 1)
		canvas_fill(s->c, (struct rect){ r.x + 1, r.y + 1, r.w - 2, r.h - 1 - (r.h > 2) },
			shade(s->g, f), shade_role(f));
}

/* --- the grid --- */

int map_longest_name(const struct cell_map *map)
{
	int w = 0;

	for (int i = 0; i < map->n; i++)
		w = max_of(w, format_columns(map->names[i]));
	return w;
}

void map_shape_make(
	struct map_shape *p, const struct view *v, const struct cell_map *map, struct rect in)
{
	*p = (struct map_shape){ .name_w = map_longest_name(map) + 1 };
	grid_make(&p->g, map, in.w / (CELL_MIN_W + p->name_w));
	if (p->g.named) {
		p->name_w = 0;
		p->head_h = 1;
		for (int i = 0; i < p->g.rows; i++)
			p->label_w = max_of(p->label_w, (int)strlen(p->g.row[i]) + 2);
	}
	if (p->g.cols)
		p->cell_w = min_of(CELL_MAX_W, (in.w - p->label_w) / p->g.cols);
	if (p->g.rows)
		p->cell_h = min_of(MAP_CELL_MAX_H, (in.h - p->head_h) / p->g.rows);
	if (!v->map.digits && p->cell_h >= 1 && p->cell_w >= CELL_MIN_W + p->name_w)
		return;
	p->digits = true;
	p->cell_w = p->cell_h = 1;
	p->head_h = 0;
	if (p->g.named)
		return;
	p->label_w = map_longest_name(map) + 2;
	int room = in.w - p->label_w - 1;
	room -= room / (MAP_DIGIT_GROUP + 1);
	if (room >= MAP_DIGIT_GROUP)
		room -= room % MAP_DIGIT_GROUP;
	grid_make(&p->g, map, room);
}

/* Returns the first row to show, so that the selected cell is among them. */
static int first_row(const struct map_shape *p, const struct map_choice *ch, int visible)
{
	int row, col;

	grid_place(&p->g, ch->map, ch->cell, &row, &col);
	return layout_scroll(0, row, visible, p->g.rows);
}

static void draw_digits(
	struct screen *s, const struct map_choice *ch, const struct map_shape *p, struct rect in)
{
	int top = first_row(p, ch, in.h);

	for (int row = top; row < p->g.rows && row - top < in.h; row++) {
		int first = grid_cell(&p->g, ch->map, row, 0), y = in.y + row - top;
		const char *label = p->g.named ? p->g.row[row] : "";

		if (!p->g.named && first >= 0)
			label = ch->map->names[first];
		canvas_field(s->c, in.x + 1, y, p->label_w - 1, false, ROLE_LABEL, label);
		for (int col = 0; col < p->g.cols; col++) {
			int cell = grid_cell(&p->g, ch->map, row, col),
			    x = in.x + p->label_w + col + col / MAP_DIGIT_GROUP;
			double f = map_fraction(ch, max_of(cell, 0));
			enum role role = shade_role(f);
			uint32_t digit = 'x';

			if (!isnan(f))
				digit = (uint32_t)DIGITS[(int)fmin(f * 10, 9)];
			if (cell == ch->cell)
				role = ROLE_SELECTED;
			if (cell < 0)
				continue;
			canvas_put(s->c, x, y, digit, role);
			offer_row(s, (struct rect){ x, y, 1, 1 }, 0, cell);
		}
	}
}

static void draw_cells(
	struct screen *s, const struct map_choice *ch, const struct map_shape *p, struct rect in)
{
	int visible = (in.h - p->head_h) / p->cell_h, top = first_row(p, ch, visible);

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
			int x = in.x + p->label_w + col * p->cell_w;
			struct rect r = { x, y, p->cell_w, p->cell_h };

			if (cell < 0)
				continue;
			draw_cell(s, ch, p, cell, r);
			offer_row(s, r, 0, cell);
		}
	}
}

/* --- words --- */

bool map_is_measured(const struct map_choice *ch)
{
	for (int i = 0; i < ch->map->n; i++)
		if (ch->map->t_ns[i])
			return true;
	return false;
}

static void age_text(const struct map_choice *ch, char *buf, size_t size)
{
	int64_t oldest = INT64_MAX, newest = 0;
	double now = (double)ch->snap->cells_ns;

	for (int i = 0; i < ch->map->n; i++) {
		int64_t at = ch->map->t_ns[i];

		if (at && at < oldest)
			oldest = at;
		if (at > newest)
			newest = at;
	}
	if (oldest == newest)
		snprintf(buf, size, _("age %.1f s"), (now - (double)newest) / NS_PER_S);
	else
		snprintf(buf, size, _("age %.1f to %.1f s"), (now - (double)newest) / NS_PER_S,
			(now - (double)oldest) / NS_PER_S);
}

struct range_text {
	char min[24], mean[24], max[24];
};

static struct range_text range_numbers(const struct map_choice *ch)
{
	const struct cell_stats *st = &ch->stats;
	struct range_text t;

	meter_number(t.min, sizeof(t.min), ch->m, st->min, ch->number_scale, MAP_NUMBER_W);
	meter_number(t.mean, sizeof(t.mean), ch->m, st->mean, ch->number_scale, MAP_NUMBER_W);
	meter_number(t.max, sizeof(t.max), ch->m, st->max, ch->number_scale, MAP_NUMBER_W);
	return t;
}

void map_range_text(const struct map_choice *ch, char *buf, size_t size)
{
	struct range_text t = range_numbers(ch);

	snprintf(buf, size, _("min %s  mean %s  max %s"), t.min, t.mean, t.max);
}

/* The lower line of the frame names what else there is to look at, as far as it fits. */
static void draw_keys(struct screen *s, const struct map_choice *ch, struct rect r)
{
	char text[80], key[8];
	int metrics = 0, at = 0;

	for (int k = 0; k < ch->snap->n_maps; k++) {
		if (k == ch->index)
			at = metrics + ch->column + 1;
		metrics += ch->snap->maps[k].n_metrics;
	}
	/* TRANSLATORS: two keys and what they do on the map */
	snprintf(text, sizeof(text), _(" Tab metric %d of %d   %s what is drawn "), at, metrics,
		key_of_command(CMD_DRAWN, false, key, sizeof(key)));
	if (format_columns(text) <= r.w - 4)
		canvas_text(s->c, r.x + 2, r.y + r.h - 1, ROLE_DIM, text);
}

struct rect map_cells_rect(const struct map_choice *ch, struct rect r)
{
	struct rect in = { r.x + 1, r.y + 1, r.w - 2, r.h - 2 };

	if (in.h >= 3)
		in.h -= !ch->has_balance + (*ch->map->text != '\0') + ch->says;
	return in;
}

/* Says what the balance of the cells means, and what the number of groups has to do with it. */
static void draw_balance_words(
	struct screen *s, const struct map_choice *ch, int x, int y, int w)
{
	struct verdict_text text[2] = { 0 };
	char line[200];

	balance_tell(&ch->balance, ch->map, ch->m, &text[0]);
	if (ch->groups)
		balance_tell_groups(&ch->balance, ch->map, ch->m, ch->groups, &text[1]);
	for (int i = 0; i < ch->says; i++)
		glyphs_field(s->c, s->g, x, y + i, w, ROLE_TEXT,
			verdict_text(&text[i], false, line, sizeof(line)));
}

/* Returns how many samples the cells with the fewest of them rest on; NAN where the metric is no
 * estimate from samples. */
static double fewest_samples(const struct map_choice *ch)
{
	double fewest = NAN;

	for (int c = 0; c < ch->map->n_metrics && ch->m->flags & METRIC_ESTIMATED; c++) {
		int metric = ch->map->metrics[c];

		if (ch->snap->set->metrics[metric].limit.role != LIMIT_SAMPLES)
			continue;
		for (int i = 0; i < ch->map->n; i++)
			fewest = fmin(fewest, cell_value(ch->map, i, metric).v);
	}
	return fewest;
}

/* What a cell is must always be said. Figures have a pane of their own where there is room. */
static void draw_statements(
	struct screen *s, const struct map_choice *ch, struct rect in, bool digits)
{
	int x = in.x + 1, y = in.y + in.h, end = in.x + in.w - 1;
	double imbalance = ch->stats.imbalance, samples = fewest_samples(ch);
	struct range_text t = range_numbers(ch);
	char number[32], line[160];

	draw_balance_words(s, ch, x, y, end - x);
	y += ch->says;
	if (*ch->map->text && digits) {
		/* the number of the cell that the selected digit stands for */
		snprintf(line, sizeof(line), "%s  %s %s", ch->map->names[ch->cell],
			map_number(ch, ch->cell, number, sizeof(number)), meter_unit(ch->m));
		x += canvas_text(s->c, x, y, ROLE_VALUE, line) + 3;
	}
	if (*ch->map->text) {
		int used = snprintf(line, sizeof(line),
			ngettext("%d cell, %s", "%d cells, %s", (unsigned long)ch->map->n),
			ch->map->n, ch->map->text);

		if (samples > 0 && used < (int)sizeof(line))
			/* TRANSLATORS: how many samples a share of time rests on, and its largest
			 * standard error */
			snprintf(line + used, sizeof(line) - (size_t)used,
				_(": ~ of %.0f looks, error up to %.1f points"), samples,
				50 / sqrt(samples));
		glyphs_field(s->c, s->g, x, y++, end - x, ROLE_DIM, line);
	}
	if (ch->has_balance)
		return;
	map_range_text(ch, line, sizeof(line));
	if (!isnan(imbalance))
		snprintf(line, sizeof(line), _("min %s  mean %s  max %s  max/mean %.2f"), t.min,
			t.mean, t.max, imbalance);
	/* TRANSLATORS: the same for a narrow screen: smallest and largest value, largest over
	 * mean */
	if (!isnan(imbalance) && format_columns(line) > in.w - 2)
		snprintf(line, sizeof(line), _("%s to %s, max/mean %.2f"), t.min, t.max, imbalance);
	canvas_field(s->c, in.x + 1, y, in.w - 2, false, ROLE_TEXT, line);
}

void map_title(const struct map_choice *ch, char *buf, size_t size)
{
	const char *scope = ch->map->scope, *label = metric_label(ch->m);
	const size_t len = strlen(scope);

	/* "EU active" names the part already. */
	if (!strncasecmp(label, scope, len) && label[len] == ' ')
		snprintf(buf, size, "%s", label);
	else
		snprintf(buf, size, "%s: %s", scope, label);
}

/* Draws "scale 0 [ ░▒▓█] 100  age 2.0 s". Where scale and age do not both fit, the age is left
 * out. */
static void draw_title(struct screen *s, const struct map_choice *ch, struct rect r, bool digits)
{
	const char *shades = SEVEN_BITS, *sign = "";
	char title[96], extra[96], top[24], note[96], age[48], line[160];

	if (ch->m->flags & METRIC_ESTIMATED)
		sign = " ~";
	map_title(ch, title, sizeof(title));
	snprintf(extra, sizeof(extra), "%s%s", meter_unit(ch->m), sign);
	box_frame(s, r, true, title, extra);
	int used = box_title_columns(title, extra);
	if (digits)
		shades = DIGITS;
	else if (s->g->braille)
		shades = " ░▒▓█";
	snprintf(note, sizeof(note), _("scale 0 [%s] %s"), shades,
		meter_ceiling_number(top, sizeof(top), ch->top));
	age_text(ch, age, sizeof(age));
	snprintf(line, sizeof(line), "%s  %s", note, age);
	if (format_columns(line) + 2 > r.w - used - 2)
		box_note(s, r, used, ROLE_TEXT, note);
	else
		box_note(s, r, used, ROLE_TEXT, line);
}

void map_pane_draw(struct screen *s, const struct map_choice *ch, struct rect r)
{
	struct rect in = map_cells_rect(ch, r);
	struct map_shape p;
	int row, col;

	map_shape_make(&p, s->v, ch->map, in);
	grid_place(&p.g, ch->map, ch->cell, &row, &col);
	s->note->map.above = grid_cell(&p.g, ch->map, row - 1, col);
	s->note->map.below = grid_cell(&p.g, ch->map, row + 1, col);
	canvas_clip(s->c, r);
	draw_title(s, ch, r, p.digits);
	draw_keys(s, ch, r);
	if (in.h < r.h - 2)
		draw_statements(s, ch, in, p.digits);
	if (p.digits)
		draw_digits(s, ch, &p, in);
	else
		draw_cells(s, ch, &p, in);
	canvas_unclip(s->c);
}
