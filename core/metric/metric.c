/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metric sets and their library: making and freeing, search, order of evaluation. */
#include "config.h"

#include "core/metric/metric.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/minmax.h"
#include "core/metric/expr_vm.h"
#include "core/metric/metric_priv.h"

const char *metric_label(const struct metric *m)
{
	return text_or(m->label, m->name);
}

static void metric_release(struct metric *m)
{
	free(m->name);
	free(m->label);
	free(m->text);
	free(m->origin);
	free(m->unit_text);
	free(m->equation);
	free(m->ceiling_text);
	free(m->limit.name);
	free(m->limit.tip);
	free(m->limit.of);
	free(m->helps);
	free(m->block);
	free(m->group);
	free(m->scope);
	free(m->needs);
	free(m->available);
	free(m->roof_name);
	free(m->file);
	expr_free(m->value);
	expr_free(m->ceiling);
}

void metric_free_raw(struct raw_name *r)
{
	free(r->block);
	free(r->name);
	free(r->unit_text);
	free(r->text);
	free(r->only);
}

void metric_free_let(struct let_draft *l)
{
	free(l->name);
	free((char *)l->part.text);
}

void metric_free_draft(struct metric_draft *d)
{
	metric_release(&d->m);
	free(d->value);
	free(d->ceiling);
	free(d->old_name);
}

void metric_set_free_inputs(struct metric_set *set)
{
	for (int i = 0; i < set->n_inputs; i++) {
		free(set->inputs[i].name);
		free(set->inputs[i].unit_text);
		free(set->inputs[i].text);
		free(set->inputs[i].block);
	}
	free(set->inputs);
	set->inputs = NULL;
	set->n_inputs = 0;
}

static void free_lists(struct metric_set *set)
{
	for (int i = 0; i < set->n_platforms; i++)
		free(set->platforms[i]);
	for (int i = 0; i < set->n_groups; i++) {
		free(set->groups[i].name);
		free(set->groups[i].title);
		free(set->groups[i].subtitle);
		free(set->groups[i].why_empty);
		free(set->groups[i].pane);
	}
	for (int i = 0; i < set->n_directives; i++) {
		free(set->directives[i].key);
		free(set->directives[i].args);
		free(set->directives[i].file);
	}
	for (int i = 0; i < set->n_lets; i++) {
		free(set->lets[i].name);
		free(set->lets[i].equation);
	}
	for (int i = 0; i < set->n_cells; i++) {
		struct set_cells *c = &set->cells[i];

		for (int k = 0; k < c->n_names; k++)
			free(c->names[k]);
		for (int k = 0; k < c->n_cells * c->n_names; k++)
			free(c->counters[k]);
		free(c->names);
		free(c->counters);
		for (int k = 0; k < c->n_cells; k++)
			free(c->tests[k].constant);
		free(c->tests);
		free(c->members);
		free(c->cells);
		free(c->scope);
		free(c->text);
	}
	free(set->cells);
	free(set->platforms);
	free(set->groups);
	free(set->directives);
	free(set->lets);
}

void metric_set_free(struct metric_set *set)
{
	if (!set)
		return;
	for (int i = 0; i < set->n_metrics; i++)
		metric_release(&set->metrics[i]);
	free(set->metrics);
	metric_set_free_inputs(set);
	free_lists(set);
	free(set->eval_order);
	free(set->name);
	free(set->label);
	free(set->text);
	free(set->file);
	free(set);
}

void metric_lib_add(struct metric_lib *lib, struct metric_set *set)
{
	lib->sets = array_grow(lib->sets, (size_t)lib->n_sets, &lib->cap_sets, sizeof(*lib->sets));
	lib->sets[lib->n_sets++] = set;
}

void metric_lib_release(struct metric_lib *lib)
{
	if (!lib)
		return;
	for (int i = 0; i < lib->n_sets; i++)
		metric_set_free(lib->sets[i]);
	free(lib->sets);
	*lib = (struct metric_lib){ 0 };
}

bool metric_set_has_platform(const struct metric_set *set, const char *platform)
{
	for (int i = 0; i < set->n_platforms; i++) {
		if (!strcmp(set->platforms[i], platform))
			return true;
	}
	return false;
}

static const struct metric_set *find(const struct metric_lib *lib, const char *name,
	const char *platform, int (*compare)(const char *, const char *))
{
	for (int i = lib->n_sets - 1; i >= 0; i--) {
		const struct metric_set *set = lib->sets[i];

		if (!compare(set->name, name) &&
			(!platform || metric_set_has_platform(set, platform)))
			return set;
	}
	return NULL;
}

const struct metric_set *metric_lib_find(
	const struct metric_lib *lib, const char *name, const char *platform)
{
	const struct metric_set *set = find(lib, name, platform, strcmp);

	if (!set)
		set = find(lib, name, platform, strcasecmp);
	return set;
}

bool metric_set_reads(const struct metric_set *set, const struct counter_desc *counters, int n)
{
	for (int i = 0; set && i < set->n_inputs; i++)
		for (int k = 0; set->inputs[i].kind == INPUT_COUNTER && k < n; k++)
			if (!strcmp(set->inputs[i].name, counters[k].name))
				return true;
	return false;
}

int metric_set_index(const struct metric_set *set, const char *name)
{
	for (int i = 0; i < set->n_metrics; i++) {
		if (!strcmp(set->metrics[i].name, name))
			return i;
	}
	return -1;
}

int metric_set_group(const struct metric_set *set, const char *name)
{
	for (int i = 0; name && i < set->n_groups; i++) {
		if (!strcmp(set->groups[i].name, name))
			return i;
	}
	return -1;
}

/* Not every device knows a limit of its power or a roof of its FLOPs: their metrics have names. */
static const struct {
	const char *word;
	enum roof_role roof;
	enum limit_role limit;
	const char *names[2];
} words[] = {
	{ "dram", ROOF_TRAFFIC, LIMIT_LEVEL, { "", "" } },
	{ "power", ROOF_NONE, LIMIT_POWER, { "power_gpu", "" } },
	{ "clock", ROOF_NONE, LIMIT_CLOCK, { "", "" } },
	{ "temperature", ROOF_NONE, LIMIT_TEMPERATURE, { "", "" } },
	{ "flops", ROOF_PERFORMANCE, LIMIT_NONE, { "gflops_sp", "operations" } },
};

/* Whether a word stands for what a metric is about, whatever the device calls it. */
static bool is_short_for(const char *word, const struct metric *m)
{
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (strcasecmp(word, words[i].word) != 0)
			continue;
		/* Traffic is that of the level of this name, which Mali's sets call memory. */
		if (words[i].roof == ROOF_TRAFFIC)
			return (m->roof == ROOF_TRAFFIC && (!strcasecmp(m->roof_name, word) ||
							   !strcmp(m->roof_name, "memory"))) ||
				(m->limit.role == LIMIT_LEVEL && !strcasecmp(m->limit.word, word));
		return (words[i].roof && m->roof == words[i].roof) ||
			(words[i].limit && m->limit.role == words[i].limit) ||
			!strcmp(m->name, words[i].names[0]) ||
			!strcmp(m->name, words[i].names[1]);
	}
	return false;
}

/* Returns how late a metric comes among those that go by one word: hidden ones behind shown ones,
 * and those without a source last. */
static int lateness(const struct metric_set *set, const struct metric_binding *b, int metric)
{
	int late = set->metrics[metric].rank ? set->metrics[metric].rank : INT16_MAX;

	if (set->metrics[metric].flags & METRIC_HIDDEN)
		late += INT16_MAX;
	return b && !metric_feeds(b, metric) ? late + 2 * INT16_MAX : late;
}

/* Returns the first of the metrics that go by the word; but_not is left out. */
static int first_called(const struct metric_set *set, const struct metric_binding *b,
	const char *word, bool by_label, int but_not)
{
	int best = -1;

	for (int i = 0; i < set->n_metrics; i++) {
		const struct metric *m = &set->metrics[i];
		bool fits = is_short_for(word, m);

		if (by_label)
			fits = m->label && !strcasecmp(m->label, word) &&
				!(m->flags & METRIC_HIDDEN);
		if (fits && i != but_not &&
			(best < 0 || lateness(set, b, i) < lateness(set, b, best)))
			best = i;
	}
	return best;
}

int metric_set_find(const struct metric_set *set, const struct metric_binding *b,
	const char *word, int *other)
{
	int found = metric_set_index(set, word);

	*other = -1;
	if (found >= 0)
		return found;
	found = first_called(set, b, word, false, -1);
	if (found >= 0) {
		/* Which of them has a source is known of open devices alone. */
		*other = b ? -1 : first_called(set, b, word, false, found);
		return found;
	}
	found = first_called(set, b, word, true, -1);
	if (found >= 0)
		*other = first_called(set, b, word, true, found);
	return found;
}

const struct set_directive *metric_set_directive(
	const struct metric_set *set, const char *key, int *pos)
{
	while (*pos < set->n_directives) {
		const struct set_directive *d = &set->directives[(*pos)++];

		if (!strcmp(d->key, key))
			return d;
	}
	return NULL;
}

int metric_inputs(const struct metric_set *set, const struct metric *m, int *out)
{
	int n = 0;

	if (m->value)
		n = expr_inputs(m->value, out, set->n_inputs);
	if (m->ceiling)
		n += expr_inputs(m->ceiling, out + n, set->n_inputs);
	return n;
}

int metric_equation_inputs(const struct expr *equation, int list[EQUATION_INPUTS_MAX])
{
	int n = expr_inputs(equation, list, EQUATION_INPUTS_MAX);

	return min_of(n, EQUATION_INPUTS_MAX);
}

static void add_rests_on(
	const struct metric_set *set, const struct expr *e, bool *seen, struct expr *of)
{
	for (size_t i = 0; e && i < e->n_inputs; i++) {
		const int input = e->inputs[i];
		const struct metric_input *in = &set->inputs[input];

		if (seen[input])
			continue;
		seen[input] = true;
		if (in->kind == INPUT_METRIC || in->kind == INPUT_MOST)
			add_rests_on(set, set->metrics[in->metric].value, seen, of);
		else
			of->rests_on[of->n_rests_on++] = input;
	}
}

const int *metric_rests_on(const struct metric_set *set, struct expr *equation, int *n)
{
	*n = 0;
	if (!equation)
		return NULL;
	if (!equation->rests_on) {
		bool *seen = xcalloc((size_t)set->n_inputs + 1, sizeof(*seen));

		equation->rests_on = xcalloc((size_t)set->n_inputs + 1, sizeof(*equation->rests_on));
		add_rests_on(set, equation, seen, equation);
		equation->rests_on = xreallocarray(equation->rests_on,
			(size_t)equation->n_rests_on + 1, sizeof(*equation->rests_on));
		free(seen);
	}
	*n = equation->n_rests_on;
	return equation->rests_on;
}

const struct device_const *metric_bound_const(
	const struct metric_set *set, struct expr *equation, const struct device *dev)
{
	const struct device_const *found = NULL;
	int n;

	/* None of the counters of Intel's sets names a bound. */
	if (set->from_xml)
		return NULL;
	const int *list = metric_rests_on(set, equation, &n);
	for (int i = 0; i < n; i++) {
		const struct metric_input *in = &set->inputs[list[i]];
		const struct device_const *c = NULL;

		if (in->kind == INPUT_CONST)
			c = device_const(dev, in->name);
		if (c && c->source != ROOF_SOURCE_NONE && !c->disproved &&
			(!found || (c->uncertain && !found->uncertain)))
			found = c;
	}
	return found;
}

/* Writes the metrics that metric m reads, some of them twice; returns their number. out has room
 * for 2 * n_inputs. */
static int needed_metrics(const struct metric_set *set, int m, int *out)
{
	int count = metric_inputs(set, &set->metrics[m], out), n = 0;

	for (int i = 0; i < count; i++) {
		const struct metric_input *in = &set->inputs[out[i]];

		if (in->kind == INPUT_METRIC || in->kind == INPUT_MOST)
			out[n++] = in->metric;
	}
	return n;
}

/* Returns the next metric on the way from one that could not be ordered. */
static int step(const struct metric_set *set, int m, const bool *done, int *needed)
{
	int n = needed_metrics(set, m, needed);
	int i = 0;

	while (i < n && done[needed[i]])
		i++;
	return needed[i];
}

/* Follows what each metric needs until it is on a cycle, then goes around it; returns the metric of
 * the cycle that is written first. */
static int find_cycle(const struct metric_set *set, const bool *done, int *needed)
{
	int m = 0, first, start;

	while (done[m])
		m++;
	for (int i = 0; i < set->n_metrics; i++)
		m = step(set, m, done, needed);
	first = start = m;
	do {
		m = step(set, m, done, needed);
		if (m < first)
			first = m;
	} while (m != start);
	return first;
}

bool metric_set_order(struct metric_set *set, int *cycle)
{
	bool *done = xcalloc((size_t)set->n_metrics + 1, sizeof(*done));
	int *needed = xcalloc(2 * (size_t)set->n_inputs + 1, sizeof(*needed));
	int *order = xcalloc((size_t)set->n_metrics + 1, sizeof(*order));
	int count = 0, before;

	/* One pass takes every metric whose needs are met. Files list parts before sums, so there
	 * are few passes. */
	do {
		before = count;
		for (int m = 0; m < set->n_metrics; m++) {
			int n = 0, i = 0;

			if (!done[m])
				n = needed_metrics(set, m, needed);
			while (i < n && done[needed[i]])
				i++;
			if (i < n || done[m])
				continue;
			done[m] = true;
			order[count++] = m;
		}
	} while (count > before && count < set->n_metrics);
	free(set->eval_order);
	set->eval_order = NULL;
	if (count == set->n_metrics) {
		set->eval_order = order;
		order = NULL;
	} else if (cycle) {
		*cycle = find_cycle(set, done, needed);
	}
	free(order);
	free(needed);
	free(done);
	return set->eval_order != NULL;
}

unsigned metric_feeds(const struct metric_binding *b, int metric)
{
	unsigned feeds = 0;
	int n;

	if (b->set->from_xml)
		return 1;
	const int *list = metric_rests_on(b->set, b->set->metrics[metric].value, &n);
	for (int i = 0; i < n; i++)
		if (b->at[list[i]].feed >= 0)
			feeds |= 1u << b->at[list[i]].feed;
	return feeds;
}
