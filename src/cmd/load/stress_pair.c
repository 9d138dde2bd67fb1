/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs kernels on two devices, one device after the other, and compares what they reach. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/load/results.h"
#include "cmd/load/load.h"
#include "out/lines/output.h"
#include "out/lines/rows.h"
#include "session/program.h"
#include "base/mem.h"
#include "cmd/load/load_options.h"

#define DEFAULT_NS (2 * NS_PER_S)
#define SIDES 2

/* What a kernel reaches on one device: medians of its runs, NAN where there is no number. */
struct reached {
	char kernel[48];
	double gflops, gbytes, w, gflops_per_w;
	char note[200];
	bool simulated;
};

static const struct reached nothing = {
	.gflops = NAN, .gbytes = NAN, .w = NAN, .gflops_per_w = NAN
};

struct side {
	char device[128];
	enum power_plane plane;	/* whose watts it has */
	struct reached *kernels;
	size_t n, cap;
};

struct beside {
	struct load_run run;	/* of both: what is written, and how all ends */
	struct side sides[SIDES];
};

static struct reached *add(struct side *side, const char *kernel)
{
	side->kernels =
		array_grow(side->kernels, side->n, &side->cap, sizeof(*side->kernels));
	struct reached *k = &side->kernels[side->n++];
	*k = nothing;
	snprintf(k->kernel, sizeof(k->kernel), "%s", kernel);
	return k;
}

/* Returns why the device cannot run the kernel, or NULL. */
static const char *refusal(struct load_run *run, const char *name)
{
	size_t n = 0;
	const struct kernel_info *k = jobs_kernels(&run->jobs, &n, &run->err);

	if (k)
		k = kernel_names_find(k, n, name);
	if (!k || k->supported)
		return NULL;
	return k->reason;
}

static bool run_kernel(
	struct side *side, struct load_run *run, const char *name, struct results *results)
{
	struct job job = load_job(run->session, DEFAULT_NS);
	const char *why = refusal(run, name);

	/* The other device has its number all the same. */
	if (why) {
		struct reached *k = add(side, name);
		snprintf(k->note, sizeof(k->note), "%s", why);
		k->simulated = run->session->dev && run->session->dev->device.simulated;
		return true;
	}
	snprintf(job.kernel, sizeof(job.kernel), "%s", name);
	for (int i = 0; i < run->n_runs; i++)
		if (!load_run_once(run, &job, &run->runs[i]))
			return false;
	struct reached *k = add(side, name);
	const struct job_result *one = results_one(run->runs, run->n_runs);
	const char *w = power_plane_words[one->plane].w;
	k->gflops = results_number(results, "gflops", run->runs, run->n_runs);
	k->gbytes = results_number(results, "gbytes_per_s", run->runs, run->n_runs);
	k->w = results_number(results, w, run->runs, run->n_runs);
	k->gflops_per_w = results_number(results, "gflops_per_w", run->runs, run->n_runs);
	k->simulated = one->state.flags & JOB_SIMULATED;
	results_notes(run->runs, run->n_runs, k->note, sizeof(k->note));
	side->plane = one->plane;
	snprintf(side->device, sizeof(side->device), "%s", one->state.device);
	return true;
}

static bool run_side(struct beside *b, struct side *side, struct session *ses)
{
	struct results_shape shape = { .form = OUTPUT_CSV, .columns = RESULTS_STRESS };
	struct kernel_names pick = { 0 };
	struct results results;
	struct progress progress = { 0 };
	struct strbuf unused = { 0 };
	struct load_run run;

	load_run_init(&run, ses);
	bool good = load_run_open(&run, load_job(ses, DEFAULT_NS).limit_ns) &&
		load_run_pick(&run, &pick, NULL);

	load_shape(ses, &shape);
	results_begin(&results, &shape, &unused);
	progress_begin(&progress, (int)pick.n, 0, ses->opt->load->quiet);
	for (size_t i = 0; good && i < pick.n; i++) {
		progress_step(&progress, pick.names[i]);
		good = run_kernel(side, &run, pick.names[i], &results);
	}
	progress_end(&progress);
	b->run.jobs.signo = run.jobs.signo;
	b->run.bad |= run.bad;
	if (b->run.err.code == ERR_NONE)
		b->run.err = run.err;
	jobs_tell_clock(&run.jobs);
	jobs_close(&run.jobs);
	free(run.runs);
	kernel_names_release(&pick);
	strbuf_release(&unused);
	return good;
}

static const struct column columns[] = {
	{ "kernel", "kernel", 26, true },
	{ "device_1", NULL, 0, true },
	{ "device_2", NULL, 0, true },
	{ "gflops_1", "1:FLOP/s", 9, false },
	{ "gflops_2", "2:FLOP/s", 9, false },
	{ "gflops_ratio", "2/1", 6, false },
	{ "gbytes_per_s_1", "1:B/s", 8, false },
	{ "gbytes_per_s_2", "2:B/s", 8, false },
	{ "gbytes_per_s_ratio", "2/1", 6, false },
	{ "power_plane", NULL, 0, true },
	{ "w_1", "1:W", 6, false },
	{ "w_2", "2:W", 6, false },
	{ "gflops_per_w_1", "1:FLOP/J", 8, false },
	{ "gflops_per_w_2", "2:FLOP/J", 8, false },
	{ "gflops_per_w_ratio", "2/1", 6, false },
	{ "runs", NULL, 0, false },
	{ "note_1", "note", 10, true },
	{ "note_2", "2:", 10, true },
	{ "sim", NULL, 0, false },
};

static void add_pair(struct rows *r, double first, double second)
{
	rows_giga(r, first);
	rows_giga(r, second);
	rows_number(r, jobs_per(second, first));
}

static void add_row(const struct beside *b, struct rows *r, const struct reached *first,
	const struct reached *second)
{
	enum power_plane one = b->sides[0].plane, other = b->sides[1].plane;
	char planes[40];

	snprintf(planes, sizeof(planes), "%s", power_planes[one]);
	if (one != other)
		snprintf(planes, sizeof(planes), "%s and %s", power_planes[one],
			power_planes[other]);
	rows_text(r, first->kernel);
	rows_text(r, b->sides[0].device);
	rows_text(r, b->sides[1].device);
	add_pair(r, first->gflops, second->gflops);
	add_pair(r, first->gbytes, second->gbytes);
	rows_text(r, planes);
	rows_number(r, first->w);
	rows_number(r, second->w);
	add_pair(r, first->gflops_per_w, second->gflops_per_w);
	rows_count(r, b->run.n_runs);
	rows_text(r, first->note);
	rows_text(r, second->note);
	rows_bool(r, first->simulated || second->simulated);
	rows_end(r);
}

static const struct reached *find(const struct side *side, const char *kernel)
{
	for (size_t i = 0; i < side->n; i++)
		if (!strcmp(side->kernels[i].kernel, kernel))
			return &side->kernels[i];
	return NULL;
}

/* Makes the rows. A kernel that only one device supports has no numbers of the other. */
static void make_rows(const struct beside *b, enum output_form form, struct strbuf *out)
{
	const struct side *one = &b->sides[0], *two = &b->sides[1];
	struct rows rows;

	if (form == OUTPUT_NONE || form == OUTPUT_TEXT)
		strbuf_addf(out, "1: %s, W: %s\n2: %s, W: %s\n", text_or(one->device, "--"),
			power_planes[one->plane], text_or(two->device, "--"), power_planes[two->plane]);
	rows_begin(&rows, form, columns, (int)ARRAY_LEN(columns), out);
	for (int s = 0; s < SIDES; s++) {
		for (size_t i = 0; i < b->sides[s].n; i++) {
			struct reached none = nothing;
			const char *kernel = b->sides[s].kernels[i].kernel;
			const struct reached *first = find(one, kernel), *second = find(two, kernel);

			/* The second device adds what the first does not have. */
			if (s == 1 && first)
				continue;
			snprintf(none.kernel, sizeof(none.kernel), "%s", kernel);
			snprintf(none.note, sizeof(none.note), "%s", "not run there");
			if (!first)
				first = &none;
			if (!second)
				second = &none;
			add_row(b, &rows, first, second);
		}
	}
}

enum status stress_pair_cmd(struct session *ses, enum output_form form, int *signo)
{
	struct beside b = { 0 };

	load_run_init(&b.run, ses);
	bool good = output_open(&b.run.out, ses->opt->output, OUTPUT_TRUNCATE, &b.run.err);
	bool opened = good;
	for (int i = 0; opened && i < SIDES && !b.run.jobs.signo; i++) {
		struct session *of = ses;

		if (i > 0)
			of = program_add_session(ses->program, &ses->opt->devices[i]);
		good = run_side(&b, &b.sides[i], of) && good;
	}
	*signo = b.run.jobs.signo;
	/* What was measured before a signal, or before an error of the other device, is written, too. */
	if (good || *signo || b.sides[0].n + b.sides[1].n > 0) {
		make_rows(&b, form, &b.run.line);
		good = load_run_write(&b.run) && good;
	}
	enum status status = load_run_end(&b.run, good);
	if (status == STATUS_CHECK)
		load_run_tell_bad(&b.run);
	for (int i = 0; i < SIDES; i++)
		free(b.sides[i].kernels);
	return status;
}
