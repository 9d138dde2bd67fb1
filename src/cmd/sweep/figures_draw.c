/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes pictures of tables of results. */
#include "config.h"

#include "cmd/sweep/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out/picture/chart.h"
#include "base/fsroot.h"
#include "base/mem.h"
#include "base/numeric.h"

#define NAME 48
#define LABEL 96
#define MAX_PUBLISHED 4

/* What a curve is made of: the rows of a table with one kernel, or with one operation where the
 * figure joins widths. */
struct curve {
	const struct csv_table *table;
	char kernel[NAME];
	char y[FIGURE_WORD];
	char label[LABEL];
};

struct picture {
	const struct paper *p;
	const struct figure *f;
	const struct figure_data *d;
	struct curve *curves;
	size_t cap;
	struct chart_series *series;	/* of the curves, and of what is published */
	double **numbers;		/* x and y of each */
	/* what the paper prints of it: the two ends of a line, and what the legend calls it */
	double published[MAX_PUBLISHED][4];
	char published_label[MAX_PUBLISHED][NAME];
	int n_published;
	const char **names;		/* of bars */
	int n;
	bool simulated;
};

/* Takes the first column of "A-B" apart. Returns the second one, or NULL. */
static const char *split_difference(const char *word, char *first, size_t size)
{
	const char *minus = strchr(word, '-');

	snprintf(first, size, "%.*s", (int)strcspn(word, "-"), word);
	return minus ? minus + 1 : NULL;
}

static double column_number(const struct figure_data *d, const struct csv_table *t, size_t row,
	const char *column)
{
	const char *name = strcmp(column, "power") ? column : d->power;
	const char *plane = csv_table_text(t, row, csv_table_column(t, "power_plane"));

	/* Another table may have divided by the watts of another plane. */
	if (!strcmp(column, "gflops_per_w") && *plane && strcmp(plane, d->plane) != 0)
		return column_number(d, t, row, "gflops") / column_number(d, t, row, "power");
	return csv_table_number(t, row, csv_table_column(t, name));
}

double figure_cell(const struct figure_data *d, const struct csv_table *t, size_t row,
	const char *word)
{
	char first[FIGURE_WORD];
	const char *second = split_difference(word, first, sizeof(first));
	double v = column_number(d, t, row, first);

	return second ? v - column_number(d, t, row, second) : v;
}

bool figure_is_power(const char *word)
{
	return !strcmp(word, "power") || !strcmp(word, "gflops_per_w");
}

/* What a column is called at an axis, and as a curve where a figure has several; NULL: by its name. */
static const struct {
	const char *column, *axis, *curve;
} columns[] = {
	{ "groups", "work-groups", NULL },
	{ "items", "work-items", NULL },
	{ "group_size", "work-items of a group", NULL },
	{ "loop", "passes of the loop", NULL },
	{ "intensity", "FLOP/B", NULL },
	{ "gflops", "GFLOP/s", NULL },
	{ "flop_per_cycle", "FLOP/cycle", NULL },
	{ "flop_per_cycle_eu", "FLOP/cycle of an EU", NULL },
	{ "gbytes_per_s", "GB/s", NULL },
	{ "power", "W", NULL },
	{ "gflops_per_w", "GFLOP/s/W", NULL },
	{ "model", "busy share of the subslices", NULL },
	{ "event_us", "us", "events of OpenCL" },
	{ "wall_us", NULL, "the machine's clock" },
	{ "timestamp_us", NULL, "TIMESTAMP of the GPU" },
	{ "cycles_us", NULL, "GPU clocks over the clock rate" },
	{ "latency_ns", "ns", NULL },
	{ "gops", "10^9 operations/s", NULL },
	{ "size_bytes", "bytes of the working set", NULL },
	{ "stride", "stride in elements", NULL },
};

/* A figure of differences says in its title from what. */
static const char *called(const char *word, bool is_curve)
{
	char first[FIGURE_WORD];
	const char *name = NULL;

	split_difference(word, first, sizeof(first));
	for (size_t i = 0; i < ARRAY_LEN(columns); i++)
		if (!strcmp(columns[i].column, first))
			name = is_curve ? columns[i].curve : columns[i].axis;
	return name ? name : word;
}

const char *figure_axis(const char *word)
{
	return called(word, false);
}

/* Takes the next part of a name up to a dot. */
static const char *part(const char **name, size_t *len)
{
	const char *start = *name;

	*len = strcspn(start, ".");
	*name = start + *len + (start[*len] == '.');
	return start;
}

/* The label of a kernel among others: those parts of its name in which they differ. */
static void label_of(char *buf, size_t size, const char *kernel, const char *const *others, int n)
{
	const char *at = kernel;
	const char **rest = xcalloc((size_t)n + 1, sizeof(*rest));
	size_t used = 0, len;

	buf[0] = '\0';
	for (int i = 0; i < n; i++)
		rest[i] = others[i];
	while (*at) {
		const char *word = part(&at, &len);
		bool differs = false;

		for (int i = 0; i < n; i++) {
			size_t other_len;
			const char *other = part(&rest[i], &other_len);

			if (other_len != len || strncmp(other, word, len))
				differs = true;
		}
		if (differs && used + len + 2 < size)
			used += (size_t)snprintf(buf + used, size - used, "%s%.*s", used ? " " : "",
				(int)len, word);
	}
	if (!used)
		snprintf(buf, size, "%s", kernel);
	free(rest);
}

/* Writes what the kernels of a curve have in common: their name, or all of it but a width, or all
 * but the last word with its dots, as in "ai-0.25". */
static void curve_name(char *buf, size_t size, const struct figure *f, const char *kernel)
{
	const char *dot = strrchr(kernel, '.'), *intensity = strstr(kernel, ".ai-");
	size_t len = strlen(kernel);

	if (intensity)
		dot = intensity;
	if (dot && (f->by_family || (f->collapse && dot[1] == 'x')))
		len = (size_t)(dot - kernel);
	snprintf(buf, size, "%.*s", (int)len, kernel);
}

/* Tells whether a row is one of the figure's. */
static bool is_of(const struct picture *pic, const struct csv_table *t, size_t row)
{
	const struct figure *f = pic->f;
	double loop = csv_table_number(t, row, csv_table_column(t, "loop"));
	double wanted = (double)(f->loop ? f->loop : pic->p->loop);
	const char *kernel = csv_table_text(t, row, csv_table_column(t, "kernel"));

	return figure_has(f->kernels, kernel) && (wanted <= 0 || fabs(loop - wanted) < 0.5);
}

static bool is_of_curve(const struct picture *pic, const struct curve *c, size_t row)
{
	char name[NAME];
	const char *kernel = csv_table_text(c->table, row, csv_table_column(c->table, "kernel"));

	curve_name(name, sizeof(name), pic->f, kernel);
	return !strcmp(name, c->kernel) && is_of(pic, c->table, row);
}

/* Compares names so that x2 stands before x16. */
static int compare_names(const char *a, const char *b)
{
	while (*a && *b) {
		char *a_end, *b_end;
		long x = strtol(a, &a_end, 10), y = strtol(b, &b_end, 10);

		if (a_end == a || b_end == b || *a == '-' || *b == '-') {
			if (*a != *b)
				return (*a > *b) - (*a < *b);
			a++;
			b++;
			continue;
		}
		if (x != y)
			return (x > y) - (x < y);
		a = a_end;
		b = b_end;
	}
	return (*a != '\0') - (*b != '\0');
}

/* Adds a curve in the order of names behind the first ones, which are of another table or
 * column. */
static void add_curve(struct picture *pic, int first, const struct csv_table *t, const char *kernel,
	const char *y)
{
	char name[NAME];

	curve_name(name, sizeof(name), pic->f, kernel);
	for (int i = 0; i < pic->n; i++)
		if (pic->curves[i].table == t && !strcmp(pic->curves[i].kernel, name) &&
			!strcmp(pic->curves[i].y, y))
			return;
	pic->curves = array_grow(pic->curves, (size_t)pic->n, &pic->cap, sizeof(*pic->curves));
	int at = pic->n++;
	for (; at > first && compare_names(pic->curves[at - 1].kernel, name) > 0; at--)
		pic->curves[at] = pic->curves[at - 1];
	struct curve *c = &pic->curves[at];
	c->table = t;
	snprintf(c->kernel, sizeof(c->kernel), "%s", name);
	snprintf(c->y, sizeof(c->y), "%s", y);
}

/* Finds the curves in the order of the figure's y and of the rows. */
static void find_curves(struct picture *pic)
{
	for (int t = 0; t < pic->d->n_tables; t++) {
		const struct csv_table *table = &pic->d->tables[t];
		int kernel = csv_table_column(table, "kernel"), sim = csv_table_column(table, "sim");

		for (int k = 0; k < pic->f->n_y; k++) {
			int first = pic->n;

			for (size_t i = 0; i < table->n_rows; i++) {
				if (!is_of(pic, table, i))
					continue;
				add_curve(pic, first, table, csv_table_text(table, i, kernel),
					pic->f->y[k]);
				if (csv_table_number(table, i, sim) > 0)
					pic->simulated = true;
			}
		}
	}
}

/* Names the curves by what tells them apart: kernel, column, device. */
static void label_curves(struct picture *pic)
{
	const char **kernels = xcalloc((size_t)pic->n + 1, sizeof(*kernels));
	bool differ = false;
	int n = 0;

	for (int i = 0; i < pic->n; i++) {
		if (pic->series[i].n > 0)
			kernels[n++] = pic->curves[i].kernel;
		differ |= n > 0 && strcmp(kernels[n - 1], kernels[0]) != 0;
	}
	for (int i = 0; i < pic->n; i++) {
		struct curve *c = &pic->curves[i];
		char label[NAME];

		label_of(label, sizeof(label), c->kernel, kernels, n);
		if (pic->f->n_y > 1 && differ)
			snprintf(c->label, sizeof(c->label), "%s, %s", label, called(c->y, true));
		else if (pic->f->n_y > 1)
			snprintf(c->label, sizeof(c->label), "%s", called(c->y, true));
		else
			snprintf(c->label, sizeof(c->label), "%s", label);
		if (pic->d->n_tables < 2)
			continue;
		size_t len = strlen(c->label);
		const char *device =
			csv_table_text(c->table, 0, csv_table_column(c->table, "device"));
		snprintf(c->label + len, sizeof(c->label) - len, ", %.40s", device);
	}
	free(kernels);
}

/* Adds a number at x, which may be there already: then the larger one stays. Returns the new number
 * of points. */
static int add_point(double *x, double *y, int n, double at, double v)
{
	int i = n;

	for (int k = 0; k < n; k++)
		if (fabs(x[k] - at) < 1e-9)
			i = k;
	if (i < n) {
		y[i] = fmax(y[i], v);
		return n;
	}
	/* The points of a curve stand in order. */
	for (; i > 0 && x[i - 1] > at; i--) {
		x[i] = x[i - 1];
		y[i] = y[i - 1];
	}
	x[i] = at;
	y[i] = v;
	return n + 1;
}

/* Tells whether a point stands within the rounds that the paper looks at. The rows themselves say
 * how many groups a round has: as many as the first full one, where the model is 1. */
static double last_groups(const struct picture *pic, const struct csv_table *t)
{
	int groups = csv_table_column(t, "groups"), model = csv_table_column(t, "model");
	double units = INFINITY;

	for (size_t i = 0; i < t->n_rows; i++)
		if (csv_table_number(t, i, model) > 0.999)
			units = fmin(units, csv_table_number(t, i, groups));
	return pic->p->rounds > 0 ? units * pic->p->rounds : INFINITY;
}

/* Fills in the points of a curve. Returns the highest y, NAN when there is none. */
static double fill_curve(struct picture *pic, int at, int color)
{
	const struct curve *c = &pic->curves[at];
	const struct csv_table *t = c->table;
	int x_column = csv_table_column(t, pic->f->x), groups = csv_table_column(t, "groups");
	double *x = xcalloc(2 * t->n_rows + 1, sizeof(*x)), *y = x + t->n_rows, best = NAN;
	double last = last_groups(pic, t);
	int n = 0;

	for (size_t i = 0; i < t->n_rows; i++) {
		double v = is_of_curve(pic, c, i) ? figure_cell(pic->d, t, i, c->y) : NAN;

		if (!isfinite(v))
			continue;
		best = fmax(best, v);
		if (csv_table_number(t, i, groups) <= last + 0.5)
			n = add_point(x, y, n, csv_table_number(t, i, x_column), v);
	}
	pic->numbers[at] = x;
	pic->series[at] = (struct chart_series){ .label = isfinite(best) ? c->label : NULL,
		.style = CHART_LINE_MARKS,
		.color = color,
		.mark = color / CHART_COLORS + color % CHART_MARKS_KNOWN,
		.x = x,
		.y = y,
		.n = n };
	return best;
}

/* Makes one series of bars of the highest values of all curves. */
static void make_bars(struct picture *pic, const double *best)
{
	double *x = xcalloc(2 * (size_t)pic->n, sizeof(*x)), *y = x + pic->n;

	for (int i = 0; i < pic->n; i++) {
		x[i] = i;
		y[i] = best[i];
		pic->names[i] = pic->curves[i].label;
		free(pic->numbers[i]);
		pic->numbers[i] = NULL;
	}
	pic->numbers[0] = x;
	pic->series[0] =
		(struct chart_series){ .style = CHART_BARS, .x = x, .y = y, .n = pic->n };
}

/* Whether a number of the paper is of this figure: it is of its y, of its kernels that ran, and no
 * quotient. */
static bool is_published_here(const struct picture *pic, const struct figure_check *c)
{
	const struct csv_table *t = pic->d->tables;
	int kernel = csv_table_column(t, "kernel");

	if (!isfinite(c->value) || c->above || *c->width || c->over.how != TAKE_NONE ||
		(c->take.how != TAKE_MAX && c->take.how != TAKE_MEAN) || c->take.groups > 0 ||
		c->take.loop != pic->f->loop || pic->f->n_y != 1 ||
		strcmp(c->take.column, pic->f->y[0]) != 0)
		return false;
	for (size_t i = 0; i < t->n_rows; i++)
		if (is_of(pic, t, i) &&
			figure_has(c->take.kernels, csv_table_text(t, i, kernel)))
			return true;
	return false;
}

/* Adds the paper's own numbers as lines behind the curves; from where to where they go on x the
 * curves say. first: how many series there are. Returns how many there are then. */
static int add_published(struct picture *pic, int first)
{
	double low = INFINITY, high = -INFINITY;

	for (int i = 0; i < first; i++)
		for (int k = 0; k < pic->series[i].n; k++) {
			low = fmin(low, pic->series[i].x[k]);
			high = fmax(high, pic->series[i].x[k]);
		}
	for (size_t i = 0; i < pic->p->n_checks && pic->n_published < MAX_PUBLISHED; i++) {
		const struct figure_check *c = &pic->p->checks[i];
		int n = pic->n_published;
		double *at = pic->published[n];

		if (!is_published_here(pic, c))
			continue;
		at[0] = low;
		at[1] = high;
		at[2] = at[3] = c->value;
		numeric_print(pic->published_label[n], sizeof(pic->published_label[n]),
			"published %.5g, %s", c->value,
			c->take.how == TAKE_MAX ? "largest" : "mean");
		pic->series[first + n] = (struct chart_series){ .label = pic->published_label[n],
			.style = CHART_DOTTED,
			.color = -1,
			.x = at,
			.y = at + 2,
			.n = 2 };
		pic->n_published++;
	}
	return first + pic->n_published;
}

/* Writes with what the figure was made: the clock that was measured, the version, the date. */
static void caption_text(const struct picture *pic, struct strbuf *out)
{
	const struct csv_table *t = pic->d->tables;
	int column = csv_table_column(t, "clock_mhz");
	double low = INFINITY, high = -INFINITY;
	char text[80];

	for (size_t i = 0; i < t->n_rows; i++) {
		double mhz = csv_table_number(t, i, column);

		if (!is_of(pic, t, i) || !isfinite(mhz))
			continue;
		low = fmin(low, mhz);
		high = fmax(high, mhz);
	}
	if (high - low >= 1)
		numeric_print(text, sizeof(text), "clock %.0f to %.0f MHz; ", low, high);
	else
		numeric_print(text, sizeof(text), "clock %.0f MHz; ", high);
	if (high > 0)
		strbuf_add(out, text);
	strbuf_addf(out, "rooftop %s, %s", PACKAGE_VERSION, pic->d->date);
	if (pic->n_published > 0)
		strbuf_addf(out, "; dotted: printed in %s", pic->p->name);
}

static bool write_picture(struct picture *pic, const char *path, struct err *err)
{
	const struct figure *f = pic->f;
	struct chart chart = { .x_label = figure_axis(f->x),
		.y_label = figure_axis(f->y[0]),
		.log_x = f->log_x,
		.log_y = f->log_y,
		.may_cut_y = true,
		.series = pic->series };
	struct strbuf out = { 0 }, title = { 0 }, note = { 0 }, caption = { 0 };

	strbuf_add(&title, f->title);
	if (figure_is_power(f->y[0]))
		strbuf_addf(&title, " (%s)", pic->d->power_words);
	if (pic->simulated)
		strbuf_addf(&note, "%s; ", "SIMULATED");
	if (strcmp(f->kernels, "*"))
		strbuf_addf(&note, "%s; ", f->kernels);
	if (pic->d->n_tables == 1)
		strbuf_addf(&note, "%s",
			csv_table_text(pic->d->tables, 0,
				csv_table_column(pic->d->tables, "device")));
	chart.n_series = add_published(pic, f->style == FIGURE_BARS ? 1 : pic->n);
	caption_text(pic, &caption);
	chart.title = strbuf_str(&title);
	chart.note = strbuf_str(&note);
	chart.caption = strbuf_str(&caption);
	if (f->style == FIGURE_BARS) {
		chart.x_names = pic->names;
		chart.n_x_names = pic->n;
		chart.x_label = "highest of all numbers of work-groups";
	}
	chart_svg(&chart, &out);
	bool good = file_replace(path, strbuf_str(&out), out.len, err);
	strbuf_release(&out);
	strbuf_release(&title);
	strbuf_release(&note);
	strbuf_release(&caption);
	return good;
}

bool figure_draw(const struct paper *p, const struct figure *f, const struct figure_data *d,
	const char *path, struct figure_drawn *drawn, struct err *err)
{
	struct picture *pic = xcalloc(1, sizeof(*pic));
	bool good = true;

	*pic = (struct picture){ .p = p, .f = f, .d = d };
	find_curves(pic);
	pic->series = xcalloc((size_t)pic->n + MAX_PUBLISHED, sizeof(*pic->series));
	pic->numbers = xcalloc((size_t)pic->n + 1, sizeof(*pic->numbers));
	pic->names = xcalloc((size_t)pic->n + 1, sizeof(*pic->names));
	double *best = xcalloc((size_t)pic->n + 1, sizeof(*best));
	*drawn = (struct figure_drawn){ .ran = pic->n > 0 };
	for (int i = 0; i < pic->n; i++) {
		best[i] = fill_curve(pic, i, drawn->curves);
		drawn->curves += isfinite(best[i]);
	}
	label_curves(pic);
	if (drawn->curves > 0 && f->style == FIGURE_BARS)
		make_bars(pic, best);
	if (drawn->curves > 0)
		good = write_picture(pic, path, err);
	for (int i = 0; i < pic->n; i++)
		free(pic->numbers[i]);
	free(best);
	free(pic->names);
	free(pic->numbers);
	free(pic->series);
	free(pic->curves);
	free(pic);
	return good;
}
