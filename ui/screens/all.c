/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows all devices, a line each: what limits it, how busy, fast and hot it is. The order never
 * changes by itself. */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "base/format.h"
#include "ui/draw/plot.h"
#include "base/minmax.h"
#include "ui/frame/table.h"

enum { COL_NUMBER, COL_ID, COL_NAME, COL_LIMIT, COL_HEADROOM, COL_BUSY, COL_PAST, COL_CLOCK,
	COL_POWER, COL_TEMP, COL_MEMORY, COLUMNS };

#define NAME_MIN 16
#define LIMIT_GOOD 40	/* kind, resource and share as a whole */
#define PAST_MAX 24	/* columns of the past of a line */

static int selected(const struct view *v, const struct view_model *m)
{
	return clamp(v->all_row, 0, max_of(m->n_lines - 1, 0));
}

/* Where all of it does not fit in w columns, a name goes without its vendor, and the limit without
 * the resource. */
static const char *cell_text(
	char *buf, size_t size, const struct device_line *l, int column, int w)
{
	*buf = '\0';
	switch (column) {
	case COL_ID: return l->id;
	case COL_NAME: return l->name + (format_columns(l->name) > w ? l->vendor : 0);
	case COL_LIMIT:
		if (*l->state)
			return l->state;
		return format_columns(l->limit) > w ? l->limit_brief : l->limit;
	case COL_HEADROOM:
		if (!isnan(l->headroom))
			snprintf(buf, size, "%s%.2fx", l->inferred ? "~" : "", l->headroom);
		return buf;
	case COL_BUSY:
		if (!isnan(l->busy_pct))
			snprintf(buf, size, "%.0f %%", fmax(l->busy_pct, 0));
		break;
	case COL_CLOCK:
		if (!isnan(l->clock_mhz))
			snprintf(buf, size, "%.0f MHz", l->clock_mhz);
		break;
	case COL_POWER:
		if (!isnan(l->power_w))
			snprintf(buf, size, "%.0f W", l->power_w);
		break;
	case COL_TEMP:
		if (!isnan(l->temperature_c))
			snprintf(buf, size, "%.0f C", l->temperature_c);
		break;
	case COL_MEMORY:
		if (isnan(l->memory_all_gb) && !isnan(l->memory_gb))
			snprintf(buf, size, "%.1f GB", l->memory_gb);
		else if (!isnan(l->memory_gb))
			snprintf(buf, size, "%.1f/%.1f GB", l->memory_gb, l->memory_all_gb);
		break;
	default: break;
	}
	return text_or(buf, "--");
}

/* Makes a column that is there up to w columns wide, out of what is left. Returns what it took. */
static int widen(struct table_column *k, int w, int left)
{
	int more = k->w ? clamp(w - k->w, 0, left) : 0;

	k->w += more;
	return more;
}

/* Only names make columns wider, never values. The columns that are named first stay longest. */
static void columns_make(struct table_column *k, const struct view_model *m, int x, int w)
{
	static const struct {
		const char *head;
		int w;
	} columns[COLUMNS] = {
		[COL_NUMBER] = { "#", 3 },
		[COL_ID] = { N_("device"), 8 },
		[COL_NAME] = { N_("name"), 10 },
		[COL_LIMIT] = { N_("what limits it"), 30 },
		/* TRANSLATORS: how many times faster until the roof */
		[COL_HEADROOM] = { N_("room"), 6 },
		[COL_BUSY] = { N_("busy"), 5 },
		/* TRANSLATORS: a small graph of how busy the device was */
		[COL_PAST] = { N_("past"), 8 },
		[COL_CLOCK] = { N_("clock"), 8 },
		[COL_POWER] = { N_("power"), 5 },
		[COL_TEMP] = { N_("temp"), 5 },
		[COL_MEMORY] = { N_("VRAM"), 13 },
	};
	static const int order[] = { COL_NUMBER, COL_ID, COL_LIMIT, COL_BUSY, COL_PAST,
		COL_HEADROOM, COL_CLOCK, COL_TEMP, COL_POWER, COL_NAME, COL_MEMORY };
	int left, name_w = 0;

	for (int i = 0; i < COLUMNS; i++)
		k[i] = (struct table_column){ .head = columns[i].head,
			.w = columns[i].w,
			.right = i == COL_NUMBER || (i >= COL_HEADROOM && i != COL_PAST) };
	table_heads(k, COLUMNS);
	for (int i = 0; i < m->n_lines; i++) {
		k[COL_ID].w = min_of(table_longest(k[COL_ID].w, m->lines[i].id), 16);
		name_w = table_longest(name_w, m->lines[i].name);
	}
	k[COL_NAME].w = min_of(max_of(name_w, k[COL_NAME].w), NAME_MIN);
	k[COL_LIMIT].w = min_of(k[COL_LIMIT].w, max_of(w - k[COL_ID].w - 8, 8));
	left = table_fit(k, order, (int)ARRAY_LEN(order), w + 2);
	/* What is left makes the names whole, then the limits, and then the past longer. */
	left -= widen(&k[COL_NAME], name_w, left);
	left -= widen(&k[COL_LIMIT], LIMIT_GOOD, left);
	widen(&k[COL_PAST], PAST_MAX, left);
	table_lay(k, COLUMNS, x);
}

static void draw_past(struct screen *s, const struct table_column *k, int y, const struct device_line *l)
{
	const struct series series = { .history = l->past,
		.column = l->past_column,
		.top = 100,
		.asleep = l->asleep_column,
		.asleep_top = l->asleep_top };

	if (k->w > 0 && l->past)
		plot_spark(s->c, s->g, (struct rect){ k->x, y, k->w, 1 }, &series);
}

static void draw_line(struct screen *s, const struct table_column *k, int y, int i, bool now)
{
	const struct device_line *l = &s->m->lines[i];
	enum role usual = l->open ? ROLE_TEXT : ROLE_DIM;
	char buf[64];

	snprintf(buf, sizeof(buf), "%d", i + 1);
	table_cell(s, &k[COL_NUMBER], y, ROLE_DIM, buf);
	for (int c = COL_ID; c < COLUMNS; c++) {
		enum role role = usual;

		if (c == COL_PAST) {
			draw_past(s, &k[c], y, l);
			continue;
		}

		if (c == COL_ID && now)
			role = ROLE_SELECTED;
		else if (c == COL_LIMIT && l->open && !*l->state)
			role = ROLE_TITLE;
		table_cell(s, &k[c], y, role, cell_text(buf, sizeof(buf), l, c, k[c].w));
	}
}

static void draw(struct screen *s)
{
	struct rect in = box_frame(s, s->l.body, true, _("All devices"),
		_("Enter opens one, b opens it beside"));
	int now = selected(s->v, s->m), rows = max_of(in.h - 1, 0);
	int top = layout_scroll(s->v->all_top, now, rows, s->m->n_lines);
	struct table_column k[COLUMNS];

	columns_make(k, s->m, in.x + 1, in.w - 2);
	canvas_clip(s->c, in);
	table_heads_draw(s, k, COLUMNS, in.y);
	for (int i = 0; i < rows && top + i < s->m->n_lines; i++) {
		draw_line(s, k, in.y + 1 + i, top + i, top + i == now);
		table_row(s, s->l.body, in.x, in.y + 1 + i, top + i, top + i == now);
	}
	s->note->page = rows;
	canvas_unclip(s->c);
	box_scroll_mark(s, s->l.body, top, rows, s->m->n_lines);
}

static void choose(struct view *v, const struct view_model *m, int list, int row)
{
	(void)list;
	if (row < 0 || row >= m->n_lines)
		return;
	v->all_row = row;
	v->all_top = layout_scroll(v->all_top, row, v->page, m->n_lines);
}

static bool command(
	struct view *v, const struct screen *s, enum command cmd, enum command *out)
{
	if (select_is_move(cmd))
		choose(v, s->m, 0, select_move(cmd, selected(v, s->m), v->page, s->m->n_lines));
	else if (cmd == CMD_ENTER)
		*out = CMD_USE_DEVICE;
	else
		return false;
	return true;
}

static bool line_has(const void *rows, int row, const char *text)
{
	const struct device_line *l = rows;

	return select_contains(l[row].id, text) || select_contains(l[row].name, text) ||
		select_contains(l[row].limit, text);
}

static bool find(struct view *v, const struct screen *s, const char *text, int step)
{
	struct select_rows rows = { s->m->lines, s->m->n_lines, selected(v, s->m), line_has };

	return view_find_row(v, s, &rows, text, step);
}

static const struct footer_key footer[] = {
	{ CMD_ENTER, CMD_NONE, N_("Open") },
	{ CMD_BESIDE, CMD_NONE, N_("Beside") },
	{ CMD_SCREEN_DEVICES, CMD_NONE, N_("Why not") },
	{ CMD_PAUSE, CMD_NONE, N_("Pause") },
};

const struct screen_ops screen_all = {
	SCREEN_FOOTER(footer),
	.draw = draw,
	.command = command,
	.find = find,
	.choose = choose,
};
