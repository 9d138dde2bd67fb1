/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Level 3 of check: what heat and power make of the device under a long load. */
#include "config.h"

#include "cmd/check/check.h"

#include <math.h>
#include <stdio.h>

#include "cli/kernel_names.h"
#include "cmd/load/load.h"
#include "base/mem.h"

/* What is steady stays this near to where it ends. */
#define STEADY 0.03
#define MOMENTS_MAX 20000
/* A twentieth of fewer moments is no mean. */
#define MOMENTS_MIN 60

/* Kernels that make most heat, in this order; the first that the device has. */
static const char *const loads[] = { "power.mad.sp.x8", "power.mad.sp.*", "flops.private.mad.sp.x*" };

static double of_role(const struct snapshot *s, enum limit_role role)
{
	for (int i = 0; i < s->set->n_metrics; i++)
		if (s->set->metrics[i].limit.role == role && isfinite(s->values[i].v))
			return s->values[i].v;
	return NAN;
}

/* Keeps every second moment, and from now on half as many, so that all of a long run is judged. */
static void thin_out(struct check_curve *curve)
{
	for (size_t i = 0; i < curve->n / 2; i++)
		curve->at[i] = curve->at[2 * i];
	curve->n /= 2;
	curve->stride *= 2;
}

static void keep(void *ctx, const struct snapshot *s)
{
	struct check_run *c = ctx;
	struct check_curve *curve = &c->report->curve;

	check_watch_window(c, s);
	if (curve->stride == 0)
		curve->stride = 1;
	if (curve->seen++ % curve->stride != 0)
		return;
	if (curve->n >= MOMENTS_MAX)
		thin_out(curve);
	curve->at = array_grow(curve->at, curve->n, &curve->cap, sizeof(*curve->at));
	curve->at[curve->n++] = (struct check_moment){
		.seconds = (double)s->job.progress.elapsed_ns / NS_PER_S,
		.of = { [CURVE_MHZ] = of_role(s, LIMIT_CLOCK),
			[CURVE_W] = of_role(s, LIMIT_POWER),
			[CURVE_DEGC] = of_role(s, LIMIT_TEMPERATURE) },
	};
}

/* Returns how long the run was, NAN before its first moment. */
static double length_s(const struct check_curve *curve)
{
	if (curve->n == 0)
		return NAN;
	return curve->at[curve->n - 1].seconds;
}

/* Returns the mean over a part of the run, from and to as shares of its length. */
static double mean(
	const struct check_curve *curve, double from, double to, enum check_curve_of which)
{
	double length = length_s(curve), sum = 0;
	int n = 0;

	for (size_t i = 0; i < curve->n; i++) {
		const struct check_moment *m = &curve->at[i];

		if (m->seconds < from * length || m->seconds > to * length ||
			!isfinite(m->of[which]))
			continue;
		sum += m->of[which];
		n++;
	}
	return n ? sum / n : NAN;
}

/* Returns the seconds after which the watts, as means of a twentieth of the run, stay where they
 * end. */
static double steady_after(const struct check_curve *curve)
{
	const double part = 0.05;
	double end = mean(curve, 1 - 3 * part, 1, CURVE_W), from = 1;

	if (!isfinite(end))
		return NAN;
	while (from - part > -part / 2 &&
		fabs(mean(curve, from - part, from, CURVE_W) - end) <= STEADY * end)
		from -= part;
	return fmax(from, 0) * curve->at[curve->n - 1].seconds;
}

static void add_clock(struct check_run *c)
{
	const struct check_curve *curve = &c->report->curve;
	const char *held = jobs_held_by(&c->jobs, check_tolerance(CHECK_TOLERANCE_HELD_PCT), true);
	struct check row = { .level = 3, .id = "load.clock", .unit = "MHz", .of_reference = 1,
		.value = mean(curve, 2.0 / 3, 1, CURVE_MHZ),
		.reference = mean(curve, 0, 1.0 / 3, CURVE_MHZ),
		.sense = CHECK_AT_LEAST, .tolerance = CHECK_TOLERANCE_CLOCK, .against = "start" };

	struct check *added = check_compare(c->report, &row);
	if (held && added->verdict == CHECK_FAILED)
		check_say(added, CHECK_NOT_MEASURED, "it was held down: see throttle.%s", held);
	row.against = "file";
	row.reference = check_other(c, row.id);
	row.tolerance = CHECK_TOLERANCE_KEPT;
	if (!isfinite(row.reference))
		snprintf(row.reason, sizeof(row.reason), "%s", "the file has no such clock of this device");
	if (c->against)
		check_compare(c->report, &row);
}

static void add_power(struct check_run *c)
{
	const struct metric_set *set = c->session->now->set;
	struct check row = { .level = 3, .id = "load.power", .unit = "W", .value = NAN,
		.reference = NAN, .of_reference = 1, .sense = CHECK_AT_MOST,
		.tolerance = CHECK_TOLERANCE_POWER, .against = "limit" };

	for (int i = 0; i < set->n_metrics; i++) {
		if (set->metrics[i].limit.role != LIMIT_POWER ||
			!isfinite(c->jobs.sum.values[i].v) || isfinite(row.reference))
			continue;
		row.value = c->jobs.sum.values[i].v;
		row.reference = c->jobs.sum.ceilings[i].v;
	}
	check_compare(c->report, &row);
}

static void add_steady(struct check_run *c)
{
	const struct check_curve *curve = &c->report->curve;
	struct check row = { .level = 3, .id = "load.steady", .unit = "s", .of_reference = 1,
		.value = steady_after(curve),
		.reference = length_s(curve),
		.sense = CHECK_AT_MOST, .tolerance = CHECK_TOLERANCE_STEADY, .against = "length" };

	if (curve->n < MOMENTS_MIN) {
		row.value = NAN;
		snprintf(row.reason, sizeof(row.reason), "it was too short: only %zu moments were seen",
			curve->n);
	} else if (!isfinite(row.value)) {
		snprintf(row.reason, sizeof(row.reason), "%s", "nothing counts its power");
	}
	check_compare(c->report, &row);
}

bool check_load(struct check_run *c, int64_t length_ns, struct err *err)
{
	size_t n = 0;
	const struct kernel_info *kernels = jobs_kernels(&c->jobs, &n, err);
	struct job job = load_job(c->session, length_ns);
	struct kernel_names pick = { 0 };

	for (size_t i = 0; kernels && i < ARRAY_LEN(loads) && pick.n == 0; i++)
		kernel_names_add(&pick, kernels, n, loads[i], NULL);
	if (pick.n == 0) {
		kernel_names_release(&pick);
		return kernels && err_set(err, ERR_UNSUPPORTED, "%s",
			"the device has no kernel for a long load");
	}
	job.limit_ns = length_ns;
	snprintf(job.kernel, sizeof(job.kernel), "%s", pick.names[0]);
	kernel_names_release(&pick);
	c->jobs.window = keep;
	c->jobs.window_ctx = c;
	bool good = jobs_run(&c->jobs, &job, &c->result, err);
	c->jobs.window = NULL;
	if (!good)
		return false;
	check_results(c);
	add_clock(c);
	add_power(c);
	add_steady(c);
	return true;
}
