/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes lines for people and awk: one window a line, in fixed columns by group. The head comes
 * again after each screenful. */
#include "config.h"

#include "out/lines/writer.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/mem.h"
#include "core/verdict/verdict.h"

#define CELL 9			/* columns of a value, with the blank before it */
#define LABEL_COLUMNS 16	/* of a label or unit, at most */
#define LEAD 20			/* "14:03:22.104 1.000 !" */
#define HEAD_LINES 3

static const char *prefix(const struct writer_run *run)
{
	return run->device->simulated ? "SIM " : "";
}

/* Says whether a metric stands in the pane of a group. */
static bool is_column(const struct metric *m, const char *group)
{
	return writer_shows(m) && !(m->flags & METRIC_ASKED) && m->group &&
		!strcmp(m->group, group);
}

/* Returns how late a metric comes in its group: first what stands in the panes of the screen, in
 * their order, then what has a roof of its own, because that says what bounds the load. */
static int lateness(const struct metric_set *set, int metric)
{
	const struct metric *m = &set->metrics[metric];
	int late = m->rank ? m->rank : INT16_MAX;

	return (2 * late + !metric_is_resource(m)) * set->n_metrics + metric;
}

/* Returns the column of a group that comes next behind so much lateness, -1: none does. */
static int next_column(const struct writer_run *run, const char *group, int behind)
{
	int best = -1;

	for (int i = 0; i < run->set->n_metrics; i++) {
		int late = lateness(run->set, i);

		if (is_column(&run->set->metrics[i], group) && late > behind &&
			(best < 0 || late < lateness(run->set, best)))
			best = i;
	}
	return best;
}

/* Whether a row of a head may end before s[at]: words are broken nowhere else. */
static bool may_end(const char *s, size_t at)
{
	return !s[at] || s[at] == ' ' || s[at - 1] == '/' || s[at - 1] == '_' ||
		(s[at - 1] == ':' && s[at] != ':');
}

/* Returns the longest beginning of a label for a row of so many columns that leaves the rest room
 * in a second row; 0: there is none. */
static size_t first_row(const char *label, int columns)
{
	size_t fit = format_clip(label, columns);

	for (size_t at = fit; at > 0; at--)
		if (may_end(label, at))
			return format_columns(label + at + (label[at] == ' ')) <= columns ? at : 0;
	return 0;
}

static void unit_text(const struct metric *m, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s", m->flags & METRIC_ESTIMATED ? "~" : "", writer_unit(m));
}

/* A column is wide enough for a number, its unit, and its label without a broken word. */
static int column_width(const struct metric *m)
{
	char unit[LABEL_COLUMNS + 1];
	int columns = CELL - 1;

	unit_text(m, unit, sizeof(unit));
	if (format_columns(unit) > columns)
		columns = format_columns(unit);
	while (columns < LABEL_COLUMNS && !first_row(writer_label(m), columns))
		columns++;
	return 1 + columns;
}

/* Returns the columns that the cell takes. */
static int add_cell(struct writer_run *run, int metric)
{
	int width = column_width(&run->set->metrics[metric]);

	run->cells[run->n_cells].metric = metric;
	run->cells[run->n_cells++].width = width;
	return width;
}

/* Chooses what an option asked for, then so many metrics of each group. Returns the columns that
 * they take. */
static int fill_line(struct writer_run *run, int per_group)
{
	int columns = 0;

	run->n_cells = 0;
	for (int i = 0; i < run->set->n_metrics; i++)
		if (writer_shows(&run->set->metrics[i]) &&
			run->set->metrics[i].flags & METRIC_ASKED)
			columns += add_cell(run, i);
	for (int g = 0; g < run->set->n_groups; g++) {
		const char *group = run->set->groups[g].name;
		int metric = next_column(run, group, -1);

		for (int n = 0; n < per_group && metric >= 0; n++) {
			columns += add_cell(run, metric);
			metric = next_column(run, group, lateness(run->set, metric));
		}
	}
	return columns;
}

/* Each group gets one more in turn until the line is full. */
static void choose_cells(struct writer_run *run)
{
	int room = run->columns - LEAD - (int)strlen(prefix(run)), most = 1;

	run->cells = xcalloc((size_t)(run->set->n_metrics + run->n_shown) + 1, sizeof(*run->cells));
	for (int i = 0; run->is_chosen && i < run->n_shown; i++)
		add_cell(run, run->shown[i]);
	if (run->is_chosen)
		return;
	if (run->columns == 0)
		most = run->set->n_metrics;
	while (most < run->set->n_metrics && fill_line(run, most + 1) <= room)
		most++;
	/* Only where not even these fit a column has no room for a whole word. */
	if (fill_line(run, most) > room && run->columns)
		for (int i = 0; i < run->n_cells; i++)
			run->cells[i].width = CELL;
}

/* Adds a text at the right end of a column. */
static void add_right(struct strbuf *out, int width, const char *text, size_t len)
{
	size_t start = out->len;

	strbuf_addn(out, text, len);
	int fill = width - format_columns(strbuf_str(out) + start);
	if (fill < 0)
		fill = 0;
	strbuf_cut(out, start);
	strbuf_addf(out, "%*s%.*s", fill, "", (int)len, text);
}

/* Adds a row of the head: two for the label, one for the unit. */
static void add_head(const struct writer_run *run, int row, struct strbuf *out)
{
	for (int i = 0; i < run->n_cells; i++) {
		const struct metric *m = &run->set->metrics[run->cells[i].metric];
		const char *text = writer_label(m);
		int width = run->cells[i].width;
		char unit[LABEL_COLUMNS + 1];
		size_t cut = first_row(text, width - 1);

		/* One long word is broken where its column ends. */
		if (cut == 0)
			cut = format_clip(text, width - 1);
		if (row == 1) {
			text += cut + (text[cut] == ' ');
			cut = format_clip(text, width - 1);
		} else if (row == 2) {
			unit_text(m, unit, sizeof(unit));
			text = unit;
			cut = format_clip(unit, width - 1);
		}
		add_right(out, width, text, cut);
	}
}

static void begin(struct writer_run *runs, int n, struct strbuf *out)
{
	for (struct writer_run *run = runs; run < runs + n; run++) {
		run->lines = INT_MAX;
		choose_cells(run);
		strbuf_addf(out, "%srooftop: %s (%s), %s, metric set %s%s\n", prefix(run), run->name,
			run->device->name, run->how, run->set->name,
			run->device->simulated ? ", SIMULATED" : "");
	}
}

static void add_values(const struct writer_run *run, const struct snapshot *s, struct strbuf *out)
{
	for (int i = 0; i < run->n_cells; i++) {
		int metric = run->cells[i].metric, width = CELL - 1;
		const char *mark = "";
		char buf[32];

		/* A star marks a value that was measured in an earlier turn. */
		if (snapshot_is_kept(s, metric) && s->values[metric].why == WHY_OK) {
			mark = "*";
			width--;
		}
		format_number(buf, sizeof(buf), writer_number(s->values[metric]), width);
		strbuf_addf(out, "%*s%s", run->cells[i].width - (int)strlen(mark), buf, mark);
	}
}

static bool has_cells(const struct cell_map *map, int metric)
{
	for (int i = 0; i < map->n_metrics; i++) {
		if (map->metrics[i] == metric)
			return true;
	}
	return false;
}

/* Writes " EU EU active %: R0E0 98.2 R0E1 97.9": a line for each metric that has cells, with as
 * many cells as fit. Returns the number of lines. */
static int cell_lines(const struct writer_run *run, const struct snapshot *s, struct strbuf *out)
{
	int lines = 0;

	for (int i = 0; i < s->n_maps * run->set->n_metrics; i++) {
		const struct cell_map *map = &s->maps[i / run->set->n_metrics];
		int metric = i % run->set->n_metrics;
		const struct metric *m = &run->set->metrics[metric];
		size_t start = out->len;

		if (!writer_has(run, metric) || !has_cells(map, metric))
			continue;
		lines++;
		strbuf_addf(out, "%s  %s  %s %s:", prefix(run), map->scope, writer_label(m),
			writer_unit(m));
		for (int j = 0; j < map->n; j++) {
			double v = cell_value(map, j, metric).v;
			char cell[48], buf[32];
			int n = snprintf(cell, sizeof(cell), " %s %s", map->names[j],
				format_number(buf, sizeof(buf), v, CELL - 4));

			if (run->columns &&
				out->len - start + (size_t)n > (size_t)run->columns - 4) {
				strbuf_add(out, " ...");
				break;
			}
			strbuf_add(out, cell);
		}
		strbuf_addc(out, '\n');
	}
	return lines;
}

static double mebibytes(uint64_t bytes)
{
	return bytes == UINT64_MAX ? NAN : (double)bytes / (1 << 20);
}

static void add_value(struct strbuf *out, double v)
{
	char buf[32];

	strbuf_addf(out, " %*s", CELL - 1, format_number(buf, sizeof(buf), v, CELL - 1));
}

/* Writes a line for each client of the device. Returns the number of lines. */
static int client_lines(const struct writer_run *run, const struct client_table *t,
	struct strbuf *out)
{
	if (t->why != WHY_OK) {
		strbuf_addf(out, "%s  client %8s (%s)\n", prefix(run), "--", why_text(t->why));
		return 1;
	}
	if (t->n_rows) {
		strbuf_addf(out, "%s  client %8s %-10s", prefix(run), "PID", "USER");
		for (int i = 0; i < t->n_engines; i++)
			strbuf_addf(out, " %*.*s%%", CELL - 2, CELL - 2, t->engines[i]);
		strbuf_addf(out, " %*s %*s  COMMAND\n", CELL - 1, "MiB", CELL - 1, "resident");
	}
	for (size_t i = 0; i < t->n_rows; i++) {
		const struct client_row *r = &t->rows[i];

		strbuf_addf(out, "%s  client %8lld %-10.10s", prefix(run), (long long)r->pid,
			r->user);
		for (int k = 0; k < t->n_engines; k++)
			add_value(out, (double)r->busy_pct[k]);
		add_value(out, mebibytes(r->total_bytes));
		add_value(out, mebibytes(r->resident_bytes));
		strbuf_addf(out, "  %s\n", text_or(r->command, r->name));
	}
	if (t->hidden)
		strbuf_addf(out, "%s  client %8s (%d %s hidden)\n", prefix(run), "-", t->hidden,
			t->hidden == 1 ? "process is" : "processes are");
	return (t->n_rows > 0) + (int)t->n_rows + (t->hidden > 0);
}

/* Writes a value below the head that names its metric. */
static void add_column(struct strbuf *out, const struct metric *m, double v)
{
	int width = (int)strlen(writer_label(m)) + 1 + (int)strlen(writer_unit(m));
	char buf[32];

	strbuf_addf(out, "  %*s", width, format_number(buf, sizeof(buf), v, width));
}

/* Writes a line for each hardware context, with the metrics of the table. Returns the number of
 * lines. */
static int context_lines(
	const struct writer_run *run, const struct context_table *t, struct strbuf *out)
{
	char name[16];

	if (t->why != WHY_OK) {
		strbuf_addf(out, "%s  context %9s (%s)\n", prefix(run), "--", why_text(t->why));
		return 1;
	}
	strbuf_addf(out, "%s  context %9s %*s", prefix(run), "", CELL - 1, "clocks %");
	for (int k = 0; k < CONTEXT_COLUMNS; k++)
		if (t->columns[k] >= 0)
			strbuf_addf(out, "  %s %s", writer_label(&t->set->metrics[t->columns[k]]),
				writer_unit(&t->set->metrics[t->columns[k]]));
	strbuf_add(out, "  switches/s\n");
	for (int i = 0; i < t->n; i++) {
		const struct context_row *r = &t->rows[i];

		strbuf_addf(out, "%s  context %9s", prefix(run),
			context_name(r, name, sizeof(name)));
		add_value(out, 100 * r->share);
		for (int k = 0; k < CONTEXT_COLUMNS; k++)
			if (t->columns[k] >= 0)
				add_column(out, &t->set->metrics[t->columns[k]],
					writer_number(r->values[t->columns[k]]));
		if (isnan(r->switches_hz))
			strbuf_addf(out, "  %10s", "--");
		else
			strbuf_addf(out, "  %10.1f", r->switches_hz);
		if (!r->whole)
			strbuf_add(out, "  (at least: a part of it is in the others)");
		strbuf_addc(out, '\n');
	}
	return 1 + t->n;
}

/* Writes "  limit MEMORY-BOUND: DRAM 476 of 560 GB/s, 85 % (data sheet), headroom 1.18x", or the
 * short form where that does not fit. */
static void limit_line(const struct writer_run *run, const struct verdict *v, struct strbuf *out)
{
	char sentence[240], head[64], room[64];
	size_t start = out->len;

	strbuf_addf(out, "%s  limit %s", prefix(run),
		verdict_sentence(v, true, sentence, sizeof(sentence)));
	if (run->columns && out->len - start > (size_t)run->columns) {
		strbuf_cut(out, start);
		strbuf_addf(out, "%s  limit %s: %s, %s", prefix(run),
			verdict_headline(v, true, head, sizeof(head)),
			verdict_line(v, true, true, sentence, sizeof(sentence)),
			verdict_headroom(v, true, room, sizeof(room)));
	}
	strbuf_addc(out, '\n');
}

static void window(struct writer_run *run, const struct snapshot *s, struct strbuf *out)
{
	char local[16];

	if (run->lines >= run->rows - HEAD_LINES || run->rows <= HEAD_LINES + 1) {
		static const char *const leads[HEAD_LINES] = { "", "time         window",
			"                  s" };

		for (int row = 0; row < HEAD_LINES; row++) {
			strbuf_addf(out, "%s%-*s", prefix(run), LEAD, leads[row]);
			add_head(run, row, out);
			strbuf_addc(out, '\n');
		}
		run->lines = 0;
	}
	strbuf_addf(out, "%s%s.%03d %6.3f%c", prefix(run), clock_format_local(s->wall_ns, local),
		(int)(s->wall_ns / NS_PER_MS % 1000), (double)s->window_ns / NS_PER_S,
		s->lost ? '!' : ' ');
	add_values(run, s, out);
	strbuf_addc(out, '\n');
	limit_line(run, &s->verdict, out);
	run->lines += 2 + cell_lines(run, s, out);
	if (s->contexts && run->lists_contexts)
		run->lines += context_lines(run, s->contexts, out);
	if (s->clients)
		run->lines += client_lines(run, s->clients, out);
}

const struct writer text_writer = { .begin = begin, .window = window };
