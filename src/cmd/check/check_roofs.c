/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Level 2 of check: whether each roof is reached, and whether all results are right. */
#include "config.h"

#include "cmd/check/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/load/roof_targets.h"
#include "cmd/load/results.h"
#include "cmd/load/load.h"
#include "out/picture/roofline_plot.h"
#include "cmd/load/load_options.h"
#include "core/verdict/verdict.h"

#define LOOK_NS (60 * NS_PER_MS)
/* How often a roof is measured when the first run does not reach it. */
#define RUNS 3
/* Runs that differ by more were disturbed by something. */
#define SPREAD 0.05

/* What the runs of a roof gave. */
struct reached {
	double value;			/* FLOP/s or B/s; NAN: nothing that counts */
	double clock_hz;
	char kernel[48];
	char why[200];			/* there is none */
};

/* What a roof is compared with. */
struct expectation {
	const char *against;
	double value, of;		/* FLOP/s or B/s at the clock of the run; the share of it */
	enum check_tolerance tolerance;
};

static bool run(struct check_run *c, const char *kernel, int64_t ns, struct err *err)
{
	struct job job = load_job(c->session, ns);

	job.limit_ns = ns;
	snprintf(job.kernel, sizeof(job.kernel), "%s", kernel);
	progress_step(&c->progress, kernel);
	if (!jobs_run(&c->jobs, &job, &c->result, err))
		return false;
	check_results(c);
	return true;
}

/* Takes a run for a roof when it counts and is better than those before it. */
static void take(const struct check_run *c, const struct roof_target *t, struct reached *best)
{
	const struct job_state *st = &c->result.state;
	double v = roof_target_value(c->session, t, &c->result);

	if (st->flags & JOB_ON_CPU)
		v = NAN;

	if (st->progress.mismatches)
		snprintf(best->why, sizeof(best->why), "%s", "its results were wrong");
	else if (!(v > 0))
		results_note(&c->result, best->why, sizeof(best->why));
	if (!(v > best->value))
		return;
	best->value = v;
	best->clock_hz = c->result.clock_hz;
	snprintf(best->kernel, sizeof(best->kernel), "%s", st->job.kernel);
}

static const struct roof_record *kept(const struct session *ses, const struct roof_target *t)
{
	for (int i = 0; i < ses->opened.measured.n; i++)
		if (ses->opened.measured.records[i].role == t->role &&
			!strcmp(ses->opened.measured.records[i].name, t->name))
			return &ses->opened.measured.records[i];
	return NULL;
}

/* Of a printed roof of memory only a part is known to be reached. */
static double share_known(const struct roof *roof)
{
	if (!roof || !roof->bound || roof->role != ROOF_BYTES ||
		roof->bound->source == ROOF_COMPUTED)
		return 1;
	if (roof->bound->reach > 0)
		return roof->bound->reach;
	return verdict_threshold(THRESHOLD_REACH);
}

/* Returns how many expectations there are. Those without a number are left out, but for the file's:
 * who names one wants to know what it lacks. */
static int expect(const struct check_run *c, const struct roof_target *t, const struct reached *best,
	const char *id, struct expectation out[3])
{
	static const struct roof_target link = { ROOF_BYTES, "GTI", NULL, { NULL } };
	const struct session *ses = c->session;
	const struct roof *roof = roofline_roof(&ses->now->roofline, t->role, t->name);
	const struct roof_record *rec = kept(ses, t);
	struct job_result at = { .clock_hz = best->clock_hz };
	const char *source = "computed";
	int n = 0;

	if (roof && roof->bound)
		source = roof_source_name(roof->bound->source);
	out[n] = (struct expectation){ source, roof_target_theory(ses, t, &at), share_known(roof),
		CHECK_TOLERANCE_SHEET };
	/* No more comes from memory than its link carries. */
	double carried = roof_target_theory(ses, &link, &at);
	if (!strcmp(t->name, "DRAM") && carried < out[n].value * out[n].of)
		out[n] = (struct expectation){ "computed", carried, 1, CHECK_TOLERANCE_SHEET };
	n += isfinite(out[n].value);
	if (rec) {
		double scale = 1;

		if (roof && roof->follows_clock && rec->clock_hz > 0 && best->clock_hz > 0)
			scale = best->clock_hz / rec->clock_hz;
		out[n++] = (struct expectation){ "calibrate", rec->value * scale, 1,
			CHECK_TOLERANCE_KEPT };
	}
	out[n] = (struct expectation){ "file", check_other(c, id) * 1e9, 1, CHECK_TOLERANCE_KEPT };
	return n + (c->against != NULL && (best->value > 0 || isfinite(out[n].value)));
}

static bool reaches(const struct reached *best, const struct expectation *e, int n)
{
	for (int i = 0; i < n; i++)
		if (best->value < e[i].value * e[i].of * check_tolerance(e[i].tolerance))
			return false;
	return true;
}

static int compare(const void *a, const void *b)
{
	double x = ((const struct reached *)a)->value, y = ((const struct reached *)b)->value;

	return (x > y) - (x < y);
}

/* Measures the kernel that was best again: the median of three runs counts. */
static bool measure_again(
	struct check_run *c, const struct roof_target *t, struct reached *best, struct err *err)
{
	struct reached runs[RUNS] = { *best };
	int n = 1;

	for (int i = 1; i < RUNS; i++) {
		struct reached one = { .value = NAN };

		if (!run(c, best->kernel, ROOF_RUN_NS, err))
			return false;
		one.value = 0;
		take(c, t, &one);
		if (one.value > 0)
			runs[n++] = one;
	}
	/* The run in the middle, with its clock. */
	qsort(runs, (size_t)n, sizeof(*runs), compare);
	*best = runs[(n - 1) / 2];
	if (n < RUNS || runs[n - 1].value - runs[0].value > SPREAD * best->value) {
		const struct unit_form unit =
			unit_for_people(roofline_unit(t->role), runs[n - 1].value / 1e9);
		char from[24], to[24];

		snprintf(best->why, sizeof(best->why), "disturbed: %d of %d runs count, from %s to %s %s",
			n, RUNS, check_number(from, sizeof(from), runs[0].value / 1e9 * unit.factor),
			check_number(to, sizeof(to), runs[n - 1].value / 1e9 * unit.factor), unit.unit);
		best->value = 0;
	}
	return true;
}

static void add_rows(struct check_run *c, const struct roof_target *t, const char *id,
	const struct reached *best, const struct expectation *e, int n)
{
	struct check row = { .level = 2, .unit = roofline_unit(t->role), .value = best->value / 1e9,
		.reference = NAN, .of_reference = 1, .sense = CHECK_AT_LEAST,
		.tolerance = CHECK_TOLERANCE_SHEET, .against = "" };

	snprintf(row.id, sizeof(row.id), "%s", id);
	for (int i = 0; i < n; i++) {
		const char *reason = best->value > 0 ? best->kernel : best->why;

		if (!isfinite(e[i].value))
			reason = "the file has no such roof of this device that was all right";
		snprintf(row.reason, sizeof(row.reason), "%s", reason);
		row.against = e[i].against;
		row.reference = e[i].value / 1e9;
		row.of_reference = e[i].of;
		row.tolerance = e[i].tolerance;
		check_compare(c->report, &row);
	}
	if (n > 0)
		return;
	snprintf(row.reason, sizeof(row.reason), "%s", best->why);
	if (best->value > 0)
		snprintf(row.reason, sizeof(row.reason), "%s; nothing says what it should be",
			best->kernel);
	check_compare(c->report, &row);
}

static bool check_roof(struct check_run *c, const struct roof_target *t,
	const struct kernel_names *pick, struct err *err)
{
	struct reached best = { .value = 0, .clock_hz = NAN };
	struct expectation e[3];
	char id[28];
	int n;

	snprintf(id, sizeof(id), "roof.%s", t->name);
	snprintf(best.why, sizeof(best.why), "%s", "no kernel of this device reaches it");
	for (size_t i = 0; i < pick->n; i++) {
		if (!run(c, pick->names[i], ROOF_RUN_NS, err))
			return false;
		take(c, t, &best);
	}
	n = expect(c, t, &best, id, e);
	if (best.value > 0 && !reaches(&best, e, n)) {
		if (!measure_again(c, t, &best, err))
			return false;
		n = expect(c, t, &best, id, e);
	}
	if (!(best.value > 0))
		best.value = NAN;
	add_rows(c, t, id, &best, e, n);
	return true;
}

/* Where calibrate has kept a roof, its kernel is the best one. */
static void pick_kernels(const struct check_run *c, const struct roof_target *t,
	const struct kernel_info *kernels, size_t n, struct kernel_names *out)
{
	const struct roof_record *rec = kept(c->session, t);

	if (rec)
		kernel_names_add(out, kernels, n, rec->kernel, NULL);
	if (out->n == 0)
		roof_target_pick(t, kernels, n, out);
}

static bool is_new(const struct kernel_info *kernels, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (kernels[k].supported && !strcmp(kernels[k].family, kernels[i].family) &&
			!strcmp(kernels[k].type, kernels[i].type) &&
			!strcmp(kernels[k].op, kernels[i].op))
			return false;
	return true;
}

/* Runs one kernel of every kind for a moment, so that each operation and type has its results
 * compared, also where no roof needs it. Nothing is to be learned where nothing is computed. */
static bool check_kinds(
	struct check_run *c, const struct kernel_info *kernels, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		if (!kernels[i].supported || !is_new(kernels, i))
			continue;
		char name[48];
		snprintf(name, sizeof(name), "%s", kernels[i].name);
		if (!run(c, name, LOOK_NS, err))
			return false;
		if (c->report->simulated && !c->mismatches)
			return true;
	}
	return true;
}

bool check_roofs(struct check_run *c, struct err *err)
{
	size_t n = 0;
	const struct kernel_info *kernels = jobs_kernels(&c->jobs, &n, err);
	bool good = kernels != NULL;
	int steps = 0;

	for (const struct roof_target *t = roof_targets; good && t->name; t++) {
		struct kernel_names pick = { 0 };

		pick_kernels(c, t, kernels, n, &pick);
		steps += (int)pick.n;
		kernel_names_release(&pick);
	}
	progress_begin(&c->progress, steps, 0, c->session->opt->load->quiet);
	for (const struct roof_target *t = roof_targets; good && t->name; t++) {
		struct kernel_names pick = { 0 };

		pick_kernels(c, t, kernels, n, &pick);
		good = check_roof(c, t, &pick, err);
		kernel_names_release(&pick);
	}
	good = good && check_kinds(c, kernels, n, err);
	progress_end(&c->progress);
	return good;
}
