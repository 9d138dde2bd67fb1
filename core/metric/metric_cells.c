/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values for each cell of a map. An equation is evaluated once for each cell, with that cell's
 * counters in its inputs; all other inputs stay those of the device. */
#include "config.h"

#include "core/metric/metric_cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* --- maps --- */

static struct cell_binding *add_map(struct metric_binding *b, const char *scope, const char *text,
	int n, const char (*names)[CELL_NAME_SIZE])
{
	b->maps = xreallocarray(b->maps, (size_t)b->n_maps + 1, sizeof(*b->maps));
	struct cell_binding *map = &b->maps[b->n_maps++];
	*map = (struct cell_binding){
		.scope = scope,
		.text = text,
		.n = n,
		.names = names,
		.feed = -1,
		.column_of = xcalloc((size_t)b->set->n_metrics + 1, sizeof(*map->column_of)),
		.t_ns = xcalloc((size_t)n + 1, sizeof(*map->t_ns)),
	};
	return map;
}

/* Several sources may read the same units; then their instances are one map. */
static bool same_instances(const struct cell_binding *map, const struct feed *f)
{
	if (map->cells || map->n != f->n_instances || strcmp(map->scope, f->scope) != 0)
		return false;
	for (int i = 0; i < map->n; i++) {
		if (strcmp(map->names[i], f->instances[i]) != 0)
			return false;
	}
	return true;
}

static int map_of_feed(const struct metric_binding *b, const struct feed *f)
{
	for (int k = 0; f->n_instances > 0 && k < b->n_maps; k++) {
		if (same_instances(&b->maps[k], f))
			return k;
	}
	return -1;
}

/* A counter cannot stand beside that of the cell before when its source counts in another unit. */
static void locate_cells(struct metric_binding *b, struct cell_binding *map)
{
	int n_names = map->cells->n_names, n = map->n * n_names;
	const struct counter_desc **first = xcalloc(
		(size_t)map->cells->n_names + 1, sizeof(*first));

	map->at = xcalloc((size_t)n + 1, sizeof(*map->at));
	if (map->cells->members) {
		/* The counters of a set of Intel's are those of the first feed. */
		map->feed = b->n_feeds > 0 ? 0 : -1;
		free(first);
		return;
	}
	for (int i = 0; i < n; i++) {
		const struct counter_desc **like = &first[i % map->cells->n_names], *desc;

		const char *counter = map->cells->counters[map->of_set[i / n_names] * n_names +
			i % n_names];

		if (!metric_find_counter(b, counter, &map->at[i], &desc) ||
			(*like && strcmp((*like)->unit, desc->unit) != 0)) {
			map->at[i].feed = -1;
			continue;
		}
		*like = desc;
		if (map->feed < 0)
			map->feed = map->at[i].feed;
	}
	free(first);
}

/* Returns whether the device has the cell; why: the reason where that is not known. */
static bool has_cell(const struct cell_test *t, const struct device *dev, enum why *why)
{
	const struct device_const *c;

	*why = WHY_OK;
	if (!t->constant)
		return true;
	c = device_const(dev, t->constant);
	if (!c)
		*why = WHY_UNKNOWN_CONST;
	else if (c->disproved)
		*why = WHY_DISPROVED;
	else
		return c->v >= 1 && c->v < 0x1p64 && ((uint64_t)c->v & t->bits);
	return true;
}

bool metric_set_fits(const struct metric_set *set, const struct device *dev)
{
	enum why why;

	for (int k = 0; k < set->n_cells; k++)
		for (int i = 0; i < set->cells[k].n_cells; i++)
			if (has_cell(&set->cells[k].tests[i], dev, &why))
				return true;
	return set->n_cells == 0;
}

/* Whether all metrics that are counted in a cell are none of this device's. */
static bool lacks_members(const struct metric_set *set, const struct set_cells *c, int cell)
{
	for (int k = 0; c->members && k < c->n_names; k++)
		if (!(set->metrics[set->inputs[c->members[cell * c->n_names + k]].metric].flags &
			    METRIC_ABSENT))
			return false;
	return c->members != NULL;
}

static void add_set_map(
	struct metric_binding *b, const struct set_cells *c, const struct device *dev)
{
	size_t n = (size_t)c->n_cells + 1;
	char(*names)[CELL_NAME_SIZE] = xcalloc(n, sizeof(*names));
	enum why *whys = xcalloc(n, sizeof(*whys));
	int *of_set = xcalloc(n, sizeof(*of_set)), kept = 0;

	for (int i = 0; i < c->n_cells; i++) {
		if (!has_cell(&c->tests[i], dev, &whys[kept]) || lacks_members(b->set, c, i))
			continue;
		memcpy(names[kept], c->cells[i], CELL_NAME_SIZE);
		of_set[kept++] = i;
	}
	struct cell_binding *map = add_map(
		b, c->scope, c->text, kept, (const char(*)[CELL_NAME_SIZE])names);
	map->cells = c;
	map->own_names = names;
	map->of_set = of_set;
	map->whys = whys;
	locate_cells(b, map);
}

void metric_cells_init(struct metric_binding *b, const struct device *dev)
{
	for (int i = 0; i < b->set->n_cells; i++)
		add_set_map(b, &b->set->cells[i], dev);
	for (int f = 0; f < b->n_feeds; f++) {
		const struct feed *feed = b->feeds[f];

		if (feed->n_instances > 0 && map_of_feed(b, feed) < 0)
			add_map(b, feed->scope, feed->how, feed->n_instances, feed->instances)
				->feed = f;
	}
}

void metric_cells_release(struct metric_binding *b)
{
	for (int k = 0; k < b->n_maps; k++) {
		struct cell_binding *map = &b->maps[k];

		for (int c = 0; c < map->n_metrics; c++)
			free(map->metrics[c].varying);
		free(map->metrics);
		free(map->metric_index);
		free(map->column_of);
		free(map->at);
		free(map->own_names);
		free(map->of_set);
		free(map->whys);
		free(map->results);
		free(map->means);
		free(map->t_ns);
	}
	free(b->maps);
	free(b->map_of);
	free(b->input_map);
}

/* --- inputs --- */

void metric_cells_bind_input(struct metric_binding *b, int i)
{
	for (int k = 0; k < b->set->n_cells; k++) {
		const struct cell_binding *map = &b->maps[k];
		int name = 0;

		while (name < map->cells->n_names &&
			strcmp(map->cells->names[name], b->set->inputs[i].name) != 0)
			name++;
		if (name == map->cells->n_names)
			continue;
		b->input_map[i] = k;
		if (!map->n)
			b->inputs[i] = expr_none(WHY_UNSUPPORTED);
		for (int j = map->n - 1; j >= 0 && !map->cells->members; j--) {
			int at = map->of_set[j] * map->cells->n_names + name;
			struct counter_at found;

			if (metric_find_counter(b, map->cells->counters[at], &found, &b->desc[i]))
				b->at[i].feed = found.feed;
		}
		b->at[i].counter = (short)name;	/* of the cells' counters */
		return;
	}
	if (b->at[i].feed >= 0)
		b->input_map[i] = map_of_feed(b, b->feeds[b->at[i].feed]);
}

/* Whether an input differs from cell to cell of that map. */
static bool varies(const struct metric_binding *b, int map, int input)
{
	const struct metric_input *in = &b->set->inputs[input];

	if (in->kind == INPUT_METRIC)
		return b->map_of[in->metric] == map;
	return b->input_map[input] == map;
}

static void add_metric(struct metric_binding *b, int k, int metric, const int *inputs, int n)
{
	struct cell_binding *map = &b->maps[k];
	struct cell_metric cm = {
		.metric = metric,
		.varying = xcalloc((size_t)n + 1, sizeof(*cm.varying)),
	};

	for (int i = 0; i < n; i++) {
		if (varies(b, k, inputs[i]))
			cm.varying[cm.n_varying++] = inputs[i];
	}
	map->metrics = xreallocarray(
		map->metrics, (size_t)map->n_metrics + 1, sizeof(*map->metrics));
	map->metrics[map->n_metrics++] = cm;
	b->map_of[metric] = k;
}

/* A metric belongs to the first map of its scope that its equations read; one that reads none is
 * evaluated as if there were no maps. */
static void bind_metric(struct metric_binding *b, int metric)
{
	const struct metric *m = &b->set->metrics[metric];
	int *inputs = xcalloc(2 * (size_t)b->set->n_inputs + 1, sizeof(*inputs));
	int n = metric_inputs(b->set, m, inputs), found = -1;

	for (int i = 0; i < n && found < 0; i++) {
		for (int k = 0; k < b->n_maps && found < 0; k++) {
			if (varies(b, k, inputs[i]) && !strcmp(b->maps[k].scope, m->scope))
				found = k;
		}
	}
	if (found >= 0)
		add_metric(b, found, metric, inputs, n);
	free(inputs);
}

static int compare_metrics(const void *a, const void *b)
{
	return ((const struct cell_metric *)a)->metric - ((const struct cell_metric *)b)->metric;
}

void metric_cells_bind_metrics(struct metric_binding *b)
{
	b->map_of = xcalloc((size_t)b->set->n_metrics + 1, sizeof(*b->map_of));
	for (int m = 0; m < b->set->n_metrics; m++)
		b->map_of[m] = -1;
	for (int m = 0; m < b->set->n_metrics; m++)
		bind_metric(b, metric_set_nth(b->set, m));
	/* Columns are in the order of the file. */
	for (int k = 0; k < b->n_maps; k++) {
		struct cell_binding *map = &b->maps[k];
		size_t metrics = (size_t)map->n_metrics, n = (size_t)map->n * metrics;

		if (metrics)
			qsort(map->metrics, metrics, sizeof(*map->metrics), compare_metrics);
		map->results = xcalloc(n + 1, sizeof(*map->results));
		map->means = xcalloc(metrics + 1, sizeof(*map->means));
		map->metric_index = xcalloc(metrics + 1, sizeof(*map->metric_index));
		for (size_t i = 0; i < n; i++)
			map->results[i] = expr_none(WHY_NOT_YET);
		for (int c = 0; c < map->n_metrics; c++) {
			map->metric_index[c] = map->metrics[c].metric;
			map->column_of[map->metrics[c].metric] = c;
		}
	}
}

/* --- evaluation --- */

/* Reads the inputs that differ from cell to cell, for one cell, or for the device as a whole when
 * cell is -1. */
static void load_varying(struct metric_binding *b, const struct cell_binding *map,
	const struct cell_metric *cm, int cell, const struct sample *samples)
{
	for (int v = 0; v < cm->n_varying; v++) {
		int i = cm->varying[v];
		const struct metric_input *in = &b->set->inputs[i];

		if (in->kind == INPUT_METRIC && cell < 0)
			b->inputs[i] = map->means[map->column_of[in->metric]];
		else if (in->kind == INPUT_METRIC)
			b->inputs[i] = map->results[cell * map->n_metrics +
				map->column_of[in->metric]];
		else if (cell < 0)
			b->inputs[i] = metric_read_input(b, i, samples);
		else
			b->inputs[i] = metric_input_of_cell(b, map, cell, i, samples);
	}
}

/* The mean of the cells that have a number. why is the reason of the first one that has none. */
struct mean {
	double sum;
	int n;
	enum why why;
};

static void mean_add(struct mean *m, struct expr_input r)
{
	if (r.why == WHY_OK) {
		m->sum += r.d;
		m->n++;
	} else if (m->why == WHY_OK) {
		m->why = r.why;
	}
}

static struct expr_input mean_of(const struct mean *m)
{
	if (m->n)
		return (struct expr_input){ .d = m->sum / m->n };
	if (m->why == WHY_OK)
		return expr_none(WHY_NO_SOURCE);
	return expr_none(m->why);
}

void metric_cells_eval(struct metric_binding *b, int metric, const struct sample *samples,
	struct expr_input *value, struct expr_input *ceiling)
{
	const struct metric *m = &b->set->metrics[metric];
	struct cell_binding *map = &b->maps[b->map_of[metric]];
	int column = map->column_of[metric];
	const struct cell_metric *cm = &map->metrics[column];
	struct mean values = { 0 }, ceilings = { 0 };

	if (!map->n)
		values.why = ceilings.why = WHY_UNSUPPORTED;
	for (int j = 0; j < map->n; j++) {
		load_varying(b, map, cm, j, samples);
		struct expr_input r = expr_eval_as(m->value, b->inputs, b->width);
		if (m->ceiling) {
			struct expr_input most = expr_eval_as(m->ceiling, b->inputs, b->width);

			mean_add(&ceilings, most);
			r = metric_within(b, m, r, most);
		}
		map->results[j * map->n_metrics + column] = r;
		mean_add(&values, r);
	}
	map->means[column] = *value = mean_of(&values);
	if (m->ceiling)
		*ceiling = mean_of(&ceilings);
	load_varying(b, map, cm, -1, samples);
}

struct expr_input metric_cells_most(const struct metric_binding *b, int metric)
{
	const struct cell_binding *map = &b->maps[b->map_of[metric]];
	int column = map->column_of[metric];
	struct expr_input most = map->means[column];

	for (int j = 0; j < map->n; j++) {
		struct expr_input r = map->results[j * map->n_metrics + column];

		if (r.why == WHY_OK && (most.why != WHY_OK || r.d > most.d))
			most = r;
	}
	return most;
}

void metric_cells_stamp(struct metric_binding *b, const struct sample *samples)
{
	for (int k = 0; k < b->n_maps; k++) {
		struct cell_binding *map = &b->maps[k];

		if (map->feed < 0 || samples[map->feed].why != WHY_OK ||
			(!map->cells && !samples[map->feed].instances))
			continue;
		for (int j = 0; j < map->n; j++)
			map->t_ns[j] = samples[map->feed].t1_ns;
	}
}

/* --- copies for snapshots --- */

void metric_map_clear(struct cell_map *map)
{
	size_t cells = (size_t)map->n * (size_t)map->stride;

	map->values = xcalloc(cells + 1, sizeof(*map->values));
	map->t_ns = xcalloc((size_t)map->n + 1, sizeof(*map->t_ns));
	for (size_t i = 0; i < cells; i++)
		map->values[i] = value_none(WHY_NOT_IN_SET);
}

/* Whether a map has anything to show on this device. */
static bool is_shown(const struct cell_binding *map)
{
	return map->n && map->n_metrics;
}

bool metric_has_no_cells(const struct metric_binding *b, int metric)
{
	return b->map_of[metric] >= 0 && b->maps[b->map_of[metric]].n == 0;
}

int metric_maps_init(const struct metric_binding *b, struct cell_map *maps, int max)
{
	int n = 0;

	for (int k = 0; k < b->n_maps && n < max; k++) {
		const struct cell_binding *from = &b->maps[k];
		struct cell_map *to = &maps[n];

		if (!is_shown(from))
			continue;
		n++;
		*to = (struct cell_map){ .text = from->text,
			.n = from->n,
			.names = from->names,
			.metrics = from->metric_index,
			.n_metrics = from->n_metrics,
			.stride = b->set->n_metrics };
		snprintf(to->scope, sizeof(to->scope), "%s", from->scope);
		metric_map_clear(to);
	}
	return n;
}

void metric_maps_release(struct cell_map *maps, int n)
{
	for (int k = 0; k < n; k++) {
		free(maps[k].values);
		free(maps[k].t_ns);
	}
}

static void fill_map(
	const struct metric_binding *b, const struct cell_binding *from, struct cell_map *to)
{
	for (int j = 0; j < from->n; j++) {
		for (int c = 0; c < from->n_metrics; c++) {
			int metric = from->metric_index[c];

			to->values[j * to->stride + metric] = metric_shown(b,
				&b->set->metrics[metric], from->results[j * from->n_metrics + c]);
		}
		to->t_ns[j] = from->t_ns[j];
	}
}

void metric_maps_fill(const struct metric_binding *b, struct cell_map *maps, int n)
{
	for (int k = 0, at = 0; k < b->n_maps && at < n; k++) {
		if (is_shown(&b->maps[k]))
			fill_map(b, &b->maps[k], &maps[at++]);
	}
}
