/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures and sentences about how the cells of a map share. */
#include "config.h"

#include "core/snapshot/balance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/minmax.h"

/* Where sets take turns, cells are so many windows old at least before they are too old. */
#define TURNS_WINDOWS 10

/* Values that differ by less are alike: windows begin and end within launches. */
#define ALIKE 0.05
static bool is_alike(double a, double b)
{
	return fabs(a - b) <= ALIKE * fmax(fabs(a), fabs(b));
}

int64_t balance_since_ns(const struct snapshot *s, int64_t window_ns)
{
	int64_t turns_ns = TURNS_WINDOWS * window_ns, rounds_ns = s->round_ns + s->round_ns / 2;

	if (!s->mux)
		return s->cells_ns - 2 * window_ns;
	return s->cells_ns - max_i64(turns_ns, rounds_ns);
}

static bool is_fresh(const struct cell_map *map, int cell, int metric, int64_t since_ns)
{
	return cell_value(map, cell, metric).why == WHY_OK && map->t_ns[cell] &&
		map->t_ns[cell] >= since_ns;
}

/* Compares the busiest cells with the others, when these are of one kind. */
static void compare(struct balance *b, const struct cell_map *map, int metric, int64_t since_ns)
{
	double sum = 0, least = INFINITY, most = 0;

	b->n_top = 0;
	for (int i = 0; i < map->n; i++) {
		double v = cell_value(map, i, metric).v;

		if (!is_fresh(map, i, metric, since_ns))
			continue;
		if (is_alike(v, b->max)) {
			b->n_top++;
			continue;
		}
		sum += v;
		least = fmin(least, v);
		most = fmax(most, v);
	}
	int others = b->n - b->n_top;
	if (!others)
		return;
	/* What is next to nothing is nothing, however it differs. */
	if (most <= ALIKE * ALIKE * b->max)
		b->ratio = INFINITY;
	else if (is_alike(least, most))
		b->ratio = b->max / (sum / others);
}

void balance_make(struct balance *b, const struct cell_map *map, int metric, int64_t since_ns)
{
	double sum = 0;

	*b = (struct balance){ .mean = NAN, .max = NAN, .imbalance = NAN, .top = -1, .ratio = NAN };
	for (int i = 0; i < map->n; i++) {
		double v = cell_value(map, i, metric).v;

		if (!is_fresh(map, i, metric, since_ns))
			continue;
		b->n++;
		sum += v;
		if (b->top < 0 || v > b->max) {
			b->top = i;
			b->max = v;
		}
	}
	if (b->n)
		b->mean = sum / b->n;
	if (!(b->mean > 0))
		return;
	b->imbalance = b->max / b->mean;
	compare(b, map, metric, since_ns);
}

double balance_curve(uint64_t k, int n)
{
	if (!k || n <= 0)
		return NAN;
	uint64_t rounds = (k + (uint64_t)n - 1) / (uint64_t)n;
	return (double)k / ((double)n * (double)rounds);
}

uint64_t balance_groups(const struct snapshot *s, const struct cell_map *map)
{
	bool is_ours = s->job.phase == JOB_RUNNING && !(s->job.flags & JOB_OTHER_DEVICE);

	if (strcmp(map->scope, "subslice") != 0 || !s->device ||
		s->device->topology.subslices != map->n)
		return 0;
	return is_ours ? s->job.job.groups : s->load_groups;
}

/* --- words --- */

static void put(struct verdict_text *t, int arg, const char *text)
{
	snprintf(t->args[arg], sizeof(t->args[arg]), "%s", text);
}

static void put_times(struct verdict_text *t, int arg, double times)
{
	snprintf(t->args[arg], sizeof(t->args[arg]), "%.3g", times);
}

static void put_count(struct verdict_text *t, int arg, uint64_t n)
{
	snprintf(t->args[arg], sizeof(t->args[arg]), "%llu", (unsigned long long)n);
}

static void name_cell(struct verdict_text *t, const struct cell_map *map, int cell)
{
	put(t, 0, map->scope);
	put(t, 1, map->names[cell]);
}

/* Several cells have the most: "2 of 3". */
static void name_several(struct verdict_text *t, const struct balance *b)
{
	put_count(t, 0, (uint64_t)b->n_top);
	put_count(t, 1, (uint64_t)b->n);
}

/* The metric counts work that was dealt to the cells. */
static void tell_work(
	const struct balance *b, const struct cell_map *map, struct verdict_text *out)
{
	bool is_twice = fabs(b->ratio - 2) < ALIKE;

	if (b->n_top > 1) {
		name_several(out, b);
		out->fmt = N_("%s of %s cells have %s times the work of the others");
		if (isinf(b->ratio))
			out->fmt = N_("%s of %s cells have all the work");
	} else {
		name_cell(out, map, b->top);
		out->fmt = N_("%s %s has %s times the work of the others");
		if (isinf(b->ratio))
			out->fmt = N_("%s %s has all the work");
		else if (is_twice)
			out->fmt = N_("%s %s has twice the work of the others");
	}
	if (isfinite(b->ratio))
		put_times(out, 2, b->ratio);
}

bool balance_tell(const struct balance *b, const struct cell_map *map, const struct metric *m,
	struct verdict_text *out)
{
	*out = (struct verdict_text){ 0 };
	/* What a part of the cells share says nothing of all. */
	if (b->n < 2 || b->n < map->n || isnan(b->imbalance))
		return false;
	if (b->n_top == b->n) {
		out->fmt = N_("the cells are balanced");
	} else if (m->limit.role == LIMIT_DEALT && !isnan(b->ratio)) {
		tell_work(b, map, out);
	} else if (b->n_top > 1) {
		name_several(out, b);
		put_times(out, 2, b->imbalance);
		out->fmt = N_("%s of %s cells have %s times the mean");
	} else {
		name_cell(out, map, b->top);
		put_times(out, 2, b->imbalance);
		out->fmt = N_("%s %s has %s times the mean");
	}
	return true;
}

void balance_tell_groups(const struct balance *b, const struct cell_map *map,
	const struct metric *m, uint64_t k, struct verdict_text *out)
{
	double expected = 1 / balance_curve(k, map->n);

	*out = (struct verdict_text){ 0 };
	put_count(out, 0, k);
	put_count(out, 1, (uint64_t)map->n);
	put_times(out, 2, expected);
	if (k % (uint64_t)map->n == 0)
		out->fmt = N_("%s work-groups on %s subslices are dealt evenly");
	else if (k == 1)
		out->fmt = N_("one work-group on %2$s subslices; %2$s would be up to %3$s times "
			      "faster");
	else if (m->limit.role != LIMIT_DEALT || fabs(b->imbalance / expected - 1) <= 2 * ALIKE)
		out->fmt = N_("%1$s work-groups on %2$s subslices; a multiple of %2$s is up to "
			      "%3$s times faster");
	else
		out->fmt = N_("%s work-groups on %s subslices alone would give %s, max over mean");
}

const struct cell_map *balance_of_work(
	const struct snapshot *s, struct balance *b, const struct metric **m)
{
	for (int k = 0; k < s->n_maps; k++) {
		const struct cell_map *map = &s->maps[k];

		for (int c = 0; c < map->n_metrics; c++) {
			*m = &s->set->metrics[map->metrics[c]];
			if ((*m)->limit.role != LIMIT_DEALT)
				continue;
			balance_make(b, map, map->metrics[c],
				balance_since_ns(s, s->window_ns));
			/* A part of the cells says nothing of the others. */
			if (b->n == map->n && !isnan(b->imbalance))
				return map;
		}
	}
	return NULL;
}

/* A share from which it is full; where none is said, all of it. */
static double full_from(const struct metric *m)
{
	return m->limit.from > 0 ? m->limit.from : 1;
}

static void find_fullest(struct busiest_part *out, const struct snapshot *s,
	const struct cell_map *map, int cell)
{
	for (int c = 0; c < map->n_metrics; c++) {
		const struct metric *m = &s->set->metrics[map->metrics[c]];
		struct value v = cell_value(map, cell, map->metrics[c]);

		if (m->limit.role != LIMIT_PART || v.why != WHY_OK)
			continue;
		if (out->fullest && v.v * m->unit.scale / full_from(m) <= out->fill)
			continue;
		out->fullest = m;
		out->share = v.v * m->unit.scale;
		out->fill = out->share / full_from(m);
	}
}

struct busiest_part balance_busiest(const struct snapshot *s)
{
	struct busiest_part out = { .busy = NAN };
	struct balance b;

	for (int k = 0; k < s->n_maps; k++) {
		const struct cell_map *map = &s->maps[k];

		for (int c = 0; c < map->n_metrics && !out.name; c++) {
			const struct metric *m = &s->set->metrics[map->metrics[c]];

			if (m->limit.role != LIMIT_PART_BUSY)
				continue;
			balance_make(&b, map, map->metrics[c],
				balance_since_ns(s, s->window_ns));
			if (b.top < 0)
				continue;
			out.name = map->names[b.top];
			out.busy = b.max * m->unit.scale;
			find_fullest(&out, s, map, b.top);
		}
	}
	return out;
}
