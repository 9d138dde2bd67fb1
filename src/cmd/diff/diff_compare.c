/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps what both sides of a comparison have, and compares them. */
#include "config.h"

#include "cmd/diff/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

/* --- what was read --- */

static char *plain_copy(const char *text)
{
	char *copy = xstrdup(text);

	utf8_make_plain(copy, "");
	return copy;
}

struct diff_run *diff_add_run(struct diff_side *side)
{
	side->runs = array_grow(side->runs, side->n, &side->cap, sizeof(*side->runs));
	side->runs[side->n] = (struct diff_run){ .figures = NULL };
	return &side->runs[side->n++];
}

const struct diff_figure *diff_find(const struct diff_run *run, const char *key)
{
	for (size_t i = 0; i < run->n; i++)
		if (!strcmp(run->figures[i].key, key))
			return &run->figures[i];
	return NULL;
}

struct diff_figure *diff_add_figure(struct diff_run *run, const char *key, const char *label,
	const char *unit, double value, double half)
{
	if (!isfinite(value) || diff_find(run, key))
		return NULL;
	run->figures = array_grow(run->figures, run->n, &run->cap, sizeof(*run->figures));
	run->figures[run->n++] = (struct diff_figure){ .key = plain_copy(key),
		.label = plain_copy(label),
		.unit = plain_copy(unit),
		.value = value,
		.half = half };
	return &run->figures[run->n - 1];
}

static bool is_word_end(char c)
{
	return !c || c == ' ';
}

/* Cuts at a blank, and leaves no part of the sentence without its end. */
static void cut_sentence(char *s, size_t n)
{
	s[n] = '\0';
	char *comma = strrchr(s, ',');

	if (comma)
		*comma = '\0';
	n = strlen(s);
	if (n > 0 && s[n - 1] == ':')
		s[n - 1] = '\0';
}

/* Counts one more of a limit. Its sentence keeps the words before the first that differs, as the
 * numbers of one are not those of all. */
static void count_limit(struct diff_limit *l, const char *sentence, double headroom)
{
	char *plain = plain_copy(sentence);
	size_t n = 0;

	while (l->sentence[n] && l->sentence[n] == plain[n])
		n++;
	while (n > 0 && !(is_word_end(l->sentence[n]) && is_word_end(plain[n])))
		n--;
	if (l->sentence[n])
		cut_sentence(l->sentence, n);
	if (l->headroom < headroom || l->headroom > headroom || isnan(headroom))
		l->headroom = NAN;
	l->count++;
	free(plain);
}

void diff_add_limit(struct diff_run *run, const char *key, const char *kind, const char *bound,
	const char *sentence, double headroom)
{
	if (!*kind)
		return;
	for (size_t i = 0; i < run->n_limits; i++) {
		struct diff_limit *l = &run->limits[i];

		if (strcmp(l->key, key) || strcmp(l->kind, kind) || strcmp(l->bound, bound))
			continue;
		count_limit(l, sentence, headroom);
		return;
	}
	run->limits = array_grow(run->limits, run->n_limits, &run->cap_limits, sizeof(*run->limits));
	run->limits[run->n_limits++] = (struct diff_limit){ .key = plain_copy(key),
		.kind = plain_copy(kind),
		.bound = plain_copy(bound),
		.sentence = plain_copy(sentence),
		.headroom = headroom,
		.count = 1 };
}

#define BETWEEN ", "

/* Keeps the texts in the order of the alphabet, whatever that of the files is. Returns whether they
 * differ. */
static bool note_text(char **kept, const char *text)
{
	char *all;

	if (!*text || (*kept && !strcmp(*kept, text)))
		return false;
	if (!*kept) {
		*kept = xstrdup(text);
		return false;
	}
	const char *at = *kept;
	while (*at) {
		const char *next = strstr(at, BETWEEN);
		size_t len = next ? (size_t)(next - at) : strlen(at);
		int order = strncmp(at, text, len);

		if (!order && !text[len])
			return true;
		if (order > 0)
			break;
		at += len;
		if (next)
			at += strlen(BETWEEN);
	}
	if (*at)
		all = xasprintf("%.*s%s" BETWEEN "%s", (int)(at - *kept), *kept, text, at);
	else
		all = xasprintf("%s" BETWEEN "%s", *kept, text);
	free(*kept);
	*kept = all;
	return true;
}

static bool note_plain(char **kept, const char *text)
{
	char *plain = plain_copy(text_or(text, ""));
	bool differs = note_text(kept, plain);

	free(plain);
	return differs;
}

void diff_note(struct diff_side *side, const char *device, const char *set, double window_s,
	bool simulated)
{
	side->mixed_devices |= note_plain(&side->device, device);
	side->mixed_sets |= note_plain(&side->set, set);
	side->simulated |= simulated;
	if (!isfinite(window_s))
		return;
	/* Clocks of recordings and of programs differ a little. */
	if (side->window_s > 0 && fabs(side->window_s - window_s) > 0.1 * side->window_s)
		side->mixed_windows = true;
	if (!(side->window_s > 0) || window_s < side->window_s)
		side->window_s = window_s;
}

void diff_run_release(struct diff_run *run)
{
	for (size_t i = 0; i < run->n; i++) {
		free(run->figures[i].key);
		free(run->figures[i].label);
		free(run->figures[i].unit);
	}
	for (size_t i = 0; i < run->n_limits; i++) {
		free(run->limits[i].key);
		free(run->limits[i].kind);
		free(run->limits[i].bound);
		free(run->limits[i].sentence);
	}
	free(run->figures);
	free(run->limits);
}

void diff_side_release(struct diff_side *side)
{
	for (size_t i = 0; i < side->n; i++)
		diff_run_release(&side->runs[i]);
	free(side->runs);
	free(side->device);
	free(side->set);
	*side = (struct diff_side){ .runs = NULL };
}

/* --- the comparison --- */

/* Collects a figure from the runs that have it, in that unit. Returns how many have. */
static size_t collect(const struct diff_side *side, const struct diff_figure *like, double *values,
	double *half, bool *estimated)
{
	size_t n = 0;

	*half = 0;
	for (size_t i = 0; i < side->n; i++) {
		const struct diff_figure *f = diff_find(&side->runs[i], like->key);

		if (!f || strcmp(f->unit, like->unit) != 0)
			continue;
		values[n++] = f->value;
		*estimated |= f->estimated;
		/* What is not known of one run is not known of all; fmax() would forget it. */
		if (isnan(f->half) || f->half > *half)
			*half = isnan(*half) ? NAN : f->half;
	}
	return n;
}

static double mean_of(const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i];
	return sum / (double)n;
}

static double deviation_of(const double *v, size_t n, double mean)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	return sqrt(sum / (double)(n - 1));
}

/* With one run on a side nobody knows how runs differ, so the spreads of the windows have to do:
 * ranges that touch are no change. */
static void judge_by_spread(struct diff_row *row)
{
	double floor = SPREAD_FLOOR * fmax(fabs(row->value[0]), fabs(row->value[1]));
	double gap = fabs(row->value[1] - row->value[0]);

	if (gap <= 2 * floor)
		row->moved = DIFF_STAYED;
	else if (isnan(row->spread[0] + row->spread[1]))
		row->moved = DIFF_UNKNOWN;
	else if (gap > fmax(row->spread[0], floor) + fmax(row->spread[1], floor))
		row->moved = DIFF_MOVED;
}

static bool all_equal(const double *v, size_t n, double to)
{
	for (size_t i = 0; i < n; i++)
		if (v[i] < to || v[i] > to)
			return false;
	return true;
}

static void compare_figure(struct diff *d, const struct diff_figure *f)
{
	double *values[2], half[2];
	size_t n[2];
	struct diff_row row = { .key = f->key, .label = f->label, .unit = f->unit, .p = NAN,
		.p_adjusted = NAN, .moved = DIFF_STAYED };

	for (int k = 0; k < 2; k++) {
		values[k] = xcalloc(d->side[k].n + 1, sizeof(*values[k]));
		n[k] = collect(&d->side[k], f, values[k], &half[k], &row.estimated);
		row.runs[k] = (int)n[k];
		row.value[k] = mean_of(values[k], n[k]);
		row.spread[k] = half[k];
		if (n[k] > 1)
			row.spread[k] = deviation_of(values[k], n[k], row.value[k]);
	}
	/* A row that cannot move is no test, and would make those of others count for less. */
	bool constant = all_equal(values[0], n[0], values[0][0]) &&
		all_equal(values[1], n[1], values[0][0]);
	if (!constant)
		row.p = spread_welch(values[0], n[0], values[1], n[1]);
	/* Beside a single run, one side's runs may be anywhere between those that are there. */
	for (int k = 0; k < 2 && isnan(row.p); k++)
		if (n[k] > 1)
			row.spread[k] += half[k];
	if (isnan(row.p) && n[1] > 0 && !constant)
		judge_by_spread(&row);
	free(values[0]);
	free(values[1]);
	if (n[1] == 0) {
		d->only[0]++;
		return;
	}
	d->rows = array_grow(d->rows, d->n, &d->cap, sizeof(*d->rows));
	d->rows[d->n++] = row;
}

/* Returns whether a run before this one has the figure. */
static bool is_known(const struct diff_side *side, size_t runs, const char *key)
{
	for (size_t i = 0; i < runs; i++)
		if (diff_find(&side->runs[i], key))
			return true;
	return false;
}

static void correct(struct diff *d)
{
	double *p = xcalloc(d->n + 1, sizeof(*p));

	for (size_t i = 0; i < d->n; i++)
		p[i] = d->rows[i].p;
	spread_adjust(p, d->n);
	for (size_t i = 0; i < d->n; i++) {
		d->rows[i].p_adjusted = p[i];
		d->tested |= isfinite(p[i]);
		if (p[i] < DIFF_ALPHA)
			d->rows[i].moved = DIFF_MOVED;
	}
	free(p);
}

void diff_compare(struct diff *d)
{
	const struct diff_side *before = &d->side[0], *after = &d->side[1];

	for (size_t i = 0; i < before->n; i++)
		for (size_t k = 0; k < before->runs[i].n; k++)
			if (!is_known(before, i, before->runs[i].figures[k].key))
				compare_figure(d, &before->runs[i].figures[k]);
	for (size_t i = 0; i < after->n; i++)
		for (size_t k = 0; k < after->runs[i].n; k++) {
			const char *key = after->runs[i].figures[k].key;

			d->only[1] += !is_known(after, i, key) && !is_known(before, before->n, key);
		}
	correct(d);
}

bool diff_has_limit(const struct diff_side *side, size_t from, size_t end, const char *key)
{
	for (size_t i = from; i < end; i++)
		for (size_t k = 0; k < side->runs[i].n_limits; k++)
			if (!strcmp(side->runs[i].limits[k].key, key))
				return true;
	return false;
}

/* Among limits that are as usual one stands for all, whatever the order of the files is. */
static bool comes_before(const struct diff_limit *a, const struct diff_limit *b)
{
	int order = strcmp(a->kind, b->kind);

	if (!order)
		order = strcmp(a->bound, b->bound);
	if (!order && isnan(a->headroom) != isnan(b->headroom))
		order = isnan(a->headroom) ? 1 : -1;
	if (!order)
		order = (a->headroom > b->headroom) - (a->headroom < b->headroom);
	if (!order)
		order = strcmp(a->sentence, b->sentence);
	return order < 0;
}

static bool is_alike(const struct diff_limit *a, const struct diff_limit *b)
{
	return !strcmp(a->key, b->key) && !strcmp(a->kind, b->kind) && !strcmp(a->bound, b->bound);
}

const struct diff_limit *diff_usual_limit(
	const struct diff_side *side, const char *key, int *runs, int *of)
{
	const struct diff_limit *best = NULL;

	*runs = *of = 0;
	for (size_t i = 0; i < side->n; i++) {
		for (size_t k = 0; k < side->runs[i].n_limits; k++) {
			const struct diff_limit *l = &side->runs[i].limits[k];
			int n = 0;

			if (strcmp(l->key, key) != 0)
				continue;
			*of += l->count;
			for (size_t j = 0; j < side->n; j++)
				for (size_t m = 0; m < side->runs[j].n_limits; m++)
					if (is_alike(l, &side->runs[j].limits[m]))
						n += side->runs[j].limits[m].count;
			if (n > *runs || (n == *runs && comes_before(l, best))) {
				*runs = n;
				best = l;
			}
		}
	}
	return best;
}
