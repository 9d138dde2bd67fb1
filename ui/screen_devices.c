/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which devices were found, why each can or cannot be read, and what the sources of the current one
 * give. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/mem.h"
#include "ui/range.h"
#include "ui/screen.h"
#include "ui/table.h"

enum { DEV_ID, DEV_WHAT, DEV_DRIVER, DEV_COUNTERS, DEV_STATE, DEV_COLUMNS };

static const char *state_text(const struct device_summary *d)
{
	return d->current ? _("in use") : d->state;
}

static void device_columns(const struct view_model *m, struct table_column *k, int x, int w)
{
	static const char *const heads[] = { N_("device"), N_("what"), N_("driver"), N_("counters"),
		N_("state") };

	for (int i = 0; i < DEV_COLUMNS; i++)
		k[i] = (struct table_column){ .head = _(heads[i]),
			.w = format_columns(_(heads[i])) };
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
	table_place(k, DEV_COLUMNS, DEV_WHAT, x, w);
}

static int selected_device(const struct view *v, const struct view_model *m)
{
	return m->n_devices < 1 ? -1 : clamp(v->device_row, 0, m->n_devices - 1);
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
		for (int i = 0; i < DEV_COLUMNS; i++)
			table_cell(s, &k[i], in.y, ROLE_DIM, k[i].head);
		top = layout_scroll(0, selected, rows, s->m->n_devices);
		for (int i = 0; i < rows && top + i < s->m->n_devices; i++) {
			const struct device_summary *d = &s->m->devices[top + i];
			enum role usual = d->usable ? ROLE_TEXT : ROLE_DIM, first = usual;
			int y = in.y + 1 + i;

			if (top + i == selected) {
				canvas_put(s->c, in.x, y, s->g->marker, ROLE_FOCUS);
				first = ROLE_SELECTED;
			}
			table_cell(s, &k[DEV_ID], y, first, d->id);
			table_cell(s, &k[DEV_WHAT], y, usual, d->what);
			table_cell(s, &k[DEV_DRIVER], y, ROLE_DIM, d->driver);
			table_cell(s, &k[DEV_COUNTERS], y, ROLE_TEXT, d->counters);
			table_cell(s, &k[DEV_STATE], y, d->current ? ROLE_GOOD : ROLE_TEXT,
				state_text(d));
		}
		canvas_unclip(s->c);
		box_scroll_mark(s, r, top, rows, s->m->n_devices);
	}
	canvas_unclip(s->c);
}

/* Why the device can or cannot be used, and the way out, wrapped. Returns the rows used (at most
 * r.h). */
static int draw_reason(struct screen *s, struct rect r, const struct device_summary *d)
{
	char text[800];

	if (*d->reason && *d->hint)
		snprintf(text, sizeof(text), "%s  %s\n%s  %s", _("why"), d->reason, _("how"),
			d->hint);
	else if (*d->reason || !d->usable)
		snprintf(text, sizeof(text), "%s  %s", _("why"), d->reason);
	else if (d->current)
		snprintf(text, sizeof(text), _("%s is in use"), d->id);
	else
		snprintf(text, sizeof(text), _("%s can be used"), d->id);
	return min_of(box_text(s->c, r, 0, text), r.h);
}

static enum role status_role(const char *status)
{
	if (!strcmp(status, "ok"))
		return ROLE_GOOD;
	return !strcmp(status, "NO") ? ROLE_BAD : ROLE_DIM;
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

static int draw_check(struct screen *s, const struct table_column *k, const struct device_check *d,
	struct rect in, int y)
{
	struct rect r = { k[1].x, y + 1, in.x + in.w - k[1].x, in.y + in.h - y - 1 };

	table_cell(s, &k[0], y, ROLE_TEXT, i18n_optional(d->source));
	table_cell(s, &k[1], y, status_role(d->status), d->status);
	table_cell(s, &k[2], y, ROLE_DIM, d->gives);
	return 1 + draw_check_text(s->c, d, r);
}

static void check_columns(const struct view_model *m, struct table_column *k, int x, int w)
{
	static const char *const heads[] = { N_("source"), N_("status"), N_("gives") };

	for (int i = 0; i < 3; i++)
		k[i] = (struct table_column){ .head = _(heads[i]),
			.w = format_columns(_(heads[i])) };
	for (int i = 0; i < m->n_checks; i++) {
		k[0].w = table_longest(k[0].w, i18n_optional(m->checks[i].source));
		k[1].w = table_longest(k[1].w, m->checks[i].status);
		k[2].w = table_longest(k[2].w, m->checks[i].gives);
	}
	table_place(k, 3, 2, x, w);
}

static void draw_checks(struct screen *s, struct rect r)
{
	const struct view_model *m = s->m;
	struct table_column k[3];
	char title[160];
	struct rect in;
	int y, need = 3;

	check_columns(m, k, r.x + 2, r.w - 4);
	for (int i = 0; i < m->n_checks; i++)
		need += 1 +
			draw_check_text(NULL, &m->checks[i],
				(struct rect){ 0, 0, r.x + r.w - 1 - k[1].x, 1 });
	r.h = min_of(need, r.h);
	snprintf(title, sizeof(title), _("%s: what can be read, and why not"),
		m->device ? m->device->id : _("this machine"));
	in = box_frame(s, r, false, title, NULL);
	canvas_clip(s->c, in);
	for (int i = 0; i < 3; i++)
		table_cell(s, &k[i], in.y, ROLE_DIM, k[i].head);
	y = in.y + 1;
	for (int i = 0; i < m->n_checks && y < in.y + in.h; i++)
		y += draw_check(s, k, &m->checks[i], in, y);
	canvas_unclip(s->c);
}

/* The list has at most two fifths of the height, unless that is less than its frame and two
 * rows. */
static struct rect list_rect(struct rect body, int n_devices)
{
	int most = max_of(body.h * 2 / 5, 5);

	body.h = min_of(min_of(max_of(n_devices, 1) + 3, most), body.h);
	return body;
}

/* Row of the list that is drawn on line y, -1 when there is none. */
static int row_at(const struct screen *s, int y)
{
	const struct view_model *m = s->m;
	struct rect r = list_rect(s->l.body, m->n_devices);
	int rows = r.h - 3, row = y - r.y - 2;

	if (m->n_devices < 1 || row < 0 || row >= rows)
		return -1;
	row += layout_scroll(0, selected_device(s->v, m), rows, m->n_devices);
	if (row >= m->n_devices)
		return -1;
	return row;
}

static void draw(struct screen *s)
{
	struct rect r = s->l.body, list = list_rect(r, s->m->n_devices);
	int selected = selected_device(s->v, s->m);

	/* The list comes first, then the reason of the selected device, then checks, as far as they
	 * fit. */
	draw_list(s, list);
	r.y += list.h;
	r.h -= list.h;
	if (selected >= 0 && r.h > 0) {
		struct rect why = { r.x + 1, r.y, r.w - 2, min_of(r.h, 5) };
		int n = draw_reason(s, why, &s->m->devices[selected]);

		r.y += n;
		r.h -= n;
	}
	if (s->m->n_checks > 0 && r.h >= 4)
		draw_checks(s, r);
}

static bool command(
	struct view *v, const struct screen *s, enum command cmd, enum command *out)
{
	if (select_is_move(cmd))
		v->device_row = select_move(cmd, v->device_row, s->h / 3, s->m->n_devices);
	else if (cmd == CMD_EXPLAIN)
		*out = CMD_USE_DEVICE;
	else
		return false;
	return true;
}

static void click(struct view *v, const struct screen *s, const struct key_event *k)
{
	int row = row_at(s, k->y);

	if (row >= 0)
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
	int row = select_find(&rows, text, step);

	if (row >= 0)
		v->device_row = row;
	return row >= 0;
}

static const struct footer_key footer[] = {
	{ CMD_EXPLAIN, CMD_NONE, N_("Use") },
	{ CMD_BESIDE, CMD_NONE, N_("Beside") },
	{ CMD_PAUSE, CMD_NONE, N_("Pause") },
	{ CMD_RECORD, CMD_NONE, N_("Record") },
};

const struct screen_ops screen_devices = {
	.name = "devices",
	.title = N_("Devices"),
	.brief = N_("Dev"),
	.turn = CMD_SCREEN_DEVICES,
	.keys = "on-devices",
	SCREEN_FOOTER(footer),
	.draw = draw,
	.command = command,
	.find = find,
	.click = click,
};
