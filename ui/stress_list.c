/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of the launcher: filtered, selected, with what they reached last. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/mem.h"
#include "ui/stress.h"
#include "ui/table.h"

#define MAX_ROWS 1024	/* the catalogue has some 560 */

/* What p goes through: the first kernel of that family and type that the device has, four wide
 * where there is a choice. */
static const struct preset {
	const char *title;
	const char *family, *op, *type;
	int64_t limit_ns;
	bool tune;
} presets[] = {
	{ N_("quick check"), "private", "mad", "sp", 3 * NS_PER_S, false },
	{ N_("bandwidth"), "triad", "", "sp", 10 * NS_PER_S, false },
	{ N_("bandwidth"), "copy", "", "sp", 10 * NS_PER_S, false },
	{ N_("heat"), "power", "mad", "sp", 300 * NS_PER_S, false },
};

static bool fits(const struct preset *p, const struct kernel_info *k)
{
	return !strcmp(k->family, p->family) && (!*p->op || !strcmp(k->op, p->op)) &&
		!strcmp(k->type, p->type) && k->supported;
}

static const struct kernel_info *preset_kernel(const struct preset *p, const struct view_model *m)
{
	const struct kernel_info *best = NULL;

	for (size_t i = 0; i < m->n_kernels; i++)
		if (fits(p, &m->kernels[i]) && (!best || m->kernels[i].width == 4))
			best = &m->kernels[i];
	return best;
}

/* --- what is selected --- */

static bool is_listed(const struct view *v, const struct kernel_info *k)
{
	return select_contains(k->name, v->stress.filter) || !*v->stress.filter;
}

/* Indices of the kernels that the filter leaves; returns their number. */
static int list_rows(const struct view *v, const struct view_model *m, short *rows)
{
	int n = 0;

	for (size_t i = 0; i < m->n_kernels && n < MAX_ROWS; i++)
		if (is_listed(v, &m->kernels[i]))
			rows[n++] = (short)i;
	return n;
}

/* Before anything was selected it is the first preset's. */
static int selected_row(const struct view *v, const struct view_model *m, const short *rows, int n)
{
	const struct kernel_info *first = *v->stress.kernel ? NULL : preset_kernel(&presets[0], m);
	const char *name = first ? first->name : v->stress.kernel;

	for (int i = 0; i < n; i++)
		if (!strcmp(m->kernels[rows[i]].name, name))
			return i;
	return 0;
}

const struct kernel_info *stress_selected(const struct view *v, const struct view_model *m)
{
	short rows[MAX_ROWS];
	int n = list_rows(v, m, rows);

	return n ? &m->kernels[rows[selected_row(v, m, rows, n)]] : NULL;
}

/* The preset whose kernel is selected; NULL: none has it. */
static const struct preset *preset_selected(const struct view *v, const struct view_model *m)
{
	const struct kernel_info *now = stress_selected(v, m);

	for (size_t i = 0; now && i < ARRAY_LEN(presets); i++)
		if (preset_kernel(&presets[i], m) == now)
			return &presets[i];
	return NULL;
}

void view_preset_chosen(const struct view *v, const struct view_model *m, char *buf, size_t size)
{
	const struct preset *p = preset_selected(v, m);

	/* TRANSLATORS: what a preset is for, its kernel, its time in seconds */
	snprintf(buf, size, _("%s: %s for %g s"), p ? _(p->title) : "--", v->stress.kernel,
		(double)v->stress.form.limit_ns / NS_PER_S);
}

bool stress_next_preset(struct view *v, const struct view_model *m)
{
	const struct preset *now = preset_selected(v, m);
	size_t at = now ? (size_t)(now - presets) + 1 : 0;

	for (size_t i = 0; i < ARRAY_LEN(presets); i++) {
		const struct preset *p = &presets[(at + i) % ARRAY_LEN(presets)];
		const struct kernel_info *k = preset_kernel(p, m);

		if (!k)
			continue;
		snprintf(v->stress.kernel, sizeof(v->stress.kernel), "%s", k->name);
		v->stress.form =
			(struct job){ .limit_ns = p->limit_ns, .tune = p->tune, .verify = true };
		v->stress.field = FIELD_LIST;
		v->stress.filter[0] = '\0';	/* it may have left that kernel out */
		return true;
	}
	return false;
}

/* --- the list --- */

enum { COL_NAME, COL_LAST, COL_SHARE, COL_COUNT };

/* Without its first word where the column is too narrow: that says the least. */
static const char *short_name(const char *name, int w)
{
	const char *dot = format_columns(name) > w ? strchr(name, '.') : NULL;

	return dot ? dot + 1 : name;
}

static void draw_kernel(struct screen *s, const struct table_column *k,
	const struct kernel_info *info, struct rect in, int y, bool selected)
{
	const struct job_run *run = s->m->runs ? job_log_find(s->m->runs, info->name) : NULL;
	enum role role = selected ? ROLE_SELECTED : info->supported ? ROLE_TEXT : ROLE_DIM;
	const char *unit = "";
	char buf[32];

	if (selected)
		canvas_put(s->c, in.x, y, s->g->marker, ROLE_FOCUS);
	table_cell(s, &k[COL_NAME], y, role, short_name(info->name, k[COL_NAME].w));
	if (!info->supported) {
		table_cell(s, &k[COL_LAST], y, ROLE_DIM, "--");
		return;
	}
	if (!run)
		return;
	table_cell(s, &k[COL_LAST], y, ROLE_VALUE,
		stress_rate_text(buf, sizeof(buf), &run->state, true, &unit));
	table_cell(s, &k[COL_SHARE], y, ROLE_TEXT,
		stress_share_text(buf, sizeof(buf), &run->state, true));
}

/* The frame and the heads are given up before the last row is. */
static struct rect list_rows_rect(struct rect r)
{
	return r.h >= 4 ? (struct rect){ r.x + 1, r.y + 2, r.w - 2, r.h - 3 } : r;
}

/* First row shown. The kernel that nobody has chosen yet stands in the middle. */
static int list_top(const struct view *v, int selected, int visible, int n)
{
	return layout_scroll(
		*v->stress.kernel ? v->stress.top : selected - visible / 2, selected, visible, n);
}

static void draw_nothing(struct screen *s, struct rect in)
{
	box_text(s->c, (struct rect){ in.x + 1, in.y, in.w - 2, in.h }, 0,
		*s->v->stress.filter ? _("no kernel has that in its name")
				     : _("nothing can run a load on this device; a simulated "
					 "device can, and OpenCL where it is installed"));
}

void stress_list_draw(struct screen *s, struct rect r)
{
	struct table_column k[COL_COUNT] = { { N_("kernel"), 0, 0, false },
		{ N_("last"), 0, 6, true }, { N_("%roof"), 0, 5, true } };
	struct rect in = list_rows_rect(r);
	bool framed = in.y > r.y;
	short rows[MAX_ROWS];
	int n = list_rows(s->v, s->m, rows), selected = selected_row(s->v, s->m, rows, n),
	    top = list_top(s->v, selected, in.h, n);

	if (framed)
		box_frame(s, r, s->v->stress.field == FIELD_LIST, _("Kernels"),
			*s->v->stress.filter ? s->v->stress.filter : NULL);
	canvas_clip(s->c, (struct rect){ in.x, in.y - framed, in.w, in.h + framed });
	if (!n) {
		draw_nothing(s, (struct rect){ in.x, in.y - framed, in.w, in.h + framed });
		canvas_unclip(s->c);
		return;
	}
	for (int i = 0; i < COL_COUNT; i++)
		k[i].w = table_longest(k[i].w, _(k[i].head));
	for (int i = 0; i < n; i++)
		k[COL_NAME].w = table_longest(k[COL_NAME].w, s->m->kernels[rows[i]].name);
	table_place(k, COL_COUNT, COL_NAME, in.x + 2, in.w - 3);
	for (int i = 0; i < COL_COUNT && framed; i++)
		table_cell(s, &k[i], in.y - 1, ROLE_DIM, _(k[i].head));
	for (int i = 0; i < in.h && top + i < n; i++)
		draw_kernel(s, k, &s->m->kernels[rows[top + i]], in, in.y + i, top + i == selected);
	canvas_unclip(s->c);
	if (framed)
		box_scroll_mark(s, r, top, in.h, n);
}

static void select_row(
	struct view *v, const struct view_model *m, const short *rows, int row, int visible, int n)
{
	int top = list_top(v, selected_row(v, m, rows, n), visible, n);

	snprintf(v->stress.kernel, sizeof(v->stress.kernel), "%s", m->kernels[rows[row]].name);
	v->stress.top = layout_scroll(top, row, visible, n);
}

void stress_list_move(struct view *v, const struct view_model *m, enum command cmd, struct rect r)
{
	short rows[MAX_ROWS];
	int n = list_rows(v, m, rows), visible = list_rows_rect(r).h > 0 ? list_rows_rect(r).h : 1;

	if (n)
		select_row(v, m, rows, select_move(cmd, selected_row(v, m, rows, n), visible, n),
			visible, n);
}

void stress_list_click(struct view *v, const struct view_model *m, struct rect r, int y)
{
	struct rect in = list_rows_rect(r);
	short rows[MAX_ROWS];
	int n = list_rows(v, m, rows),
	    row = y - in.y + list_top(v, selected_row(v, m, rows, n), in.h, n);

	if (y >= in.y && y < in.y + in.h && row < n)
		select_row(v, m, rows, row, in.h, n);
}

/* The kernels that the filter leaves. */
struct listed {
	const struct kernel_info *kernels;
	short rows[MAX_ROWS];
};

static bool kernel_has(const void *rows, int row, const char *text)
{
	const struct listed *l = rows;

	return select_contains(l->kernels[l->rows[row]].name, text);
}

bool stress_list_find(
	struct view *v, const struct view_model *m, const char *text, int step, struct rect r)
{
	struct listed l = { .kernels = m->kernels };
	int n = list_rows(v, m, l.rows), row;
	struct select_rows rows = { &l, n, selected_row(v, m, l.rows, n), kernel_has };

	row = select_find(&rows, text, step);
	if (row >= 0)
		select_row(v, m, l.rows, row, list_rows_rect(r).h, n);
	return row >= 0;
}
