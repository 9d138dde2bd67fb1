/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs kernels, and writes a row for each of them. */
#include "config.h"

#include "cmd/load/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out/lines/output.h"
#include "cmd/load/results.h"
#include "out/lines/writer.h"
#include "base/mem.h"
#include "kernels/catalog/catalog.h"
#include "session/window/own_load.h"
#include "kernels/catalog/sources.h"
#include "cmd/load/load_options.h"
#include "core/snapshot/balance.h"
#include "cmd/load/jobs.h"
#include "core/work/placement.h"
#include "out/lines/rows.h"

#define WHERE_COLUMNS 6 /* before those of the EUs */

/* placement_table_init() starts it. It holds the description of the columns. */
struct placement_table {
	struct rows rows;
	struct column columns[WHERE_COLUMNS + PLACEMENT_EUS];
	char names[PLACEMENT_EUS][8], heads[PLACEMENT_EUS][8];
	enum output_form form;
	bool begun;
	int eus, subslices; /* of the device; 0: not known */
	struct strbuf *out;
};

/* Makes rows that go to out; t is of the device that runs the launches, or NULL. */
static void placement_table_init(struct placement_table *w, enum output_form form,
	const struct topology *t, struct strbuf *out)
{
	*w = (struct placement_table){ .form = form, .out = out };
	if (t) {
		w->eus = t->max_eus_per_subslice;
		w->subslices = t->subslices;
	}
}

/* The hardware's numbers of EUs may be larger than the topology lets expect: then there is a column
 * for every number. */
static void placement_table_begin(struct placement_table *w, const struct placement *p)
{
	static const struct column first[WHERE_COLUMNS] = {
		{ "kernel", "kernel", 26, true },
		{ "slice", "slice", 5, false },
		{ "subslice", "subslice", 8, false },
		{ "groups", "groups", 6, false },
		{ "share", "share %", 7, false },
		{ "sim", NULL, 0, false },
	};

	if (!w->eus || placement_eus(p) > w->eus)
		w->eus = PLACEMENT_EUS;
	w->begun = true;
	for (int i = 0; i < WHERE_COLUMNS; i++)
		w->columns[i] = first[i];
	for (int i = 0; i < w->eus; i++) {
		snprintf(w->names[i], sizeof(w->names[i]), "eu%d", i);
		snprintf(w->heads[i], sizeof(w->heads[i]), "EU %d", i);
		w->columns[WHERE_COLUMNS + i] = (struct column){ w->names[i], w->heads[i], 5,
			false };
	}
	rows_begin(&w->rows, w->form, w->columns, WHERE_COLUMNS + w->eus, w->out);
}

/* Says which subslices have more groups than others, and what the curve says of that. */
static void placement_table_say(
	const struct placement_table *w, const struct job_result *job, const struct placement *p)
{
	uint64_t groups = job->state.job.groups;
	double curve = balance_curve(groups, w->subslices);
	char names[64];

	if (!w->subslices)
		return;
	placement_busiest(p, w->subslices, names, sizeof(names));
	if (job->state.flags & JOB_SIMULATED)
		strbuf_addf(w->out, "%s: ", "simulated");
	if (*names)
		strbuf_addf(w->out,
			groups == 1
				? "%llu work-group on %d subslices: %s had more than others; mean "
				  "over max %.3f, a multiple of %d would be up to %.3g times "
				  "faster\n"
				: "%llu work-groups on %d subslices: %s had more than others; mean "
				  "over max %.3f, a multiple of %d would be up to %.3g times "
				  "faster\n",
			(unsigned long long)groups, w->subslices, names, curve, w->subslices,
			1 / curve);
	else
		strbuf_addf(w->out,
			groups == 1 ? "%llu work-group on %d subslices: all had as many\n"
				    : "%llu work-groups on %d subslices: all had as many\n",
			(unsigned long long)groups, w->subslices);
}

/* Adds the rows of one job, and in text a sentence about them. Returns false with err when nobody
 * knows where its groups ran. */
static bool placement_table_rows(struct placement_table *w, const struct job_result *job,
	const struct placement *p, struct err *err)
{
	uint64_t sum = 0;

	if (!p || !p->n) {
		err_set(err, ERR_UNSUPPORTED, "where the groups of '%s' run is not known: %s",
			job->state.job.kernel,
			p && *p->reason ? p->reason : "what runs it does not tell");
		return err_hint(err, "-D sim:hd620 simulates a device that tells");
	}
	if (!w->begun)
		placement_table_begin(w, p);
	if (placement_eus(p) > w->eus)
		return err_set(err, ERR_SYS,
			"the device tells of more EUs in a subslice than the first kernel used");
	for (int i = 0; i < p->n; i++)
		sum += p->cells[i].groups;
	for (int i = 0; i < p->n; i++) {
		const struct placement_cell *c = &p->cells[i];

		rows_text(&w->rows, job->state.job.kernel);
		rows_count(&w->rows, c->slice);
		rows_count(&w->rows, c->subslice);
		rows_count(&w->rows, (double)c->groups);
		rows_number(&w->rows, 100 * jobs_per((double)c->groups, (double)sum));
		rows_bool(&w->rows, job->state.flags & JOB_SIMULATED);
		for (int eu = 0; eu < w->eus; eu++)
			rows_count(&w->rows, (double)c->items[eu]);
		rows_end(&w->rows);
	}
	if (w->form == OUTPUT_NONE)
		placement_table_say(w, job, p);
	return true;
}

#define DEFAULT_NS (2 * NS_PER_S)

struct stress {
	struct session *session;
	struct jobs jobs;
	struct kernel_names pick;
	struct results results;
	struct placement_table where;
	struct strbuf line;
	struct output out, dump;
	struct writer_run dump_run;
	struct strbuf dump_line;
	struct job_result *runs;
	int n_runs;
	bool bad;		/* a check failed */
	struct err err;
};

struct job stress_job(const struct session *ses, int64_t default_ns)
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

void stress_shape(const struct session *ses, struct results_shape *shape)
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

bool stress_is_bad(const struct session *ses, const struct job_result *r)
{
	const struct job_state *st = &r->state;

	return st->progress.mismatches > 0 ||
		(ses->opt->load->validate && st->progress.verified == 0 && !(st->flags & JOB_SIMULATED));
}

void stress_tell_bad(const struct session *ses)
{
	if (!ses->opt->load->quiet)
		session_print_err(
			&(struct err){ .msg = "a result was wrong, or could not be checked" });
}

bool stress_write(
	const struct session *ses, struct output *out, struct strbuf *line, struct err *err)
{
	if (!ses->opt->load->quiet || ses->opt->output)
		return output_write(out, line, err);
	strbuf_clear(line);
	return true;
}

static bool is_listed(const struct kernel_info *kernels, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(kernels[i].name, name))
			return true;
	return false;
}

bool stress_pick(
	struct jobs *j, struct kernel_names *p, const char *const *defaults, struct err *err)
{
	const struct session *ses = j->session;
	struct kernel_spec spec;
	size_t n;
	const struct kernel_info *kernels = jobs_kernels(j, &n, err);

	if (!kernels)
		return false;
	for (int i = 0; i < ses->opt->n_names; i++)
		if (!kernel_names_add(p, kernels, n, ses->opt->names[i], err))
			return false;
	/* A name that nobody knows is told before anything is written or runs. */
	for (size_t i = 0; i < p->n; i++)
		if (!is_listed(kernels, n, p->names[i]) && !catalog_parse(p->names[i], &spec, err))
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

/* Writes rows of results and lines of --dump. */
static bool flush(struct stress *s)
{
	const struct options *o = s->session->opt;

	return stress_write(s->session, &s->out, &s->line, &s->err) &&
		(!o->load->dump || output_write(&s->dump, &s->dump_line, &s->err));
}

static void dump_window(void *ctx, const struct snapshot *snap)
{
	struct stress *s = ctx;

	csv_writer.window(&s->dump_run, snap, &s->dump_line);
}

static bool open_dump(struct stress *s)
{
	struct session *ses = s->session;

	if (!ses->opt->load->dump)
		return true;
	if (!ses->dev)
		return err_set(&s->err, ERR_NO_DEVICE,
			"--dump writes what a GPU's counters say, and there is none: %s",
			ses->opened.no_device);
	s->dump_run = (struct writer_run){ .name = ses->opened.name,
		.device = &ses->dev->device,
		.set = ses->now->set,
		.how = ses->dev->sources[0]->feed.how,
		.maps = ses->now->snaps[0].maps,
		.n_maps = ses->now->snaps[0].n_maps };
	s->jobs.window = dump_window;
	s->jobs.window_ctx = s;
	if (!output_open(&s->dump, ses->opt->load->dump, OUTPUT_TRUNCATE, &s->err))
		return false;
	writer_run_show(&s->dump_run, NULL, 0);
	csv_writer.begin(&s->dump_run, 1, &s->dump_line);
	return true;
}

static bool run_kernel(struct stress *s, const char *name)
{
	const struct options *o = s->session->opt;
	struct job job = stress_job(s->session, DEFAULT_NS);

	snprintf(job.kernel, sizeof(job.kernel), "%s", name);
	for (int i = 0; i < s->n_runs; i++) {
		if (!jobs_run(&s->jobs, &job, &s->runs[i], &s->err))
			return false;
		s->bad |= stress_is_bad(s->session, &s->runs[i]);
		if (!o->load->power_smoothing)
			results_row(&s->results, &s->runs[i], 1, i + 1);
		if (!flush(s))
			return false;
	}
	if (o->load->power_smoothing)
		results_row(&s->results, s->runs, s->n_runs, 0);
	return flush(s);
}

/* Carries out --where for one kernel: its groups are those of a single launch. */
static bool place_kernel(struct stress *s, const char *name)
{
	struct job job = stress_job(s->session, DEFAULT_NS);

	job.where = true;
	job.launches = 1;
	snprintf(job.kernel, sizeof(job.kernel), "%s", name);
	return jobs_run(&s->jobs, &job, &s->runs[0], &s->err) &&
		placement_table_rows(
			&s->where, &s->runs[0], own_load_placement(s->session), &s->err) &&
		flush(s);
}

/* Carries out --where. */
static bool place_all(struct stress *s, enum output_form form)
{
	const struct session *ses = s->session;

	placement_table_init(
		&s->where, form, ses->dev ? &ses->dev->device.topology : NULL, &s->line);
	for (size_t i = 0; i < s->pick.n; i++) {
		if (!place_kernel(s, s->pick.names[i]))
			return false;
	}
	return true;
}

static bool is_picked(const struct kernel_names *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->names[i], name))
			return true;
	return false;
}

/* Carries out --list: all kernels, or those that were named. */
static bool list(struct stress *s, enum output_form form)
{
	static const struct column columns[] = {
		{ "kernel", "kernel", 28, true },
		{ "flop", "FLOP", 6, false },
		{ "read_bytes", "B read", 7, false },
		{ "write_bytes", "B writ.", 7, false },
		{ "local_bytes", "SLM B", 6, false },
		{ "supported", NULL, 0, false },
		{ "text", "what it does; numbers are of a work-item and one pass of its loop", 0, true },
	};
	struct rows rows;
	size_t n;
	const struct kernel_info *k = jobs_kernels(&s->jobs, &n, &s->err);

	bool all = s->session->opt->n_names == 0;

	if (!k || (!all && !stress_pick(&s->jobs, &s->pick, NULL, &s->err)))
		return false;
	rows_begin(&rows, form, columns, (int)ARRAY_LEN(columns), &s->line);
	for (size_t i = 0; i < n; i++) {
		if (!all && !is_picked(&s->pick, k[i].name))
			continue;
		rows_text(&rows, k[i].name);
		rows_count(&rows, k[i].work.flop);
		rows_count(&rows, k[i].work.read_bytes);
		rows_count(&rows, k[i].work.write_bytes);
		rows_count(&rows, k[i].work.local_bytes);
		rows_bool(&rows, k[i].supported);
		rows_text(&rows, k[i].supported ? k[i].text : k[i].reason);
		rows_end(&rows);
	}
	return output_write(&s->out, &s->line, &s->err);
}

/* Carries out --dump-kernel: prints OpenCL C as the worker gives it to the compiler, without what
 * the tuner defines. No device is needed. */
static bool dump_sources(struct stress *s)
{
	struct session *ses = s->session;
	size_t n;
	struct kernel_info *kernels = catalog_list(&n);
	bool good = true;

	for (int i = 0; good && i < ses->opt->n_names; i++)
		good = kernel_names_add(&s->pick, kernels, n, ses->opt->names[i], &s->err);
	for (size_t i = 0; good && i < s->pick.n; i++) {
		struct kernel_spec spec;

		good = catalog_parse(s->pick.names[i], &spec, &s->err);
		if (good)
			strbuf_addf(&s->line, "/* %s: %s in %s %s */\n%s%s", s->pick.names[i],
				spec.body->function, spec.body->file, spec.body->defines,
				embedded_text(kernel_sources, "common.cl", ""),
				embedded_text(kernel_sources, spec.body->file, ""));
	}
	free(kernels);
	if (good && s->pick.n == 0)
		good = err_set(&s->err, ERR_USAGE, "--dump-kernel needs a kernel");
	return good && output_open(&s->out, ses->opt->output, OUTPUT_TRUNCATE, &s->err) &&
		output_write(&s->out, &s->line, &s->err);
}

static bool go(struct stress *s, enum output_form form)
{
	struct session *ses = s->session;
	const struct options *o = ses->opt;
	struct results_shape shape = { .form = form, .columns = RESULTS_STRESS };
	struct err none = { 0 };

	if (o->load->dump_kernel)
		return dump_sources(s);
	if (!jobs_open_device(ses, stress_job(ses, DEFAULT_NS).limit_ns, &s->err) ||
		!jobs_can_run(ses, &s->err) || !jobs_open(&s->jobs, ses, &s->err) ||
		!output_open(&s->out, o->output, OUTPUT_TRUNCATE, &s->err))
		return false;
	if (!o->load->list_kernels && !stress_pick(&s->jobs, &s->pick, NULL, &s->err))
		return false;
	if (!ses->dev && !o->load->quiet) {
		err_set(&none, ERR_NO_DEVICE, "no counters: rates are from timing only: %s",
			ses->opened.no_device);
		session_print_err(&none);
	}
	if (o->load->list_kernels)
		return list(s, form);
	if (o->load->where)
		return place_all(s, form);
	if (!open_dump(s))
		return false;
	stress_shape(ses, &shape);
	if (!o->load->power_smoothing)
		shape.runs = 1;
	results_begin(&s->results, &shape, &s->line);
	for (size_t i = 0; i < s->pick.n; i++)
		if (!run_kernel(s, s->pick.names[i]))
			return false;
	if (s->bad)
		stress_tell_bad(ses);
	return true;
}

enum status stress_cmd(struct session *ses, enum output_form form, int *signo)
{
	struct stress *s = xcalloc(1, sizeof(*s));

	s->session = ses;
	s->out.fd = s->dump.fd = -1;
	s->n_runs = jobs_runs(ses->opt);
	s->runs = xcalloc((size_t)s->n_runs, sizeof(*s->runs));
	bool good = go(s, form);
	*signo = s->jobs.signo;
	good = jobs_kept(&s->jobs, good, &s->err);
	good = output_close(&s->out, good, &s->err);
	good = output_close(&s->dump, good, &s->err);
	enum status status = jobs_status(&s->jobs, good, &s->err);
	if (s->bad && status == STATUS_GOOD)
		status = STATUS_CHECK;
	jobs_tell_clock(&s->jobs);
	jobs_close(&s->jobs);
	kernel_names_release(&s->pick);
	strbuf_release(&s->line);
	writer_run_release(&s->dump_run);
	strbuf_release(&s->dump_line);
	free(s->runs);
	free(s);
	return status;
}
