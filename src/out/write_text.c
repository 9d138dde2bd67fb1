/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes lines for people and awk: one window a line, in fixed columns by group. The head comes
 * again after each screenful. */
#include "config.h"

#include "out/writer.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"

#define CELL 9			/* columns of a value, with the blank before it */
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

static bool is_asked(const struct metric *m)
{
	return writer_shows(m) && m->flags & METRIC_ASKED;
}

/* Finds how many metrics of each group fit: each group gets one more in turn until the line is
 * full. */
static int per_group(const struct writer_run *run)
{
	int room = run->set->n_metrics, most = 1;

	if (run->columns)
		room = (run->columns - LEAD - (int)strlen(prefix(run))) / CELL;
	for (int i = 0; i < run->set->n_metrics; i++)
		room -= is_asked(&run->set->metrics[i]);
	for (; most < run->set->n_metrics; most++) {
		int total = 0;

		for (int g = 0; g < run->set->n_groups; g++) {
			int n = 0;

			for (int i = 0; i < run->set->n_metrics && n <= most; i++)
				n += is_column(&run->set->metrics[i], run->set->groups[g].name);
			total += n;
		}
		if (total > room)
			break;
	}
	return most;
}

/* Returns how late a metric comes in its group: first what stands in the panes of the screen, in their
 * order, then what has a roof of its own, because that says what bounds the load. */
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

/* Calls fn for each metric shown: what an option asked for, then group by group. */
static void each_column(const struct writer_run *run, struct strbuf *out, const void *ctx,
	void (*fn)(const struct writer_run *run, int metric, const void *ctx, struct strbuf *out))
{
	int most = per_group(run);

	for (int i = 0; i < run->set->n_metrics; i++)
		if (is_asked(&run->set->metrics[i]))
			fn(run, i, ctx, out);
	for (int g = 0; g < run->set->n_groups; g++) {
		const char *group = run->set->groups[g].name;
		int metric = next_column(run, group, -1);

		for (int n = 0; n < most && metric >= 0; n++) {
			fn(run, metric, ctx, out);
			metric = next_column(run, group, lateness(run->set, metric));
		}
	}
}

/* Splits a label at a blank into two rows of at most CELL - 1 columns. */
static void split_label(const char *label, char rows[2][CELL])
{
	size_t fit = format_clip(label, CELL - 1), cut = fit;

	if (label[fit]) {
		while (cut > 0 && label[cut] != ' ')
			cut--;
		if (cut == 0)
			cut = fit;
	}
	snprintf(rows[0], CELL, "%.*s", (int)cut, label);
	label += cut + (label[cut] == ' ');
	snprintf(rows[1], CELL, "%.*s", (int)format_clip(label, CELL - 1), label);
}

static void head_cell(const struct writer_run *run, int metric, const void *ctx, struct strbuf *out)
{
	const struct metric *m = &run->set->metrics[metric];
	int row = *(const int *)ctx;
	char rows[2][CELL], unit[CELL];

	split_label(writer_label(m), rows);
	snprintf(unit, sizeof(unit), "%s%s", m->flags & METRIC_ESTIMATED ? "~" : "",
		writer_unit(m));
	strbuf_addf(out, " %*s", CELL - 1, row < 2 ? rows[row] : unit);
}

static void begin(struct writer_run *runs, int n, struct strbuf *out)
{
	for (struct writer_run *run = runs; run < runs + n; run++) {
		run->lines = INT_MAX;
		strbuf_addf(out, "%srooftop: %s (%s), %s, metric set %s%s\n", prefix(run), run->name,
			run->device->name, run->how, run->set->name,
			run->device->simulated ? ", SIMULATED" : "");
	}
}

static void value_cell(
	const struct writer_run *run, int metric, const void *ctx, struct strbuf *out)
{
	const struct snapshot *s = ctx;
	const char *mark = "";
	int width = CELL - 1;
	char buf[32];

	(void)run;
	/* A star marks a value that was measured in an earlier turn. */
	if (snapshot_is_kept(s, metric) && s->values[metric].why == WHY_OK) {
		mark = "*";
		width--;
	}
	format_number(buf, sizeof(buf), writer_number(s->values[metric]), width);
	strbuf_addf(out, " %*s%s", width, buf, mark);
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

		if (!writer_shows(m) || !has_cells(map, metric))
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

/* Writes a line for each client of the device. */
static void client_lines(const struct writer_run *run, const struct client_table *t,
	struct strbuf *out)
{
	if (t->why != WHY_OK) {
		strbuf_addf(out, "%s  client %8s (%s)\n", prefix(run), "--", why_text(t->why));
		return;
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
		strbuf_addf(out, "  %s\n", r->command);
	}
	if (t->hidden)
		strbuf_addf(out, "%s  client %8s (%d processes are hidden)\n", prefix(run), "-",
			t->hidden);
}

/* Writes a value below the head that names its metric. */
static void add_column(struct strbuf *out, const struct metric *m, double v)
{
	int width = (int)strlen(writer_label(m)) + 1 + (int)strlen(writer_unit(m));
	char buf[32];

	strbuf_addf(out, "  %*s", width, format_number(buf, sizeof(buf), v, width));
}

/* Writes a line for each hardware context, with the metrics of the table. */
static void context_lines(
	const struct writer_run *run, const struct context_table *t, struct strbuf *out)
{
	char name[16];

	if (t->why != WHY_OK) {
		strbuf_addf(out, "%s  context %9s (%s)\n", prefix(run), "--", why_text(t->why));
		return;
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
		strbuf_addf(out, "  %10.*f%s\n", 1, r->switches_hz,
			r->whole ? "" : "  (at least: a part of it is in the others)");
	}
}

/* Writes "  limit MEMORY-BOUND: DRAM 476 of 560 GB/s, 85 % (data sheet), headroom 1.18x", or the short
 * form where that does not fit. */
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
	/* The columns beside it are of this window. */
	if (v->flags & VERDICT_KEPT)
		strbuf_add(out, "  (of an earlier window)");
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
			each_column(run, out, &row, head_cell);
			strbuf_addc(out, '\n');
		}
		run->lines = 0;
	}
	strbuf_addf(out, "%s%s.%03d %6.3f%c", prefix(run), clock_format_local(s->wall_ns, local),
		(int)(s->wall_ns / NS_PER_MS % 1000), (double)s->window_ns / NS_PER_S,
		s->lost ? '!' : ' ');
	each_column(run, out, s, value_cell);
	strbuf_addc(out, '\n');
	limit_line(run, &s->verdict, out);
	run->lines += 2 + cell_lines(run, s, out);
	if (s->contexts && run->lists_contexts)
		context_lines(run, s->contexts, out);
	if (s->clients)
		client_lines(run, s->clients, out);
}

const struct writer text_writer = { .begin = begin, .window = window };
