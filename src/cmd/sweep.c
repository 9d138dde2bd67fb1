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
/* Of the thesis: its work-groups, and a loop that is long enough to show the curve. */
#define GROUP_SIZE 256
#define LOOP 8192
/* Dense points and a guess at the doublings that follow: for the time that is left. */
#define USUAL_DOUBLINGS 4

static const char *const default_kernels[] = { "flops.private.mad.sp.x*", "mem.copy.sp.x*", NULL };

struct sweep {
	struct session *session;
	struct jobs jobs;
	struct kernel_names pick;
	struct results results;
	struct sweep_points points;
	struct progress progress;
	struct output out;
	struct strbuf line;
	double units;		/* S */
	bool simulated;
	struct err err;
};

/* Subslices share nothing but the dispatcher; on a CPU they are its cores. */
static double units_of(const struct session *ses)
{
	int subslices = ses->dev ? ses->dev->device.topology.subslices : 0;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	return subslices > 0 ? subslices : cpus > 0 ? (double)cpus : 1;
}

/* A group of 256 items is one thread for each of eight EUs at the widest SIMD: as many groups as an
 * EU has threads fill a subslice. */
static double full_groups(const struct session *ses)
{
	int threads = ses->dev ? ses->dev->device.topology.threads_per_eu : 0;

	return threads > SWEEP_DENSE_ROUNDS ? threads : SWEEP_DENSE_ROUNDS + 1;
}

static void note_point(struct sweep *s, const struct job_result *r)
{
	struct sweep_point *p = sweep_points_add(&s->points);

	snprintf(p->kernel, sizeof(p->kernel), "%s", r->state.job.kernel);
	for (int v = 0; v < SWEEP_VALUES; v++)
		p->v[v] = results_number(&s->results, sweep_column((enum sweep_value)v), r);
	s->simulated |= (r->state.flags & JOB_SIMULATED) != 0;
}

static bool run_point(struct sweep *s, const char *kernel, double groups)
{
	struct job job = stress_job(s->session, POINT_NS);
	struct job_result result;
	char what[96];

	snprintf(what, sizeof(what), _("%s, %.0f groups"), kernel, groups);
	progress_step(&s->progress, what);
	snprintf(job.kernel, sizeof(job.kernel), "%s", kernel);
	job.groups = (uint64_t)groups;
	job.group_size = job.group_size ? job.group_size : GROUP_SIZE;
	job.repeat = job.repeat ? job.repeat : LOOP;
	if (!jobs_run(&s->jobs, &job, &result, &s->err))
		return false;
	note_point(s, &result);
	results_row(&s->results, &result, 1, 0);
	return output_write(&s->out, &s->line, &s->err);
}

static double value_of(const struct sweep_point *p)
{
	return isfinite(p->v[SWEEP_GFLOPS]) ? p->v[SWEEP_GFLOPS] : p->v[SWEEP_GBYTES];
}

static bool run_kernel(struct sweep *s, const char *kernel)
{
	double groups = 1, value = 0, before = 0;

	while (groups > 0) {
		const struct sweep_point *p = sweep_find(&s->points, kernel, groups);

		if (!p && !run_point(s, kernel, groups))
			return false;
		p = p ? p : &s->points.p[s->points.n - 1];
		before = value;
		value = value_of(p);
		groups = sweep_next_groups(
			groups, s->units, full_groups(s->session), value, before);
	}
	return true;
}

/* The file of an earlier run, without what it had not finished; rows are added to it. */
static bool take_up(struct sweep *s)
{
	const char *path = s->session->opt->output;
	struct strbuf kept = { 0 };
	bool good = sweep_read(&s->points, path, strbuf_str(&s->line), &kept, &s->err) &&
		file_replace(path, strbuf_str(&kept), kept.len, &s->err) &&
		output_open(&s->out, path, OUTPUT_APPEND, &s->err);

	strbuf_clear(&s->line);
	strbuf_release(&kept);
	return good;
}

static bool open_output(struct sweep *s, enum output_form form)
{
	const struct options *o = s->session->opt;

	results_begin(&s->results, form, RESULTS_SWEEP, NULL, 0, &s->line);
	s->results.subslices = s->units;
	if (!o->resume)
		return output_open(&s->out, o->output, OUTPUT_TRUNCATE, &s->err) &&
			output_write(&s->out, &s->line, &s->err);
	if (o->output && strcmp(o->output, "-") != 0 && form == OUTPUT_CSV)
		return take_up(s);
	return err_set(&s->err, ERR_USAGE, _("--resume continues a CSV file: -o FILE names it"));
}

static bool go(struct sweep *s, enum output_form form)
{
	struct session *ses = s->session;
	int usual;

	if (ses->opt->blocks) {
		err_set(&s->err, ERR_USAGE,
			_("a sweep goes over the numbers of work-groups: --blocks has no place in "
			  "it"));
		return false;
	}
	if (!jobs_open_device(ses, stress_job(ses, POINT_NS).limit_ns, &s->err) ||
		!jobs_open(&s->jobs, ses, &s->err) ||
		!stress_pick(&s->jobs, &s->pick, default_kernels, &s->err))
		return false;
	s->units = units_of(ses);
	if (!open_output(s, form))
		return false;
	usual = (int)(SWEEP_DENSE_ROUNDS * s->units) + USUAL_DOUBLINGS;
	progress_begin(&s->progress, (int)s->pick.n * usual, (int)s->points.n, ses->opt->quiet);
	for (size_t i = 0; i < s->pick.n; i++)
		if (!run_kernel(s, s->pick.names[i]))
			return false;
	return true;
}

/* What was measured is drawn, also where it ended early. */
static bool plot(struct sweep *s)
{
	const char *path = s->session->opt->plot;

	return !path || s->points.n == 0 || sweep_plot(&s->points, path, s->simulated, &s->err);
}

enum status sweep_cmd(struct session *ses, enum output_form form, int *signo)
{
	struct sweep *s = xcalloc(1, sizeof(*s));
	enum status status = STATUS_GOOD;
	bool good;

	s->session = ses;
	s->out.fd = -1;
	good = go(s, form == OUTPUT_NONE ? OUTPUT_CSV : form);
	progress_end(&s->progress);
	*signo = s->jobs.signo;
	good = (good || *signo) && plot(s) && good;
	good = output_close(&s->out, good ? &s->err : NULL) && good;
	if (!good && !*signo && s->err.code != ERR_END) {
		session_print_err(&s->err);
		status = session_status(&s->err);
	}
	jobs_close(&s->jobs);
	kernel_names_release(&s->pick);
	sweep_points_release(&s->points);
	strbuf_release(&s->line);
	free(s);
	return status;
}
