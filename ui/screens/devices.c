/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which devices were found, why each can or cannot be read, and what the sources of the current one
 * give. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/minmax.h"
#include "ui/frame/screen.h"
#include "ui/frame/table.h"

#define NARROW_W 66

enum { DEV_ID, DEV_WHAT, DEV_DRIVER, DEV_COUNTERS, DEV_STATE, DEV_COLUMNS };

static const char *state_text(const struct device_summary *d)
{
	if (d->current)
		return _("in use");
	return d->state;
}

/* Where all of it does not fit, the name alone, or without its vendor. */
static const char *what_text(const struct device_summary *d, int w)
{
	if (!*d->name || format_columns(d->what) <= w)
		return d->what;
	return d->name + (format_columns(d->name) > w ? d->vendor : 0);
}

static void device_columns(const struct view_model *m, struct table_column *k, int x, int w)
{
	static const char *const heads[] = { N_("device"), N_("what"), N_("driver"), N_("counters"),
		N_("state") };

	for (int i = 0; i < DEV_COLUMNS; i++)
		k[i] = (struct table_column){ .head = heads[i] };
	table_heads(k, DEV_COLUMNS);
	for (int i = 0; i < m->n_devices; i++) {
		const struct device_summary *d = &m->devices[i];

		k[DEV_ID].w = table_longest(k[DEV_ID].w, d->id);
		k[DEV_WHAT].w = table_longest(k[DEV_WHAT].w, d->what);
		k[DEV_DRIVER].w = table_longest(k[DEV_DRIVER].w, d->driver);
		k[DEV_COUNTERS].w = table_longest(k[DEV_COUNTERS].w, d->counters);
		k[DEV_STATE].w = table_longest(k[DEV_STATE].w, state_text(d));
	}
	if (w / 5 >= 9)
		k[DEV_ID].w = min_of(k[DEV_ID].w, w / 5);
	/* What a device is called is worth more than who drives it. */
	if (w < NARROW_W)
		k[DEV_DRIVER].w = 0;
	table_place(k, DEV_COLUMNS, DEV_WHAT, x, w);
}

static int selected_device(const struct view *v, const struct view_model *m)
{
	if (m->n_devices < 1)
		return -1;
	return clamp(v->device_row, 0, m->n_devices - 1);
}

static void draw_list(struct screen *s, struct rect r)
{
	struct table_column k[DEV_COLUMNS];
	struct rect in = box_frame(s, r, true, _("Devices"), _("Enter uses the selected one"));
	int selected = selected_device(s->v, s->m), rows = in.h - 1, top;

	canvas_clip(s->c, in);
	if (selected < 0) {
		canvas_text(s->c, in.x + 1, in.y, ROLE_DIM, _("nothing was found"));
	} else {
		device_columns(s->m, k, in.x + 2, in.w - 3);
		table_heads_draw(s, k, DEV_COLUMNS, in.y);
		top = layout_scroll(0, selected, rows, s->m->n_devices);
		s->note->page = rows;
		for (int i = 0; i < rows && top + i < s->m->n_devices; i++) {
			const struct device_summary *d = &s->m->devices[top + i];
			enum role usual = ROLE_TEXT, first = usual;
			int y = in.y + 1 + i;

			if (!d->usable)
				first = usual = ROLE_DIM;
			if (top + i == selected)
				first = ROLE_SELECTED;
			table_cell(s, &k[DEV_ID], y, first, d->id);
			table_cell(s, &k[DEV_WHAT], y, usual, what_text(d, k[DEV_WHAT].w));
			table_cell(s, &k[DEV_DRIVER], y, ROLE_DIM, d->driver);
			table_cell(s, &k[DEV_COUNTERS], y, ROLE_TEXT, d->counters);
			table_cell(s, &k[DEV_STATE], y, d->current ? ROLE_GOOD : ROLE_TEXT,
				state_text(d));
			table_row(s, r, in.x, y, top + i, top + i == selected);
		}
		canvas_unclip(s->c);
		box_scroll_mark(s, r, top, rows, s->m->n_devices);
	}
	canvas_unclip(s->c);
}

/* Why the device can or cannot be used, and the way out. */
static void reason_text(char *buf, size_t size, const struct device_summary *d)
{
	if (*d->reason && *d->hint)
		snprintf(buf, size, "%s  %s\n%s  %s", _("why"), d->reason, _("how"), d->hint);
	else if (*d->reason || !d->usable)
		snprintf(buf, size, "%s  %s", _("why"), d->reason);
	else if (*d->words)
		snprintf(buf, size, "%s", d->words);
	else if (d->current)
		snprintf(buf, size, _("%s is in use"), d->id);
	else
		snprintf(buf, size, _("%s can be used"), d->id);
}

static enum role status_role(const char *status)
{
	if (!strcmp(status, "ok"))
		return ROLE_GOOD;
	if (!strcmp(status, "NO"))
		return ROLE_BAD;
	return ROLE_DIM;
}

/* Draws reason and hint of a check below its row, or with c NULL only counts. Returns the rows
 * used. */
static int draw_check_text(struct canvas *c, const struct device_check *d, struct rect r)
{
	char text[700];

	snprintf(
		text, sizeof(text), *d->reason && *d->hint ? "%s\n%s" : "%s%s", d->reason, d->hint);
	return box_text(c, r, 0, text);
}

enum { CHECK_SOURCE, CHECK_STATUS, CHECK_GIVES, CHECK_COLUMNS };

/* Draws what a check gives, or with c NULL only counts. Returns the rows used. */
static int draw_gives(
	struct canvas *c, const struct device_check *d, const struct table_column *k, int y, int h)
{
	return box_text_role(c, (struct rect){ k->x, y, k->w, h }, 0, ROLE_DIM, d->gives);
}

/* Places the columns in r. Returns the rows that the pane needs; *wrapped: these and those that
 * long texts would need. */
static int check_columns(
	const struct view_model *m, struct table_column *k, struct rect r, int *wrapped)
{
	static const char *const heads[] = { N_("source"), N_("status"), N_("gives") };
	int need = 3;

	for (int i = 0; i < CHECK_COLUMNS; i++)
		k[i] = (struct table_column){ .head = heads[i] };
	table_heads(k, CHECK_COLUMNS);
	for (int i = 0; i < m->n_checks; i++) {
		k[CHECK_SOURCE].w = table_longest(k[CHECK_SOURCE].w, m->checks[i].source);
		k[CHECK_STATUS].w = table_longest(k[CHECK_STATUS].w, m->checks[i].status);
		k[CHECK_GIVES].w = table_longest(k[CHECK_GIVES].w, m->checks[i].gives);
	}
	table_place(k, CHECK_COLUMNS, CHECK_GIVES, r.x + 2, r.w - 4);
	*wrapped = 0;
	for (int i = 0; i < m->n_checks; i++) {
		need += 1 +
			draw_check_text(NULL, &m->checks[i],
				(struct rect){ .w = r.x + r.w - 1 - k[CHECK_STATUS].x });
		*wrapped += max_of(draw_gives(NULL, &m->checks[i], &k[CHECK_GIVES], 0, 0) - 1, 0);
	}
	*wrapped += need;
	return need;
}

static void draw_checks(struct screen *s, struct rect r)
{
	const struct view_model *m = s->m;
	struct table_column k[CHECK_COLUMNS];
	const char *id = _("this machine");
	char title[160];
	int wrapped, need = check_columns(m, k, r, &wrapped);
	bool whole = wrapped <= r.h;

	r.h = whole ? wrapped : min_of(need, r.h);
	if (m->device)
		id = m->device->id;
	snprintf(title, sizeof(title), _("%s: what can be read, and why not"), id);
	struct rect in = box_frame(s, r, false, title, NULL);
	canvas_clip(s->c, in);
	table_heads_draw(s, k, CHECK_COLUMNS, in.y);
	int y = in.y + 1;
	for (int i = 0; i < m->n_checks && y < in.y + in.h; i++) {
		const struct device_check *check = &m->checks[i];

		table_cell(s, &k[CHECK_SOURCE], y, ROLE_TEXT, check->source);
		table_cell(s, &k[CHECK_STATUS], y, status_role(check->status), check->status);
		if (whole)
			y += max_of(draw_gives(s->c, check, &k[CHECK_GIVES], y, in.h), 1);
		else
			glyphs_sentence(s->c, s->g, k[CHECK_GIVES].x, y++, k[CHECK_GIVES].w, ROLE_DIM,
				check->gives);
		y += draw_check_text(s->c, check,
			(struct rect){ k[CHECK_STATUS].x, y, in.x + in.w - k[CHECK_STATUS].x,
				in.y + in.h - y });
	}
	canvas_unclip(s->c);
}

#define CHECKS_MIN_H 4

/* The list comes first, then the reason of the selected device, then the checks of the device in
 * use, below its own row only. Where not all of it fits, the list has two fifths of the height, and
 * what the others leave. */
static void draw(struct screen *s)
{
	const struct view_model *m = s->m;
	struct rect r = s->l.body, why = { r.x + 1, r.y, r.w - 2, 0 };
	const int selected = selected_device(s->v, m), least = max_of(r.h * 2 / 5, 5);
	struct table_column k[CHECK_COLUMNS];
	char text[800] = "";

	if (selected >= 0)
		reason_text(text, sizeof(text), &m->devices[selected]);
	if (*text)
		why.h = clamp(box_text(NULL, why, 0, text), 0, max_of(min_of(r.h - least, 5), 0));
	int checks = 0, wrapped;
	if (m->n_checks > 0 && (selected < 0 || m->devices[selected].current) &&
		r.h - least - why.h >= CHECKS_MIN_H)
		checks = check_columns(m, k, r, &wrapped);
	if (checks && wrapped <= r.h - least - why.h)
		checks = wrapped;
	struct rect list = { r.x, r.y, r.w,
		min_of(max_of(m->n_devices, 1) + 3, max_of(least, r.h - why.h - checks)) };
	list.h = min_of(list.h, r.h);
	draw_list(s, list);
	why.y += list.h;
	if (why.h)
		box_text(s->c, why, 0, text);
	r.y = why.y + why.h;
	r.h -= list.h + why.h;
	if (checks)
		draw_checks(s, r);
}

/* Begins at the device in use, or at the one that was selected among all devices. */
static void enter(struct view *v, const struct view_model *m)
{
	const struct device_line *asked = v->all_row < m->n_lines ? &m->lines[v->all_row] : NULL;
	const bool other = asked && !asked->shown;

	for (int i = 0; i < m->n_devices; i++) {
		const struct device_summary *d = &m->devices[i];
		bool is_asked = d->current;

		if (other)
			is_asked = !d->current && !strcmp(d->id, asked->id);
		if (is_asked)
			v->device_row = i;
	}
}

static bool command(
	struct view *v, const struct screen *s, enum command cmd, enum command *out)
{
	if (select_is_move(cmd))
		v->device_row = select_move(cmd, v->device_row, v->page, s->m->n_devices);
	else if (cmd == CMD_ENTER)
		*out = CMD_USE_DEVICE;
	else
		return false;
	return true;
}

static void choose(struct view *v, const struct view_model *m, int list, int row)
{
	(void)list;
	if (row < m->n_devices)
		v->device_row = row;
}

static bool device_has(const void *rows, int row, const char *text)
{
	const struct device_summary *d = rows;

	return select_contains(d[row].id, text) || select_contains(d[row].what, text);
}

static bool find(struct view *v, const struct screen *s, const char *text, int step)
{
	struct select_rows rows = {
		s->m->devices, s->m->n_devices, selected_device(v, s->m), device_has };

	return view_find_row(v, s, &rows, text, step);
}

static const struct footer_key footer[] = {
	{ CMD_ENTER, CMD_NONE, N_("Use") },
	{ CMD_BESIDE, CMD_NONE, N_("Beside") },
	{ CMD_PAUSE, CMD_NONE, N_("Pause") },
	{ CMD_RECORD, CMD_NONE, N_("Record") },
};

const struct screen_ops screen_devices = {
	SCREEN_FOOTER(footer),
	.enter = enter,
	.draw = draw,
	.command = command,
	.find = find,
	.choose = choose,
};
