/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the kernels of the launcher: filters them, selects one, and shows what each reached
 * last. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/mem.h"
#include "ui/screens/stress.h"
#include "ui/frame/table.h"

#define MAX_ROWS 1024	/* the catalogue has some 560 kernels */

/* The menu goes through these presets: each is the first kernel of its family and type that the
 * device has, four wide where there is a choice. */
static const struct preset {
	const char *title, *family, *op, *type;
	int64_t limit_ns;
	bool tune;
} presets[] = {
	{ N_("quick check"), "private", "mad", "sp", 3 * NS_PER_S, false },
	{ N_("bandwidth"), "triad", "", "sp", 10 * NS_PER_S, false },
	{ N_("bandwidth"), "copy", "", "sp", 10 * NS_PER_S, false },
	{ N_("heat"), "power", "mad", "sp", 300 * NS_PER_S, false },
};

static const struct kernel_info *preset_kernel(const struct preset *p, const struct view_model *m)
{
	const struct kernel_info *best = NULL;

	for (size_t i = 0; i < m->n_kernels; i++) {
		const struct kernel_info *k = &m->kernels[i];

		if (!k->supported || strcmp(k->family, p->family) || strcmp(k->type, p->type) ||
			(*p->op && strcmp(k->op, p->op)))
			continue;
		if (!best || k->width == 4)
			best = k;
	}
	return best;
}

/* --- what is selected --- */

/* The kernels that the filter leaves. */
struct listed {
	const struct kernel_info *kernels;
	short rows[MAX_ROWS];	/* indices of kernels */
	int n, selected;
};

/* Before anything was selected, the first preset's kernel is selected. */
static void list_make(struct listed *l, const struct view *v, const struct view_model *m)
{
	const char *name = v->stress.kernel;
	const struct kernel_info *first = NULL;

	if (!*name)
		first = preset_kernel(&presets[0], m);
	if (first)
		name = first->name;
	l->kernels = m->kernels;
	l->n = l->selected = 0;
	for (size_t i = 0; i < m->n_kernels && l->n < MAX_ROWS; i++) {
		if (*v->stress.filter && !select_contains(m->kernels[i].name, v->stress.filter))
			continue;
		if (!strcmp(m->kernels[i].name, name))
			l->selected = l->n;
		l->rows[l->n++] = (short)i;
	}
}

static const struct kernel_info *listed_kernel(const struct listed *l, int row)
{
	return &l->kernels[l->rows[row]];
}

const struct kernel_info *stress_selected(const struct view *v, const struct view_model *m)
{
	struct listed l;

	list_make(&l, v, m);
	if (!l.n)
		return NULL;
	return listed_kernel(&l, l.selected);
}

/* Returns the preset whose kernel is selected, or NULL when none has it. */
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
	const char *title = p ? _(p->title) : "--";

	/* TRANSLATORS: what a preset is for, its kernel, its time in seconds */
	snprintf(buf, size, _("%s: %s for %g s"), title, v->stress.kernel,
		(double)v->stress.form.limit_ns / NS_PER_S);
}

void stress_preset_text(
	const struct view *v, const struct view_model *m, char *buf, size_t size)
{
	const struct preset *p = preset_selected(v, m);

	snprintf(buf, size, "%s", p ? _(p->title) : "--");
}

bool stress_step_preset(struct view *v, const struct view_model *m, int step)
{
	const struct preset *now = preset_selected(v, m);
	const int n = (int)ARRAY_LEN(presets);
	int at = step > 0 ? -1 : n;

	if (now)
		at = (int)(now - presets);
	for (int i = 1; i <= n; i++) {
		const struct preset *p = &presets[(at + i * step + 2 * n) % n];
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

static void draw_kernel(struct screen *s, const struct table_column *k,
	const struct kernel_info *info, int y, bool selected)
{
	const struct job_run *run = NULL;
	enum role role = ROLE_TEXT;
	const char *name = info->name, *unit = "";
	char buf[32];

	if (!info->supported)
		role = ROLE_DIM;
	if (selected)
		role = ROLE_SELECTED;
	/* Where the column is too narrow the first word goes, because it says the least. */
	if (format_columns(name) > k[COL_NAME].w && strchr(name, '.'))
		name = strchr(name, '.') + 1;
	table_cell(s, &k[COL_NAME], y, role, name);
	if (!info->supported) {
		table_cell(s, &k[COL_LAST], y, ROLE_DIM, "--");
		return;
	}
	if (s->m->runs)
		run = job_log_find(s->m->runs, info->name);
	if (!run)
		return;
	stress_rate_text(buf, sizeof(buf), &run->state, true, &unit);
	/* The column has no unit. */
	if (unit[0] == 'T')
		snprintf(buf + strlen(buf), sizeof(buf) - strlen(buf), "T");
	table_cell(s, &k[COL_LAST], y, ROLE_VALUE, buf);
	table_cell(s, &k[COL_SHARE], y, ROLE_TEXT,
		stress_share_text(buf, sizeof(buf), &run->state, true));
}

/* The frame and the heads are given up before the last row is. */
static struct rect list_rows_rect(struct rect r)
{
	if (r.h < 4)
		return r;
	return (struct rect){ r.x + 1, r.y + 2, r.w - 2, r.h - 3 };
}

/* Returns the first row to show. The kernel that nobody has chosen yet stands in the middle. */
static int list_top(const struct view *v, const struct listed *l, int visible)
{
	int top = v->stress.top;

	if (!*v->stress.kernel)
		top = l->selected - visible / 2;
	return layout_scroll(top, l->selected, visible, l->n);
}

void stress_list_draw(struct screen *s, struct rect r)
{
	struct table_column k[COL_COUNT] = { { .head = N_("kernel") },
		{ .head = N_("last"), .w = 6, .right = true },
		{ .head = N_("%roof"), .w = 5, .right = true } };
	struct rect in = list_rows_rect(r);
	bool framed = in.y > r.y;
	const char *filter = s->v->stress.filter, *none;
	int n_columns = COL_COUNT;
	struct listed l;

	list_make(&l, s->v, s->m);
	int top = list_top(s->v, &l, in.h);
	offer_row(s, r, STRESS_LIST, 0);
	if (framed)
		box_frame(s, r, s->v->stress.field == FIELD_LIST, _("Kernels"),
			text_or(filter, NULL));
	canvas_clip(s->c, (struct rect){ in.x, in.y - framed, in.w, in.h + framed });
	if (!l.n) {
		none = _("nothing can run a load on this device; a simulated device can, and "
			 "OpenCL where it is installed");
		if (*filter)
			none = _("no kernel has that in its name");
		box_text(s->c, (struct rect){ in.x + 1, in.y - framed, in.w - 2, in.h + framed }, 0,
			none);
		canvas_unclip(s->c);
		return;
	}
	/* Before the first run names have all of the room. */
	if (!s->m->runs || !job_log_len(s->m->runs)) {
		n_columns = COL_LAST;
		k[COL_LAST].w = k[COL_SHARE].w = 0;
	}
	for (int i = 0; i < l.n; i++)
		k[COL_NAME].w = table_longest(k[COL_NAME].w, listed_kernel(&l, i)->name);
	/* Whole names are worth more than shares. */
	if (n_columns > COL_SHARE &&
		k[COL_NAME].w + k[COL_LAST].w + k[COL_SHARE].w + 4 > in.w - 3) {
		n_columns = COL_SHARE;
		k[COL_SHARE].w = 0;
	}
	table_heads(k, n_columns);
	table_place(k, n_columns, COL_NAME, in.x + 2, in.w - 3);
	if (framed)
		table_heads_draw(s, k, n_columns, in.y - 1);
	for (int i = 0; i < in.h && top + i < l.n; i++) {
		draw_kernel(
			s, k, listed_kernel(&l, top + i), in.y + i, top + i == l.selected);
		table_row(s, r, in.x, in.y + i, top + i, top + i == l.selected);
	}
	s->note->page = in.h;
	canvas_unclip(s->c);
	if (framed)
		box_scroll_mark(s, r, top, in.h, l.n);
}

static void select_row(struct view *v, const struct listed *l, int row)
{
	int top = list_top(v, l, v->page);

	if (row < 0 || row >= l->n)
		return;
	snprintf(v->stress.kernel, sizeof(v->stress.kernel), "%s", listed_kernel(l, row)->name);
	v->stress.top = layout_scroll(top, row, v->page, l->n);
}

void stress_list_move(struct view *v, const struct view_model *m, enum command cmd)
{
	struct listed l;

	list_make(&l, v, m);
	select_row(v, &l, select_move(cmd, l.selected, v->page, l.n));
}

void stress_list_choose(struct view *v, const struct view_model *m, int row)
{
	struct listed l;

	list_make(&l, v, m);
	select_row(v, &l, row);
}

static bool kernel_has(const void *rows, int row, const char *text)
{
	return select_contains(listed_kernel(rows, row)->name, text);
}

bool stress_list_find(struct view *v, const struct screen *s, const char *text, int step)
{
	struct listed l;

	list_make(&l, v, s->m);
	int row = select_find(&(struct select_rows){ &l, l.n, l.selected, kernel_has }, text, step);
	select_row(v, &l, row);
	return row >= 0;
}
