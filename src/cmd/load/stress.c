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

/* It holds the description of the columns. */
struct placement_table {
	struct rows rows;
	struct column columns[WHERE_COLUMNS + PLACEMENT_EUS];
	char names[PLACEMENT_EUS][8], heads[PLACEMENT_EUS][8];
	enum output_form form;
	bool begun;
	int eus, subslices; /* of the device; 0: not known */
	struct strbuf *out;
};

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
	struct load_run run;
	struct kernel_names pick;
	struct results results;
	struct placement_table where;
	struct output dump;
	struct writer_run dump_run;
	struct strbuf dump_line;
};

/* Writes rows of results and lines of --dump. */
static bool flush(struct stress *s)
{
	const struct options *o = s->run.session->opt;

	return load_run_write(&s->run) &&
		(!o->load->dump || output_write(&s->dump, &s->dump_line, &s->run.err));
}

static void dump_window(void *ctx, const struct snapshot *snap)
{
	struct stress *s = ctx;

	csv_writer.window(&s->dump_run, snap, &s->dump_line);
}

static bool open_dump(struct stress *s)
{
	struct session *ses = s->run.session;

	if (!ses->opt->load->dump)
		return true;
	if (!ses->dev)
		return err_set(&s->run.err, ERR_NO_DEVICE,
			"--dump writes what a GPU's counters say, and there is none: %s",
			ses->opened.no_device);
	s->dump_run = (struct writer_run){ .name = ses->opened.name,
		.device = &ses->dev->device,
		.set = ses->now->set,
		.how = ses->dev->sources[0]->feed.how,
		.maps = ses->now->snaps[0].maps,
		.n_maps = ses->now->snaps[0].n_maps };
	s->run.jobs.window = dump_window;
	s->run.jobs.window_ctx = s;
	if (!output_open(&s->dump, ses->opt->load->dump, OUTPUT_TRUNCATE, &s->run.err))
		return false;
	writer_run_show(&s->dump_run, NULL, 0);
	csv_writer.begin(&s->dump_run, 1, &s->dump_line);
	return true;
}

static bool run_kernel(struct stress *s, const char *name)
{
	const struct options *o = s->run.session->opt;
	struct job job = load_job(s->run.session, DEFAULT_NS);

	snprintf(job.kernel, sizeof(job.kernel), "%s", name);
	for (int i = 0; i < s->run.n_runs; i++) {
		if (!load_run_once(&s->run, &job, &s->run.runs[i]))
			return false;
		if (!o->load->power_smoothing)
			results_row(&s->results, &s->run.runs[i], 1, i + 1);
		if (!flush(s))
			return false;
	}
	if (o->load->power_smoothing)
		results_row(&s->results, s->run.runs, s->run.n_runs, 0);
	return flush(s);
}

/* Carries out --where for one kernel: its groups are those of a single launch. */
static bool place_kernel(struct stress *s, const char *name)
{
	struct job job = load_job(s->run.session, DEFAULT_NS);

	job.where = true;
	job.launches = 1;
	snprintf(job.kernel, sizeof(job.kernel), "%s", name);
	return load_run_once(&s->run, &job, &s->run.runs[0]) &&
		placement_table_rows(
			&s->where, &s->run.runs[0], own_load_placement(s->run.session), &s->run.err) &&
		flush(s);
}

/* Carries out --where. */
static bool place_all(struct stress *s, enum output_form form)
{
	const struct session *ses = s->run.session;

	s->where = (struct placement_table){ .form = form, .out = &s->run.line };
	if (ses->dev) {
		s->where.eus = ses->dev->device.topology.max_eus_per_subslice;
		s->where.subslices = ses->dev->device.topology.subslices;
	}
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
	const struct kernel_info *k = jobs_kernels(&s->run.jobs, &n, &s->run.err);

	bool all = s->run.session->opt->n_names == 0;

	if (!k || (!all && !load_run_pick(&s->run, &s->pick, NULL)))
		return false;
	rows_begin(&rows, form, columns, (int)ARRAY_LEN(columns), &s->run.line);
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
	return output_write(&s->run.out, &s->run.line, &s->run.err);
}

/* Carries out --dump-kernel: prints OpenCL C as the worker gives it to the compiler, without what
 * the tuner defines. No device is needed. */
static bool dump_sources(struct stress *s)
{
	struct session *ses = s->run.session;
	size_t n;
	struct kernel_info *kernels = catalog_list(&n);
	bool good = true;

	for (int i = 0; good && i < ses->opt->n_names; i++)
		good = kernel_names_add(&s->pick, kernels, n, ses->opt->names[i], &s->run.err);
	for (size_t i = 0; good && i < s->pick.n; i++) {
		struct kernel_spec spec;

		good = catalog_parse(s->pick.names[i], &spec, &s->run.err);
		if (good)
			strbuf_addf(&s->run.line, "/* %s: %s in %s %s */\n%s%s", s->pick.names[i],
				spec.body->function, spec.body->file, spec.body->defines,
				embedded_text(kernel_sources, "common.cl", ""),
				embedded_text(kernel_sources, spec.body->file, ""));
	}
	free(kernels);
	if (good && s->pick.n == 0)
		good = err_set(&s->run.err, ERR_USAGE, "--dump-kernel needs a kernel");
	return good && output_open(&s->run.out, ses->opt->output, OUTPUT_TRUNCATE, &s->run.err) &&
		output_write(&s->run.out, &s->run.line, &s->run.err);
}

static bool go(struct stress *s, enum output_form form)
{
	struct session *ses = s->run.session;
	const struct options *o = ses->opt;
	struct results_shape shape = { .form = form, .columns = RESULTS_STRESS };
	struct err none = { 0 };

	if (o->load->dump_kernel)
		return dump_sources(s);
	if (!load_run_open(&s->run, load_job(ses, DEFAULT_NS).limit_ns) ||
		!output_open(&s->run.out, o->output, OUTPUT_TRUNCATE, &s->run.err))
		return false;
	if (!o->load->list_kernels && !load_run_pick(&s->run, &s->pick, NULL))
		return false;
	if (!ses->dev && !o->load->quiet && !o->load->list_kernels) {
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
	load_shape(ses, &shape);
	if (!o->load->power_smoothing)
		shape.runs = 1;
	results_begin(&s->results, &shape, &s->run.line);
	for (size_t i = 0; i < s->pick.n; i++)
		if (!run_kernel(s, s->pick.names[i]))
			return false;
	return true;
}

enum status stress_cmd(struct session *ses, enum output_form form, int *signo)
{
	struct stress *s = xcalloc(1, sizeof(*s));

	load_run_init(&s->run, ses);
	s->dump.fd = -1;
	bool good = go(s, form);
	load_run_tell_bad(&s->run);
	*signo = s->run.jobs.signo;
	good = output_close(&s->dump, good, &s->run.err);
	enum status status = load_run_end(&s->run, good);
	kernel_names_release(&s->pick);
	writer_run_release(&s->dump_run);
	strbuf_release(&s->dump_line);
	free(s);
	return status;
}
