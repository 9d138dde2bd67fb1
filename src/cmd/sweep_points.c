/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points of a sweep: files and pictures. */
#include "config.h"

#include "cmd/sweep_points.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/session.h"
#include "out/chart.h"
#include "base/fsroot.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/parse.h"

#define MAX_BYTES (16 << 20)
#define MAX_FIELDS 64
#define LAST_ROUNDS 384
#define WORTH 1.002
#define REGISTERS_INTENSITY 64	/* FLOP/B */

static const char *const columns[SWEEP_VALUES] = {
	[SWEEP_GROUPS] = "groups",
	[SWEEP_ITEMS] = "items",
	[SWEEP_GFLOPS] = "gflops",
	[SWEEP_FLOP_PER_CYCLE] = "flop_per_cycle",
	[SWEEP_GBYTES] = "gbytes_per_s",
	[SWEEP_WATTS] = "package_w",
	[SWEEP_GFLOPS_PER_W] = "gflops_per_w",
	[SWEEP_MODEL] = "model",
	[SWEEP_EVENT_US] = "event_us",
	[SWEEP_WALL_US] = "wall_us",
	[SWEEP_COUNTER_US] = "counter_us",
};

const char *sweep_column(enum sweep_value v)
{
	return columns[v];
}

void sweep_points_release(struct sweep_points *s)
{
	free(s->p);
	*s = (struct sweep_points){ 0 };
}

struct sweep_point *sweep_points_add(struct sweep_points *s)
{
	struct sweep_point *p;

	s->p = array_grow(s->p, s->n, &s->cap, sizeof(*s->p));
	p = &s->p[s->n++];
	p->kernel[0] = '\0';
	for (int v = 0; v < SWEEP_VALUES; v++)
		p->v[v] = NAN;
	return p;
}

const struct sweep_point *sweep_find(
	const struct sweep_points *s, const char *kernel, double groups)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->p[i].kernel, kernel) && fabs(s->p[i].v[SWEEP_GROUPS] - groups) < 0.5)
			return &s->p[i];
	return NULL;
}

double sweep_next_groups(double groups, double units, double full, double value, double before)
{
	if (groups < SWEEP_DENSE_ROUNDS * units)
		return groups + 1;
	if (groups < full * units)
		return full * units;
	if (groups >= LAST_ROUNDS * units || (groups > full * units && !(value > before * WORTH)))
		return 0;
	return 2 * groups;
}

/* --- files --- */

/* Takes the fields of a line apart, in place; quotes as RFC 4180 has them. */
static int split(char *line, char **fields)
{
	int n = 0;

	while (line && n < MAX_FIELDS) {
		char *to = line;
		bool quoted = *line == '"';

		fields[n++] = line;
		for (line += quoted; *line && (quoted || *line != ','); line++) {
			if (quoted && *line == '"' && *++line != '"')
				quoted = false;
			if (!quoted && (*line == ',' || !*line))
				break;
			*to++ = *line;
		}
		line = *line ? line + 1 : NULL;
		*to = '\0';
	}
	return n;
}

static bool read_row(struct sweep_points *s, char *line, char *const *names, int n_names)
{
	char *fields[MAX_FIELDS];
	struct sweep_point *p;

	if (split(line, fields) != n_names || strlen(fields[0]) >= sizeof(p->kernel))
		return false;
	p = sweep_points_add(s);
	snprintf(p->kernel, sizeof(p->kernel), "%s", fields[0]);
	for (int i = 1; i < n_names; i++) {
		for (int v = 0; v < SWEEP_VALUES; v++) {
			if (!strcmp(names[i], columns[v]) && *fields[i] &&
				!parse_double(fields[i], &p->v[v]))
				return false;
		}
	}
	return p->v[SWEEP_GROUPS] >= 1;
}

static bool read_rows(struct sweep_points *s, char *text, char *head, struct strbuf *kept)
{
	char *names[MAX_FIELDS], *end;
	int n = split(head, names);

	for (; (end = strchr(text, '\n')) != NULL; text = end + 1) {
		strbuf_addn(kept, text, (size_t)(end - text) + 1);
		*end = '\0';
		if (!read_row(s, text, names, n))
			return false;
	}
	return true;
}

bool sweep_read(struct sweep_points *s, const char *path, const char *head, struct strbuf *kept,
	struct err *err)
{
	struct err failed = { 0 };
	size_t len, head_len = strlen(head);
	char *text = file_read_all(path, MAX_BYTES, &len, &failed), *names = xstrdup(head);
	bool good = true;

	names[strcspn(names, "\n")] = '\0';
	strbuf_add(kept, head);
	if (!text && failed.sys != ENOENT) {
		*err = failed;
		err_of_file(err);
		good = false;
	} else if (text && len > 0 &&
		(strncmp(text, head, head_len) != 0 ||
			!read_rows(s, text + head_len, names, kept))) {
		err_set(err, ERR_PARSE, _("'%.200s' is not what an earlier sweep has written"),
			path);
		good = err_hint(err, _("without --resume it is written anew"));
	}
	free(text);
	free(names);
	return good;
}

/* --- pictures --- */

struct figure {
	const char *name, *title, *y_label;
	enum sweep_value x, y;
	bool model;		/* a dotted line of k / (S * ceil(k / S)) through the best value */
	enum sweep_value more[2];	/* further curves of the same kernel, or SWEEP_VALUES */
};

static const struct figure figures[] = {
	{ "gflops", N_("Performance over work-groups"), "GFLOP/s", SWEEP_GROUPS, SWEEP_GFLOPS, true, { SWEEP_VALUES, SWEEP_VALUES } },
	{ "flop-per-cycle", N_("FLOP/cycle over work-items"), "FLOP/cycle", SWEEP_ITEMS, SWEEP_FLOP_PER_CYCLE, true,
	  { SWEEP_VALUES, SWEEP_VALUES } },
	{ "gbytes", N_("Bandwidth over work-groups"), "GB/s", SWEEP_GROUPS, SWEEP_GBYTES, true, { SWEEP_VALUES, SWEEP_VALUES } },
	{ "watts", N_("Package power over work-groups"), "W", SWEEP_GROUPS, SWEEP_WATTS, false, { SWEEP_VALUES, SWEEP_VALUES } },
	{ "gflops-per-w", N_("Efficiency over work-groups"), "GFLOP/s/W", SWEEP_GROUPS, SWEEP_GFLOPS_PER_W, false,
	  { SWEEP_VALUES, SWEEP_VALUES } },
	{ "timers", N_("Time of a launch by events, by the host and by the GPU's counters"), "us", SWEEP_GROUPS, SWEEP_EVENT_US, false,
	  { SWEEP_WALL_US, SWEEP_COUNTER_US } },
};

/* The series of one picture and what they point to. */
struct curves {
	struct chart_series *series;
	double **data;
	size_t n, cap, n_data, cap_data;
};

static double *column_of(struct curves *c, const struct sweep_points *s, const char *kernel,
	enum sweep_value v, double scale, int *n)
{
	double *out = xcalloc(s->n + 1, sizeof(*out));

	*n = 0;
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->p[i].kernel, kernel))
			out[(*n)++] = s->p[i].v[v] * scale;
	c->data = array_grow(c->data, c->n_data, &c->cap_data, sizeof(*c->data));
	c->data[c->n_data++] = out;
	return out;
}

static double best_of(const double *v, int n)
{
	double best = NAN;

	for (int i = 0; i < n; i++)
		best = fmax(best, v[i]);
	return best;
}

/* False when no point has that value. */
static bool add_curve(struct curves *c, const struct sweep_points *s, const char *kernel,
	const struct figure *f, enum sweep_value y, enum chart_style style, int color, double scale)
{
	int n;
	double *x = column_of(c, s, kernel, f->x, 1, &n),
	       *values = column_of(c, s, kernel, y, scale, &n);

	if (isnan(best_of(values, n)))
		return false;
	c->series = array_grow(c->series, c->n, &c->cap, sizeof(*c->series));
	c->series[c->n++] = (struct chart_series){ .label = y == f->y ? kernel : NULL,
		.style = style,
		.color = color,
		.x = x,
		.y = values,
		.n = n };
	return true;
}

/* A kernel that works on registers has no bandwidth worth a curve, although its results go to
 * memory in the end. */
static bool is_worth(const struct sweep_points *s, const char *kernel, const struct figure *f)
{
	for (size_t i = 0; i < s->n && f->y == SWEEP_GBYTES; i++)
		if (!strcmp(s->p[i].kernel, kernel))
			return !(s->p[i].v[SWEEP_GFLOPS] >
				REGISTERS_INTENSITY * s->p[i].v[SWEEP_GBYTES]);
	return true;
}

static void add_kernel(struct curves *c, const struct sweep_points *s, const char *kernel,
	const struct figure *f, int color)
{
	double best;

	if (!is_worth(s, kernel, f) ||
		!add_curve(c, s, kernel, f, f->y, CHART_LINE_MARKS, color, 1))
		return;
	best = best_of(c->series[c->n - 1].y, c->series[c->n - 1].n);
	if (f->model)
		add_curve(c, s, kernel, f, SWEEP_MODEL, CHART_DOTTED, color, best);
	for (int i = 0; i < 2; i++)
		if (f->more[i] != SWEEP_VALUES)
			add_curve(c, s, kernel, f, f->more[i], i ? CHART_DOTTED : CHART_LINE, color,
				1);
}

static bool is_first(const struct sweep_points *s, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(s->p[k].kernel, s->p[i].kernel))
			return false;
	return true;
}

static bool write_figure(const struct figure *f, const struct curves *c, const char *path,
	bool simulated, struct err *err)
{
	struct strbuf out = { 0 };
	size_t len = strlen(path), end = len > 4 && !strcmp(path + len - 4, ".svg") ? len - 4 : len;
	char *file = xasprintf("%.*s-%s.svg", (int)end, path, f->name);
	struct chart chart = { .title = _(f->title),
		.x_label = f->x == SWEEP_ITEMS ? _("work-items") : _("work-groups"),
		.y_label = f->y_label,
		.log_x = true,
		.log_y = f->y == SWEEP_EVENT_US,
		.series = c->series,
		.n_series = (int)c->n };
	bool good;

	chart.note = f->model ? simulated ? _("SIMULATED; dotted: k / (S * ceil(k / S))")
					  : _("dotted: k / (S * ceil(k / S))")
		: simulated ? _("SIMULATED")
			      : NULL;
	chart_svg(&chart, &out);
	good = file_replace(file, strbuf_str(&out), out.len, err);
	strbuf_release(&out);
	free(file);
	return good;
}

bool sweep_plot(const struct sweep_points *s, const char *path, bool simulated, struct err *err)
{
	bool good = true;

	for (size_t k = 0; good && k < ARRAY_LEN(figures); k++) {
		struct curves c = { 0 };
		int color = 0;

		for (size_t i = 0; i < s->n; i++)
			if (is_first(s, i))
				add_kernel(&c, s, s->p[i].kernel, &figures[k], color++);
		if (c.n > 0)
			good = write_figure(&figures[k], &c, path, simulated, err);
		for (size_t i = 0; i < c.n_data; i++)
			free(c.data[i]);
		free(c.data);
		free(c.series);
	}
	return good;
}
