/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the numbers of a paper with tables of results, and says what they come to. */
#include "config.h"

#include "cmd/sweep/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "out/lines/rows.h"
#include "base/mem.h"
#include "base/numeric.h"

#define MAX_MULTIPLE 32
/* Widths this near to the best one are as good. */
#define AS_GOOD 0.995
/* A multiple of work-groups counts when a group more costs so much, as a logarithm. */
#define WORTH 0.02

/* The rows of one kernel with one loop count, of the first table. */
struct curve {
	const char *kernel;
	double loop;
	double best;		/* of the column that is looked at, NAN */
	size_t first, end;	/* between which its rows are */
};

/* Whoever gathers them frees c. */
struct curves {
	struct curve *c;	/* [n] */
	int n;
};

/* Returns the number in a row of the first table. */
static double cell(const struct figure_data *d, size_t row, const char *word)
{
	return figure_cell(d, d->tables, row, word);
}

static const char *kernel_of(const struct figure_data *d, size_t row)
{
	return csv_table_text(d->tables, row, csv_table_column(d->tables, "kernel"));
}

/* Gathers the kernels with their best. groups is the only number of them that counts, or 0; loop
 * the only loop count, or 0. */
static void gather(struct curves *s, const struct figure_data *d, const char *patterns,
	const char *column, double groups, uint64_t loop)
{
	*s = (struct curves){ .c = xcalloc(d->tables->n_rows + 1, sizeof(*s->c)) };
	for (size_t i = 0; i < d->tables->n_rows; i++) {
		const char *kernel = kernel_of(d, i);
		double v = cell(d, i, column), n = cell(d, i, "loop");
		int at = 0;

		if ((patterns && !figure_has(patterns, kernel)) ||
			(loop && fabs(n - (double)loop) > 0.5) ||
			(groups > 0 && fabs(cell(d, i, "groups") - groups) > 0.5))
			continue;
		while (at < s->n && strcmp(s->c[at].kernel, kernel))
			at++;
		if (at == s->n)
			s->c[s->n++] = (struct curve){ kernel, n, NAN, i, i };
		s->c[at].best = fmax(s->c[at].best, v);
		s->c[at].end = i + 1;
	}
}

/* Returns the value of a kernel at a number of groups, NAN when there is no such point. */
static double value_at(const struct figure_data *d, const struct curve *c, const char *column,
	double groups)
{
	for (size_t i = c->first; i < c->end; i++)
		if (!strcmp(kernel_of(d, i), c->kernel) &&
			fabs(cell(d, i, "loop") - c->loop) < 0.5 &&
			fabs(cell(d, i, "groups") - groups) < 0.5)
			return cell(d, i, column);
	return NAN;
}

/* Returns the smallest value(k + 1) / value(k) of neighbouring numbers of groups. */
static double deepest_tooth(
	const struct figure_data *d, const struct curve *c, const char *column)
{
	double deepest = NAN;

	for (double k = 1; isfinite(value_at(d, c, column, k)); k++)
		deepest = fmin(deepest,
			value_at(d, c, column, k + 1) / value_at(d, c, column, k));
	return deepest;
}

/* Gathers what is taken; loop is that of the paper, which another one may replace. */
static void gather_taken(
	struct curves *s, const struct figure_data *d, const struct take *t, uint64_t loop)
{
	if (t->loop)
		loop = t->loop;
	gather(s, d, t->kernels, t->column, t->groups, loop);
}

/* Takes a number from the first table; NAN where it has none. loop is the paper's. */
static double take(const struct take *t, const struct figure_data *d, uint64_t loop)
{
	struct curves s;
	double sum = 0, most = NAN, least = NAN;

	gather_taken(&s, d, t, loop);
	for (int i = 0; i < s.n; i++) {
		double v = s.c[i].best;

		if (t->how == TAKE_TEETH)
			v = deepest_tooth(d, &s.c[i], t->column);
		sum += v;
		most = fmax(most, v);
		least = fmin(least, v);
	}
	free(s.c);
	if (t->how == TAKE_SPREAD)
		return s.n > 1 ? (most - least) * s.n / sum : NAN;
	if (t->how == TAKE_MEAN || t->how == TAKE_TEETH)
		return s.n ? sum / s.n : NAN;
	return most;
}

/* Returns "x4" of "power.mad.sp.x4", or "". */
static const char *width_of(const char *kernel)
{
	const char *dot = strrchr(kernel, '.');

	return dot && dot[1] == 'x' ? dot + 1 : "";
}

/* Returns the width with the largest or smallest number, "" when fewer than two have one. */
static const char *extreme_of(
	const struct figure_check *c, const struct figure_data *d, uint64_t loop)
{
	struct curves s;
	int at = -1, known = 0;

	gather(&s, d, c->take.kernels, c->take.column, c->take.groups, loop);
	for (int i = 0; i < s.n; i++) {
		if (!isfinite(s.c[i].best))
			continue;
		known++;
		if (at < 0 || (c->lowest ? s.c[i].best < s.c[at].best : s.c[i].best > s.c[at].best))
			at = i;
	}
	const char *width = known > 1 ? width_of(s.c[at].kernel) : "";
	free(s.c);
	return width;
}

/* Adds published number, number here, ratio and tolerance. Returns the word for the result, NULL
 * when there is no number here. */
static const char *add_number(
	struct rows *r, const struct figure_check *c, const struct figure_data *d, uint64_t loop)
{
	double here = take(&c->take, d, loop), within_pct = c->within_pct, ratio;
	const char *sign = "";
	bool inside;
	char text[32];

	if (c->over.how != TAKE_NONE)
		here /= take(&c->over, d, loop);
	ratio = here / c->value;
	inside = fabs(ratio - 1) * 100 <= within_pct;
	if (c->above) {
		inside = here > c->value;
		within_pct = NAN;
		sign = "> ";
	}
	numeric_print(text, sizeof(text), "%s%.6g", sign, c->value);
	rows_text(r, text);
	numeric_print(text, sizeof(text), "%.4g", here);
	rows_text(r, isfinite(here) ? text : NULL);
	rows_number(r, ratio);
	rows_number(r, within_pct);
	if (!isfinite(ratio))
		return NULL;
	return inside ? "inside" : "outside";
}

/* Adds the same for an order: widths, and no ratio. */
static const char *add_order(
	struct rows *r, const struct figure_check *c, const struct figure_data *d, uint64_t loop)
{
	const char *width = extreme_of(c, d, loop);

	rows_text(r, c->width);
	rows_text(r, text_or(width, NULL));
	rows_number(r, NAN);
	rows_number(r, NAN);
	if (!*width)
		return NULL;
	return strcmp(width, c->width) ? "other" : "same";
}

static bool has_rows(const struct take *t, const struct figure_data *d, uint64_t loop)
{
	struct curves s;

	gather_taken(&s, d, t, loop);
	free(s.c);
	return s.n > 0;
}

static bool is_of_power(const struct figure_check *c)
{
	return figure_is_power(c->take.column) || figure_is_power(c->over.column);
}

/* Tells whether the watts of the paper are those of another plane than the watts here. */
static bool is_other_plane(
	const struct paper *p, const struct figure_check *c, const struct figure_data *d)
{
	return is_of_power(c) && *p->plane && strcmp(p->plane, d->plane);
}

/* Returns why a check has no result. */
static const char *why_missing(
	const struct paper *p, const struct figure_check *c, const struct figure_data *d)
{
	if (is_other_plane(p, c, d))
		return "watts of another plane";
	if (!has_rows(&c->take, d, p->loop) ||
		(c->over.how != TAKE_NONE && !has_rows(&c->over, d, p->loop)))
		return "not run here";
	return is_of_power(c) ? "nobody counts the watts" : "not measured";
}

static void add_check(struct rows *r, const struct figure_check *c, const struct figure_data *d,
	const struct paper *p)
{
	struct figure_data nothing = *d;
	struct csv_table no_rows = *d->tables;
	const char *word, *why = "";

	if (is_other_plane(p, c, d)) {
		no_rows.n_rows = 0;
		nothing.tables = &no_rows;
	}
	rows_text(r, c->text);
	rows_text(r, c->where);
	if (*c->width)
		word = add_order(r, c, &nothing, p->loop);
	else
		word = add_number(r, c, &nothing, p->loop);
	if (!word)
		why = why_missing(p, c, d);
	rows_text(r, word);
	rows_text(r, strcmp(c->unit, "1") ? c->unit : "");
	rows_text(r, why);
	rows_end(r);
}

/* Appends the widths that are as good as the best: "1, 2 and 4". Returns the best value. */
static double add_best_widths(
	const struct figure_data *d, const char *column, const char *patterns, struct strbuf *out)
{
	struct curves s;
	double best = NAN;
	int n = 0, at = 0;

	gather(&s, d, patterns, column, 0, 0);
	for (int i = 0; i < s.n; i++)
		if (*width_of(s.c[i].kernel))
			best = fmax(best, s.c[i].best);
	for (int i = 0; i < s.n; i++)
		n += *width_of(s.c[i].kernel) && s.c[i].best >= best * AS_GOOD;
	for (int i = 0; i < s.n; i++) {
		if (!*width_of(s.c[i].kernel) || !(s.c[i].best >= best * AS_GOOD))
			continue;
		if (at > 0)
			strbuf_add(out, at + 1 == n ? " and " : ", ");
		strbuf_add(out, width_of(s.c[i].kernel) + 1);
		at++;
	}
	free(s.c);
	return best;
}

/* Returns the multiple of work-groups behind which one more group costs most, 0 when none does. The
 * mean loss behind its multiples is compared with that everywhere else. */
static int best_multiple(const struct figure_data *d)
{
	double loss[MAX_MULTIPLE] = { 0 }, top = WORTH;
	int n[MAX_MULTIPLE] = { 0 }, best = 0;
	struct curves s;

	gather(&s, d, NULL, "gflops", 0, 0);
	for (int i = 0; i < s.n; i++)
		for (int k = 1; k < MAX_MULTIPLE; k++) {
			double v = log(value_at(d, &s.c[i], "gflops", k) /
				value_at(d, &s.c[i], "gflops", k + 1));

			if (!isfinite(v))
				continue;
			loss[k] += v;
			n[k]++;
		}
	free(s.c);
	for (int p = 2; p <= MAX_MULTIPLE / 2; p++) {
		double sums[2] = { 0 };
		int counts[2] = { 0 };

		for (int k = 1; k < MAX_MULTIPLE; k++) {
			if (!n[k])
				continue;
			sums[k % p == 0] += loss[k] / n[k];
			counts[k % p == 0]++;
		}
		if (!counts[0] || counts[1] < 2)
			continue;
		double score = sums[1] / counts[1] - sums[0] / counts[0];
		if (score > top * 1.01) {
			top = score;
			best = p;
		}
	}
	return best;
}

/* Appends the closing sentence: the speed of the kernels that only compute, at the best number of
 * work-groups of the whole sweep, and the energy of those whose power was measured. */
static void add_sentence(const struct figure_data *d, struct strbuf *out)
{
	struct strbuf fast = { 0 }, frugal = { 0 };
	char speed[32], energy[32];
	int multiple = best_multiple(d);
	double gflops = add_best_widths(d, "gflops", "flops.private.mad.sp.*", &fast);
	double per_w = add_best_widths(d, "gflops_per_w", "power.mad.sp.*", &frugal);

	numeric_print(speed, sizeof(speed), "%.4g", gflops);
	numeric_print(energy, sizeof(energy), "%.3g", per_w);
	if (isfinite(gflops))
		strbuf_addf(out,
			"Fastest are vectors of %s (%s GFLOP/s, at whatever number of "
			"work-groups). ",
			strbuf_str(&fast), speed);
	if (isfinite(per_w))
		strbuf_addf(out, "Least energy take vectors of %s (%s GFLOP/s per W of %s). ",
			strbuf_str(&frugal), energy, d->power_words);
	else
		strbuf_add(out, "The power is not known. ");
	if (multiple)
		strbuf_addf(out, "Work-groups are best in multiples of %d.\n", multiple);
	else
		strbuf_add(out, "No multiple of work-groups is better than others.\n");
	strbuf_release(&fast);
	strbuf_release(&frugal);
}

void figures_compare(const struct paper *p, const struct figure_data *d, enum output_form form,
	struct strbuf *out)
{
	static const struct column columns[] = {
		{ "check", "number", 52, true },
		{ "where", "where", 8, true },
		{ "published", "published", 9, true },
		{ "here", "here", 8, true },
		{ "ratio", "ratio", 6, false },
		{ "within_pct", "within%", 7, false },
		{ "result", "result", 7, true },
		{ "unit", "unit", 10, true },
		{ "why", "", 0, true },
	};
	struct rows rows;

	if (form == OUTPUT_NONE) {
		strbuf_addf(out, "published: %s; %s\n", p->title, p->machine);
		if (d->tables->n_rows > 0)
			strbuf_addf(out, "here: %s\n\n",
				csv_table_text(d->tables, 0, csv_table_column(d->tables, "device")));
	}
	rows_begin(&rows, form, columns, (int)ARRAY_LEN(columns), out);
	for (size_t i = 0; i < p->n_checks; i++)
		add_check(&rows, &p->checks[i], d, p);
	if (form == OUTPUT_NONE) {
		strbuf_add(out, "\n");
		add_sentence(d, out);
	}
}
