/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does what commands have in common that run jobs and write rows of their results. */
#include "config.h"

#include "cmd/load/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/load/load_options.h"
#include "kernels/catalog/catalog.h"
#include "base/clock.h"
#include "base/outlet.h"

struct job load_job(const struct session *ses, int64_t default_ns)
{
	const struct options *o = ses->opt;
	struct job job = { .groups = o->load->blocks,
		.group_size = o->load->tpb,
		.repeat = o->load->loop,
		.launches = o->load->launches,
		.limit_ns = o->load->time_ns,
		.verify = true,
		.tune = o->load->tune };

	if (job.limit_ns == 0 && job.launches == 0)
		job.limit_ns = default_ns;
	if (o->load->dump_binary)
		snprintf(job.binaries, sizeof(job.binaries), "%s", o->load->dump_binary);
	if (o->load->cl_device)
		snprintf(job.device, sizeof(job.device), "%s", o->load->cl_device);
	return job;
}

void load_shape(const struct session *ses, struct results_shape *shape)
{
	const struct device_options *want = ses->want;

	shape->plane = power_plane_of(ses->opt, ses->dev);
	shape->runs = jobs_runs(ses->opt);
	if (ses->opt->load->profile)
		shape->columns |= RESULTS_PROFILE;
	/* A user who chooses what is counted wants to see it. */
	if (ses->dev && (want->set || want->n_counters))
		shape->metrics = ses->now->set;
	shape->n_text = want->n_counters;
}

bool load_run_pick(struct load_run *r, struct kernel_names *p, const char *const *defaults)
{
	const struct session *ses = r->session;
	struct err *err = &r->err;
	struct kernel_spec spec;
	size_t n;
	const struct kernel_info *kernels = jobs_kernels(&r->jobs, &n, err);

	if (!kernels)
		return false;
	for (int i = 0; i < ses->opt->n_names; i++)
		if (!kernel_names_add(p, kernels, n, ses->opt->names[i], err))
			return false;
	/* A name that nobody knows is told before anything is written or runs. */
	for (size_t i = 0; i < p->n; i++)
		if (!kernel_names_find(kernels, n, p->names[i]) &&
			!catalog_parse(p->names[i], &spec, err))
			return kernel_names_similar(kernels, n, p->names[i], err);
	for (; ses->opt->n_names == 0 && defaults && *defaults; defaults++)
		if (!kernel_names_add(p, kernels, n, *defaults, err))
			return false;
	if (p->n > 0)
		return true;
	err_set(err, ERR_USAGE, "no kernel was named");
	return err_hint(err,
		"'rooftop stress help' lists them; a pattern such as 'flops.private.*.sp.*' "
		"takes several");
}

void load_run_init(struct load_run *r, struct session *ses)
{
	*r = (struct load_run){ .session = ses, .out.fd = -1, .n_runs = jobs_runs(ses->opt) };
	r->runs = xcalloc((size_t)r->n_runs, sizeof(*r->runs));
}

bool load_run_open(struct load_run *r, int64_t limit_ns)
{
	return jobs_open_device(r->session, limit_ns, &r->err) &&
		jobs_can_run(r->session, &r->err) && jobs_open(&r->jobs, r->session, &r->err);
}

bool load_run_once(struct load_run *r, const struct job *job, struct job_result *out)
{
	const struct job_state *st = &out->state;

	if (!jobs_run(&r->jobs, job, out, &r->err))
		return false;
	r->bad |= st->progress.mismatches > 0 ||
		(r->session->opt->load->validate && st->progress.verified == 0 &&
			!(st->flags & JOB_SIMULATED));
	return true;
}

bool load_run_write(struct load_run *r)
{
	const struct options *o = r->session->opt;

	if (!o->load->quiet || o->output)
		return output_write(&r->out, &r->line, &r->err);
	strbuf_clear(&r->line);
	return true;
}

void load_run_tell_bad(const struct load_run *r)
{
	if (r->bad && !r->session->opt->load->quiet)
		session_print_err(
			&(struct err){ .msg = "a result was wrong, or could not be checked" });
}

enum status load_run_end(struct load_run *r, bool good)
{
	good = jobs_kept(&r->jobs, good, &r->err);
	good = output_close(&r->out, good, &r->err);
	enum status status = jobs_status(&r->jobs, good, &r->err);
	if (r->bad && status == STATUS_GOOD)
		status = STATUS_CHECK;
	jobs_tell_clock(&r->jobs);
	jobs_close(&r->jobs);
	strbuf_release(&r->line);
	free(r->runs);
	return status;
}

/* --- the progress of long commands --- */

void progress_begin(struct progress *p, int total, int done, bool quiet)
{
	*p = (struct progress){ .shown = !quiet && isatty(STDERR_FILENO),
		.total = total,
		.done = done,
		.start = done,
		.start_ns = clock_machine_ns() };
}

/* Prints "3/12 what 1 min 20 s left". The time is estimated from the pace so far, and left out
 * before the first step is done. */
void progress_step(struct progress *p, const char *what)
{
	int steps = p->done - p->start;
	char left[64] = "";
	long long s;

	if (p->shown && steps > 0) {
		s = (clock_machine_ns() - p->start_ns) / NS_PER_S * (p->total - p->done) / steps;
		if (s >= 60)
			snprintf(left, sizeof(left), "%lld min %lld s left", s / 60, s % 60);
		else
			snprintf(left, sizeof(left), "%lld s left", s);
	}
	/* What a terminal has not taken is not worth a second line. */
	if (p->shown && outlet_waiting(outlet_of_messages()) == 0)
		outlet_say("\r\033[K%d/%d  %s  %s", p->done + 1, p->total, what, left);
	p->done++;
}

void progress_end(struct progress *p)
{
	if (!p->shown)
		return;
	outlet_say("\r\033[K");
	p->shown = false;
}
