/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws what each hardware context did: a row for each, with its share of the GPU. */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "ui/screens/procs.h"
#include "base/minmax.h"

#define NUMBER_W 9

enum {
	COL_NAME,
	COL_SHARE,
	COL_METRICS,
	COL_SWITCHES = COL_METRICS + CONTEXT_COLUMNS,
	COL_NOTE,
	COLS
};

static const char *row_name(const struct context_row *r, char *buf, size_t size)
{
	if (r->kind == HW_CONTEXT_IDLE)
		return _("idle");
	if (r->kind == HW_CONTEXT_OTHERS)
		return _("others");
	return context_name(r, buf, size);
}

/* A row that the others hold a part of has counted at least this. */
static const char *row_note(const struct context_row *r)
{
	if (r->kind == HW_CONTEXT_OTHERS)
		return _("not told apart");
	return r->whole ? "" : _("at least: a part is in others");
}

static void make_columns(const struct context_table *t, struct table_column k[COLS],
	char heads[CONTEXT_COLUMNS][48], struct rect r)
{
	k[COL_NAME] = (struct table_column){ .head = N_("CONTEXT"), .w = 10 };
	k[COL_SHARE] = (struct table_column){ .head = N_("CLOCKS%"), .w = NUMBER_W, .right = true };
	/* TRANSLATORS: how often the GPU began to run a context, per second */
	k[COL_SWITCHES] =
		(struct table_column){ .head = N_("SWITCHES/s"), .w = NUMBER_W, .right = true };
	k[COL_NOTE] = (struct table_column){ .head = "", .w = 32 };
	table_heads(k, COL_METRICS);
	table_heads(&k[COL_SWITCHES], 1);
	for (int i = 0; i < CONTEXT_COLUMNS; i++) {
		struct table_column *c = &k[COL_METRICS + i];

		*c = (struct table_column){ .head = "", .right = true };
		if (t->columns[i] < 0)
			continue;
		const struct metric *m = &t->set->metrics[t->columns[i]];
		snprintf(heads[i], sizeof(heads[i]), "%s%.28s %.12s",
			m->flags & METRIC_ESTIMATED ? "~" : "", metric_label(m), m->unit_text);
		c->head = heads[i];
		c->w = table_longest(NUMBER_W, heads[i]);
	}
	table_place(k, COLS, -1, r.x + 1, r.w - 2);
}

static void draw_row(struct screen *s, const struct context_table *t, const struct table_column *k,
	const struct context_row *r, int y)
{
	enum role role = ROLE_DIM, name_role = ROLE_DIM;
	char buf[32];

	if (r->kind == HW_CONTEXT_ONE) {
		role = ROLE_VALUE;
		name_role = ROLE_TEXT;
	}
	table_cell(s, &k[COL_NAME], y, name_role, row_name(r, buf, sizeof(buf)));
	table_number(s, &k[COL_SHARE], y, role, 100 * r->share);
	for (int i = 0; i < CONTEXT_COLUMNS; i++) {
		const struct table_column *c = &k[COL_METRICS + i];
		double v = NAN;

		if (!c->w)
			continue;
		if (r->values[t->columns[i]].why == WHY_OK)
			v = r->values[t->columns[i]].v;
		table_number(s, c, y, role, v);
	}
	table_number(s, &k[COL_SWITCHES], y, role, r->switches_hz);
	table_cell(s, &k[COL_NOTE], y, ROLE_DIM, row_note(r));
}

void contexts_draw(struct screen *s, struct rect r)
{
	const struct context_table *t = s->m->snap ? s->m->snap->contexts : NULL;
	struct table_column k[COLS];
	char heads[CONTEXT_COLUMNS][48];
	struct rect text = { r.x + 2, r.y + 1, max_of(r.w - 4, 1), max_of(r.h - 1, 1) };

	if (!t || t->why == WHY_NOT_YET) {
		box_text(s->c, text, 0, _("the first window with contexts comes in a moment"));
		return;
	}
	if (t->why != WHY_OK) {
		box_text(s->c, text, 0,
			_("contexts cannot be told apart: the reports of this GPU, or this way to "
			  "its counters, do not name them"));
		return;
	}
	make_columns(t, k, heads, r);
	canvas_text(s->c, r.x + 1, r.y, ROLE_TEXT,
		s->m->back > 0 ? _("a row for each hardware context, now")
			       : _("a row for each hardware context"));
	table_heads_draw(s, k, COLS, r.y + 1);
	for (int i = 0; i < t->n && i < r.h - 2; i++)
		draw_row(s, t, k, &t->rows[i], r.y + 2 + i);
}
