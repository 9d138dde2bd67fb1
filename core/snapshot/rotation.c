/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binds one set or several. Several are merged for the screens, and their values are kept until
 * their set's turn comes again. */
#include "config.h"

#include "core/snapshot/rotation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"

/* --- the merged set --- */

static int add_metric(struct metric_set *to, const struct metric *m, const char *name)
{
	to->metrics = xreallocarray(to->metrics, (size_t)to->n_metrics + 1, sizeof(*to->metrics));
	struct metric *x = &to->metrics[to->n_metrics];
	*x = (struct metric){ .name = xstrdup(name),
		.label = xstrdup_or_null(m->label),
		.text = xstrdup_or_null(m->text),
		.origin = xstrdup_or_null(m->origin),
		.unit_text = xstrdup_or_null(m->unit_text),
		.equation = xstrdup_or_null(m->equation),
		.ceiling_text = xstrdup_or_null(m->ceiling_text),
		.limit = m->limit,
		.group = xstrdup_or_null(m->group),
		.scope = xstrdup_or_null(m->scope),
		.needs = xstrdup_or_null(m->needs),
		.rank = m->rank,
		.file = xstrdup_or_null(m->file),
		.line = m->line,
		.unit = m->unit };
	x->helps = xstrdup_or_null(m->helps);
	x->block = xstrdup_or_null(m->block);
	x->limit.name = xstrdup_or_null(m->limit.name);
	x->limit.tip = xstrdup_or_null(m->limit.tip);
	x->limit.of = xstrdup_or_null(m->limit.of);
	return to->n_metrics++;
}

static const char *unit_of(const struct metric *m)
{
	return text_or(m->unit_text, "");
}

/* Returns the place in the merged set of a metric of one set. */
static int place_metric(struct metric_set *to, const struct metric_set *set, const struct metric *m)
{
	int at = metric_set_index(to, m->name);

	if (at < 0)
		return add_metric(to, m, m->name);
	if (!strcmp(unit_of(&to->metrics[at]), unit_of(m)))
		return at;
	char *name = xasprintf("%s.%s", set->name, m->name);
	at = add_metric(to, m, name);
	free(name);
	return at;
}

static void add_groups(struct metric_set *to, const struct metric_set *set)
{
	for (int i = 0; i < set->n_groups; i++) {
		const struct metric_group *g = &set->groups[i];

		if (metric_set_group(to, g->name) >= 0)
			continue;
		to->groups = xreallocarray(
			to->groups, (size_t)to->n_groups + 1, sizeof(*to->groups));
		to->groups[to->n_groups++] = (struct metric_group){
			.name = xstrdup(g->name), .title = xstrdup_or_null(g->title),
			.subtitle = xstrdup_or_null(g->subtitle),
			.why_empty = xstrdup_or_null(g->why_empty),
			.pane = xstrdup_or_null(g->pane) };
	}
}

static struct metric_set *merge(struct rotation *r, const struct metric_set *const *sets)
{
	struct metric_set *to = xcalloc(1, sizeof(*to));
	struct strbuf name = { 0 }, label = { 0 };

	for (int k = 0; k < (r->is_glance ? 1 : r->n); k++) {
		strbuf_addf(&name, "%s%s", k ? "+" : "", sets[k]->name);
		strbuf_add(&label, k ? ", " : "");
		strbuf_add(&label, text_or(sets[k]->label, sets[k]->name));
	}
	to->name = strbuf_take(&name);
	to->label = strbuf_take(&label);
	to->text = xstrdup("");
	to->file = xstrdup("");
	for (int k = 0; k < r->n; k++) {
		struct rotation_part *p = &r->part[k];

		p->slot = xcalloc((size_t)sets[k]->n_metrics + 1, sizeof(*p->slot));
		add_groups(to, sets[k]);
		for (int i = 0; i < sets[k]->n_metrics; i++)
			p->slot[i] = place_metric(to, sets[k], &sets[k]->metrics[i]);
	}
	return to;
}

/* Marks all metrics but those that are measured in every window, because all sets have them. */
static void mark_multiplexed(struct rotation *r)
{
	for (int i = 0; i < r->merged->n_metrics; i++) {
		int sets = 0;

		for (int k = 0; k < r->n; k++)
			for (int m = 0; m < r->part[k].set->n_metrics; m++)
				sets += r->part[k].slot[m] == i;
		r->mux[i].multiplexed = sets < r->n;
	}
}

/* Finds the set that has the roofline's point. */
static void find_roofline(struct rotation *r)
{
	for (int k = r->n - 1; k >= 0; k--) {
		const struct rotation_part *p = &r->part[k];
		bool performance = false, traffic = false;

		for (int i = 0; i < p->set->n_metrics; i++) {
			performance |= p->set->metrics[i].roof == ROOF_PERFORMANCE;
			traffic |= p->set->metrics[i].roof == ROOF_TRAFFIC;
		}
		if (performance && traffic)
			r->roofline = k;
	}
}

struct rotation *rotation_new(const struct metric_set *const *sets, int n, bool is_glance)
{
	struct rotation *r = xcalloc(1, sizeof(*r));

	*r = (struct rotation){ .n = n,
		.is_glance = is_glance,
		.part = xcalloc((size_t)n, sizeof(*r->part)) };
	for (int k = 0; k < n; k++)
		r->part[k].set = sets[k];
	r->set = sets[0];
	if (n == 1)
		return r;
	r->set = r->merged = merge(r, sets);
	size_t metrics = (size_t)r->merged->n_metrics;
	r->values = xcalloc(metrics + 1, sizeof(*r->values));
	r->ceilings = xcalloc(metrics + 1, sizeof(*r->ceilings));
	r->mux = xcalloc(metrics + 1, sizeof(*r->mux));
	r->measured_ns = xcalloc(metrics + 1, sizeof(*r->measured_ns));
	rotation_forget(r);
	if (!is_glance)
		mark_multiplexed(r);
	find_roofline(r);
	return r;
}

/* What a metric is about, and its sources, is known of the parts, which are asked one by one: at
 * last for what nothing delivers. */
int rotation_find(const struct rotation *r, const char *word, int *other)
{
	int found = metric_set_index(r->set, word);

	*other = -1;
	for (int k = 0; k < 2 * r->n && found < 0; k++) {
		const struct rotation_part *p = &r->part[k % r->n];
		int at = metric_set_find(p->set, &p->binding, word, other);

		if (at < 0 || (k == r->active && !metric_feeds(&p->binding, at)))
			continue;
		found = r->merged ? p->slot[at] : at;
		if (r->merged && *other >= 0)
			*other = p->slot[*other];
	}
	return found;
}

struct rotation_part *rotation_active(const struct rotation *r)
{
	return &r->part[r->active];
}

/* The maps of a part's own window read its binding, so they must go first. */
static void unbind_part(const struct rotation *r, struct rotation_part *p)
{
	if (!p->is_bound)
		return;
	if (r->merged) {
		metric_maps_release(p->window->maps, p->window->n_maps);
		p->window->n_maps = 0;
	}
	metric_unbind(&p->binding);
	p->is_bound = false;
}

void rotation_free(struct rotation *r)
{
	if (!r)
		return;
	for (int k = 0; k < r->n; k++) {
		unbind_part(r, &r->part[k]);
		free(r->part[k].slot);
		for (int i = 0; i < SNAPSHOT_MAX_MAPS; i++)
			free(r->part[k].cell_at[i]);
		if (r->merged && r->part[k].window) {
			snapshot_release(r->part[k].window);
			free(r->part[k].window);
		}
	}
	metric_maps_release(r->maps, r->n_maps);
	for (int k = 0; k < r->n_maps; k++) {
		free(r->map_metrics[k]);
		free(r->map_names[k]);
	}
	metric_set_free(r->merged);
	free(r->part);
	free(r->values);
	free(r->ceilings);
	free(r->mux);
	free(r->measured_ns);
	free(r);
}

/* --- maps --- */

/* Whether two maps are of the same parts of the device and have the same metrics. */
static bool is_same_map(const struct cell_map *a, const struct cell_map *b, const int *metrics)
{
	return !strcmp(a->scope, b->scope) && a->n_metrics == b->n_metrics &&
		!memcmp(a->metrics, metrics, (size_t)a->n_metrics * sizeof(*metrics));
}

/* Returns the merged map with that one's metrics, made when there is none yet, or -1. It takes over
 * metrics. */
static int merged_map(struct rotation *r, const struct cell_map *from, int *metrics)
{
	struct cell_map *to;

	for (int k = 0; k < r->n_maps; k++) {
		if (is_same_map(&r->maps[k], from, metrics)) {
			free(metrics);
			return k;
		}
	}
	if (r->n_maps == SNAPSHOT_MAX_MAPS) {
		free(metrics);
		return -1;
	}
	r->map_metrics[r->n_maps] = metrics;
	to = &r->maps[r->n_maps];
	*to = *from;
	to->n = 0;
	to->names = NULL;
	to->metrics = metrics;
	to->stride = r->merged->n_metrics;
	to->values = NULL;
	to->t_ns = NULL;
	return r->n_maps++;
}

/* Returns the place of a cell of that name, which is added when it is new. */
static int place_cell(struct rotation *r, int map, const char *name)
{
	struct cell_map *to = &r->maps[map];

	for (int j = 0; j < to->n; j++)
		if (!strcmp(to->names[j], name))
			return j;
	r->map_names[map] = xreallocarray(
		r->map_names[map], (size_t)to->n + 1, sizeof(*r->map_names[map]));
	snprintf(r->map_names[map][to->n], CELL_NAME_SIZE, "%s", name);
	to->names = (const char(*)[CELL_NAME_SIZE])r->map_names[map];
	return to->n++;
}

static void place_map(struct rotation *r, struct rotation_part *p, int index)
{
	const struct cell_map *from = &p->window->maps[index];
	int *metrics = xcalloc((size_t)from->n_metrics + 1, sizeof(*metrics));

	for (int i = 0; i < from->n_metrics; i++)
		metrics[i] = p->slot[from->metrics[i]];
	p->map_at[index] = merged_map(r, from, metrics);
	if (p->map_at[index] < 0)
		return;
	p->cell_at[index] = xcalloc((size_t)from->n + 1, sizeof(*p->cell_at[index]));
	for (int j = 0; j < from->n; j++)
		p->cell_at[index][j] = place_cell(r, p->map_at[index], from->names[j]);
}

/* Cells keep their places, and may have got other names. */
static void name_cells(struct rotation *r, const struct rotation_part *p, int index)
{
	const struct cell_map *from = &p->window->maps[index];
	int map = p->map_at[index];

	for (int j = 0; map >= 0 && j < from->n; j++)
		snprintf(r->map_names[map][p->cell_at[index][j]], CELL_NAME_SIZE, "%s",
			from->names[j]);
}

static void bind_part(struct rotation *r, struct rotation_part *p, const struct device *dev,
	const struct feed *const *feeds, int n_feeds)
{
	unbind_part(r, p);
	metric_bind(&p->binding, p->set, dev, feeds, n_feeds);
	p->is_bound = true;
	if (!r->merged)
		return;
	if (!p->window) {
		p->window = xcalloc(1, sizeof(*p->window));
		snapshot_init(p->window, dev, p->set);
	}
	p->window->device = dev;
	snapshot_init_maps(p->window, &p->binding);
}

void rotation_bind(
	struct rotation *r, const struct device *dev, const struct feed *const *feeds, int n_feeds)
{
	bool needs_maps = r->merged && !r->part[0].is_bound;

	for (int k = 0; k < r->n; k++) {
		struct rotation_part *p = &r->part[k];

		bind_part(r, p, dev, feeds, n_feeds);
		for (int i = 0; r->merged && i < p->window->n_maps; i++) {
			if (needs_maps)
				place_map(r, p, i);
			else
				name_cells(r, p, i);
		}
	}
	for (int k = 0; needs_maps && k < r->n_maps; k++)
		metric_map_clear(&r->maps[k]);
	/* What is an estimate may have changed. */
	for (int k = r->n - 1; r->merged && k >= 0; k--) {
		const struct rotation_part *p = &r->part[k];

		for (int i = 0; i < p->set->n_metrics; i++)
			r->merged->metrics[p->slot[i]].flags = p->set->metrics[i].flags;
	}
}

void rotation_turn(struct rotation *r, int next)
{
	struct rotation_part *p = &r->part[next];
	const struct feed *feeds[BINDING_MAX_FEEDS];

	r->active = next;
	if (r->is_glance)
		mark_multiplexed(r);
	memcpy(feeds, p->binding.feeds, sizeof(feeds));
	bind_part(r, p, p->window->device, feeds, p->binding.n_feeds);
}

void rotation_init_snapshot(const struct rotation *r, struct snapshot *s, const struct device *dev)
{
	snapshot_init(s, dev, r->set);
	if (!r->merged)
		snapshot_init_maps(s, &r->part[0].binding);
	for (; s->n_maps < r->n_maps; s->n_maps++) {
		struct cell_map *map = &s->maps[s->n_maps];

		*map = r->maps[s->n_maps];
		map->metrics = r->map_metrics[s->n_maps];
		map->stride = r->merged->n_metrics;
		metric_map_clear(map);
	}
}

/* --- windows --- */

/* Sets the metrics of a merged map to the means of its cells, where one set has only some of
 * them. */
static void mean_of_cells(struct rotation *r, const struct cell_map *map)
{
	for (int i = 0; i < map->n_metrics; i++) {
		double sum = 0;
		int n = 0;

		for (int j = 0; j < map->n; j++) {
			struct value v = cell_value(map, j, map->metrics[i]);

			if (v.why != WHY_OK)
				continue;
			sum += v.v;
			n++;
		}
		if (n)
			r->values[map->metrics[i]] = value_ok(sum / n);
	}
}

static void keep_cells(struct rotation *r, const struct rotation_part *p)
{
	for (int k = 0; k < p->window->n_maps; k++) {
		const struct cell_map *from = &p->window->maps[k];

		if (p->map_at[k] < 0)
			continue;
		struct cell_map *to = &r->maps[p->map_at[k]];
		for (int j = 0; j < from->n; j++) {
			int at = p->cell_at[k][j];

			for (int i = 0; i < from->n_metrics; i++)
				to->values[at * to->stride + p->slot[from->metrics[i]]] =
					cell_value(from, j, from->metrics[i]);
			to->t_ns[at] = from->t_ns[j];
		}
		if (from->n < to->n)
			mean_of_cells(r, to);
	}
}

/* Writes what the parts have measured last, and in which share of the time, for screens and
 * writers. */
static void show(const struct rotation *r, struct snapshot *out)
{
	size_t n = (size_t)r->merged->n_metrics;
	double elapsed = (double)(out->cells_ns - r->begin_ns);

	for (size_t i = 0; i < n && elapsed > 0; i++)
		r->mux[i].share = (double)r->measured_ns[i] / elapsed;
	memcpy(out->values, r->values, n * sizeof(*out->values));
	memcpy(out->ceilings, r->ceilings, n * sizeof(*out->ceilings));
	out->mux = r->mux;
	for (int k = 0; k < out->n_maps; k++) {
		const struct cell_map *from = &r->maps[k];

		memcpy(out->maps[k].values, from->values,
			(size_t)from->n * (size_t)from->stride * sizeof(*from->values));
		memcpy(out->maps[k].t_ns, from->t_ns, (size_t)from->n * sizeof(*from->t_ns));
	}
}

/* Returns the end of the window by the clock of the sources, which in a replay is the recording's.
 * A source that has nothing yet knows only the program's clock. */
static int64_t end_of_window(const struct rotation_part *p, const struct sample *samples)
{
	int64_t end_ns = samples[0].t1_ns;

	for (int i = 1; i < p->binding.n_feeds; i++) {
		if (samples[i].why == WHY_OK && samples[i].t1_ns > end_ns)
			end_ns = samples[i].t1_ns;
	}
	return end_ns;
}

/* Measures how long it takes until a set has its turn again. Until that is known nothing is older
 * than the time since the first window. */
static void measure_round(
	struct rotation *r, const struct rotation_part *p, int64_t now_ns, int64_t window_ns)
{
	if (!r->first_ns) {
		r->begin_ns = now_ns - window_ns;
		r->first_ns = now_ns;
	}
	if (r->last != p && p->window->seq)
		r->round_ns = now_ns - p->window->cells_ns;
	r->last = p;
}

void rotation_eval(struct rotation *r, const struct sample *samples, struct snapshot *out)
{
	struct rotation_part *p = rotation_active(r);

	if (!r->merged)
		p->window = out;
	struct snapshot *w = p->window;
	out->cells_ns = end_of_window(p, samples);
	metric_eval(&p->binding, samples, w->values, w->ceilings);
	metric_maps_fill(&p->binding, w->maps, w->n_maps);
	if (p->set->n_inputs)
		memcpy(w->inputs, p->binding.inputs,
			(size_t)p->set->n_inputs * sizeof(*w->inputs));
	if (!r->merged)
		return;
	measure_round(r, p, out->cells_ns, out->window_ns);
	out->round_ns = r->round_ns ? r->round_ns : out->cells_ns - r->first_ns;
	w->seq = out->seq;
	w->mono_ns = out->mono_ns;
	w->cells_ns = out->cells_ns;
	w->wall_ns = out->wall_ns;
	w->window_ns = out->window_ns;
	w->tells_clock = out->tells_clock;
	w->clock_low_hz = out->clock_low_hz;
	w->clock_high_hz = out->clock_high_hz;
	for (int i = 0; i < p->set->n_metrics; i++) {
		int slot = p->slot[i];

		if (metric_has_no_cells(&p->binding, i) && r->values[slot].why != WHY_NOT_YET)
			continue;
		r->values[slot] = w->values[i];
		r->ceilings[slot] = w->ceilings[i];
		r->measured_ns[slot] += w->window_ns;
		r->mux[slot].part = w;
		r->mux[slot].metric = i;
		r->mux[slot].t_ns = w->cells_ns;
	}
	keep_cells(r, p);
	show(r, out);
}

void rotation_eval_half(
	struct rotation *r, const struct sample *samples, struct snapshot *out, int half)
{
	struct rotation_part *p = rotation_active(r);
	struct value *values = out->half_values[half], *ceilings = out->half_ceilings[half];

	if (!r->merged) {
		metric_eval_limits(&p->binding, samples, values, ceilings);
		return;
	}
	struct snapshot *w = p->window;
	size_t n = (size_t)r->merged->n_metrics;
	metric_eval_limits(&p->binding, samples, w->half_values[half], w->half_ceilings[half]);
	memcpy(values, r->values, n * sizeof(*values));
	memcpy(ceilings, r->ceilings, n * sizeof(*ceilings));
	for (int i = 0; i < p->set->n_metrics; i++) {
		values[p->slot[i]] = w->half_values[half][i];
		ceilings[p->slot[i]] = w->half_ceilings[half][i];
	}
}

bool rotation_asks(const struct rotation *r, int metric,
	bool (*is)(const struct metric_binding *b, int metric))
{
	for (const struct rotation_part *p = r->part; p < r->part + r->n; p++)
		for (int i = 0; i < p->set->n_metrics; i++)
			if ((r->merged ? p->slot[i] : i) == metric && is(&p->binding, i))
				return true;
	return false;
}

void rotation_forget(struct rotation *r)
{
	for (int i = 0; r->merged && i < r->merged->n_metrics; i++) {
		r->values[i] = r->ceilings[i] = value_none(WHY_NOT_YET);
		r->mux[i].t_ns = r->measured_ns[i] = 0;
		r->mux[i].part = NULL;
	}
	metric_maps_release(r->maps, r->n_maps);
	for (int k = 0; k < r->n_maps; k++)
		metric_map_clear(&r->maps[k]);
	for (int k = 0; k < r->n; k++)
		if (r->merged && r->part[k].window)
			r->part[k].window->seq = 0;
	r->first_ns = r->round_ns = 0;
	r->last = NULL;
}

void rotation_forget_glance(struct rotation *r, struct snapshot *out)
{
	/* The first set has the first places of the merged one. */
	for (int i = r->part[0].set->n_metrics; i < r->merged->n_metrics; i++) {
		r->values[i] = out->values[i] = value_none(WHY_NOT_YET);
		r->mux[i].t_ns = 0;
	}
}
