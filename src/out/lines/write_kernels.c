/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the rows of kernels, and what nobody told of. */
#include "config.h"

#include "out/lines/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "out/lines/rows.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/parse.h"

static const struct column columns[] = {
	{ "kernel", "kernel", 24, true },
	{ "command", NULL, 0, true },
	{ "items", "items", 9, false },
	{ "calls", "calls", 8, false },
	{ "time_s", "time s", 9, false },
	{ "share", "share %", 7, false },
	{ "overlap", "overlap %", 9, false },
	{ "mean_s", "mean", 9, false },
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
	{ "pairs", NULL, 0, false },
	{ "why", NULL, 0, true },
	{ "sim", NULL, 0, false },
};

/* Columns that go where the text has less room, the first one first. */
static const char *const spare[] = { "items", "overlap", "grade", "flop_per_byte", "time_s",
	"headroom" };
#define FILE_COLUMNS 80

/* Returns the columns of the terminal of reports, those that COLUMNS names, or 80. */
static int text_room(void)
{
	const char *wish = getenv("COLUMNS");
	struct winsize size;
	uint64_t n;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	if (wish && parse_u64_range(wish, 1, 10000, &n))
		return (int)n;
	return FILE_COLUMNS;
}

/* Leaves spare columns out until the others fit into a line. */
static void fit_columns(struct column *c, int room)
{
	int used = -1;

	for (size_t i = 0; i < ARRAY_LEN(columns); i++)
		if (c[i].head)
			used += c[i].width + 1;
	for (size_t k = 0; k < ARRAY_LEN(spare) && used > room; k++)
		for (size_t i = 0; i < ARRAY_LEN(columns); i++)
			if (c[i].head && !strcmp(c[i].name, spare[k])) {
				c[i].head = NULL;
				used -= c[i].width + 1;
			}
}

/* A count that a row has, or the sign for none. */
static void add_count(struct rows *rows, uint64_t n)
{
	rows_count(rows, n ? (double)n : NAN);
}

/* What a line is, as files call it. */
static const char *kind_name(const struct kernel_line *k)
{
	if (k->kind == KERNEL_RUNS)
		return "kernel";
	return k->kind == KERNEL_OTHER ? "other" : k->name;
}

static const char *grade_of(const struct kernel_line *k)
{
	if (!k->calls)
		return NULL;
	return k->counted ? "counted" : "time";
}

static void add_line(struct rows *rows, const struct kernel_line *k, bool simulated)
{
	char mean[24] = "--";

	if (isfinite(k->mean_s))
		kernel_duration(k->mean_s * NS_PER_S, mean, sizeof(mean));
	rows_text(rows, k->name);
	rows_text(rows, kind_name(k));
	add_count(rows, k->items);
	add_count(rows, k->calls);
	rows_number(rows, k->time_s);
	rows_number(rows, 100 * k->share);
	rows_number(rows, 100 * k->overlap);
	rows_written(rows, k->mean_s, mean);
	rows_number(rows, k->min_s);
	rows_number(rows, k->max_s);
	rows_text(rows, grade_of(k));
	rows_text(rows, text_or(k->bound, NULL));
	rows_giga(rows, k->gflops);
	rows_giga(rows, k->gbytes_per_s);
	rows_number(rows, k->flop_per_byte);
	rows_number(rows, k->headroom);
	rows_number(rows, k->counted_time);
	rows_number(rows, k->counted_calls);
	add_count(rows, k->pairs);
	rows_text(rows, k->why);
	rows_bool(rows, simulated);
	rows_end(rows);
}

/* Each reason is said once, with what helps. */
static void text_reasons(const struct kernel_list *l, struct strbuf *out)
{
	for (int i = 0; i < l->n; i++) {
		const struct kernel_line *k = &l->lines[i];
		bool said = !*k->why || k->kind != KERNEL_RUNS;

		for (int j = 0; j < i && !said; j++)
			said = l->lines[j].kind == KERNEL_RUNS && !strcmp(l->lines[j].why, k->why);
		if (!said)
			strbuf_addf(out, "%s: %s: %s\n", k->name,
				k->counted ? "counted in part" : "time only", k->why);
	}
}

static void text_losses(const struct session *ses, struct strbuf *out)
{
	const struct kernel_watch *w = &ses->kernels;
	const struct span_table *t = &w->table;
	const struct {
		const char *what;
		uint64_t n;
	} losses[] = {
		{ "commands that were seen and not told", t->lost },
		{ "commands that were not seen to end", w->unended },
		{ "spans that made no sense and were left out", t->nonsense },
		{ "spans that came too late, or with too many, to share their time", t->late },
		{ "programs that were refused", (uint64_t)w->refused },
	};

	for (size_t i = 0; i < ARRAY_LEN(losses); i++)
		if (losses[i].n)
			strbuf_addf(out, "%s: %llu\n", losses[i].what,
				(unsigned long long)losses[i].n);
}

static void json_summary(const struct session *ses, const struct kernel_list *l, struct strbuf *out)
{
	const struct kernel_watch *w = &ses->kernels;
	const struct span_table *t = &w->table;

	strbuf_addc(out, '{');
	json_integer(out, "v", 1);
	json_bool(out, "kernels", true);
	json_number(out, "seconds", l->seconds);
	json_number(out, "busy_s", (double)t->busy_ns / NS_PER_S);
	json_number(out, "idle_s", (double)t->idle_ns / NS_PER_S);
	json_integer(out, "programs", w->programs);
	json_integer(out, "refused", w->refused);
	json_integer(out, "spans", (long long)t->spans);
	json_integer(out, "lost", (long long)t->lost);
	json_integer(out, "not_ended", (long long)w->unended);
	json_integer(out, "nonsense", (long long)t->nonsense);
	json_integer(out, "late", (long long)t->late);
	json_string(out, "why", l->why_empty);
	strbuf_add(out, "}\n");
}

void write_kernels(const struct session *ses, enum output_form form, struct strbuf *out)
{
	bool is_text = form == OUTPUT_NONE || form == OUTPUT_TEXT;
	bool simulated = ses->dev && ses->dev->device.simulated;
	struct kernel_list l = { 0 };
	struct column fitting[ARRAY_LEN(columns)];
	struct rows rows;

	memcpy(fitting, columns, sizeof(columns));
	if (is_text)
		fit_columns(fitting, text_room());
	kernel_watch_list(ses, !is_text, &l);
	if (form == OUTPUT_JSON)
		json_summary(ses, &l, out);
	if (is_text)
		strbuf_addc(out, '\n');
	if (*l.why_empty && is_text)
		strbuf_addf(out, "kernels: none was seen: %s\n", l.why_empty);
	if (l.n > 0)
		rows_begin(&rows, form, fitting, (int)ARRAY_LEN(columns), out);
	for (int i = 0; i < l.n; i++)
		add_line(&rows, &l.lines[i], simulated);
	if (is_text) {
		text_reasons(&l, out);
		text_losses(ses, out);
	}
	kernel_list_release(&l);
}
