/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who uses the GPU, as the driver tells it for each of its clients. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/mem.h"
#include "ui/plot.h"
#include "ui/procs.h"

#define DETAILS_H 5
#define TRACK_MAX_H 6

static const struct prompt_answer signals[] = {
	{ 't', N_("TERM"), CMD_SIGNAL_TERM },
	{ 'k', N_("KILL"), CMD_SIGNAL_KILL },
	{ 'i', N_("INT"), CMD_SIGNAL_INT },
	{ 's', N_("STOP"), CMD_SIGNAL_STOP },
	{ 'c', N_("CONT"), CMD_SIGNAL_CONT },
};

/* Row of the selected process or client; the first one when it is gone. -1: there are none. */
static int selected_row(const struct procs_view *p, const struct client_list *l)
{
	for (size_t i = 0; p->placed && l && i < l->n_rows; i++)
		if (l->rows[i].pid == p->pid &&
			(p->choice.by_process || l->rows[i].client_id == p->client_id))
			return (int)i;
	return l && l->n_rows ? 0 : -1;
}

static void select_row(struct procs_view *p, const struct client_list *l, int row)
{
	if (row < 0 || row >= (int)l->n_rows)
		return;
	p->placed = true;
	p->pid = l->rows[row].pid;
	p->client_id = l->rows[row].client_id;
}

/* From top to bottom: caption, heads, rows, totals, details. */
struct parts {
	struct rect caption, table, totals, details;
	int rows;	/* of the table, below its heads */
};

/* Rows of each of three graphs in h rows. */
static int track_rows(int h)
{
	return h < 6 ? 1 : h / 3 > TRACK_MAX_H ? TRACK_MAX_H : h / 3;
}

static void place_parts(
	const struct view *v, const struct view_model *m, struct rect body, struct parts *p)
{
	int rest = body.h, want = (int)(m->client_list ? m->client_list->n_rows : 0);

	*p = (struct parts){ .caption = { body.x, body.y, body.w, rest > 3 } };
	rest -= p->caption.h;
	p->totals = (struct rect){ body.x, 0, body.w, rest > 6 ? 3 : 0 };
	rest -= p->totals.h;
	if (v->procs.details && rest >= DETAILS_H + 5)
		p->details = (struct rect){ body.x, 0, body.w, DETAILS_H };
	rest -= p->details.h;
	p->rows = rest - 1 > 0 ? rest - 1 : 0;
	p->table = (struct rect){ body.x, body.y + p->caption.h, body.w, rest };
	if (want < p->rows)
		p->table.h = 1 + want;
	/* What the table leaves makes the graphs higher. */
	if (p->details.h)
		p->details.h = 2 + 3 * track_rows(p->details.h + rest - p->table.h - 2);
	p->totals.y = p->table.y + p->table.h;
	p->details.y = p->totals.y + p->totals.h;
}

/* A part of the caption where it fits whole; returns where the next one stands. */
static int caption_add(struct screen *s, struct rect r, int x, enum role role, const char *text)
{
	int w = format_columns(text);

	if (!w || x + w > r.x + r.w)
		return x;
	canvas_text(s->c, x, r.y, role, text);
	return x + w + 3;
}

/* What is not shown comes first: on a short line it must not be cut. */
static void draw_caption(struct screen *s, struct rect r)
{
	const struct client_choice *c = &s->v->procs.choice;
	const struct client_list *l = s->m->client_list;
	int x = r.x + 1, hidden = s->m->clients->hidden;
	char text[120];

	if (!r.h)
		return;
	if (*c->filter) {
		snprintf(text, sizeof(text), _("only '%s', %d left out"), c->filter, l->n_filtered);
		x = caption_add(s, r, x, ROLE_WARN, text);
	}
	if (hidden) {
		snprintf(text, sizeof(text),
			ngettext("%d process of others hidden", "%d processes of others hidden",
				(unsigned long)hidden),
			hidden);
		x = caption_add(s, r, x, ROLE_WARN, text);
	}
	if (c->hide_idle)
		snprintf(text, sizeof(text), _("%d idle ones hidden (i)"), l->n_idle);
	else
		snprintf(text, sizeof(text), "%s", _("idle ones shown (i)"));
	x = caption_add(s, r, x, ROLE_TEXT, text);
	x = caption_add(
		s, r, x, ROLE_TEXT, c->by_process ? _("by process (H)") : _("by client (H)"));
	snprintf(text, sizeof(text), _("by %s (F6)"), procs_sort_name(s->v));
	x = caption_add(s, r, x, ROLE_TEXT, text);
	caption_add(s, r, x, ROLE_DIM, i18n_optional(s->m->clients_how));
}

static void draw_table(struct screen *s, const struct parts *p, const struct procs_columns *c)
{
	const struct client_list *l = s->m->client_list;
	int selected = selected_row(&s->v->procs, l), rows = p->table.h - 1;
	int top = selected < 0 ? 0 : layout_scroll(s->v->procs.top, selected, rows, (int)l->n_rows);

	procs_heads_draw(s, c, p->table.y);
	for (int i = 0; i < rows && top + i < (int)l->n_rows; i++)
		procs_row_draw(s, c, &l->rows[top + i], p->table.x, p->table.y + 1 + i,
			top + i == selected);
}

/* The busy counter of the set, for comparison: both must tell the same story. NAN without one. */
static double counted_busy_pct(const struct view_model *m)
{
	int i = m->set && m->snap && m->snap->set == m->set ? metric_set_index(m->set, "gpu_busy")
							    : -1;

	return i >= 0 && m->snap->values[i].why == WHY_OK ? m->snap->values[i].v : NAN;
}

static void draw_totals(struct screen *s, const struct parts *p, const struct procs_columns *c)
{
	const struct client_table *t = s->m->clients;
	double counted = counted_busy_pct(s->m),
	       told = (double)s->m->client_list->total.busy_pct[0];
	int y = p->totals.y + 1, x = p->totals.x + 2;

	if (!p->totals.h)
		return;
	canvas_text(s->c, x, y, ROLE_LABEL, _("all"));
	procs_total_draw(s, c, y);
	if (isnan(counted))
		return;
	x += canvas_textf(
		     s->c, x, y + 1, ROLE_LABEL, _("GPU busy by its counters %.1f %%"), counted) +
		3;
	if (!isnan(told) && t->n_engines > 0)
		canvas_textf(s->c, x, y + 1, ROLE_DIM, _("%+.1f points beside %s"), told - counted,
			t->engines[0]);
}

/* Name, number and past in the lines of r; of a past of several lines the top is said. */
static void draw_track(struct screen *s, struct rect r, const char *label, int64_t pid,
	enum client_track kind, double top)
{
	const struct client_tracks *t = s->m->tracks;
	int column = t ? client_tracks_column(t, pid, kind) : -1;
	float max = column >= 0 ? t->history.max[column] : NAN;
	struct series series = { t ? &t->history : NULL, column,
		top > 0 ? top : plot_nice_top((double)max) };
	double now = column >= 0 ? (double)history_get(&t->history, column, 0) : NAN;
	char buf[32] = "--";

	canvas_field(s->c, r.x + 1, r.y, 8, false, ROLE_LABEL, label);
	if (column < 0)
		return;
	if (!isnan(now))
		snprintf(buf, sizeof(buf), "%.1f", now);
	canvas_field(s->c, r.x + 10, r.y, 6, true, ROLE_VALUE, buf);
	if (r.h < 2) {
		plot_spark(s->c, s->g, (struct rect){ r.x + 18, r.y, r.w - 19, 1 }, &series);
		return;
	}
	if (top > 0 || max > 0) {
		snprintf(buf, sizeof(buf), _("top %g"), series.top);
		canvas_field(s->c, r.x + 1, r.y + 1, 15, true, ROLE_DIM, buf);
	}
	plot_area(s->c, s->g, (struct rect){ r.x + 18, r.y, r.w - 19, r.h - (r.h > 2) }, &series);
}

static void draw_details(struct screen *s, struct rect r)
{
	const struct client_list *l = s->m->client_list;
	int selected = selected_row(&s->v->procs, l);
	const struct client_row *row = selected >= 0 ? &l->rows[selected] : NULL;
	char title[64];
	struct rect in, track;

	if (!r.h || !row)
		return;
	snprintf(title, sizeof(title), _("PID %lld"), (long long)row->pid);
	in = box_frame(s, r, false, title, *row->command ? row->command : row->name);
	canvas_clip(s->c, in);
	track = (struct rect){ in.x, in.y, in.w, in.h / 3 };
	draw_track(s, track, _("GPU %"), row->pid, CLIENT_TRACK_BUSY, 100);
	track.y += track.h;
	draw_track(s, track, _("MiB"), row->pid, CLIENT_TRACK_MEMORY, 0);
	track.y += track.h;
	draw_track(s, track, _("CPU %"), row->pid, CLIENT_TRACK_CPU, 0);
	canvas_unclip(s->c);
}

static void draw_why(struct screen *s, struct rect r)
{
	const struct client_table *t = s->m->clients;
	const char *text = !t	   ? _("this device does not say who uses it")
		: t->why != WHY_OK ? _(why_text(t->why))
				   : _("nobody uses this GPU now");

	box_text(s->c,
		(struct rect){ r.x + 2, r.y + 1, r.w > 4 ? r.w - 4 : 1, r.h > 1 ? r.h - 1 : 1 }, 0,
		text);
}

static void draw(struct screen *s)
{
	const struct view_model *m = s->m;
	struct procs_columns c;
	struct parts p;

	canvas_clip(s->c, s->l.body);
	if (!m->clients || !m->client_list || m->clients->why != WHY_OK) {
		draw_why(s, s->l.body);
		canvas_unclip(s->c);
		return;
	}
	place_parts(s->v, m, s->l.body, &p);
	procs_columns_make(&c, m, p.table.x + 2, p.table.w - 2);
	draw_caption(s, p.caption);
	draw_table(s, &p, &c);
	if (!m->client_list->n_rows && !m->client_list->n_filtered && !m->client_list->n_idle)
		draw_why(s,
			(struct rect){ p.table.x, p.table.y, p.table.w,
				p.totals.y + p.totals.h - p.table.y });
	else
		draw_totals(s, &p, &c);
	canvas_unclip(s->c);
	draw_details(s, p.details);
}

static void move_to(struct view *v, const struct screen *s, int row)
{
	const struct view_model *m = s->m;
	struct parts p;

	place_parts(v, m, s->l.body, &p);
	select_row(&v->procs, m->client_list, row);
	v->procs.top = layout_scroll(v->procs.top, row, p.table.h - 1, (int)m->client_list->n_rows);
}

static void ask_signal(struct view *v, const struct view_model *m)
{
	int row = m->client_list ? selected_row(&v->procs, m->client_list) : -1;

	if (row < 0)
		return;
	select_row(&v->procs, m->client_list, row);
	prompt_ask(&v->prompt, signals, (int)ARRAY_LEN(signals), _("Send to %lld %.32s:"),
		(long long)m->client_list->rows[row].pid, m->client_list->rows[row].name);
}

static bool command(
	struct view *v, const struct screen *s, enum command cmd, enum command *out)
{
	struct procs_view *p = &v->procs;
	int now = selected_row(p, s->m->client_list);

	(void)out;
	if (select_is_move(cmd)) {
		if (now >= 0)
			move_to(v, s,
				select_move(cmd, now, s->h / 2, (int)s->m->client_list->n_rows));
		return true;
	}
	switch (cmd) {
	case CMD_PROCS_SORT:
		p->choice.sort = (enum client_sort)((p->choice.sort + 1) % CLIENT_SORTS);
		return true;
	case CMD_PROCS_INVERT: p->choice.invert = !p->choice.invert; return true;
	case CMD_PROCS_IDLE: p->choice.hide_idle = !p->choice.hide_idle; return true;
	case CMD_PROCS_GROUP: p->choice.by_process = !p->choice.by_process; return true;
	case CMD_PROCS_SIGNAL: ask_signal(v, s->m); return true;
	case CMD_EXPLAIN: p->details = !p->details; return true;
	default: return false;
	}
}

static bool client_has(const void *rows, int row, const char *text)
{
	const struct client_row *r = rows;

	return select_contains(r[row].command, text) || select_contains(r[row].user, text);
}

static bool find(struct view *v, const struct screen *s, const char *text, int step)
{
	const struct client_list *l = s->m->client_list;
	struct select_rows rows = { .has = client_has };
	int row;

	if (l) {
		rows.rows = l->rows;
		rows.n = (int)l->n_rows;
		rows.now = selected_row(&v->procs, l);
	}
	row = select_find(&rows, text, step);
	if (row >= 0)
		move_to(v, s, row);
	return row >= 0;
}

static char *filter(struct view *v, size_t *size)
{
	*size = sizeof(v->procs.choice.filter);
	return v->procs.choice.filter;
}

static void click(struct view *v, const struct screen *s, const struct key_event *k)
{
	const struct view_model *m = s->m;
	struct parts p;
	int now = selected_row(&v->procs, m->client_list), row;

	if (now < 0)
		return;
	place_parts(v, m, s->l.body, &p);
	row = k->y - p.table.y - 1;
	if (row >= 0 && row < p.table.h - 1)
		select_row(&v->procs, m->client_list,
			row +
				layout_scroll(v->procs.top, now, p.table.h - 1,
					(int)m->client_list->n_rows));
}

static const struct footer_key footer[] = {
	{ CMD_EXPLAIN, CMD_NONE, N_("Details") },
	{ CMD_PROCS_SORT, CMD_NONE, N_("Sort") },
	{ CMD_PROCS_INVERT, CMD_NONE, N_("Invert") },
	{ CMD_PROCS_IDLE, CMD_NONE, N_("Idle") },
	{ CMD_PROCS_GROUP, CMD_NONE, N_("Group") },
	{ CMD_PROCS_SIGNAL, CMD_NONE, N_("Signal") },
};

const struct screen_ops screen_procs = {
	.name = "processes",
	.title = N_("Processes"),
	.brief = N_("Proc"),
	.turn = CMD_SCREEN_PROCS,
	.keys = "on-processes",
	SCREEN_FOOTER(footer),
	.draw = draw,
	.command = command,
	.find = find,
	.filter = filter,
	.click = click,
};
