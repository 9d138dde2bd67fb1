/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A metric set on a device: which counter belongs to which input, and the values of one window. */
#include "config.h"

#include "core/metric/metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/metric/metric_cells.h"

/* Intel's equations name the two clocks by their role; report formats name them by what they
 * hold. */
static const char *alias_of(const char *name)
{
	static const char *const pairs[][2] = { { "GPU_TIME", "TIMESTAMP" },
		{ "GPU_CLOCK", "GPU_TICKS" } };

	for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
		for (int k = 0; k < 2; k++) {
			if (!strcmp(pairs[i][k], name))
				return pairs[i][1 - k];
		}
	}
	return name;
}

/* The source's unit is used; the file's only has to have the same dimensions. */
static bool find_scale(
	const struct metric_input *in, const struct counter_desc *desc, double *scale)
{
	struct unit unit;

	if (!unit_parse(desc->unit, strlen(desc->unit), &unit, NULL))
		return false;
	*scale = unit.scale;
	if (unit_same_dims(&unit, &in->unit))
		return true;
	return !(unit.scale < 1 || unit.scale > 1 || in->unit.scale < 1 || in->unit.scale > 1);
}

static void bind_counter(struct metric_binding *b, int i)
{
	const struct metric_input *in = &b->set->inputs[i];

	if (!strncmp(in->name, "PERFCNT", 7)) {
		b->inputs[i] = (struct expr_input){ .is_int = true };
		return;
	}
	b->inputs[i] = expr_none(WHY_NO_SOURCE);
	if (!metric_find_counter(b, in->name, &b->at[i], &b->desc[i]))
		metric_find_counter(b, alias_of(in->name), &b->at[i], &b->desc[i]);
	metric_cells_bind_input(b, i);
	if (b->at[i].feed < 0)
		return;
	b->inputs[i] = expr_none(WHY_NOT_YET);
	b->scale[i] = 1;
	if (b->set->from_xml)
		return;
	if (!find_scale(in, b->desc[i], &b->scale[i]) ||
		(in->kind == INPUT_RATE && b->desc[i]->kind != COUNTER_CUMULATIVE)) {
		b->inputs[i] = expr_none(WHY_UNSUPPORTED);
		b->at[i].feed = -1;
	}
}

static void bind_const(struct metric_binding *b, int i, const struct device *dev)
{
	const struct metric_input *in = &b->set->inputs[i];
	const struct device_const *c = device_const(dev, in->name);

	if (!c) {
		b->inputs[i] = expr_none(WHY_UNKNOWN_CONST);
		return;
	}
	if (c->disproved) {
		b->inputs[i] = expr_none(WHY_DISPROVED);
		return;
	}
	b->inputs[i] = (struct expr_input){ .d = c->v };
	if (!b->set->from_xml)
		b->inputs[i].d *= in->unit.scale;
	else if (c->v >= 0 && c->v < 0x1p64 && !(floor(c->v) < c->v)) {
		b->inputs[i].u = (uint64_t)c->v;
		b->inputs[i].is_int = true;
	}
}

/* Marks what metric m reads: metrics in wanted, inputs in read. */
static void want_inputs(const struct metric_set *set, int m, int *list, bool *wanted, bool *read)
{
	int n = metric_inputs(set, &set->metrics[m], list);

	for (int i = 0; i < n; i++) {
		const struct metric_input *in = &set->inputs[list[i]];

		read[list[i]] = true;
		if (in->kind == INPUT_METRIC || in->kind == INPUT_MOST)
			wanted[in->metric] = true;
	}
}

/* Lists what metric_eval_limits() evaluates. */
static void bind_limits(struct metric_binding *b)
{
	const struct metric_set *set = b->set;
	bool *wanted = xcalloc((size_t)set->n_metrics + 1, sizeof(*wanted));
	bool *read = xcalloc((size_t)set->n_inputs + 1, sizeof(*read));
	int *list = xcalloc(2 * (size_t)set->n_inputs + 1, sizeof(*list));

	b->limit_metrics = xcalloc((size_t)set->n_metrics + 1, sizeof(*b->limit_metrics));
	b->limit_inputs = xcalloc((size_t)set->n_inputs + 1, sizeof(*b->limit_inputs));
	/* Who reads comes before what is read. */
	for (int i = set->n_metrics - 1; i >= 0; i--) {
		int m = metric_set_nth(set, i);

		wanted[m] |= set->metrics[m].limit.role != LIMIT_NONE;
		if (wanted[m])
			want_inputs(set, m, list, wanted, read);
	}
	for (int i = 0; i < set->n_metrics; i++)
		if (wanted[metric_set_nth(set, i)])
			b->limit_metrics[b->n_limit_metrics++] = metric_set_nth(set, i);
	for (int i = 0; i < set->n_inputs; i++)
		if (read[i] && b->at[i].feed >= 0)
			b->limit_inputs[b->n_limit_inputs++] = i;
	free(wanted);
	free(read);
	free(list);
}

void metric_bind(struct metric_binding *b, const struct metric_set *set, const struct device *dev,
	const struct feed *const *feeds, int n_feeds)
{
	size_t n = (size_t)set->n_inputs + 1;

	if (n_feeds > BINDING_MAX_FEEDS)
		n_feeds = BINDING_MAX_FEEDS;
	*b = (struct metric_binding){ .set = set, .n_feeds = n_feeds };
	for (int f = 0; f < b->n_feeds; f++)
		b->feeds[f] = feeds[f];
	b->inputs = xcalloc(n, sizeof(*b->inputs));
	b->at = xcalloc(n, sizeof(*b->at));
	b->desc = xcalloc(n, sizeof(*b->desc));
	b->scale = xcalloc(n, sizeof(*b->scale));
	b->input_of = xcalloc((size_t)set->n_metrics + 1, sizeof(*b->input_of));
	b->input_map = xcalloc(n, sizeof(*b->input_map));
	metric_cells_init(b, dev);
	for (int m = 0; m < set->n_metrics; m++)
		b->input_of[m] = -1;
	for (int i = 0; i < set->n_inputs; i++) {
		b->at[i].feed = -1;
		b->input_map[i] = -1;
		switch (set->inputs[i].kind) {
		case INPUT_COUNTER:
		case INPUT_RATE:
			bind_counter(b, i);
			break;
		case INPUT_CONST:
			bind_const(b, i, dev);
			break;
		case INPUT_METRIC:
		case INPUT_MOST:
			b->inputs[i] = expr_none(WHY_NOT_YET);
			if (b->input_of[set->inputs[i].metric] < 0)
				b->input_of[set->inputs[i].metric] = i;
		}
	}
	metric_cells_bind_metrics(b);
	bind_limits(b);
}

void metric_bind_consts(struct metric_binding *b, const struct device *dev)
{
	for (int i = 0; i < b->set->n_inputs; i++)
		if (b->set->inputs[i].kind == INPUT_CONST)
			bind_const(b, i, dev);
}

void metric_unbind(struct metric_binding *b)
{
	free(b->inputs);
	free(b->at);
	free(b->desc);
	free(b->scale);
	free(b->input_of);
	free(b->limit_metrics);
	free(b->limit_inputs);
	metric_cells_release(b);
	*b = (struct metric_binding){ 0 };
}

static void eval_metric(struct metric_binding *b, int i, const struct sample *samples,
	struct value *values, struct value *ceilings)
{
	const struct metric *m = &b->set->metrics[i];
	struct expr_input r, ceiling = expr_none(WHY_UNSUPPORTED), most;

	if (b->map_of[i] >= 0) {
		metric_cells_eval(b, i, samples, &r, &ceiling);
		most = metric_cells_most(b, i);
	} else {
		r = expr_eval_as(m->value, b->inputs, b->width);
		if (m->ceiling)
			ceiling = expr_eval_as(m->ceiling, b->inputs, b->width);
		/* Without cells there is no largest one among them. */
		most = expr_none(WHY_NO_SOURCE);
	}
	r = metric_within(b, m, r, ceiling);
	values[i] = metric_shown(b, m, r);
	ceilings[i] = metric_shown(b, m, ceiling);
	if (m->flags & METRIC_ABSENT)
		values[i] = ceilings[i] = value_none(WHY_UNSUPPORTED);
	/* Hands the value to the metrics that read this one. There may be several inputs for it. */
	for (int k = b->input_of[i]; k >= 0 && k < b->set->n_inputs; k++) {
		if (b->set->inputs[k].kind == INPUT_METRIC && b->set->inputs[k].metric == i)
			b->inputs[k] = r;
		else if (b->set->inputs[k].kind == INPUT_MOST && b->set->inputs[k].metric == i)
			b->inputs[k] = most;
	}
}

void metric_eval(struct metric_binding *b, const struct sample *samples, struct value *values,
	struct value *ceilings)
{
	const struct metric_set *set = b->set;

	for (int i = 0; i < set->n_inputs; i++) {
		if (b->at[i].feed >= 0)
			b->inputs[i] = metric_read_input(b, i, samples);
	}
	for (int i = 0; i < set->n_metrics; i++)
		eval_metric(b, metric_set_nth(set, i), samples, values, ceilings);
	metric_cells_stamp(b, samples);
}

void metric_eval_limits(struct metric_binding *b, const struct sample *samples,
	struct value *values, struct value *ceilings)
{
	for (int i = 0; i < b->n_limit_inputs; i++)
		b->inputs[b->limit_inputs[i]] = metric_read_input(b, b->limit_inputs[i], samples);
	for (int i = 0; i < b->n_limit_metrics; i++)
		eval_metric(b, b->limit_metrics[i], samples, values, ceilings);
}

/* The degrees of those metrics that are evaluated before the one that is looked at. */
struct degrees {
	const struct metric_binding *b;
	int *of;
};

static int degree_of(void *ctx, int input)
{
	const struct degrees *d = ctx;
	const struct metric_input *in = &d->b->set->inputs[input];

	if (in->kind == INPUT_METRIC || in->kind == INPUT_MOST)
		return d->of[in->metric];
	return in->kind == INPUT_COUNTER && d->b->desc[input] &&
		d->b->desc[input]->kind == COUNTER_CUMULATIVE;
}

bool metric_is_amount(const struct metric_binding *b, int metric)
{
	const struct metric_set *set = b->set;
	struct degrees d = { b, xcalloc((size_t)set->n_metrics + 1, sizeof(*d.of)) };
	int m = -1;

	for (int i = 0; m != metric && i < set->n_metrics; i++) {
		m = metric_set_nth(set, i);
		d.of[m] = EXPR_NO_DEGREE;
		if (set->metrics[m].value)
			d.of[m] = expr_degree(set->metrics[m].value, degree_of, &d);
	}
	bool is_amount = d.of[metric] == 1;
	free(d.of);
	return is_amount;
}

bool metric_is_total(const struct metric_binding *b, int metric)
{
	int *inputs = xcalloc(2 * (size_t)b->set->n_inputs + 1, sizeof(*inputs));
	int n = metric_inputs(b->set, &b->set->metrics[metric], inputs);
	bool found = false;

	for (int i = 0; i < n && !found; i++)
		found = b->desc[inputs[i]] && b->desc[inputs[i]]->kind == COUNTER_TOTAL;
	free(inputs);
	return found;
}

bool metric_has_no_mean(const struct metric_binding *b, int metric)
{
	const struct expr *value = b->set->metrics[metric].value;

	return metric_is_total(b, metric) || (value && expr_takes_least(value));
}
