/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds roofs and points, and where they meet. */
#include "config.h"

#include "core/roofline/roofline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const struct roof_point nowhere = { .intensity = NAN, .flop_per_s = NAN };

/* Finds the metric that is the device's clock, and the gauge that it shows where it shows one alone. */
static void find_clock(struct roofline *r)
{
	int list[EQUATION_INPUTS_MAX];

	r->clock_metric = r->clock_gauge = -1;
	for (int i = 0; i < r->set->n_metrics && r->clock_metric < 0; i++)
		if (r->set->metrics[i].limit.role == LIMIT_CLOCK)
			r->clock_metric = i;
	if (r->clock_metric >= 0 &&
		metric_equation_inputs(r->set->metrics[r->clock_metric].value, list) == 1 &&
		r->set->inputs[list[0]].kind == INPUT_COUNTER)
		r->clock_gauge = list[0];
}

/* Whether an input makes a roof follow the clock: a counter of clocks inside rate(), or the clock. */
static bool is_clock(const struct roofline *r, int input)
{
	const struct metric_input *in = &r->set->inputs[input];
	struct unit cycle;

	if (in->kind == INPUT_RATE)
		return unit_parse("cycle", 5, &cycle, NULL) && unit_same_dims(&cycle, &in->unit);
	if (in->kind == INPUT_METRIC)
		return in->metric == r->clock_metric;
	return input == r->clock_gauge;
}

/* Returns the input of an equation that is the clock, or -1. */
static int clock_input(const struct roofline *r, const struct metric *m)
{
	int list[EQUATION_INPUTS_MAX], n = metric_equation_inputs(m->value, list);

	for (int i = 0; i < n; i++)
		if (is_clock(r, list[i]))
			return list[i];
	return -1;
}

static struct roof *add_roof(struct roofline *r, enum roof_role role, const char *name, int metric)
{
	struct roof *roof = &r->roofs[r->n_roofs];

	if (r->n_roofs == ROOFLINE_MAX_ROOFS)
		return NULL;
	*roof = (struct roof){ .role = role,
		.label = roof->name,
		.metric = metric,
		.theory = value_none(WHY_NOT_YET),
		.measured = NAN,
		.follows_clock = role == ROOF_FLOP,
		.clock_input = -1 };
	snprintf(roof->name, sizeof(roof->name), "%s", name);
	if (metric >= 0) {
		roof->label = r->set->metrics[metric].label;
		roof->clock_input = clock_input(r, &r->set->metrics[metric]);
		roof->follows_clock = roof->clock_input >= 0;
	}
	r->n_roofs++;
	return roof;
}

static struct roof_view *view_of(struct roofline *r, const char *level)
{
	struct roof_view *v = r->views;

	while (v < r->views + r->n_views && strcmp(v->level, level) != 0)
		v++;
	if (v < r->views + r->n_views)
		return v;
	if (r->n_views == ROOFLINE_MAX_VIEWS)
		return NULL;
	memset(v, 0, sizeof(*v));
	v->trail = r->trails + (size_t)r->n_views++ * ROOFLINE_TRAIL;
	snprintf(v->level, sizeof(v->level), "%s", level);
	v->roof = v->traffic = -1;
	v->live = v->predicted = nowhere;
	v->why = WHY_NOT_YET;
	return v;
}

static void add_role(struct roofline *r, enum roof_role role)
{
	for (int i = 0; i < r->set->n_metrics; i++) {
		const struct metric *m = &r->set->metrics[i];
		struct roof_view *v = NULL;

		if (m->roof != role)
			continue;
		if (role == ROOF_PERFORMANCE && r->performance < 0) {
			r->performance = i;
			r->estimated = m->flags & METRIC_ESTIMATED;
		}
		if (role == ROOF_FLOP || role == ROOF_BYTES)
			add_roof(r, role, m->roof_name, i);
		if (role == ROOF_BYTES || role == ROOF_TRAFFIC)
			v = view_of(r, m->roof_name);
		if (v && role == ROOF_BYTES && v->roof < 0)
			v->roof = r->n_roofs - 1;
		if (v && role == ROOF_TRAFFIC && v->traffic < 0)
			v->traffic = i;
	}
}

/* Theory without a window takes every clock at its highest. It does not work for an equation that
 * reads other metrics than the clock. */
static void set_nominal(struct roofline *r, const struct metric_binding *b, struct roof *roof)
{
	const struct metric *m = &r->set->metrics[roof->metric];
	struct expr_input clock = { .d = r->max_hz }, v;

	if (!(r->max_hz > 0))
		clock = (struct expr_input){ .d = NAN, .why = WHY_UNKNOWN_CONST };
	for (int i = 0; i < r->set->n_inputs; i++) {
		r->inputs[i] = b->inputs[i];
		if (is_clock(r, i))
			r->inputs[i] = clock;
	}
	v = expr_eval(m->value, r->inputs);
	/* What is not known of a divided card is what its parts have. */
	roof->theory = value_none(r->is_divided && v.why == WHY_UNKNOWN_CONST ? WHY_DIVIDED : v.why);
	if (v.why == WHY_OK)
		roof->theory = value_ok(v.d);
	roof->nominal = true;
}

void roofline_init(struct roofline *r, const struct metric_binding *b, const struct device *dev)
{
	static const enum roof_role order[] = { ROOF_PERFORMANCE, ROOF_FLOP, ROOF_BYTES,
		ROOF_TRAFFIC };

	*r = (struct roofline){
		.performance = -1, .running = -1, .clock_hz = NAN, .max_hz = NAN
	};
	r->trails = xcalloc((size_t)ROOFLINE_MAX_VIEWS * ROOFLINE_TRAIL, sizeof(*r->trails));
	r->is_divided = dev && device_const(dev, "mig_instances");
	if (dev && dev->max_hz)
		r->max_hz = (double)dev->max_hz;
	if (!b)
		return;
	r->set = b->set;
	r->inputs = xcalloc((size_t)b->set->n_inputs + 1, sizeof(*r->inputs));
	find_clock(r);
	for (size_t i = 0; i < ARRAY_LEN(order); i++)
		add_role(r, order[i]);
	for (int i = 0; i < r->n_roofs; i++) {
		const struct metric *m = &b->set->metrics[r->roofs[i].metric];

		set_nominal(r, b, &r->roofs[i]);
		if (dev)
			r->roofs[i].bound = metric_bound_const(b->set, m->value, dev);
	}
}

void roofline_release(struct roofline *r)
{
	free(r->inputs);
	r->inputs = NULL;
	free(r->trails);
	r->trails = NULL;
	r->n_views = 0;
}

static struct roof *find_roof(struct roofline *r, enum roof_role role, const char *name)
{
	for (int i = 0; i < r->n_roofs; i++)
		if (r->roofs[i].role == role && !strcmp(r->roofs[i].name, name))
			return &r->roofs[i];
	return NULL;
}

const struct roof *roofline_roof(const struct roofline *r, enum roof_role role, const char *name)
{
	return find_roof((struct roofline *)r, role, name);
}

const struct roof *roofline_measured_for(const struct roofline *r, const struct metric *m)
{
	const struct roof *roof = NULL;

	if (m->roof == ROOF_TRAFFIC)
		roof = roofline_roof(r, ROOF_BYTES, m->roof_name);
	return roof && isfinite(roof->measured) ? roof : NULL;
}

void roofline_set_ceilings(
	const struct roofline *r, const struct metric_set *set, struct value *ceilings)
{
	for (int i = 0; i < set->n_metrics; i++) {
		const struct roof *roof = roofline_measured_for(r, &set->metrics[i]);

		if (roof)
			ceilings[i] = value_ok(roof->measured / set->metrics[i].unit.scale);
	}
}

static void bring_to_clock(const struct roofline *r, struct roof *roof)
{
	const struct roof_record *rec = roof->record;

	if (!rec)
		return;
	roof->measured = rec->value;
	if (roof->follows_clock && rec->clock_hz > 0 && r->clock_hz > 0)
		roof->measured *= r->clock_hz / rec->clock_hz;
}

void roofline_measured(struct roofline *r, const struct roof_file *file)
{
	for (int i = 0; i < r->n_roofs; i++) {
		r->roofs[i].record = NULL;
		r->roofs[i].measured = NAN;
	}
	for (int i = 0; file && i < file->n; i++) {
		const struct roof_record *rec = &file->records[i];
		struct roof *roof = find_roof(r, rec->role, rec->name);
		struct roof_view *v = NULL;

		if (!roof)
			roof = add_roof(r, rec->role, rec->name, -1);
		if (!roof)
			return;
		if (rec->role == ROOF_BYTES)
			v = view_of(r, rec->name);
		if (v && v->roof < 0)
			v->roof = (int)(roof - r->roofs);
		roof->record = rec;
		bring_to_clock(r, roof);
	}
}

double roof_bound(const struct roof *roof)
{
	if (isfinite(roof->measured))
		return roof->measured;
	if (roof->theory.why == WHY_OK)
		return roof->theory.v;
	return NAN;
}

enum roof_source roof_bound_source(const struct roof *roof)
{
	if (isfinite(roof->measured))
		return ROOF_MEASURED;
	if (roof->theory.why != WHY_OK)
		return ROOF_SOURCE_NONE;
	return roof->bound ? roof->bound->source : ROOF_COMPUTED;
}

const struct roof *roofline_top(const struct roofline *r)
{
	const struct roof *top = NULL;

	for (int i = 0; i < r->n_roofs; i++) {
		double v = roof_bound(&r->roofs[i]);

		if (r->roofs[i].role == ROOF_FLOP && isfinite(v) &&
			(!top || v > roof_bound(top)))
			top = &r->roofs[i];
	}
	return top;
}

static double bandwidth(const struct roofline *r, const struct roof_view *view)
{
	if (view->roof < 0)
		return NAN;
	return roof_bound(&r->roofs[view->roof]);
}

/* When flop is NULL, this is the highest one's. */
static double peak(const struct roofline *r, const struct roof *flop)
{
	if (!flop)
		flop = roofline_top(r);
	if (!flop)
		return NAN;
	return roof_bound(flop);
}

double roofline_attainable(const struct roofline *r, const struct roof_view *view,
	const struct roof *flop, double intensity)
{
	double slant = intensity * bandwidth(r, view), top = peak(r, flop);

	if (isnan(slant) || isnan(top))
		return NAN;
	return fmin(top, slant);
}

double roofline_ridge(
	const struct roofline *r, const struct roof_view *view, const struct roof *flop)
{
	double bytes = bandwidth(r, view);

	if (!(bytes > 0))
		return NAN;
	return peak(r, flop) / bytes;
}

/* --- windows --- */

static struct value base_value(const struct metric_set *set, int metric, const struct value *values)
{
	if (metric < 0)
		return value_none(WHY_NOT_IN_SET);
	if (values[metric].why != WHY_OK)
		return values[metric];
	return value_ok(values[metric].v * set->metrics[metric].unit.scale);
}

static void update_roofs(
	struct roofline *r, const struct metric_binding *b, const struct value *values)
{
	r->clock_hz = NAN;
	for (int i = 0; i < r->n_roofs; i++) {
		struct roof *roof = &r->roofs[i];
		int clock = roof->clock_input;

		if (roof->metric < 0)
			continue;
		roof->theory = base_value(r->set, roof->metric, values);
		roof->nominal = roof->theory.why != WHY_OK;
		if (roof->nominal)
			set_nominal(r, b, roof);
		if (clock >= 0 && isnan(r->clock_hz) && b->inputs[clock].why == WHY_OK)
			r->clock_hz = b->inputs[clock].d;
	}
	for (int i = 0; i < r->n_roofs; i++)
		bring_to_clock(r, &r->roofs[i]);
}

/* A window without a FLOP has no intensity; it would be 0/0 when no byte moved either. */
static void update_live(
	struct roofline *r, struct roof_view *v, const struct value *values, int64_t t_ns)
{
	struct value flop = base_value(r->set, r->performance, values),
		     bytes = base_value(r->set, v->traffic, values);

	v->live = nowhere;
	v->why = flop.why;
	if (v->why == WHY_OK)
		v->why = bytes.why;
	if (v->why == WHY_OK && !(flop.v > 0))
		v->why = WHY_DIV_ZERO;
	if (v->why != WHY_OK)
		return;
	v->live = (struct roof_point){ INFINITY, flop.v, t_ns };
	if (bytes.v > 0)
		v->live.intensity = flop.v / bytes.v;
	v->trail[v->n_trail++ % ROOFLINE_TRAIL] = v->live;
}

/* When its kernel uses the local memory of OpenCL, a job's bytes are those that pass there.
 * Otherwise they are those of global memory, and are assumed to pass every other level. The roof
 * is the one of the job's type and operation; other operations than mad do one operation where mad
 * does two. */
static void update_predicted(struct roofline *r, struct roof_view *v, const struct job_state *job)
{
	const struct kernel_info *k = &job->kernel;
	bool is_mad = !strcmp(k->op, "mad") || !*k->op;
	bool passes = !strcmp(v->level, ROOF_LOCAL_LEVEL) == (k->work.local_bytes > 0);
	char name[ROOF_NAME_SIZE];

	v->predicted = nowhere;
	if (job->phase != JOB_RUNNING || !passes || !(job->progress.mean_flop_per_s > 0) ||
		!(job->progress.mean_bytes_per_s > 0))
		return;
	double x = job->progress.mean_flop_per_s / job->progress.mean_bytes_per_s;
	snprintf(name, sizeof(name), "%s.%s", k->type, is_mad ? "mad" : "add");
	v->predicted = (struct roof_point){ x,
		roofline_attainable(r, v, roofline_roof(r, ROOF_FLOP, name), x),
		job->start_mono_ns };
}

void roofline_update(struct roofline *r, const struct metric_binding *b, const struct value *values,
	const struct job_state *job, int64_t t_ns)
{
	update_roofs(r, b, values);
	for (int i = 0; i < r->n_views; i++) {
		update_live(r, &r->views[i], values, t_ns);
		update_predicted(r, &r->views[i], job);
	}
}

/* How near a ceiling has to be to a roof to be it: equations of both may round differently. */
#define SAME_ROOF 0.01

void roofline_take_ceilings(struct roofline *r, const struct value *ceilings)
{
	struct value ceiling = base_value(r->set, r->performance, ceilings);

	r->running = -1;
	for (int i = 0; i < r->n_roofs && ceiling.why == WHY_OK; i++) {
		const struct roof *roof = &r->roofs[i];

		if (roof->role == ROOF_FLOP && roof->theory.why == WHY_OK &&
			fabs(roof->theory.v - ceiling.v) <= SAME_ROOF * ceiling.v)
			r->running = i;
	}
}

const struct roof *roofline_live_top(const struct roofline *r)
{
	return r->running >= 0 ? &r->roofs[r->running] : roofline_top(r);
}

int roof_trail_len(const struct roof_view *view)
{
	if (view->n_trail < ROOFLINE_TRAIL)
		return (int)view->n_trail;
	return ROOFLINE_TRAIL;
}

const struct roof_point *roof_trail(const struct roof_view *view, int age)
{
	if (age < 0 || age >= roof_trail_len(view))
		return &nowhere;
	return &view->trail[(view->n_trail - 1 - (uint64_t)age) % ROOFLINE_TRAIL];
}
