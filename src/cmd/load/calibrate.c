/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds for each roof the best of the kernels that can reach it. */
#include "config.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out/lines/output.h"
#include "out/picture/roofline_plot.h"
#include "cmd/load/results.h"
#include "cmd/load/roof_targets.h"
#include "out/lines/rows.h"
#include "cmd/load/load.h"
#include "base/minmax.h"
#include "base/mem.h"
#include "cmd/load/load_options.h"

/* How often a run that was disturbed is made again. */
#define TRIES 3

struct calibrate {
	struct load_run run;
	struct progress progress;
	struct roof_file file;
	struct roofline own;		/* for the picture when no device is open */
	char path[4096];
	struct job_result *best;	/* the runs of the best kernel for a roof */
	struct results results;
	int measured, refused;		/* roofs: kept; of which no run counts */
	char why[200];			/* no run of a kernel counts; "" */
};

enum { MEASURED_MIN = 5, MEASURED_MAX };

static const struct column columns[] = {
	{ "roof", "roof", 8, true },
	{ "unit", "unit", 8, true },
	{ "measured", "measured", 9, false },
	{ "theory", "theory", 9, false },
	{ "theory_pct", "%", 6, false },
	[MEASURED_MIN] = { "measured_min", "min", 8, false },
	[MEASURED_MAX] = { "measured_max", "max", 8, false },
	{ "clock_mhz", "MHz", 6, false },
	{ "kernel", "kernel", 26, true },
	{ "note", "note", 10, true },
	{ "sim", NULL, 0, false },
};

/* Whether a word or pattern means the roof, by its name on a GPU or on a processor. */
static bool is_meant(const char *word, const struct roof_target *t)
{
	return fnmatch(word, t->name, FNM_CASEFOLD) == 0 ||
		(t->on_cpu && fnmatch(word, t->on_cpu, FNM_CASEFOLD) == 0);
}

static bool is_wanted(const struct session *ses, const struct roof_target *t)
{
	for (int i = 0; i < ses->opt->n_names; i++)
		if (is_meant(ses->opt->names[i], t))
			return true;
	return ses->opt->n_names == 0;
}

static bool is_a_roof(const char *word)
{
	for (const struct roof_target *t = roof_targets; t->name; t++)
		if (is_meant(word, t))
			return true;
	return false;
}

/* What a kernel's runs reach: FLOP/s or B/s. */
struct reach {
	double median, min, max;	/* NAN when there was no run that counts */
	int middle;			/* the run whose value is next to the median */
};

/* Writes a roof's row; r is the run that stands for the others, and empty when there was none. */
static void write_row(struct calibrate *c, const struct roof_target *t, const struct job_result *r,
	const struct reach *reach)
{
	bool any = isfinite(reach->median);
	double theory = roof_target_theory(c->run.session, t, r), clock_hz = NAN;
	const char *name = t->name, *kernel = NULL;
	const char *note = text_or(c->why, "no kernel of this device reaches it");
	struct rows *rows = &c->results.rows;
	char buf[200];

	if (r->state.flags & JOB_ON_CPU)
		name = t->on_cpu;
	if (any) {
		note = results_notes(c->best, c->run.n_runs, buf, sizeof(buf));
		kernel = r->state.job.kernel;
		clock_hz = r->clock_hz;
	}
	rows_text(rows, name);
	rows_in(rows, roofline_unit(t->role), fmax(reach->median, theory) / 1e9);
	rows_unit(rows);
	rows_scaled(rows, reach->median / 1e9, false);
	rows_scaled(rows, theory / 1e9, false);
	rows_number(rows, 100 * reach->median / theory);
	rows_scaled(rows, reach->min / 1e9, false);
	rows_scaled(rows, reach->max / 1e9, false);
	rows_number(rows, clock_hz / 1e6);
	rows_text(rows, kernel);
	rows_text(rows, note);
	rows_bool(rows, r->state.flags & JOB_SIMULATED);
	results_row(&c->results, c->best, any ? c->run.n_runs : 0, 0);
}

/* Keeps the roof of the best runs and writes its row. */
static void take_best(struct calibrate *c, const struct roof_target *t, const struct reach *reach)
{
	const struct job_result none = { 0 }, *r = &none;

	if (isfinite(reach->median)) {
		struct roof_record rec = { .role = t->role, .value = reach->median };

		/* A roof and its clock are of the same run. */
		r = &c->best[reach->middle];
		rec.value = roof_target_value(c->run.session, t, r);
		if (isfinite(r->clock_hz))
			rec.clock_hz = r->clock_hz;
		rec.wall_ns = clock_wall_ns(&c->run.session->clock);
		snprintf(rec.name, sizeof(rec.name), "%s",
			r->state.flags & JOB_ON_CPU ? t->on_cpu : t->name);
		snprintf(rec.kernel, sizeof(rec.kernel), "%s", r->state.job.kernel);
		snprintf(c->file.runner, sizeof(c->file.runner), "%s", r->state.device);
		roof_file_put(&c->file, &rec);
		c->measured++;
	} else {
		c->refused += *c->why != '\0';
	}
	write_row(c, t, r, reach);
}

/* Every run of a kernel has to count. */
static struct reach reach_of(const struct calibrate *c, const struct roof_target *t)
{
	struct reach reach = { NAN, NAN, NAN, 0 };
	double *v = xcalloc((size_t)c->run.n_runs, sizeof(*v));
	int n = 0;

	while (n < c->run.n_runs && (v[n] = roof_target_value(c->run.session, t, &c->run.runs[n])) > 0)
		n++;
	double median = sort_median(v, n);
	if (n == c->run.n_runs)
		reach = (struct reach){ median, v[0], v[n - 1], 0 };
	while (n == c->run.n_runs && fabs(v[(n - 1) / 2] -
			roof_target_value(c->run.session, t, &c->run.runs[reach.middle])) > 0)
		reach.middle++;
	free(v);
	return reach;
}

/* Makes a run of the job, again where it does not count. */
static bool run_one(struct calibrate *c, const struct roof_target *t, const struct job *job,
	struct job_result *out)
{
	for (int tries = 0; tries < TRIES; tries++) {
		if (!load_run_once(&c->run, job, out))
			return false;
		if (roof_target_value(c->run.session, t, out) > 0)
			return true;
		if (out->state.flags & JOB_SIMULATED)
			break;
	}
	results_note(out, c->why, sizeof(c->why));
	return true;
}

static bool measure_target(
	struct calibrate *c, const struct roof_target *t, const struct kernel_names *p)
{
	struct reach best = { NAN, NAN, NAN, 0 };

	*c->why = '\0';
	for (size_t i = 0; i < p->n; i++) {
		struct job job = load_job(c->run.session, ROOF_RUN_NS);

		/* The best shape, whatever an option says. */
		job.groups = job.group_size = job.repeat = job.launches = 0;
		snprintf(job.kernel, sizeof(job.kernel), "%s", p->names[i]);
		progress_step(&c->progress, job.kernel);
		for (int k = 0; k < c->run.n_runs; k++)
			if (!run_one(c, t, &job, &c->run.runs[k]))
				return false;
		struct reach reach = reach_of(c, t);
		if (isfinite(reach.median) && !(best.median >= reach.median)) {
			struct job_result *worse = c->best;

			best = reach;
			c->best = c->run.runs;
			c->run.runs = worse;
		}
	}
	take_best(c, t, &best);
	return load_run_write(&c->run);
}

static bool measure_all(struct calibrate *c)
{
	size_t n, total = 0;
	const struct kernel_info *kernels = jobs_kernels(&c->run.jobs, &n, &c->run.err);
	bool good = kernels != NULL;

	for (const struct roof_target *t = roof_targets; good && t->name; t++) {
		struct kernel_names pick = { 0 };

		if (is_wanted(c->run.session, t))
			roof_target_pick(t, kernels, n, &pick);
		total += pick.n;
		kernel_names_release(&pick);
	}
	progress_begin(&c->progress, (int)total, 0, c->run.session->opt->load->quiet);
	for (const struct roof_target *t = roof_targets; good && t->name; t++) {
		struct kernel_names pick = { 0 };

		if (!is_wanted(c->run.session, t))
			continue;
		roof_target_pick(t, kernels, n, &pick);
		good = measure_target(c, t, &pick);
		kernel_names_release(&pick);
	}
	progress_end(&c->progress);
	return good;
}

/* --- the file --- */

/* Returns the open device, or NULL when kernels run without one. */
static const struct device *device_of(const struct session *ses)
{
	return ses->dev ? &ses->dev->device : NULL;
}

/* All that the open device was called by. */
static const char *spec_of(const struct session *ses)
{
	return ses->program->devices.entries[ses->opened.entry].spec;
}

static bool find_path(struct calibrate *c, const char *runner)
{
	const struct device *d = device_of(c->run.session);

	return roof_file_path(
		d, d ? spec_of(c->run.session) : runner, c->path, sizeof(c->path));
}

/* What a model says is nothing that the next start may read as measured, unless it was asked for. */
static bool keeps(const struct session *ses)
{
	const struct device *d = device_of(ses);

	return !(d && d->simulated) || ses->opt->load->keep_simulated;
}

/* Saves the roofs. Those not measured now stay as they were. A damaged file is reported and
 * replaced. */
static bool save(struct calibrate *c)
{
	const struct device *d = device_of(c->run.session);
	struct roof_file old;
	struct err err = { 0 };

	if (c->measured == 0)
		return true;
	if (!keeps(c->run.session)) {
		session_print_err(&(struct err){
			.msg = "roofs of a simulated device are not kept; --keep keeps them" });
		return true;
	}
	if (!find_path(c, c->file.runner))
		return err_set(&c->run.err, ERR_USAGE, "the path '%.200s' is too long", c->path);
	/* With a device the damage was reported when the device was opened. */
	if (!roof_file_load(&old, c->path, &err) && !d)
		session_problem(c->run.session, &err);
	for (int i = 0; i < c->file.n; i++)
		roof_file_put(&old, &c->file.records[i]);
	old.device[0] = '\0';
	if (d)
		snprintf(old.device, sizeof(old.device), "%s", d->name);
	snprintf(old.runner, sizeof(old.runner), "%s", c->file.runner);
	c->file = old;
	return roof_file_save(&old, c->path, &c->run.err);
}

static bool plot(struct calibrate *c)
{
	struct session *ses = c->run.session;
	const char *note = "lines are measured, dots are theory";
	bool good;

	if (!ses->opt->plot || c->file.n == 0)
		return true;
	if (!ses->dev) {
		roofline_init(&c->own, NULL, NULL);
		roofline_measured(&c->own, &c->file);
		return roofline_plot(&c->own, NULL, c->file.runner, note, ses->opt->plot, &c->run.err);
	}
	if (ses->dev->device.simulated)
		note = "SIMULATED; lines are measured, dots are theory";
	roofline_measured(&ses->now->roofline, &c->file);
	good = roofline_plot(
		&ses->now->roofline, NULL, ses->dev->device.name, note, ses->opt->plot, &c->run.err);
	roofline_measured(&ses->now->roofline, &ses->opened.measured);
	return good;
}

static void begin_rows(struct calibrate *c, enum output_form form)
{
	struct column own[ARRAY_LEN(columns)];
	struct results_shape shape = { .form = form,
		.columns = RESULTS_CALIBRATE,
		.lead = own,
		.n_lead = (int)ARRAY_LEN(own) };

	load_shape(c->run.session, &shape);
	memcpy(own, columns, sizeof(own));
	/* With one run the smallest and the largest are what was measured. */
	if (shape.runs < 2)
		own[MEASURED_MIN].head = own[MEASURED_MAX].head = NULL;
	results_begin(&c->results, &shape, &c->run.line);
}

static bool go(struct calibrate *c, enum output_form form)
{
	struct session *ses = c->run.session;
	bool has_place = false;

	for (int i = 0; i < ses->opt->n_names; i++) {
		if (is_a_roof(ses->opt->names[i]))
			continue;
		err_set(&c->run.err, ERR_USAGE, "no roof is called '%s'", ses->opt->names[i]);
		return err_hint(&c->run.err,
			"roofs: sp.mad, sp.add, dp.mad, dp.add, hp.mad, hp.add, SLM, L3, DRAM; several "
			"are words of their own; -D DEVICE chooses a device");
	}
	if (!load_run_open(&c->run, ROOF_RUN_NS))
		return false;
	/* The path is found first, so that minutes are not spent on results that cannot be kept. */
	if (!keeps(ses))
		has_place = true;
	else if (device_of(ses) && device_of(ses)->simulated && strstr(spec_of(ses), ",flaw="))
		return err_set(&c->run.err, ERR_USAGE,
			"--keep: roofs of a device with a flaw would be those of one without");
	else if (!find_path(c, ""))
		err_set(&c->run.err, ERR_SYS, "there is no place to keep the roofs");
	else
		has_place = file_keep_place(c->path, &c->run.err);
	if (!has_place)
		return err_hint(&c->run.err,
			"set HOME or XDG_STATE_HOME to a folder that you can write to");
	if (!output_open(&c->run.out, ses->opt->output, OUTPUT_TRUNCATE, &c->run.err))
		return false;
	begin_rows(c, form);
	return measure_all(c);
}

enum status calibrate_cmd(struct session *ses, enum output_form form, int *signo)
{
	struct calibrate *c = xcalloc(1, sizeof(*c));

	load_run_init(&c->run, ses);
	c->best = xcalloc((size_t)c->run.n_runs, sizeof(*c->best));
	bool good = go(c, form);
	*signo = c->run.jobs.signo;
	good = (good || *signo) && save(c) && plot(c) && good;
	enum status status = load_run_end(&c->run, good);
	if (status == STATUS_CHECK) {
		session_print_err(
			&(struct err){ .msg = "a result was wrong; its kernel did not count" });
	} else if (status == STATUS_GOOD && c->measured == 0 && !*signo) {
		struct err none = { .msg = "nothing could be measured" };

		if (c->refused)
			none = (struct err){ .msg = "none of the runs counts, so no roof is kept",
				.hint = "their notes say what to end or undo first" };
		session_print_err(&none);
		status = STATUS_FAILURE;
	}
	roofline_release(&c->own);
	free(c->best);
	free(c);
	return status;
}
