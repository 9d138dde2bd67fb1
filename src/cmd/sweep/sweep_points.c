/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads points of a sweep from files and draws their pictures. */
#include "config.h"

#include "cmd/sweep/sweep_plan.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/load/csv_table.h"
#include "session/session.h"
#include "out/picture/chart.h"
#include "base/fsroot.h"
#include "base/mem.h"

#define MAX_BYTES (16 << 20)
#define LAST_ROUNDS 1536
#define WORTH 1.002
#define REGISTERS_INTENSITY 64	/* FLOP/B */

static const char *const columns[SWEEP_VALUES] = {
	[SWEEP_GROUPS] = "groups",
	[SWEEP_ITEMS] = "items",
	[SWEEP_SIZE] = "group_size",
	[SWEEP_LOOP] = "loop",
	[SWEEP_GFLOPS] = "gflops",
	[SWEEP_FLOP_PER_CYCLE] = "flop_per_cycle",
	[SWEEP_GBYTES] = "gbytes_per_s",
	[SWEEP_GOPS] = "gops",
	[SWEEP_LATENCY_NS] = "latency_ns",
	[SWEEP_GFLOPS_PER_W] = "gflops_per_w",
	[SWEEP_MODEL] = "model",
	[SWEEP_EVENT_US] = "event_us",
	[SWEEP_WALL_US] = "wall_us",
	[SWEEP_TIMESTAMP_US] = "timestamp_us",
	[SWEEP_CYCLES_US] = "cycles_us",
	[SWEEP_SIMD] = "simd",
};

const char *sweep_column(const struct sweep_points *s, enum sweep_value v)
{
	return v == SWEEP_WATTS ? power_plane_words[s->plane].w : columns[v];
}

void sweep_points_release(struct sweep_points *s)
{
	free(s->p);
	*s = (struct sweep_points){ 0 };
}

struct sweep_point *sweep_points_add(struct sweep_points *s)
{
	s->p = array_grow(s->p, s->n, &s->cap, sizeof(*s->p));
	struct sweep_point *p = &s->p[s->n++];
	p->kernel[0] = '\0';
	for (int v = 0; v < SWEEP_VALUES; v++)
		p->v[v] = NAN;
	return p;
}

static bool is_given(double wanted, double v)
{
	return !(wanted > 0) || fabs(v - wanted) < 0.5;
}

const struct sweep_point *sweep_find(const struct sweep_points *s, const struct sweep_key *key)
{
	for (size_t i = 0; i < s->n; i++) {
		const double *v = s->p[i].v;

		if (!strcmp(s->p[i].kernel, key->kernel) &&
			is_given(key->groups, v[SWEEP_GROUPS]) &&
			is_given(key->size, v[SWEEP_SIZE]) && is_given(key->loop, v[SWEEP_LOOP]))
			return &s->p[i];
	}
	return NULL;
}

double sweep_next_groups(
	const struct sweep_shape *shape, double groups, double value, double before)
{
	double units = shape->units, full = shape->full;

	if (groups < shape->dense * units)
		return groups + 1;
	if (groups < full * units)
		return full * units;
	if (groups >= LAST_ROUNDS * units || (groups > full * units && !(value > before * WORTH)))
		return 0;
	return 2 * groups;
}

/* Returns where the width of a kernel's name begins ("x16"), or NULL. */
static const char *width_of(const char *kernel)
{
	const char *dot = strrchr(kernel, '.');

	return dot && dot[1] == 'x' && dot[2] >= '1' && dot[2] <= '9' ? dot + 1 : NULL;
}

/* Returns the point with the widest SIMD of a narrower type of the same kernel. */
static const struct sweep_point *narrower_type(
	const struct sweep_points *s, const struct sweep_point *p)
{
	const char *width = width_of(p->kernel);
	const struct sweep_point *best = NULL;

	for (size_t i = 0; width && i < s->n; i++) {
		const struct sweep_point *other = &s->p[i];
		const char *its = width_of(other->kernel);

		if (!its || its - other->kernel != width - p->kernel ||
			strncmp(other->kernel, p->kernel, (size_t)(width - p->kernel)) != 0 ||
			atoi(its + 1) >= atoi(width + 1) ||
			!(other->v[SWEEP_SIMD] > p->v[SWEEP_SIMD]))
			continue;
		if (!best || other->v[SWEEP_SIMD] > best->v[SWEEP_SIMD])
			best = other;
	}
	return best;
}

void sweep_tell_simd(const struct sweep_points *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct sweep_point *p = &s->p[i], *narrower = narrower_type(s, p);
		const struct sweep_key any = { .kernel = p->kernel };
		struct err say = { 0 };

		/* One point of a kernel stands for all. */
		if (!narrower || sweep_find(s, &any) != p)
			continue;
		err_set(&say, ERR_NONE,
			"%s was compiled for SIMD %.0f, %s for SIMD %.0f",
			p->kernel, p->v[SWEEP_SIMD], width_of(narrower->kernel),
			narrower->v[SWEEP_SIMD]);
		session_print_err(&say);
	}
}

/* --- files --- */

bool sweep_take(struct sweep_points *s, const struct csv_table *t, size_t row)
{
	const char *kernel = csv_table_text(t, row, csv_table_column(t, "kernel"));
	struct sweep_point *p = sweep_points_add(s);
	bool good = strlen(kernel) < sizeof(p->kernel);

	snprintf(p->kernel, sizeof(p->kernel), "%s", kernel);
	for (int v = 0; v < SWEEP_VALUES; v++) {
		int column = csv_table_column(t, sweep_column(s, (enum sweep_value)v));

		p->v[v] = csv_table_number(t, row, column);
		good = good && (isfinite(p->v[v]) || !*csv_table_text(t, row, column));
	}
	return good && p->v[SWEEP_GROUPS] >= 1;
}

bool sweep_read(const char *path, const char *head, struct strbuf *kept, struct err *err)
{
	struct err failed = { 0 };
	size_t len;
	char *text = file_read_all(path, MAX_BYTES, &len, &failed);
	const char *end = text ? strrchr(text, '\n') : NULL;
	bool good = true;

	if (!text && failed.sys != ENOENT) {
		*err = failed;
		good = err_of_file(err);
	} else if (text && len > 0 && strncmp(text, head, strlen(head)) != 0) {
		err_set(err, ERR_PARSE,
			"'%.200s' has other columns than this sweep: another --power-plane, other "
			"counters or another version wrote it",
			path);
		good = err_hint(err, "without --resume it is written anew");
	} else if (end) {
		strbuf_addn(kept, text, (size_t)(end - text) + 1);
	} else {
		strbuf_add(kept, head);
	}
	free(text);
	return good;
}

/* --- pictures --- */

struct point_figure {
	const char *name, *title, *y_label;
	enum sweep_value x, y;
	bool model;	/* a dotted line of k / (S * ceil(k / S)) through the best value */
	/* further curves of the same kernel; SWEEP_GROUPS, which is never one, ends them */
	enum sweep_value more[4];
};

static const struct point_figure figures[] = {
	{ "gflops", "Performance over work-groups", "GFLOP/s",
	  SWEEP_GROUPS, SWEEP_GFLOPS, true, { 0 } },
	{ "flop-per-cycle", "FLOP/cycle over work-items", "FLOP/cycle",
	  SWEEP_ITEMS, SWEEP_FLOP_PER_CYCLE, true, { 0 } },
	{ "gbytes", "Bandwidth over work-groups", "GB/s",
	  SWEEP_GROUPS, SWEEP_GBYTES, true, { 0 } },
	{ "gops", "Operations over work-groups", "10^9 operations/s",
	  SWEEP_GROUPS, SWEEP_GOPS, false, { 0 } },
	{ "latency", "Latency of a step over work-groups", "ns",
	  SWEEP_GROUPS, SWEEP_LATENCY_NS, false, { 0 } },
	{ "watts", "Power over work-groups", "W",
	  SWEEP_GROUPS, SWEEP_WATTS, false, { 0 } },
	{ "gflops-per-w", "Efficiency over work-groups", "GFLOP/s/W",
	  SWEEP_GROUPS, SWEEP_GFLOPS_PER_W, false, { 0 } },
	{ "timers", "Time of a launch by events, by the host and by the GPU's clocks", "us",
	  SWEEP_GROUPS, SWEEP_EVENT_US, false,
	  { SWEEP_WALL_US, SWEEP_TIMESTAMP_US, SWEEP_CYCLES_US, 0 } },
};

/* What a curve shows of the points of a kernel, and how. */
struct curve {
	const char *kernel;
	enum sweep_value x, y;
	enum chart_style style;
	int color;
	double scale;		/* of y */
	const char *label;	/* NULL: not in the legend */
};

/* The series of one picture. Each owns its numbers through x. */
struct curves {
	struct chart_series *series;
	size_t n, cap;
};

/* Adds a curve. Returns its highest value, or NAN when no point has a value; nothing is drawn
 * then. */
static double add_curve(
	struct curves *c, const struct sweep_points *s, const struct curve *curve)
{
	double *x = xcalloc(2 * s->n, sizeof(*x)), *y = x + s->n, best = NAN;
	int n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (strcmp(s->p[i].kernel, curve->kernel))
			continue;
		x[n] = s->p[i].v[curve->x];
		y[n] = s->p[i].v[curve->y] * curve->scale;
		best = fmax(best, y[n++]);
	}
	if (isnan(best)) {
		free(x);
		return best;
	}
	c->series = array_grow(c->series, c->n, &c->cap, sizeof(*c->series));
	c->series[c->n++] = (struct chart_series){ .label = curve->label,
		.style = curve->style,
		.color = curve->color,
		.mark = curve->color / CHART_COLORS,
		.x = x,
		.y = y,
		.n = n };
	return best;
}

/* Adds the curves of a kernel; p is its first point. */
static void add_kernel(struct curves *c, const struct sweep_points *s, const struct sweep_point *p,
	const struct point_figure *f, int color)
{
	static const enum chart_style styles[] = { CHART_LINE, CHART_DOTTED, CHART_MARKS };
	struct curve curve = { p->kernel, f->x, f->y, CHART_LINE_MARKS, color, 1, p->kernel };

	/* A kernel that works on registers has no bandwidth worth a curve, although its results
	 * finally go to memory. */
	if (f->y == SWEEP_GBYTES &&
		p->v[SWEEP_GFLOPS] > REGISTERS_INTENSITY * p->v[SWEEP_GBYTES])
		return;
	double best = add_curve(c, s, &curve);
	if (isnan(best))
		return;
	if (f->model)
		add_curve(c, s,
			&(struct curve){
				p->kernel, f->x, SWEEP_MODEL, CHART_DOTTED, color, best, NULL });
	for (int i = 0; f->more[i] != SWEEP_GROUPS; i++)
		add_curve(c, s,
			&(struct curve){ p->kernel, f->x, f->more[i], styles[i], color, 1, NULL });
}

static bool write_figure(const struct point_figure *f, const struct curves *c, const char *path,
	enum power_plane plane, bool simulated, struct err *err)
{
	static const char *const notes[2][2] = {
		{ NULL, "SIMULATED" },
		{ "dotted: k / (S * ceil(k / S))",
		  "SIMULATED; dotted: k / (S * ceil(k / S))" },
	};
	struct strbuf out = { 0 }, title = { 0 };
	size_t end = strlen(path);

	strbuf_add(&title, f->title);
	if (f->y == SWEEP_WATTS || f->y == SWEEP_GFLOPS_PER_W)
		strbuf_addf(&title, " (%s)", power_plane_words[plane].words);
	struct chart chart = { .title = strbuf_str(&title),
		.note = notes[f->model][simulated],
		.x_label = "work-groups",
		.y_label = f->y_label,
		.log_x = true,
		.log_y = f->y == SWEEP_EVENT_US || f->y == SWEEP_LATENCY_NS,
		.series = c->series,
		.n_series = (int)c->n };

	if (end > 4 && !strcmp(path + end - 4, ".svg"))
		end -= 4;
	char *file = xasprintf("%.*s-%s.svg", (int)end, path, f->name);
	if (f->x == SWEEP_ITEMS)
		chart.x_label = "work-items";
	chart_svg(&chart, &out);
	bool good = file_replace(file, strbuf_str(&out), out.len, err);
	strbuf_release(&out);
	strbuf_release(&title);
	free(file);
	return good;
}

bool sweep_plot(const struct sweep_points *s, const char *path, bool simulated, struct err *err)
{
	bool good = true;

	for (size_t k = 0; good && k < ARRAY_LEN(figures); k++) {
		const struct point_figure *f = &figures[k];
		struct curves c = { 0 };
		int color = 0;

		for (size_t i = 0; i < s->n; i++) {
			size_t first = 0;

			while (strcmp(s->p[first].kernel, s->p[i].kernel))
				first++;
			if (first == i)
				add_kernel(&c, s, &s->p[i], f, color++);
		}
		if (c.n > 0)
			good = write_figure(f, &c, path, s->plane, simulated, err);
		for (size_t i = 0; i < c.n; i++)
			free((double *)c.series[i].x);
		free(c.series);
	}
	return good;
}
