/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws rows of processes or clients: what stands in which column, and which columns fit. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/mem.h"
#include "base/numeric.h"
#include "ui/screens/procs.h"
#include "base/minmax.h"

#define COMMAND_MIN 12

/* These columns go where the line is short, in this order; the command stays. */
static const signed char give_up[] = { COL_CLIENTS, COL_CPU, COL_MEM, COL_TIME, COL_USER, COL_RES };

const char *const procs_sorts[CLIENT_SORTS] = {
	[CLIENT_BY_BUSY] = N_("use"),
	[CLIENT_BY_MEMORY] = N_("memory"),
	[CLIENT_BY_TIME] = N_("GPU time"),
	[CLIENT_BY_CPU] = N_("CPU"),
	[CLIENT_BY_PID] = N_("process id"),
	[CLIENT_BY_USER] = N_("user"),
	[CLIENT_BY_NAME] = N_("command"),
};

static const int sort_columns[CLIENT_SORTS] = {
	[CLIENT_BY_BUSY] = COL_ENGINES,
	[CLIENT_BY_MEMORY] = COL_RES,
	[CLIENT_BY_TIME] = COL_TIME,
	[CLIENT_BY_CPU] = COL_CPU,
	[CLIENT_BY_PID] = COL_PID,
	[CLIENT_BY_USER] = COL_USER,
	[CLIENT_BY_NAME] = COL_COMMAND,
};

/* Writes "1.2G", "64M", "912K", or "--" when the size is unknown. */
static const char *bytes_text(char *buf, size_t size, uint64_t bytes)
{
	static const char units[] = "BKMGTP";
	double v = (double)bytes;
	int u = 0;

	if (bytes == UINT64_MAX) {
		snprintf(buf, size, "--");
		return buf;
	}
	for (; v >= 999.5 && u < 5; u++)
		v /= 1024;
	int n = numeric_fixed(buf, size - 1, v, u && v < 9.95);
	snprintf(buf + n, 2, "%c", units[u]);
	return buf;
}

/* Writes "0:06.65" and "59:59.99", and from an hour on "1:02:17". */
static const char *time_text(char *buf, size_t size, const struct client_row *r, int n_engines)
{
	uint64_t ns = 0, cs, s;
	bool known = false;

	for (int i = 0; i < n_engines; i++) {
		if (r->time_ns[i] == UINT64_MAX)
			continue;
		known = true;
		ns += r->time_ns[i];
	}
	s = ns / NS_PER_S;
	cs = ns / (NS_PER_S / 100) % 100;
	if (!known)
		snprintf(buf, size, "--");
	else if (s < 3600)
		snprintf(buf, size, "%" PRIu64 ":%02" PRIu64 ".%02" PRIu64, s / 60, s % 60, cs);
	else
		snprintf(buf, size, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, s / 3600, s / 60 % 60,
			s % 60);
	return buf;
}

static const char *pct_text(char *buf, size_t size, float v)
{
	if (isnan(v))
		snprintf(buf, size, "--");
	else
		numeric_fixed(buf, size, (double)v, 1);
	return buf;
}

const char *procs_command(const struct client_row *r)
{
	return text_or(r->command, r->name);
}

static const char *cell_text(char *buf, size_t size, const struct client_table *t,
	const struct client_row *r, int column)
{
	switch (column) {
	case COL_PID: snprintf(buf, size, "%" PRId64, r->pid); return buf;
	case COL_USER: return r->user;
	case COL_CLIENTS: snprintf(buf, size, "%d", r->n_clients); return buf;
	case COL_MEM: return bytes_text(buf, size, r->total_bytes);
	case COL_RES: return bytes_text(buf, size, r->resident_bytes);
	case COL_TIME: return time_text(buf, size, r, t->n_engines);
	case COL_CPU: return pct_text(buf, size, r->cpu_pct);
	case COL_COMMAND: return procs_command(r);
	default: return pct_text(buf, size, r->busy_pct[column - COL_ENGINES]);
	}
}

static int columns_used(const struct table_column *k)
{
	int used = 0;

	for (int i = 0; i < COL_COUNT; i++)
		if (k[i].w)
			used += k[i].w + 2;
	return used;
}

void procs_columns_make(struct procs_columns *c, const struct view_model *m, int x, int w)
{
	/* TRANSLATORS: heads of columns: process id, user, clients of the driver, memory it may
	 * use, memory it holds, time on the GPU */
	static const char *const names[] = { [COL_PID] = N_("PID"),
		[COL_USER] = N_("USER"),
		[COL_CLIENTS] = N_("N"),
		[COL_MEM] = N_("MEM"),
		[COL_RES] = N_("RES"),
		[COL_TIME] = N_("GPUTIME"),
		[COL_CPU] = N_("CPU%"),
		[COL_COMMAND] = N_("COMMAND") };
	const struct client_list *l = m->client_list;
	struct table_column *k = c->k;
	char buf[64];

	for (int i = 0; i < COL_COUNT; i++) {
		c->heads[i][0] = '\0';
		if (i < COL_ENGINES || i >= COL_MEM)
			snprintf(c->heads[i], sizeof(c->heads[i]), "%s", _(names[i]));
		else if (i - COL_ENGINES < m->clients->n_engines)
			snprintf(c->heads[i], sizeof(c->heads[i]), "%.14s%%",
				m->clients->engines[i - COL_ENGINES]);
		k[i] = (struct table_column){ .head = c->heads[i],
			.w = format_columns(c->heads[i]),
			.right = i != COL_USER && i != COL_COMMAND };
		for (size_t r = 0; k[i].w && i != COL_COMMAND && r < l->n_rows; r++)
			k[i].w = table_longest(
				k[i].w, cell_text(buf, sizeof(buf), m->clients, &l->rows[r], i));
		if (k[i].w && i >= COL_CLIENTS && i < COL_COMMAND)
			k[i].w = table_longest(
				k[i].w, cell_text(buf, sizeof(buf), m->clients, &l->total, i));
	}
	/* Where not all columns of engines fit, those of the busiest stay. */
	k[COL_COMMAND].w = COMMAND_MIN;
	for (size_t i = 0; i < ARRAY_LEN(give_up) && columns_used(k) > w; i++)
		k[(int)give_up[i]].w = 0;
	for (int e = m->clients->n_engines - 1; e > 0 && columns_used(k) > w; e--)
		k[COL_ENGINES + e].w = 0;
	if (columns_used(k) > w)
		k[COL_COMMAND].w = 0;
	if (k[COL_COMMAND].w)
		k[COL_COMMAND].w += max_of(w - columns_used(k), 0);
	table_lay(k, COL_COUNT, x);
}

void procs_row_draw(struct screen *s, const struct procs_columns *c, const struct client_row *r,
	int y, bool selected)
{
	bool busy = client_busy_pct(r, s->m->clients->n_engines) > 0;
	char buf[64];

	for (int i = 0; i < COL_COUNT; i++) {
		enum role role = busy ? ROLE_TEXT : ROLE_DIM;

		if (!c->k[i].w)
			continue;
		if (selected)
			role = ROLE_SELECTED;
		else if (busy && i >= COL_ENGINES && i < COL_MEM)
			role = ROLE_VALUE;
		table_cell(s, &c->k[i], y, role,
			cell_text(buf, sizeof(buf), s->m->clients, r, i));
	}
}

/* The column that sorts has a mark after its head: up when the order is turned round. */
void procs_heads_draw(struct screen *s, const struct procs_columns *c, int y)
{
	const struct client_choice *choice = &s->v->procs.choice;
	const struct table_column *by = &c->k[sort_columns[choice->sort]];
	uint32_t mark = choice->invert ? s->g->more_up : s->g->more_down;

	for (const struct table_column *k = c->k; k < c->k + COL_COUNT; k++)
		table_cell(s, k, y, k == by ? ROLE_TITLE : ROLE_DIM, k->head);
	if (by->w && by->right)
		canvas_put(s->c, by->x + by->w, y, mark, ROLE_TITLE);
	else if (by->w)
		canvas_put(s->c, by->x + format_columns(by->head), y, mark, ROLE_TITLE);
}

void procs_total_draw(struct screen *s, const struct procs_columns *c, int y)
{
	char buf[64];

	for (int i = COL_CLIENTS; i < COL_COMMAND; i++)
		if (i != COL_CPU && c->k[i].w)
			table_cell(s, &c->k[i], y, ROLE_VALUE,
				cell_text(buf, sizeof(buf), s->m->clients,
					&s->m->client_list->total, i));
}

void procs_pane_draw(struct screen *s, struct rect box)
{
	const struct client_list *l = s->m->client_list;
	const char *title = _("Processes");

	/* Nothing is kept of processes: while the rest is of the past, these are not. */
	if (s->m->back > 0)
		title = _("Processes now");
	struct rect in = box_frame(s, box, false, title, text_or(s->m->clients_how, ""));
	struct procs_columns c;

	procs_columns_make(&c, s->m, in.x + 1, in.w - 2);
	canvas_clip(s->c, in);
	procs_heads_draw(s, &c, in.y);
	for (int i = 0; i < in.h - 1 && i < (int)l->n_rows; i++)
		procs_row_draw(s, &c, &l->rows[i], in.y + 1 + i, false);
	canvas_unclip(s->c);
	box_scroll_mark(s, box, 0, in.h - 1, (int)l->n_rows);
}
