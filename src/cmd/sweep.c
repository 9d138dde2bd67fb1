/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs kernels with more and more work-groups. */
#include "config.h"

#include "cmd/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "out/output.h"
#include "cmd/progress.h"
#include "cmd/results.h"
#include "cmd/stress.h"
#include "cmd/sweep_points.h"
#include "base/fsroot.h"
#include "base/i18n.h"
#include "base/mem.h"

#define POINT_NS (NS_PER_S / 2)
/* The thesis uses these work-groups; the loop is long enough to show the curve. */
#define GROUP_SIZE 256
#define LOOP 8192
/* A guess at how many doublings follow the dense points. The time that is left depends on it. */
#define USUAL_DOUBLINGS 4

static const char *const default_kernels[] = { "flops.private.mad.sp.x*", "mem.copy.sp.x*", NULL };

struct sweep {
	struct session *session;
	struct jobs jobs;
	struct kernel_names pick;
	struct job_result *runs;	/* of one point */
	int n_runs;
	bool bad;			/* a check failed */
	struct results results;
	struct sweep_points points;
	struct progress progress;
	struct output out;
	struct strbuf line;
	/* S: subslices, which share nothing but the dispatcher; on a CPU its cores */
	double units;
	double full;		/* groups that fill such a unit */
	bool simulated;
	struct err err;
};

static bool run_point(struct sweep *s, const char *kernel, double groups)
{
	struct job job = stress_job(s->session, POINT_NS);
	char what[96];

	snprintf(what, sizeof(what), _("%s, %.0f groups"), kernel, groups);
	progress_step(&s->progress, what);
	snprintf(job.kernel, sizeof(job.kernel), "%s", kernel);
	job.groups = (uint64_t)groups;
	if (!job.group_size)
		job.group_size = GROUP_SIZE;
	if (!job.repeat)
		job.repeat = LOOP;
	/* Each dip of the curve is a subslice with one group more: the launch tells which. */
	job.where = true;
	/* A point is about single launches, except where energy needs a steady load. */
	job.waits = strncmp(kernel, "power.", strlen("power.")) != 0;
	for (int i = 0; i < s->n_runs; i++) {
		if (!jobs_run(&s->jobs, &job, &s->runs[i], &s->err))
			return false;
		s->bad |= stress_is_bad(s->session, &s->runs[i]);
	}
	struct sweep_point *p = sweep_points_add(&s->points);
	snprintf(p->kernel, sizeof(p->kernel), "%s", kernel);
	for (int v = 0; v < SWEEP_VALUES; v++)
		p->v[v] = results_number(&s->results,
			sweep_column(&s->points, (enum sweep_value)v), s->runs, s->n_runs);
	if (s->runs[0].state.flags & JOB_SIMULATED)
		s->simulated = true;
	results_row(&s->results, s->runs, s->n_runs, 0);
	return stress_write(s->session, &s->out, &s->line, &s->err);
}

static bool run_kernel(struct sweep *s, const char *kernel)
{
	double groups = 1, value = 0;

	while (groups > 0) {
		const struct sweep_point *p = sweep_find(&s->points, kernel, groups);
		double before = value;

		if (!p && !run_point(s, kernel, groups))
			return false;
		if (!p)
			p = &s->points.p[s->points.n - 1];
		value = p->v[SWEEP_GFLOPS];
		if (!isfinite(value))
			value = p->v[SWEEP_GBYTES];
		groups = sweep_next_groups(groups, s->units, s->full, value, before);
	}
	return true;
}

/* Opens the output. With --resume, rows are added to the file of an earlier run, whose unfinished
 * last row is removed. */
static bool open_output(struct sweep *s, enum output_form form)
{
	const struct options *o = s->session->opt;
	struct results_shape shape = { .form = form, .columns = RESULTS_SWEEP };
	struct strbuf kept = { 0 };

	stress_shape(s->session, &shape);
	s->points.plane = shape.plane;
	results_begin(&s->results, &shape, &s->line);
	s->results.subslices = s->units;
	if (!o->resume)
		return output_open(&s->out, o->output, OUTPUT_TRUNCATE, &s->err) &&
			(s->out.has_old ||
				stress_write(s->session, &s->out, &s->line, &s->err));
	if (!o->output || !strcmp(o->output, "-") || form != OUTPUT_CSV)
		return err_set(&s->err, ERR_USAGE,
			_("--resume continues a CSV file: -o FILE names it"));
	bool good = sweep_read(&s->points, o->output, strbuf_str(&s->line), &kept, &s->err) &&
		file_replace(o->output, strbuf_str(&kept), kept.len, &s->err) &&
		output_open(&s->out, o->output, OUTPUT_APPEND, &s->err);
	strbuf_clear(&s->line);
	strbuf_release(&kept);
	return good;
}

static bool go(struct sweep *s, enum output_form form)
{
	struct session *ses = s->session;

	if (ses->opt->blocks)
		return err_set(&s->err, ERR_USAGE,
			_("a sweep goes over the numbers of work-groups: --blocks has no place in "
			  "it"));
	if (!jobs_open_device(ses, stress_job(ses, POINT_NS).limit_ns, &s->err) ||
		!jobs_open(&s->jobs, ses, &s->err) ||
		!stress_pick(&s->jobs, &s->pick, default_kernels, &s->err))
		return false;
	s->units = fmax(1, (double)sysconf(_SC_NPROCESSORS_ONLN));
	s->full = SWEEP_DENSE_ROUNDS + 1;
	/* A group of 256 items is one thread for each of eight EUs at the widest SIMD. So a
	 * subslice is filled by as many groups as an EU has threads. */
	if (ses->dev && ses->dev->device.topology.subslices > 0)
		s->units = ses->dev->device.topology.subslices;
	if (ses->dev)
		s->full = fmax(s->full, ses->dev->device.topology.threads_per_eu);
	if (!open_output(s, form))
		return false;
	int usual = (int)(SWEEP_DENSE_ROUNDS * s->units) + USUAL_DOUBLINGS;
	progress_begin(&s->progress, (int)s->pick.n * usual, (int)s->points.n, ses->opt->quiet);
	for (size_t i = 0; i < s->pick.n; i++)
		if (!run_kernel(s, s->pick.names[i]))
			return false;
	if (s->bad)
		stress_tell_bad(ses);
	return true;
}

enum status sweep_cmd(struct session *ses, enum output_form form, int *signo)
{
	struct sweep *s = xcalloc(1, sizeof(*s));

	*s = (struct sweep){ .session = ses, .out.fd = -1, .n_runs = jobs_runs(ses->opt) };
	s->runs = xcalloc((size_t)s->n_runs, sizeof(*s->runs));
	bool good = go(s, form == OUTPUT_NONE ? OUTPUT_CSV : form);
	progress_end(&s->progress);
	*signo = s->jobs.signo;
	/* A sweep that a signal ended is drawn too, as far as it went. */
	if ((good || *signo) && ses->opt->plot && s->points.n > 0)
		good = sweep_plot(&s->points, ses->opt->plot, s->simulated, &s->err) && good;
	good = output_close(&s->out, good, &s->err);
	enum status status = jobs_status(&s->jobs, good, &s->err);
	if (s->bad && status == STATUS_GOOD)
		status = STATUS_CHECK;
	jobs_close(&s->jobs);
	kernel_names_release(&s->pick);
	sweep_points_release(&s->points);
	strbuf_release(&s->line);
	free(s->runs);
	free(s);
	return status;
}
