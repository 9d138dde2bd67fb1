/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the table of columns and makes rows from it. */
#include "config.h"

#include "cmd/load/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out/lines/writer.h"
#include "cmd/load/load_options.h"
#include "base/minmax.h"
#include "base/format.h"
#include "base/mem.h"
#include "base/parse.h"

/* Returns NAN unless v is above 0: a job that does none of something has no rate of it. */
static double some(double v)
{
	return v > 0 ? v : NAN;
}

static double bound_pct(const struct job_result *r)
{
	return some(100 *
		jobs_per(r->state.progress.mean_flop_per_s, r->state.progress.bound_flop_per_s));
}

static double flop_per_cycle(const struct job_result *r)
{
	return some(jobs_per(r->state.progress.mean_flop_per_s, r->clock_hz));
}

static double plane_w(const struct job_result *r)
{
	return r->plane_w[r->plane];
}

static double gflops_per_w(const struct job_result *r)
{
	return jobs_per(some(r->state.progress.mean_flop_per_s / 1e9), plane_w(r));
}

static double groups(const struct job_result *r)
{
	return (double)r->state.job.groups;
}

static double items(const struct job_result *r)
{
	return (double)(r->state.job.groups * r->state.job.group_size);
}

static double seconds(const struct job_result *r)
{
	return (double)r->state.progress.elapsed_ns / NS_PER_S;
}

static double size_bytes(const struct job_result *r)
{
	return kernel_size_bytes(r->state.job.kernel);
}

static double stride(const struct job_result *r)
{
	return kernel_stride(r->state.job.kernel);
}

static double intensity(const struct job_result *r)
{
	return kernel_intensity(r->state.job.kernel);
}

/* Returns the time of a step of kernels whose items each wait for one step before the next. */
static double latency_ns(const struct job_result *r)
{
	if (strncmp(r->state.job.kernel, "lat.", strlen("lat.")))
		return NAN;
	return jobs_per(items(r) * 1e9, r->state.progress.mean_ops_per_s);
}

/* Returns why it is not known what the compiler made, or NULL. */
static const char *made_why(const struct job_result *r)
{
	const struct kernel_made *made = &r->state.made;

	if (r->state.flags & JOB_SIMULATED)
		return "the model has no registers that spill";
	if (!isfinite(made->simd) && r->state.flags & JOB_ON_CPU)
		return "a CPU's compiler joins work-items as it likes";
	if (!isfinite(made->simd) || !isfinite(made->spill_bytes))
		return "the driver does not tell";
	return NULL;
}

static const char *beside(const struct job_result *r)
{
	return r->beside;
}

static const char *asked(const struct job_result *r)
{
	return r->asked;
}

/* Returns the mark of a check; a kernel that nobody could check gets none. */
static const char *check(const struct job_result *r)
{
	if (r->state.progress.mismatches)
		return "BAD";
	return r->state.progress.verified ? "ok" : NULL;
}

static const char *plane(const struct job_result *r)
{
	return power_planes[r->plane];
}

enum kind {
	KIND_NUMBER,	/* the median */
	KIND_COUNT,	/* the median of what comes in whole numbers */
	KIND_MIN,
	KIND_MAX,
	KIND_SUM,
	KIND_TEXT,
	KIND_NOTE,	/* of all runs */
	KIND_MODEL,
	KIND_OF_EU,	/* the median over the number of EUs */
	KIND_RUN,	/* the number of the run */
	KIND_RUNS,	/* how many runs the row stands for */
	KIND_ONE,	/* of the run that the row's texts are of */
	KIND_SIM,
};

#define ALL (RESULTS_STRESS | RESULTS_SWEEP | RESULTS_CALIBRATE)
#define BOTH (RESULTS_STRESS | RESULTS_SWEEP)
#define TIMES (RESULTS_SWEEP | RESULTS_PROFILE)

/* These columns are called after the plane. */
#define W_MIN "w_min"
#define W_MAX "w_max"

/* What a column has without a function: a member, and of a number its unit. A RATE is in units of
 * GIGA, and a job that does none of something has no rate of it; a COUNT is a uint64_t. */
#define GIGA 1e9
#define OF(member, unit) NULL, NULL, offsetof(struct job_result, member), unit, false, false
#define FN(number, text) number, text, 0, 1, false, false
#define RATE(member) NULL, NULL, offsetof(struct job_result, member), GIGA, true, false
#define RATE_FN(number) number, NULL, 0, GIGA, true, false
#define COUNT(member) NULL, NULL, offsetof(struct job_result, member), 1, false, true

static const struct result_column {
	struct column c;
	unsigned commands;
	enum kind kind;
	double (*number)(const struct job_result *r);
	const char *(*text)(const struct job_result *r);
	size_t at;
	double unit;
	bool is_rate, is_count;
} table[] = {
	{ { "kernel", "kernel", 26, true }, BOTH, KIND_TEXT, OF(state.job.kernel, 1) },
	{ { "run", NULL, 0, false }, RESULTS_STRESS, KIND_RUN, FN(NULL, NULL) },
	{ { "groups", "groups", 6, false }, BOTH, KIND_COUNT, FN(groups, NULL) },
	{ { "group_size", "size", 5, false }, BOTH, KIND_COUNT, COUNT(state.job.group_size) },
	{ { "items", NULL, 0, false }, RESULTS_SWEEP, KIND_COUNT, FN(items, NULL) },
	{ { "loop", NULL, 0, false }, BOTH, KIND_COUNT, COUNT(state.job.repeat) },
	{ { "launches", NULL, 0, false }, BOTH, KIND_COUNT, COUNT(state.progress.launches_done) },
	{ { "seconds", NULL, 0, false }, BOTH, KIND_NUMBER, FN(seconds, NULL) },
	{ { "runs", "runs", 4, false }, ALL, KIND_RUNS, FN(NULL, NULL) },
	{ { "gflops", "FLOP/s", 7, false }, BOTH, KIND_NUMBER, RATE(state.progress.mean_flop_per_s) },
	{ { "gflops_min", "min", 7, false }, BOTH, KIND_MIN, RATE(state.progress.mean_flop_per_s) },
	{ { "gflops_max", "max", 7, false }, BOTH, KIND_MAX, RATE(state.progress.mean_flop_per_s) },
	{ { "bound_pct", "%bound", 6, false }, RESULTS_STRESS, KIND_NUMBER, FN(bound_pct, NULL) },
	{ { "gflops_counted", NULL, 0, false }, BOTH, KIND_NUMBER, RATE(counted_flop_per_s) },
	{ { "gflops_predicted", NULL, 0, false },
	  BOTH, KIND_NUMBER, RATE(state.predicted_flop_per_s) },
	{ { "gbytes_per_s", "B/s", 6, false }, BOTH, KIND_NUMBER, RATE(state.progress.mean_bytes_per_s) },
	{ { "gbytes_per_s_min", NULL, 0, false }, BOTH, KIND_MIN, RATE(state.progress.mean_bytes_per_s) },
	{ { "gbytes_per_s_max", NULL, 0, false }, BOTH, KIND_MAX, RATE(state.progress.mean_bytes_per_s) },
	{ { "gbytes_per_s_predicted", NULL, 0, false },
	  RESULTS_STRESS, KIND_NUMBER, RATE(state.predicted_bytes_per_s) },
	{ { "gops", NULL, 0, false }, BOTH, KIND_NUMBER, RATE(state.progress.mean_ops_per_s) },
	{ { "flop_per_cycle", "FLOP/cyc", 8, false }, BOTH, KIND_NUMBER, FN(flop_per_cycle, NULL) },
	{ { "flop_per_cycle_eu", NULL, 0, false }, BOTH, KIND_OF_EU, FN(flop_per_cycle, NULL) },
	{ { "clock_mhz", "MHz", 5, false }, BOTH, KIND_NUMBER, OF(clock_hz, 1e6) },
	{ { "power_plane", NULL, 0, true }, ALL, KIND_TEXT, FN(NULL, plane) },
	{ { "package_w", NULL, 0, false }, ALL, KIND_NUMBER, OF(plane_w[PLANE_PACKAGE], 1) },
	{ { "gpu_w", NULL, 0, false }, ALL, KIND_NUMBER, OF(plane_w[PLANE_GPU], 1) },
	{ { "duarte_w", NULL, 0, false }, ALL, KIND_NUMBER, OF(plane_w[PLANE_DUARTE], 1) },
	{ { W_MIN, "min", 6, false }, ALL, KIND_MIN, FN(plane_w, NULL) },
	{ { W_MAX, "max", 6, false }, ALL, KIND_MAX, FN(plane_w, NULL) },
	{ { "gflops_per_w", "FLOP/J", 8, false }, ALL, KIND_NUMBER, RATE_FN(gflops_per_w) },
	{ { "energy_j", NULL, 0, false }, RESULTS_STRESS, KIND_NUMBER, OF(state.energy_uj, 1e6) },
	{ { "verdict", "limit", 9, true }, BOTH, KIND_TEXT, OF(limit, 1) },
	{ { "bound", "by", 9, true }, BOTH, KIND_TEXT, OF(bound, 1) },
	{ { "headroom", NULL, 0, false }, BOTH, KIND_ONE, OF(headroom, 1) },
	{ { "size_bytes", NULL, 0, false }, RESULTS_SWEEP, KIND_NUMBER, FN(size_bytes, NULL) },
	{ { "stride", NULL, 0, false }, RESULTS_SWEEP, KIND_NUMBER, FN(stride, NULL) },
	{ { "intensity", NULL, 0, false }, RESULTS_SWEEP, KIND_NUMBER, FN(intensity, NULL) },
	{ { "latency_ns", NULL, 0, false }, BOTH, KIND_NUMBER, FN(latency_ns, NULL) },
	{ { "beside", NULL, 0, true }, BOTH, KIND_TEXT, FN(NULL, beside) },
	{ { "beside_gbytes_per_s", NULL, 0, false }, BOTH, KIND_NUMBER, RATE(beside_bytes_per_s) },
	{ { "beside_gops", NULL, 0, false }, BOTH, KIND_NUMBER, RATE(beside_ops_per_s) },
	{ { "model", "model", 6, false }, RESULTS_SWEEP, KIND_MODEL, FN(NULL, NULL) },
	{ { "busiest", "more groups on", 14, true }, RESULTS_SWEEP, KIND_TEXT, OF(busiest, 1) },
	{ { "event_us", "event us", 8, false }, TIMES, KIND_NUMBER, OF(state.progress.launch_ns, 1e3) },
	{ { "wall_us", "wall us", 8, false }, TIMES, KIND_NUMBER, OF(wall_ns, 1e3) },
	{ { "timestamp_us", "stamp us", 8, false }, TIMES, KIND_NUMBER, OF(timestamp_ns, 1e3) },
	{ { "cycles_us", "cycle us", 8, false }, TIMES, KIND_NUMBER, OF(cycles_ns, 1e3) },
	{ { "gap_us", "gap us", 7, false }, RESULTS_PROFILE, KIND_NUMBER, OF(state.progress.gap_ns, 1e3) },
	{ { "build_ms", "build ms", 8, false }, RESULTS_PROFILE, KIND_NUMBER, OF(state.build_ns, 1e6) },
	{ { "simd", "SIMD", 4, false }, ALL, KIND_COUNT, OF(state.made.simd, 1) },
	{ { "spill_bytes", NULL, 0, false }, ALL, KIND_NUMBER, OF(state.made.spill_bytes, 1) },
	{ { "private_bytes", NULL, 0, false }, ALL, KIND_NUMBER, OF(state.made.private_bytes, 1) },
	{ { "made_why", NULL, 0, true }, ALL, KIND_TEXT, FN(NULL, made_why) },
	{ { "verified", NULL, 0, false }, BOTH, KIND_SUM, COUNT(state.progress.verified) },
	{ { "mismatches", NULL, 0, false }, BOTH, KIND_SUM, COUNT(state.progress.mismatches) },
	{ { "check", "check", 5, true }, RESULTS_STRESS, KIND_TEXT, FN(NULL, check) },
	{ { "note", "note", 10, true }, BOTH, KIND_NOTE, FN(NULL, NULL) },
	{ { "device", NULL, 0, true }, ALL, KIND_TEXT, OF(state.device, 1) },
	{ { "sim", NULL, 0, false }, BOTH, KIND_SIM, FN(NULL, NULL) },
	{ { "asked", NULL, 0, true }, RESULTS_SWEEP, KIND_TEXT, FN(NULL, asked) },
	{ { "clock_limit_mhz", NULL, 0, false }, RESULTS_SWEEP, KIND_NUMBER, OF(clock_limit_hz, 1e6) },
};

static bool add_note(struct strbuf *text, bool given, const char *note)
{
	if (given)
		strbuf_add_word(text, ", ", note);
	return given;
}

const char *results_note(const struct job_result *run, char *buf, size_t size)
{
	static const struct {
		enum job_flag flag;
		const char *text;
	} notes[] = {
		{ JOB_SIMULATED, "simulated" },
		{ JOB_ON_CPU, "on the CPU, MHz by a timed loop" },
		{ JOB_OTHER_DEVICE, "on another device" },
		{ JOB_ABOVE_BOUND, "above the bound, not to be believed" },
		{ JOB_CLOCKS_DISAGREE, "clocks disagree" },
		{ JOB_DISTURBED, "disturbed" },
		{ JOB_TUNED_BUSY, "tuned on a busy machine" },
	};
	struct strbuf text = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(notes); i++)
		add_note(&text, run->state.flags & notes[i].flag, notes[i].text);
	if (add_note(&text, run->notes & RESULT_STAMP_OFF, "time stamp"))
		strbuf_addf(&text, " %+.2f %%", 100 * (run->stamp_rate - 1));
	if (add_note(&text, run->notes & RESULT_CLOCK_MOVED, "clock"))
		strbuf_addf(&text, " %.0f-%.0f MHz", run->clock_min_hz / 1e6,
			run->clock_max_hz / 1e6);
	if (add_note(&text, run->held, "clock held by"))
		strbuf_addf(&text, " %s", run->held);
	if (add_note(&text, run->others_pct >= 1, "others used it"))
		strbuf_addf(&text, " %.0f %%", run->others_pct);
	add_note(&text, run->notes & RESULT_SHORT_POWER,
		"power from few steps of its counter");
	add_note(&text, run->notes & RESULT_NO_BLOCKS, "--blocks has no effect");
	add_note(&text, run->notes & RESULT_NO_TPB, "--tpb has no effect");
	add_note(&text, run->notes & RESULT_NO_LOOP, "--loop has no effect");
	if (add_note(&text, run->notes & RESULT_NO_POWER, "no power:"))
		strbuf_addf(&text, " %s", why_brief(run->power_why));
	snprintf(buf, size, "%s", strbuf_str(&text));
	strbuf_release(&text);
	return buf;
}

/* Some columns are shown by what was asked for. */
static void add_column(struct results *r, const struct results_shape *shape, int which)
{
	const struct power_plane_words *plane = &power_plane_words[shape->plane];
	const struct result_column *from = &table[which];
	struct column *c = &r->columns[r->n];

	*c = from->c;
	if (!strcmp(c->name, plane->w)) {
		c->head = plane->head;
		c->width = 8;
	}
	if (!strcmp(c->name, W_MIN))
		c->name = plane->w_min;
	if (!strcmp(c->name, W_MAX))
		c->name = plane->w_max;
	if (shape->runs < 2 &&
		(from->kind == KIND_RUNS || from->kind == KIND_MIN || from->kind == KIND_MAX))
		c->head = NULL;
	r->which[r->n++] = which;
}

void results_begin(struct results *r, const struct results_shape *shape, struct strbuf *out)
{
	const struct metric_set *metrics = shape->metrics;

	*r = (struct results){ .subslices = NAN, .eus = NAN, .plane = shape->plane, .n_lead = shape->n_lead };
	for (; r->n < shape->n_lead; r->n++)
		r->columns[r->n] = shape->lead[r->n];
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (table[i].commands & shape->columns)
			add_column(r, shape, (int)i);
	/* Columns of metrics are as wide as their names. */
	for (int i = 0; metrics && i < metrics->n_metrics && i < JOB_METRICS; i++) {
		const char *name = metrics->metrics[i].name;

		if (!writer_shows(&metrics->metrics[i]))
			continue;
		r->columns[r->n] = (struct column){ name, NULL, format_columns(name), false };
		if (i < shape->n_text || metrics->metrics[i].flags & METRIC_ASKED)
			r->columns[r->n].head = name;
		r->which[r->n++] = ~i;
	}
	rows_begin(&r->rows, shape->form, r->columns, r->n, out);
}

static const char *text_of(const struct result_column *c, const struct job_result *run)
{
	const char *word = (const char *)run + c->at;

	if (c->text)
		return c->text(run);
	return text_or(word, NULL);
}

static double number_of(const struct result_column *c, const struct job_result *run)
{
	uint64_t count;
	double v;

	if (c->number)
		return c->number(run);
	memcpy(&count, (const char *)run + c->at, sizeof(count));
	if (c->is_count)
		return (double)count;
	memcpy(&v, (const char *)run + c->at, sizeof(v));
	return c->is_rate ? some(v / c->unit) : v / c->unit;
}

/* which: as in struct results. */
static double number(const struct results *r, int which, const struct job_result *run)
{
	double k = groups(run), units = r->subslices;

	if (which < 0)
		return run->metrics[~which];
	if (table[which].kind == KIND_OF_EU)
		return number_of(&table[which], run) / r->eus;
	if (table[which].kind != KIND_MODEL)
		return number_of(&table[which], run);
	/* This is the share of S units that k groups keep busy. */
	return units > 0 ? k / (units * ceil(k / units)) : NAN;
}

/* Returns the median, the smallest or the largest of the runs that have the number. */
static double one_of(const struct results *r, int which, const struct job_result *runs, int n)
{
	double *v = xcalloc((size_t)n, sizeof(*v));
	enum kind kind = which < 0 ? KIND_NUMBER : table[which].kind;
	int k = 0;

	for (int i = 0; i < n; i++) {
		v[k] = number(r, which, &runs[i]);
		if (isfinite(v[k]))
			k++;
	}
	double found = sort_median(v, k);
	if (k > 0 && kind == KIND_MIN)
		found = v[0];
	else if (k > 0 && kind == KIND_MAX)
		found = v[k - 1];
	free(v);
	return found;
}

double results_number(
	const struct results *r, const char *column, const struct job_result *runs, int n)
{
	for (int i = r->n_lead; i < r->n; i++) {
		int which = r->which[i];

		if (which >= 0 && !strcmp(r->columns[i].name, column) &&
			table[which].kind != KIND_TEXT)
			return one_of(r, which, runs, n);
	}
	return NAN;
}

static double rate_of(const struct job_result *r)
{
	double flop = some(r->state.progress.mean_flop_per_s);

	return isfinite(flop) ? flop : some(r->state.progress.mean_bytes_per_s);
}

const struct job_result *results_one(const struct job_result *runs, int n)
{
	const struct job_result *middle = runs;

	for (int i = 0; i < n; i++) {
		int slower = 0;

		if (runs[i].state.progress.mismatches)
			return &runs[i];
		for (int k = 0; k < n; k++)
			slower += rate_of(&runs[k]) < rate_of(&runs[i]) ||
				(k < i && rate_of(&runs[k]) <= rate_of(&runs[i]));
		if (slower == (n - 1) / 2)
			middle = &runs[i];
	}
	return middle;
}

const char *results_notes(const struct job_result *runs, int n, char *buf, size_t size)
{
	struct job_result all = *results_one(runs, n);

	for (int i = 0; i < n; i++) {
		/* The numbers of a note are those of a run that has it. */
		if (runs[i].notes & RESULT_STAMP_OFF &&
			!(fabs(runs[i].stamp_rate - 1) < fabs(all.stamp_rate - 1)))
			all.stamp_rate = runs[i].stamp_rate;
		if (runs[i].notes & RESULT_NO_POWER)
			all.power_why = runs[i].power_why;
		all.state.flags |= runs[i].state.flags;
		all.notes |= runs[i].notes;
		all.clock_min_hz = fmin(all.clock_min_hz, runs[i].clock_min_hz);
		all.clock_max_hz = fmax(all.clock_max_hz, runs[i].clock_max_hz);
		all.others_pct = fmax(all.others_pct, runs[i].others_pct);
		if (runs[i].held)
			all.held = runs[i].held;
	}
	if (jobs_clock_moved(&all))
		all.notes |= RESULT_CLOCK_MOVED;
	return results_note(&all, buf, size);
}

void results_row(struct results *r, const struct job_result *runs, int n, int run)
{
	const struct job_result *one = n > 0 ? results_one(runs, n) : NULL;
	char buf[200];

	for (int i = r->n_lead; i < r->n; i++) {
		int which = r->which[i];
		const struct result_column *c = &table[max_of(which, 0)];
		enum kind kind = c->kind;
		double sum = 0;

		if (which < 0)
			kind = KIND_NUMBER;
		switch (kind) {
		case KIND_TEXT:
			rows_text(&r->rows, one ? text_of(c, one) : NULL);
			break;
		case KIND_NOTE:
			rows_text(&r->rows, one ? results_notes(runs, n, buf, sizeof(buf)) : NULL);
			break;
		case KIND_RUN:
			rows_count(&r->rows, run > 0 ? run : NAN);
			break;
		case KIND_RUNS:
			rows_count(&r->rows, n);
			break;
		case KIND_ONE:
			rows_number(&r->rows, one ? number_of(c, one) : NAN);
			break;
		case KIND_SIM:
			rows_bool(&r->rows, one && one->state.flags & JOB_SIMULATED);
			break;
		case KIND_SUM:
			for (int k = 0; k < n; k++)
				sum += number_of(c, &runs[k]);
			rows_count(&r->rows, sum);
			break;
		case KIND_COUNT:
			rows_count(&r->rows, one_of(r, which, runs, n));
			break;
		case KIND_NUMBER:
		case KIND_MIN:
		case KIND_MAX:
		case KIND_MODEL:
		case KIND_OF_EU:
			if (c->is_rate)
				rows_giga(&r->rows, one_of(r, which, runs, n));
			else
				rows_number(&r->rows, one_of(r, which, runs, n));
			break;
		}
	}
	rows_end(&r->rows);
}

/* Returns the number behind the part of the name that ends so, to the end of the name. */
static double number_behind(const char *kernel, const char *part)
{
	const char *at = strstr(kernel, part);
	double v;

	return at && parse_double(at + strlen(part), &v) ? v : NAN;
}

double kernel_size_bytes(const char *kernel)
{
	const char *dot = strrchr(kernel, '.');
	char *end;
	double v = dot ? strtod(dot + 1, &end) : 0;

	if (!(v > 0) || (strcmp(end, "k") && strcmp(end, "m")))
		return NAN;
	return v * (*end == 'k' ? 1 << 10 : 1 << 20);
}

double kernel_stride(const char *kernel)
{
	return number_behind(kernel, ".stride.s");
}

double kernel_intensity(const char *kernel)
{
	return number_behind(kernel, ".ai-");
}
