/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows who uses the GPU, as the driver tells it for each of its clients. */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "base/format.h"
#include "base/mem.h"
#include "ui/draw/plot.h"
#include "ui/screens/procs.h"
#include "base/minmax.h"

#define DETAILS_H 5
#define WHY_H 3		/* lines of a sentence in place of the table */
#define TRACK_MAX_H 12

static const struct prompt_answer signals[] = {
	{ 't', N_("TERM"), CMD_SIGNAL_TERM },
	{ 'k', N_("KILL"), CMD_SIGNAL_KILL },
	{ 'i', N_("INT"), CMD_SIGNAL_INT },
	{ 's', N_("STOP"), CMD_SIGNAL_STOP },
	{ 'c', N_("CONT"), CMD_SIGNAL_CONT },
};

/* Whether the device's counters come in reports that name contexts. */
static bool may_have_contexts(const struct view_model *m)
{
	return m->device && m->device->has_oa_reports;
}

/* Whether rows are contexts. */
static bool shows_contexts(const struct view *v, const struct view_model *m)
{
	return may_have_contexts(m) && v->procs.contexts;
}

/* Row of the selected process or client; the first one when it is gone. -1: there are none. */
static int selected_row(const struct procs_view *p, const struct client_list *l)
{
	for (size_t i = 0; p->placed && l && i < l->n_rows; i++)
		if (l->rows[i].pid == p->pid &&
			(p->choice.by_process || l->rows[i].client_id == p->client_id))
			return (int)i;
	if (!l || !l->n_rows)
		return -1;
	return 0;
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

static void place_parts(
	const struct view *v, const struct view_model *m, struct rect body, struct parts *p)
{
	int rest = body.h, want = 0;

	if (m->client_list)
		want = (int)m->client_list->n_rows;
	*p = (struct parts){ .caption = { body.x, body.y, body.w, rest > 3 } };
	rest -= p->caption.h;
	p->totals = (struct rect){ body.x, 0, body.w, 3 * (rest > 6) };
	rest -= p->totals.h;
	if (v->procs.details && rest >= DETAILS_H + 5)
		p->details = (struct rect){ body.x, 0, body.w, DETAILS_H };
	rest -= p->details.h;
	p->rows = max_of(rest - 1, 0);
	p->table = (struct rect){ body.x, body.y + p->caption.h, body.w, rest };
	if (want < p->rows)
		p->table.h = 1 + want;
	/* What the table leaves makes the three graphs higher. */
	if (p->details.h)
		p->details.h = 2 + 3 * clamp((p->details.h + rest - p->table.h - 2) / 3, 1,
			TRACK_MAX_H);
	p->totals.y = p->table.y + p->table.h;
	p->details.y = p->totals.y + p->totals.h;
}

/* Adds a part of the caption where it fits whole; returns the place of the next one. */
static int caption_add(
	struct screen *s, struct rect r, int x, int y, enum role role, const char *text)
{
	int w = format_columns(text);

	if (!w || x + w > r.x + r.w)
		return x;
	canvas_text(s->c, x, y, role, text);
	return x + w + 3;
}

/* The caption begins with what is not shown, which must not be cut on a short line. */
static void draw_caption(struct screen *s, struct rect r)
{
	const struct client_choice *c = &s->v->procs.choice;
	const struct client_list *l = s->m->client_list;
	const char *rows = c->by_process ? _("a row for each process") : _("a row for each client");
	int x = r.x + 1, hidden = s->m->clients->hidden;
	char text[120];

	if (!r.h)
		return;
	if (*c->filter) {
		snprintf(text, sizeof(text), _("only '%s', %d left out"), c->filter, l->n_filtered);
		x = caption_add(s, r, x, r.y, ROLE_WARN, text);
	}
	if (hidden) {
		snprintf(text, sizeof(text),
			ngettext("%d process of others hidden", "%d processes of others hidden",
				(unsigned long)hidden),
			hidden);
		x = caption_add(s, r, x, r.y, ROLE_WARN, text);
	}
	if (c->hide_idle)
		snprintf(text, sizeof(text), _("%d idle processes hidden"), l->n_idle);
	else
		snprintf(text, sizeof(text), "%s", _("idle: shown"));
	x = caption_add(s, r, x, r.y, ROLE_TEXT, text);
	x = caption_add(s, r, x, r.y, ROLE_TEXT, rows);
	snprintf(text, sizeof(text), _("sort: %s (F6)"), _(procs_sorts[c->sort]));
	x = caption_add(s, r, x, r.y, ROLE_TEXT, text);
	caption_add(s, r, x, r.y, ROLE_DIM, text_or(s->m->clients_how, ""));
}

/* The set's counter of busy time stands below what the driver tells, to compare both. */
static void draw_totals(struct screen *s, const struct parts *p, const struct procs_columns *c)
{
	const struct view_model *m = s->m;
	double counted, told = (double)m->client_list->total.busy_pct[0];
	char text[96];
	int y = p->totals.y + 1, x = p->totals.x + 2, metric = -1;

	if (!p->totals.h)
		return;
	canvas_text(s->c, x, y, ROLE_LABEL, _("all"));
	procs_total_draw(s, c, y);
	if (m->set && m->snap && m->snap->set == m->set)
		metric = metric_set_index(m->set, "gpu_busy");
	if (metric < 0 || m->snap->values[metric].why != WHY_OK)
		return;
	/* Processes have shares of all time. */
	counted = snapshot_of_all_time(m->snap, metric).v;
	x += canvas_textf(
		     s->c, x, y + 1, ROLE_LABEL, _("GPU busy by its counters %.1f %%"), counted) +
		3;
	if (isnan(told) || m->clients->n_engines <= 0)
		return;
	/* TRANSLATORS: behind "GPU busy by its counters 97.0 %"; %s is an engine, such as render */
	if (fabs(counted - told) < 0.05)
		snprintf(text, sizeof(text), _("= the processes' %s time"),
			m->clients->engines[0]);
	else
		snprintf(text, sizeof(text),
			counted > told ? _("%.1f points above the processes' %s") :
					 _("%.1f points below the processes' %s"),
			fabs(counted - told), m->clients->engines[0]);
	caption_add(s, p->totals, x, y + 1, ROLE_DIM, text);
}

/* A graph of the details. */
static const struct track {
	const char *label;
	enum client_track kind;
	double top;	/* 0: by the highest value */
} graphs[] = {
	{ N_("GPU %"), CLIENT_TRACK_BUSY, 100 },
	{ N_("MiB"), CLIENT_TRACK_MEMORY, 0 },
	{ N_("CPU %"), CLIENT_TRACK_CPU, 0 },
};

/* Finds what is known of the process; max is NAN where nothing is. */
static struct series track_series(
	const struct view_model *m, int64_t pid, const struct track *track, double *max)
{
	const struct client_tracks *t = m->tracks;
	struct series series = { .column = -1, .top = track->top };

	*max = NAN;
	if (t)
		series.column = client_tracks_column(t, pid, track->kind);
	if (series.column >= 0)
		*max = (double)t->history.max[series.column];
	return series;
}

/* Draws name, number and past in the lines of r; a past of several lines says its top. */
static void draw_track(struct screen *s, struct rect r, int64_t pid, const struct track *track)
{
	const struct client_tracks *t = s->m->tracks;
	struct rect past = { r.x + 18, r.y, r.w - 19, r.h - (r.h > 2) };
	char buf[32] = "--";
	double now, max;
	struct series series = track_series(s->m, pid, track, &max);
	const double unit = track->kind == CLIENT_TRACK_MEMORY && max >= 1000 ? 1024 : 1;

	canvas_field(s->c, r.x + 1, r.y, 8, false, ROLE_LABEL, unit > 1 ? "GiB" : track->label);
	if (isnan(max)) {
		canvas_field(s->c, r.x + 10, r.y, 6, true, ROLE_NONE_VALUE, buf);
		canvas_text(s->c, past.x, r.y, ROLE_DIM, _("no source tells it"));
		return;
	}
	series.history = &t->history;
	if (!(series.top > 0))
		series.top = unit * plot_nice_top(max / unit);
	series.hollow = max - (double)t->history.min[series.column] < 0.02 * series.top;
	now = (double)history_get(&t->history, series.column, 0);
	if (!isnan(now))
		snprintf(buf, sizeof(buf), "%.*f", now / unit < 9999.95, now / unit);
	canvas_field(s->c, r.x + 10, r.y, 6, true, ROLE_VALUE, buf);
	if (r.h < 2) {
		plot_spark(s->c, s->g, past, &series);
		return;
	}
	if (track->top > 0 || max > 0) {
		snprintf(buf, sizeof(buf), _("top %g"), series.top / unit);
		canvas_field(s->c, r.x + 1, r.y + 1, 15, true, ROLE_DIM, buf);
	}
	plot_area(s->c, s->g, past, &series);
}

static void draw_details(struct screen *s, struct rect r)
{
	const struct client_list *l = s->m->client_list;
	int selected = selected_row(&s->v->procs, l);
	double max[ARRAY_LEN(graphs)];
	int n = 0;
	char title[64];
	struct rect in, track;

	if (!r.h || selected < 0)
		return;
	const struct client_row *row = &l->rows[selected];
	snprintf(title, sizeof(title), _("PID %lld"), (long long)row->pid);
	for (size_t i = 0; i < ARRAY_LEN(graphs); i++) {
		track_series(s->m, row->pid, &graphs[i], &max[i]);
		n += !isnan(max[i]);
	}
	/* What nobody tells has a line. */
	const int lines = (int)ARRAY_LEN(graphs) - n;
	r.h = min_of(r.h, 2 + n * TRACK_MAX_H + lines);
	in = box_frame(s, r, false, title, procs_command(row));
	canvas_clip(s->c, in);
	track = (struct rect){ in.x, in.y, in.w, 1 };
	for (size_t i = 0; i < ARRAY_LEN(graphs); i++, track.y += track.h) {
		track.h = 1;
		if (!isnan(max[i]))
			track.h = (in.h - lines) / n;
		draw_track(s, track, row->pid, &graphs[i]);
	}
	canvas_unclip(s->c);
}

static void draw_why(struct screen *s, struct rect r)
{
	const struct client_table *t = s->m->clients;
	struct rect in = { r.x + 2, r.y + 1, max_of(r.w - 4, 1), max_of(r.h - 1, 1) };

	if (!t)
		box_text(s->c, in, 0,
			_("This device does not say who uses it. Programs on the processor are "
			  "shown by top and htop."));
	else if (t->why != WHY_OK)
		box_text(s->c, in, 0, _(why_text(t->why)));
	else
		box_text(s->c, in, 0, _("nobody uses this GPU now"));
}

static void draw(struct screen *s)
{
	const struct view_model *m = s->m;
	const struct client_list *l = m->client_list;
	struct procs_columns c;
	struct parts p;
	int selected, rows, top = 0;

	canvas_clip(s->c, s->l.body);
	if (shows_contexts(s->v, m)) {
		contexts_draw(s, s->l.body);
		canvas_unclip(s->c);
		return;
	}
	if (!m->clients || !l || m->clients->why != WHY_OK) {
		struct rect below = s->l.body;

		draw_why(s, below);
		below.y += min_of(WHY_H, below.h);
		below.h -= min_of(WHY_H, below.h);
		if (may_have_contexts(m))
			contexts_draw(s, below);
		canvas_unclip(s->c);
		return;
	}
	place_parts(s->v, m, s->l.body, &p);
	procs_columns_make(&c, m, p.table.x + 2, p.table.w - 2);
	draw_caption(s, p.caption);
	rows = p.table.h - 1;
	selected = selected_row(&s->v->procs, l);
	if (selected >= 0)
		top = layout_scroll(s->v->procs.top, selected, rows, (int)l->n_rows);
	procs_heads_draw(s, &c, p.table.y);
	for (int i = 0; i < rows && top + i < (int)l->n_rows; i++) {
		procs_row_draw(
			s, &c, &l->rows[top + i], p.table.y + 1 + i, top + i == selected);
		table_row(s, p.table, p.table.x, p.table.y + 1 + i, top + i, top + i == selected);
	}
	s->note->page = rows;
	if (!l->n_rows && !l->n_filtered && !l->n_idle)
		draw_why(s,
			(struct rect){ p.table.x, p.table.y, p.table.w,
				p.totals.y + p.totals.h - p.table.y });
	else
		draw_totals(s, &p, &c);
	canvas_unclip(s->c);
	draw_details(s, p.details);
}

static void choose(struct view *v, const struct view_model *m, int list, int row)
{
	(void)list;
	if (!m->client_list)
		return;
	select_row(&v->procs, m->client_list, row);
	v->procs.top = layout_scroll(v->procs.top, row, v->page, (int)m->client_list->n_rows);
}

static void ask_signal(struct view *v, const struct view_model *m)
{
	int row = selected_row(&v->procs, m->client_list);

	if (row < 0)
		return;
	select_row(&v->procs, m->client_list, row);
	prompt_ask(&v->prompt, signals, (int)ARRAY_LEN(signals), _("Send to %lld %.32s:"),
		(long long)m->client_list->rows[row].pid, m->client_list->rows[row].name);
}

/* --- what the screen draws --- */

/* Goes through processes, clients and contexts. */
static enum command step_group(struct view *v, const struct view_model *m, int step)
{
	int kinds = 2 + may_have_contexts(m), kind = !v->procs.choice.by_process;

	if (v->procs.contexts)
		kind = 2;
	kind = (kind + step + kinds) % kinds;
	v->procs.contexts = kind == 2;
	if (kind < 2)
		v->procs.choice.by_process = kind == 0;
	return CMD_NONE;
}

static void group_text(const struct view *v, const struct view_model *m, char *buf, size_t size)
{
	const char *text = v->procs.choice.by_process ? _("each process") : _("each client");

	if (shows_contexts(v, m))
		text = _("each context");
	snprintf(buf, size, "%s", text);
}

static const struct drawn_line drawn[] = {
	DRAWN_SWITCH(N_("idle processes"), procs.choice.hide_idle, N_("shown"), N_("hidden")),
	DRAWN_LINE(N_("a row for"), group_text, step_group),
	DRAWN_SWITCH(N_("details"), procs.details, N_("hidden"), N_("shown")),
};

static bool command(
	struct view *v, const struct screen *s, enum command cmd, enum command *out)
{
	struct procs_view *p = &v->procs;
	int now = selected_row(p, s->m->client_list);

	(void)out;
	/* Contexts are not selected, and no signal goes to what is not seen. */
	if (shows_contexts(v, s->m))
		return select_is_move(cmd) || cmd == CMD_SIGNAL || cmd == CMD_ENTER;
	if (select_is_move(cmd)) {
		if (now >= 0)
			choose(v, s->m, 0,
				select_move(cmd, now, v->page, (int)s->m->client_list->n_rows));
		return true;
	}
	if (cmd == CMD_SIGNAL)
		ask_signal(v, s->m);
	else if (cmd == CMD_ENTER)
		p->details = !p->details;
	else
		return false;
	return true;
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

	if (l) {
		rows.rows = l->rows;
		rows.n = (int)l->n_rows;
		rows.now = selected_row(&v->procs, l);
	}
	return view_find_row(v, s, &rows, text, step);
}

static const struct footer_key footer[] = {
	{ CMD_ENTER, CMD_NONE, N_("Graphs") },
	{ CMD_SORT, CMD_NONE, N_("Sort") },
	{ CMD_INVERT, CMD_NONE, N_("Invert") },
	{ CMD_DRAWN, CMD_NONE, N_("Draw") },
	{ CMD_SIGNAL, CMD_NONE, N_("Signal") },
};

const struct screen_ops screen_procs = {
	SCREEN_FOOTER(footer),
	SCREEN_DRAWN(drawn),
	.sorts = procs_sorts,
	.n_sorts = CLIENT_SORTS,
	.sort_at = offsetof(struct view, procs.choice.sort),
	.invert_at = offsetof(struct view, procs.choice.invert),
	.draw = draw,
	.command = command,
	.find = find,
	.filter_at = offsetof(struct view, procs.choice.filter),
	.choose = choose,
};
