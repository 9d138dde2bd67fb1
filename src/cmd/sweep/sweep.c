/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs kernels with more and more work-groups, or over what else is asked for. */
#include "config.h"

#include "cmd/sweep/sweep_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "out/lines/output.h"
#include "session/input_files.h"
#include "cmd/sweep/figures.h"
#include "cmd/load/csv_table.h"
#include "cmd/load/results.h"
#include "cmd/load/load.h"
#include "cmd/sweep/sweep_plan.h"
#include "base/fsroot.h"
#include "base/mem.h"
#include "cmd/load/load_options.h"
#include "cmd/load/jobs.h"

struct sweep {
	struct load_run run;
	struct options opt;		/* the session's, with what a paper says */
	struct load_options load;	/* of opt */
	struct paper *paper;		/* NULL without --figures */
	struct sweep_wish wish;
	struct sweep_plan plan;
	struct results results;
	struct results rows;		/* the same as CSV, for pictures */
	struct strbuf csv;
	struct sweep_points points;
	struct progress progress;
	struct sweep_shape shape;
	char *file;			/* of the rows; NULL: standard output */
	bool simulated;
	char device[128];		/* of the points of an earlier run; "": there is none */
	double clock_limit_mhz;		/* of these; NAN: nobody tells */
	bool is_other;			/* they are of another sweep */
	char *asked;			/* heap; what all points have in common beside the device */
};

/* Pictures of a sweep over anything but work-groups, and of one that is drawn with others. */
static const struct {
	const char *name, *y, *title;
} pictures[] = {
	{ "gflops", "gflops", "Performance" },
	{ "flop-per-cycle", "flop_per_cycle_eu", "FLOP/cycle of an EU" },
	{ "gbytes", "gbytes_per_s", "Bandwidth" },
	{ "gops", "gops", "Operations" },
	{ "latency", "latency_ns", "Latency of a step" },
	{ "watts", "power", "Power" },
	{ "gflops-per-w", "gflops_per_w", "Efficiency" },
};

static void free_tables(struct csv_table *t, int n)
{
	for (int i = 0; i < n; i++)
		csv_table_release(&t[i]);
	free(t);
}

/* Reads the rows of this sweep, and those of the files of --with. */
static struct csv_table *read_tables(struct sweep *s, struct figure_data *d)
{
	const struct session *ses = s->run.session;
	const struct name_list *with = &ses->opt->sweep->with;
	struct csv_table *t = xcalloc((size_t)with->n + 1, sizeof(*t));
	bool good = csv_table_take(&t[0], xstrdup(strbuf_str(&s->csv)), "-", &s->run.err);

	for (int i = 0; good && i < with->n; i++)
		good = csv_table_read(&t[i + 1], with->names[i], &s->run.err);
	*d = (struct figure_data){ .tables = t,
		.n_tables = with->n + 1,
		.power = power_plane_words[s->points.plane].w,
		.power_words = power_plane_words[s->points.plane].words,
		.plane = power_planes[s->points.plane] };
	const time_t seconds = (time_t)(clock_wall_ns(&ses->clock) / NS_PER_S);
	struct tm tm;
	if (localtime_r(&seconds, &tm))
		strftime(d->date, sizeof(d->date), "%Y-%m-%d", &tm);
	if (good)
		return t;
	free_tables(t, with->n + 1);
	return NULL;
}

/* Draws pictures over the column that was swept: FILE.svg gives FILE-gflops.svg and so on. */
static bool sweep_draw_over(struct sweep *s)
{
	static const struct paper no_paper = { .name = "" };
	const char *path = s->run.session->opt->plot;
	size_t end = strlen(path);
	struct figure_data d;
	struct csv_table *t = read_tables(s, &d);
	bool good = t != NULL;

	if (end > 4 && !strcmp(path + end - 4, ".svg"))
		end -= 4;
	for (size_t i = 0; good && i < ARRAY_LEN(pictures); i++) {
		struct figure f = { .kernels = "*", .n_y = 1, .log_x = true };
		struct figure_drawn drawn;

		f.by_family = s->wish.over >= OVER_SIZE;
		f.log_y = s->wish.over == OVER_INTENSITY;
		snprintf(f.title, sizeof(f.title), "%s over %s", pictures[i].title,
			figure_axis(sweep_over_column(s->wish.over)));
		snprintf(f.x, sizeof(f.x), "%s", sweep_over_column(s->wish.over));
		snprintf(f.y[0], sizeof(f.y[0]), "%s", pictures[i].y);
		char *file = xasprintf("%.*s-%s.svg", (int)end, path, pictures[i].name);
		good = figure_draw(&no_paper, &f, &d, file, &drawn, &s->run.err);
		free(file);
	}
	if (t)
		free_tables(t, d.n_tables);
	return good;
}

static void add_drawn(const struct figure *f, const char *path, const struct figure_drawn *drawn,
	struct strbuf *out)
{
	if (drawn->curves > 0)
		strbuf_addf(out, drawn->curves == 1 ? "%s: %d curve\n" : "%s: %d curves\n", path,
			drawn->curves);
	else if (!drawn->ran)
		strbuf_addf(out, "%s: nothing to draw, because none of its kernels ran\n", path);
	else
		strbuf_addf(out, "%s: nothing to draw, because nobody measures its %s here\n", path,
			figure_axis(f->y[0]));
}

/* Draws the figures of the paper beside the file of rows, and makes the table of its numbers in the
 * form of the options. */
static bool sweep_draw_figures(struct sweep *s)
{
	const struct paper *p = s->paper;
	const enum output_form form = s->run.session->opt->form;
	const char *slash = strrchr(s->file, '/');
	int folder = slash ? (int)(slash - s->file) + 1 : 0;
	struct strbuf *out = &s->run.line;
	struct figure_data d;
	struct csv_table *t = read_tables(s, &d);
	bool good = t != NULL;

	for (size_t i = 0; good && i < p->n_figures; i++) {
		const struct figure *f = &p->figures[i];
		struct figure_drawn drawn;

		if (!sweep_wants_figure(&s->wish, f))
			continue;
		char *path = xasprintf("%.*sfig-%s.svg", folder, s->file, f->number);
		good = figure_draw(p, f, &d, path, &drawn, &s->run.err);
		if (good && form == OUTPUT_NONE)
			add_drawn(f, path, &drawn, out);
		free(path);
	}
	if (good) {
		if (form == OUTPUT_NONE)
			strbuf_add(out, "\n");
		figures_compare(p, &d, form, out);
		if (form == OUTPUT_NONE && s->simulated)
			strbuf_addf(out,
				"The device is simulated: that it agrees with %s is no independent "
				"evidence.\n",
				p->name);
	}
	if (t)
		free_tables(t, d.n_tables);
	return good;
}

#define POINT_NS (NS_PER_S / 2)
#define GROUP_SIZE 256	/* of the thesis' work-groups */
/* A guess at how many doublings follow the dense points. The time that is left depends on it. */
#define USUAL_DOUBLINGS 4
/* Sizes of groups and loop counts are doubled from the first to the last. */
#define FIRST_TPB 8
#define LAST_TPB 1024
#define FIRST_LOOP 16
#define LAST_LOOP 262144

/* Says what the line of options asks of all points. What a simulated device is lies in its name. */
static void note_asked(struct sweep *s)
{
	const struct session *ses = s->run.session;
	const struct load_options *l = ses->opt->load;
	const struct job job = load_job(ses, POINT_NS);
	const struct {
		const char *name;
		uint64_t n;
	} words[] = { { "time_ns=", (uint64_t)job.limit_ns }, { "launches=", l->launches },
		{ "blocks=", l->blocks }, { "tpb=", l->tpb }, { "loop=", l->loop }, { "tune=", l->tune },
		{ "repeat=", s->run.n_runs > 1 ? (uint64_t)s->run.n_runs : 0 },
		{ "power-smoothing=", l->power_smoothing } };
	struct strbuf text = { 0 };

	strbuf_add(&text, s->paper ? s->paper->name : sweep_over_column(s->wish.over));
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (words[i].n)
			strbuf_addf(&text, " %s%llu", words[i].name, (unsigned long long)words[i].n);
	if (l->beside)
		strbuf_addf(&text, " beside %s", l->beside);
	if (ses->dev && ses->dev->device.simulated)
		strbuf_addf(&text, " %s", text_or(ses->want->name, ses->opened.name));
	s->asked = strbuf_take(&text);
}

static bool is_of_other(struct sweep *s, const char *what)
{
	s->is_other = true;
	err_set(&s->run.err, ERR_USAGE, "the points of '%.200s' are of another sweep: %.120s", s->file,
		what);
	return err_hint(&s->run.err, "without --resume it is written anew");
}

/* Whether a row of an earlier run could be of this one. What was wrong there stays wrong. */
static bool take_old(struct sweep *s, const struct csv_table *t, size_t row)
{
	const char *device = csv_table_text(t, row, csv_table_column(t, "device"));
	const char *asked = csv_table_text(t, row, csv_table_column(t, "asked"));

	if (!sweep_take(&s->points, t, row)) {
		err_set(&s->run.err, ERR_PARSE, "'%.200s' is not what an earlier sweep has written",
			s->file);
		return err_hint(&s->run.err, "without --resume it is written anew");
	}
	if (*s->device && strcmp(s->device, device) != 0)
		return is_of_other(s, device);
	if (strcmp(asked, s->asked) != 0)
		return is_of_other(s, asked);
	s->clock_limit_mhz = csv_table_number(t, row, csv_table_column(t, "clock_limit_mhz"));
	snprintf(s->device, sizeof(s->device), "%s", device);
	s->simulated |= csv_table_number(t, row, csv_table_column(t, "sim")) > 0;
	s->run.bad |= csv_table_number(t, row, csv_table_column(t, "mismatches")) > 0;
	return true;
}

static bool take_all_old(struct sweep *s, const char *text)
{
	struct csv_table t;

	if (!csv_table_take(&t, xstrdup(text), s->file, &s->run.err))
		return false;
	bool good = true;
	for (size_t i = 0; good && i < t.n_rows; i++)
		good = take_old(s, &t, i);
	csv_table_release(&t);
	return good;
}

/* Runs one point and writes its row. */
static bool run_point(struct sweep *s, const struct sweep_key *key)
{
	struct job job = load_job(s->run.session, POINT_NS);
	char what[96];

	if (s->plan.over == OVER_GROUPS)
		snprintf(what, sizeof(what),
			key->groups == 1 ? "%s, %.0f group"
			: "%s, %.0f groups",
			key->kernel, key->groups);
	else
		snprintf(what, sizeof(what), "%s", key->kernel);
	progress_step(&s->progress, what);
	snprintf(job.kernel, sizeof(job.kernel), "%s", key->kernel);
	if (key->groups > 0)
		job.groups = (uint64_t)key->groups;
	if (key->size > 0)
		job.group_size = (uint64_t)key->size;
	if (key->loop > 0)
		job.repeat = (uint64_t)key->loop;
	/* Each dip of the curve is a subslice with one group more: the launch tells which. */
	job.where = true;
	/* A point is about single launches, except where energy needs a steady load. */
	job.waits = strncmp(key->kernel, "power.", strlen("power.")) != 0;
	for (int i = 0; i < s->run.n_runs; i++) {
		if (!load_run_once(&s->run, &job, &s->run.runs[i]))
			return false;
		if (*s->device && strcmp(s->device, s->run.runs[i].state.device) != 0)
			return is_of_other(s, s->device);
		if (fabs(s->run.runs[i].clock_limit_hz / 1e6 - s->clock_limit_mhz) > 1)
			return is_of_other(s, "another highest clock was allowed");
		s->run.runs[i].asked = s->asked;
	}
	struct sweep_point *p = sweep_points_add(&s->points);
	snprintf(p->kernel, sizeof(p->kernel), "%s", key->kernel);
	for (int v = 0; v < SWEEP_VALUES; v++)
		p->v[v] = results_number(&s->results,
			sweep_column(&s->points, (enum sweep_value)v), s->run.runs, s->run.n_runs);
	if (s->run.runs[0].state.flags & JOB_SIMULATED)
		s->simulated = true;
	results_row(&s->results, s->run.runs, s->run.n_runs, 0);
	results_row(&s->rows, s->run.runs, s->run.n_runs, 0);
	return load_run_write(&s->run);
}

/* Returns what a point is judged by, when it was run before or is run now; good is false when it
 * could not be run. */
static double run_once(struct sweep *s, const struct sweep_key *key, bool *good)
{
	const struct sweep_point *p = sweep_find(&s->points, key);

	*good = p || run_point(s, key);
	if (!*good)
		return NAN;
	if (!p)
		p = &s->points.p[s->points.n - 1];
	if (isfinite(p->v[SWEEP_GFLOPS]))
		return p->v[SWEEP_GFLOPS];
	return isfinite(p->v[SWEEP_GBYTES]) ? p->v[SWEEP_GBYTES] : p->v[SWEEP_GOPS];
}

static bool run_groups(struct sweep *s, struct sweep_key *key)
{
	double before = 0, value = 0;
	bool good = true;

	for (key->groups = 1; good && key->groups > 0;) {
		before = value;
		value = run_once(s, key, &good);
		key->groups = sweep_next_groups(&s->shape, key->groups, value, before);
	}
	return good;
}

/* Doubles a number of the key. The device refuses what is too much for it, and the curve ends
 * there. */
static bool run_doubled(
	struct sweep *s, struct sweep_key *key, double *number, double first, double last)
{
	bool good = true;

	for (*number = first; good && *number <= last; *number *= 2)
		run_once(s, key, &good);
	if (good || s->run.jobs.signo || s->is_other || *number <= 2 * first ||
		s->run.err.code != ERR_USAGE)
		return good;
	err_clear(&s->run.err);
	return true;
}

static bool run_curve(struct sweep *s, const struct sweep_curve *c)
{
	const struct options *o = s->run.session->opt;
	struct sweep_key key = { .kernel = c->kernel,
		.groups = (double)o->load->blocks,
		.size = (double)o->load->tpb,
		.loop = (double)c->loop };
	bool good = true;

	switch (s->plan.over) {
	case OVER_GROUPS:
		if (!o->load->tpb && c->loop)
			key.size = s->paper && s->paper->group_size
				? (double)s->paper->group_size : GROUP_SIZE;
		return run_groups(s, &key);
	case OVER_TPB:
		return run_doubled(s, &key, &key.size, FIRST_TPB, LAST_TPB);
	case OVER_LOOP:
		return run_doubled(s, &key, &key.loop, FIRST_LOOP, LAST_LOOP);
	default:
		run_once(s, &key, &good);
		return good;
	}
}

/* Opens the output. With --resume, rows are added to the file of an earlier run, whose unfinished
 * last row is removed. */
static bool open_output(struct sweep *s, enum output_form form)
{
	const struct options *o = s->run.session->opt;
	const struct device *d = s->run.session->dev ? &s->run.session->dev->device : NULL;
	struct results_shape shape = { .form = OUTPUT_CSV, .columns = RESULTS_SWEEP };
	struct strbuf kept = { 0 };

	load_shape(s->run.session, &shape);
	s->points.plane = shape.plane;
	results_begin(&s->rows, &shape, &s->csv);
	shape.form = form;
	results_begin(&s->results, &shape, &s->run.line);
	s->results.subslices = s->rows.subslices = s->shape.units;
	if (d && d->topology.eus > 0)
		s->results.eus = s->rows.eus = d->topology.eus;
	if (!o->sweep->resume)
		return output_open(&s->run.out, s->file, OUTPUT_TRUNCATE, &s->run.err) &&
			(s->run.out.has_old || load_run_write(&s->run));
	if (!s->file || !strcmp(s->file, "-") || form != OUTPUT_CSV)
		return err_set(&s->run.err, ERR_USAGE,
			"--resume continues a CSV file: -o FILE names it");
	bool good = sweep_read(s->file, strbuf_str(&s->run.line), &kept, &s->run.err) &&
		take_all_old(s, strbuf_str(&kept)) &&
		file_replace(s->file, strbuf_str(&kept), kept.len, &s->run.err) &&
		output_open(&s->run.out, s->file, OUTPUT_APPEND, &s->run.err);
	strbuf_clear(&s->run.line);
	strbuf_clear(&s->csv);
	strbuf_add(&s->csv, strbuf_str(&kept));
	strbuf_release(&kept);
	return good;
}

/* Finds out what is to be run. */
static bool make_plan(struct sweep *s)
{
	struct session *ses = s->run.session;
	struct kernel_names pick = { 0 };
	size_t n;

	if (s->paper) {
		const struct kernel_info *kernels = jobs_kernels(&s->run.jobs, &n, &s->run.err);

		return kernels && sweep_plan_figures(&s->plan, &s->wish, kernels, n, &s->run.err);
	}
	bool good = load_run_pick(&s->run, &pick, sweep_default_kernels(s->wish.over));
	if (good)
		good = sweep_plan_kernels(
			&s->plan, s->wish.over, &pick, ses->opt->load->loop, &s->run.err);
	kernel_names_release(&pick);
	return good;
}

/* Says how many points there will be, more or less. */
static int usual_points(const struct sweep *s)
{
	switch (s->plan.over) {
	case OVER_GROUPS:
		return (int)(s->shape.dense * s->shape.units) + USUAL_DOUBLINGS;
	case OVER_TPB:
		return (int)log2(LAST_TPB / FIRST_TPB) + 1;
	case OVER_LOOP:
		return (int)log2(LAST_LOOP / FIRST_LOOP) + 1;
	default:
		return 1;
	}
}

static bool go(struct sweep *s, enum output_form form)
{
	struct session *ses = s->run.session;
	double threads = 1;

	if (!load_run_open(&s->run, load_job(ses, POINT_NS).limit_ns) || !make_plan(s))
		return false;
	s->shape = (struct sweep_shape){ .dense = s->paper ? s->paper->rounds : SWEEP_DENSE_ROUNDS };
	s->shape.units = fmax(1, (double)sysconf(_SC_NPROCESSORS_ONLN));
	/* A group of 256 items is one thread for each of eight EUs at the widest SIMD. So a
	 * subslice is filled by as many groups as an EU has threads. */
	if (ses->dev && ses->dev->device.topology.subslices > 0)
		s->shape.units = ses->dev->device.topology.subslices;
	if (ses->dev && ses->dev->device.topology.threads_per_eu > 0)
		threads = ses->dev->device.topology.threads_per_eu;
	s->shape.full = ceil((s->shape.dense + 1) / threads) * threads;
	note_asked(s);
	if (!open_output(s, form))
		return false;
	progress_begin(&s->progress, (int)s->plan.n * usual_points(s), (int)s->points.n,
		ses->opt->load->quiet);
	for (size_t i = 0; i < s->plan.n; i++)
		if (!run_curve(s, &s->plan.curves[i]))
			return false;
	load_run_tell_bad(&s->run);
	return true;
}

/* Reads the paper, which has a say in the options. */
static bool begin(struct sweep *s)
{
	const struct options *o = s->run.session->opt;

	s->opt = *o;
	s->wish.over = sweep_over_of(o);
	if (o->output)
		s->file = xstrdup(o->output);
	if (!o->sweep->figures)
		return true;
	s->paper = paper_read(o->sweep->figures, &s->run.err);
	if (!s->paper)
		return false;
	s->wish = (struct sweep_wish){ .paper = s->paper, .numbers = o->names, .n_numbers = o->n_names };
	if (!s->file)
		s->file = xasprintf("%s.csv", s->paper->name);
	if (!input_files_spare(o, s->file, &s->run.err) ||
		(!o->overwrite && !file_may_become(s->file, FILE_FORM_CSV, &s->run.err)))
		return false;
	s->load = *o->load;
	s->opt.load = &s->load;
	if (!s->load.power_plane && *s->paper->plane)
		s->load.power_plane = s->paper->plane;
	s->run.session->opt = &s->opt;
	return true;
}

/* Draws what was measured, which is something by now. */
static bool draw(struct sweep *s)
{
	const struct options *o = s->run.session->opt;
	struct output table = { .fd = -1 };

	if (!s->paper && !o->plot)
		return true;
	if (!s->paper && (s->wish.over != OVER_GROUPS || o->sweep->with.n))
		return sweep_draw_over(s);
	if (!s->paper)
		return sweep_plot(&s->points, o->plot, s->simulated, &s->run.err);
	strbuf_clear(&s->run.line);
	bool good = sweep_draw_figures(s) &&
		(o->load->quiet || (output_open(&table, NULL, OUTPUT_TRUNCATE, &s->run.err) &&
				     output_write(&table, &s->run.line, &s->run.err)));
	return output_close(&table, good, &s->run.err);
}

static enum status list_papers(void)
{
	struct strbuf text = { 0 };

	paper_list(&text);
	fputs(strbuf_str(&text), stdout);
	strbuf_release(&text);
	return STATUS_GOOD;
}

enum status sweep_cmd(struct session *ses, enum output_form form, int *signo)
{
	const struct options *o = ses->opt;

	if (o->sweep->figures && !strcmp(o->sweep->figures, "help"))
		return list_papers();
	struct sweep *s = xcalloc(1, sizeof(*s));
	load_run_init(&s->run, ses);
	s->clock_limit_mhz = NAN;
	bool good = begin(s) &&
		go(s, form == OUTPUT_NONE || s->paper ? OUTPUT_CSV : form);
	progress_end(&s->progress);
	*signo = s->run.jobs.signo;
	/* A sweep that a signal ended is drawn too, as far as it went. */
	if ((good || *signo) && s->points.n > 0)
		good = draw(s) && good;
	if (!o->load->quiet)
		sweep_tell_simd(&s->points);
	enum status status = load_run_end(&s->run, good);
	ses->opt = o;
	sweep_plan_release(&s->plan);
	sweep_points_release(&s->points);
	strbuf_release(&s->csv);
	paper_free(s->paper);
	free(s->file);
	free(s->asked);
	free(s);
	return status;
}
