/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the rows of kernels, and what nobody told of. */
#include "config.h"

#include "out/lines/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "out/lines/rows.h"
#include "base/json.h"
#include "base/mem.h"

static const struct column columns[] = {
	{ "kernel", "kernel", 24, true },
	{ "command", NULL, 0, true },
	{ "items", "items", 9, false },
	{ "calls", "calls", 8, false },
	{ "time_s", "time s", 9, false },
	{ "share", "share %", 7, false },
	{ "overlap", "overlap %", 9, false },
	{ "mean_s", "mean s", 9, false },
	{ "min_s", NULL, 0, false },
	{ "max_s", NULL, 0, false },
	{ "grade", "grade", 7, true },
	{ "bound", "bound", 10, true },
	{ "gflops", "FLOP/s", 8, false },
	{ "gbytes_per_s", "B/s", 8, false },
	{ "flop_per_byte", "FLOP/byte", 9, false },
	{ "headroom", "headroom", 8, false },
	{ "counted_time", NULL, 0, false },
	{ "counted_calls", NULL, 0, false },
	{ "why", NULL, 0, true },
	{ "sim", NULL, 0, false },
};

static double seconds(int64_t ns)
{
	return (double)ns / NS_PER_S;
}

static double percent(int64_t part, int64_t whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : NAN;
}

/* A count that a row has, or the sign for none. */
static void add_count(struct rows *rows, uint64_t n)
{
	rows_count(rows, n ? (double)n : NAN);
}

static void add_row(struct rows *rows, const struct session *ses, const struct span_row *r,
	const struct kernel_figures *f, int64_t all_ns)
{
	rows_text(rows, r->name);
	rows_text(rows, r->is_kernel ? "kernel" : "other");
	add_count(rows, r->items);
	rows_count(rows, (double)r->calls);
	rows_number(rows, seconds(r->own_ns));
	rows_number(rows, percent(r->own_ns, all_ns));
	rows_number(rows, percent(r->overlap_ns, r->sum_ns));
	rows_number(rows, seconds(r->sum_ns) / (double)r->calls);
	rows_number(rows, seconds(r->min_ns));
	rows_number(rows, seconds(r->max_ns));
	rows_text(rows, f->counted ? "counted" : "time");
	rows_text(rows, *f->bound ? f->bound : NULL);
	rows_giga(rows, f->gflops);
	rows_giga(rows, f->gbytes_per_s);
	rows_number(rows, f->flop_per_byte);
	rows_number(rows, f->headroom);
	rows_number(rows, f->counted_time);
	rows_number(rows, f->counted_calls);
	rows_text(rows, f->why);
	rows_bool(rows, ses->dev && ses->dev->device.simulated);
	rows_end(rows);
}

/* What is no kernel: a row of text or of a file. */
static void add_rest(
	struct rows *rows, const struct session *ses, const char *name, int64_t ns, int64_t all_ns)
{
	rows_text(rows, name);
	rows_text(rows, name);
	rows_count(rows, NAN);
	rows_count(rows, NAN);
	rows_number(rows, seconds(ns));
	rows_number(rows, percent(ns, all_ns));
	for (int i = 0; i < 4; i++)
		rows_number(rows, NAN);
	rows_text(rows, NULL);
	rows_text(rows, NULL);
	for (int i = 0; i < 6; i++)
		rows_number(rows, NAN);
	rows_text(rows, "");
	rows_bool(rows, ses->dev && ses->dev->device.simulated);
	rows_end(rows);
}

/* Each reason is said once, with what helps. */
static void text_reasons(const struct span_row **order, const struct kernel_figures *figures, int n,
	struct strbuf *out)
{
	for (int i = 0; i < n; i++) {
		bool said = false;

		if (figures[i].counted || !order[i]->is_kernel)
			continue;
		for (int k = 0; k < i && !said; k++)
			said = order[k]->is_kernel && !strcmp(figures[k].why, figures[i].why);
		if (!said)
			strbuf_addf(out, "%s: time only: %s\n", order[i]->name, figures[i].why);
	}
}

static void text_losses(const struct session *ses, struct strbuf *out)
{
	const struct kernel_watch *w = &ses->kernels;
	const struct span_table *t = &w->table;

	if (t->lost)
		strbuf_addf(
			out, "%llu commands were seen and not told\n", (unsigned long long)t->lost);
	if (w->unended)
		strbuf_addf(out, "%llu commands were not seen to end\n",
			(unsigned long long)w->unended);
	if (t->nonsense)
		strbuf_addf(out, "%llu spans made no sense and were left out\n",
			(unsigned long long)t->nonsense);
	if (t->late)
		strbuf_addf(out,
			"%llu spans came too late, or with too many, to share their time\n",
			(unsigned long long)t->late);
	if (w->refused)
		strbuf_addf(out, "%d programs were refused\n", w->refused);
}

static void json_summary(const struct session *ses, int64_t all_ns, struct strbuf *out)
{
	const struct kernel_watch *w = &ses->kernels;
	const struct span_table *t = &w->table;

	strbuf_addc(out, '{');
	json_integer(out, "v", 1);
	json_bool(out, "kernels", true);
	json_number(out, "seconds", seconds(all_ns));
	json_number(out, "busy_s", seconds(t->busy_ns));
	json_number(out, "idle_s", seconds(t->idle_ns));
	json_integer(out, "programs", w->programs);
	json_integer(out, "refused", w->refused);
	json_integer(out, "spans", (long long)t->spans);
	json_integer(out, "lost", (long long)t->lost);
	json_integer(out, "not_ended", (long long)w->unended);
	json_integer(out, "nonsense", (long long)t->nonsense);
	json_integer(out, "late", (long long)t->late);
	json_string(out, "why", kernel_watch_why_empty(ses));
	strbuf_add(out, "}\n");
}

void write_kernels(const struct session *ses, enum output_form form, struct strbuf *out)
{
	const struct span_table *t = &ses->kernels.table;
	const struct span_row **order = xcalloc((size_t)t->n_rows + 1, sizeof(const void *));
	int n = span_table_order(t, order);
	struct kernel_figures *figures = xcalloc((size_t)n + 1, sizeof(*figures));
	int64_t all_ns = t->settled_ns - t->begin_ns, others_ns = 0;
	bool is_text = form == OUTPUT_NONE || form == OUTPUT_TEXT;
	struct rows rows;

	for (int i = 0; i < n; i++)
		kernel_watch_figures(ses, order[i], &figures[i]);
	if (form == OUTPUT_JSON)
		json_summary(ses, all_ns, out);
	if (is_text)
		strbuf_addc(out, '\n');
	if (is_text && n == 0)
		strbuf_addf(out, "kernels: none was seen: %s\n", kernel_watch_why_empty(ses));
	if (n > 0 || !is_text) {
		rows_begin(&rows, form, columns, (int)ARRAY_LEN(columns), out);
		for (int i = 0; i < n; i++) {
			if (order[i]->is_kernel || !is_text)
				add_row(&rows, ses, order[i], &figures[i], all_ns);
			else
				others_ns += order[i]->own_ns;
		}
		if (is_text)
			add_rest(&rows, ses, "other commands", others_ns, all_ns);
		add_rest(&rows, ses, "idle", t->idle_ns, all_ns);
	}
	if (is_text) {
		text_reasons(order, figures, n, out);
		text_losses(ses, out);
	}
	free(figures);
	free(order);
}
