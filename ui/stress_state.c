/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stress kernel in figures: what it may reach, how its run goes, what the last runs reached. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/mem.h"
#include "ui/plot.h"
#include "ui/roof.h"
#include "ui/stress.h"
#include "ui/table.h"

#define CELL_TEXT 80
#define PROGRESS_X 28	/* behind the state */

bool stress_is_running(const struct view_model *m)
{
	return m->job && job_is_on(m->job->phase);
}

/* --- numbers --- */

/* The rate that a kernel is about, in its unit, from FLOP, bytes or operations per second. */
static double rate_of(
	const struct kernel_info *k, double flop, double bytes, double ops, const char **unit)
{
	if (k->flop > 0) {
		*unit = "GFLOP/s";
		return flop / 1e9;
	}
	if (k->read_bytes + k->write_bytes + k->local_bytes > 0) {
		*unit = "GB/s";
		return bytes / 1e9;
	}
	*unit = "Gop/s";
	return ops / 1e9;
}

static double state_rate(const struct job_state *st, bool mean, const char **unit)
{
	return mean ? rate_of(&st->kernel, st->mean_flop_per_s, st->mean_bytes_per_s,
			      st->mean_ops_per_s, unit)
		    : rate_of(&st->kernel, st->flop_per_s, st->bytes_per_s, st->ops_per_s, unit);
}

/* Share of what is possible: of the measured clock's bound, else of the prediction. NAN without
 * either. */
static double share_of(const struct job_state *st, bool mean)
{
	const char *unit;
	double rate = state_rate(st, mean, &unit), bound = NAN;

	if (st->kernel.flop > 0)
		bound = st->bound_flop_per_s > 0 ? st->bound_flop_per_s / 1e9
						 : st->predicted_flop_per_s / 1e9;
	else if (st->predicted_bytes_per_s > 0)
		bound = st->predicted_bytes_per_s / 1e9;
	return bound > 0 ? 100 * rate / bound : NAN;
}

/* One decimal, below 1 three: a column of rates that can be compared. */
static const char *number(char *buf, size_t size, double v)
{
	if (!isfinite(v) || fabs(v) >= 99999.95)
		return isfinite(v) ? format_number(buf, size, v, 7) : "--";
	snprintf(buf, size, "%.*f", fabs(v) < 0.95 && v != 0 ? 3 : 1, v);
	return buf;
}

const char *stress_rate_text(
	char *buf, size_t size, const struct job_state *st, bool mean, const char **unit)
{
	return number(buf, size, state_rate(st, mean, unit));
}

const char *stress_share_text(char *buf, size_t size, const struct job_state *st, bool mean)
{
	double share = share_of(st, mean);

	if (isfinite(share))
		snprintf(buf, size, "%.1f", share);
	else
		snprintf(buf, size, "--");
	return buf;
}

/* --- a line with a name --- */

/* Room behind the names. */
static int text_columns_of(struct rect in)
{
	return in.w - STRESS_LABEL_W - 3;
}

static int say(struct screen *s, struct rect in, int y, enum role role, const char *label,
	const char *text)
{
	struct rect r = { in.x + 1 + STRESS_LABEL_W + 1, y, text_columns_of(in), in.y + in.h - y };
	int n;

	if (y >= in.y + in.h || r.w < 4)
		return y;
	canvas_field(s->c, in.x + 1, y, STRESS_LABEL_W, false, ROLE_LABEL, label);
	if (role != ROLE_TEXT) {
		glyphs_field(s->c, s->g, r.x, y, r.w, role, text);
		return y + 1;
	}
	n = box_text(s->c, r, 0, text);
	return y + (n < r.h ? n : r.h);
}

/* --- before it runs --- */

void stress_kernel_draw(struct screen *s, struct rect in, int y, const struct kernel_info *k)
{
	char text[120];

	if (!k->supported) {
		say(s, in, y, ROLE_TEXT, _("why not"), k->reason);
		return;
	}
	y = say(s, in, y, ROLE_TEXT, _("kernel"), _(k->text));
	/* TRANSLATORS: what one work-item does when the body runs once */
	snprintf(text, sizeof(text), _("%g FLOP, %g B a work-item and turn"), k->flop,
		k->read_bytes + k->write_bytes + k->local_bytes);
	y = say(s, in, y, ROLE_DIM, _("work"), text);
	y = say(s, in, y, ROLE_DIM, _("presets"), _("p: quick check, bandwidth, heat"));
	if (!(s->m->device && s->m->device->simulated) && y + 1 < in.y + in.h)
		box_text_role(s->c, (struct rect){ in.x + 1, y + 1, in.w - 2, in.y + in.h - y - 1 },
			0, ROLE_DIM,
			_("The load is a process of its own: it ends with rooftop, however that "
			  "ends, and never outlives its time."));
}

/* --- while it runs --- */

/* The metric that counts what the kernel's rate is about: FLOP, or bytes where they leave the EUs,
 * before any cache; -1: there is none. */
static int counting_metric(const struct roofline *r, const struct kernel_info *k)
{
	if (!r || k->flop > 0)
		return r ? r->performance : -1;
	for (int i = 0; i < r->n_views && !(k->local_bytes > 0); i++)
		if (strcmp(r->views[i].level, ROOF_LOCAL_LEVEL) != 0)
			return r->views[i].traffic;
	return -1;
}

/* Whether the window on the screen is of now, and lies inside the run: then both figures are of the
 * same kernel at the same time. */
static bool is_window_of_run(const struct view_model *m, const struct job_state *st)
{
	const struct job_state *then = &m->snap->job;

	return !m->paused && !m->back && st->phase == JOB_RUNNING && then->phase == JOB_RUNNING &&
		then->start_mono_ns == st->start_mono_ns && m->snap->window_ns <= then->elapsed_ns;
}

/* What the device's counters say of the same thing, in the rate's unit; NAN when they do not count
 * it, or not during this run alone. */
static double counted_rate(const struct view_model *m, const struct job_state *st, bool *estimated)
{
	int metric = counting_metric(roof_line(m), &st->kernel);

	*estimated = metric >= 0 && m->set->metrics[metric].flags & METRIC_ESTIMATED;
	if (metric < 0 || st->flags & JOB_OTHER_DEVICE || !is_window_of_run(m, st) ||
		snapshot_is_kept(m->snap, metric))
		return NAN;
	return m->snap->values[metric].v * m->set->metrics[metric].unit.scale / 1e9;
}

static int draw_counted(struct screen *s, struct rect in, int y, const struct job_state *st,
	double rate, const char *unit)
{
	bool estimated;
	double counted = counted_rate(s->m, st, &estimated);
	double apart = 100 * (counted / rate - 1);
	char a[32], text[120];

	if (!(counted > 0) || !(rate > 0) || !strcmp(unit, "Gop/s"))
		return y;
	snprintf(text, sizeof(text), "%s%s %s, %+.1f %%", estimated ? "~" : "",
		number(a, sizeof(a), counted), unit, fabs(apart) < 0.05 ? 0 : apart);
	return say(s, in, y, ROLE_VALUE, _("counted"), text);
}

static int draw_power(struct screen *s, struct rect in, int y, const struct job_state *st,
	double rate, const char *unit)
{
	double watts = st->elapsed_ns > 0 ? st->energy_uj * 1000 / (double)st->elapsed_ns : NAN;
	char a[32], b[32], text[120];

	if (!isfinite(watts))
		return y;
	number(a, sizeof(a), watts);
	number(b, sizeof(b), rate / watts);
	snprintf(text, sizeof(text), _("%s W package   %s %s per W"), a, b, unit);
	if (format_columns(text) > text_columns_of(in))
		snprintf(text, sizeof(text), "%s W   %s %s/W", a, b, unit);
	return say(s, in, y, ROLE_VALUE, _("power"), text);
}

static int draw_launches(struct screen *s, struct rect in, int y, const struct job_state *st)
{
	char a[32], b[32], text[120];

	if (!(st->launch_ns > 0))
		return y;
	if (isfinite(st->gap_ns))
		snprintf(text, sizeof(text), _("%" PRIu64 " of %s ms, %s ms apart"),
			st->launches_done, number(a, sizeof(a), st->launch_ns / 1e6),
			number(b, sizeof(b), st->gap_ns / 1e6));
	else
		snprintf(text, sizeof(text), _("%" PRIu64 " of %s ms"), st->launches_done,
			number(a, sizeof(a), st->launch_ns / 1e6));
	return say(s, in, y, ROLE_DIM, _("launches"), text);
}

static int draw_rates(struct screen *s, struct rect in, int y, const struct job_state *st)
{
	const char *unit = "";
	double rate = state_rate(st, !job_is_on(st->phase), &unit);
	double predicted = st->kernel.flop > 0 ? st->predicted_flop_per_s / 1e9
					       : st->predicted_bytes_per_s / 1e9;
	char a[32], b[32], text[200];

	number(a, sizeof(a), rate);
	stress_share_text(b, sizeof(b), st, !job_is_on(st->phase));
	snprintf(text, sizeof(text), _("%s %s   %s %% of what is possible"), a, unit, b);
	if (format_columns(text) > text_columns_of(in))
		snprintf(text, sizeof(text), "%s %s  %s %%", a, unit, b);
	y = say(s, in, y, st->flags & JOB_ABOVE_BOUND ? ROLE_BAD : ROLE_VALUE, _("rate"), text);
	y = draw_counted(s, in, y, st, rate, unit);
	snprintf(text, sizeof(text), "%s %s", number(a, sizeof(a), predicted), unit);
	if (isfinite(predicted) && predicted > 0)
		y = say(s, in, y, ROLE_DIM, _("predicted"), text);
	if (st->kernel.flop > 0 && st->clock_hz > 0) {
		snprintf(text, sizeof(text), _("%s FLOP/cycle at %.0f MHz"),
			number(a, sizeof(a), rate * 1e9 / st->clock_hz), st->clock_hz / 1e6);
		y = say(s, in, y, ROLE_VALUE, "", text);
	}
	y = draw_power(s, in, y, st, rate, unit);
	return draw_launches(s, in, y, st);
}

static void draw_verdict(struct screen *s, struct rect in, int y, const struct job_state *st)
{
	char text[200];

	if (st->mismatches)
		snprintf(text, sizeof(text),
			_("WRONG: %" PRIu64 " results differ, %" PRIu64 " checks passed"),
			st->mismatches, st->verified);
	else
		snprintf(text, sizeof(text), _("ok, %" PRIu64 " checks"), st->verified);
	if (st->job.verify && (st->verified || st->mismatches))
		y = say(s, in, y, st->mismatches ? ROLE_BAD : ROLE_GOOD, _("verify"), text);
	if (st->flags & JOB_ABOVE_BOUND)
		y = say(s, in, y, ROLE_BAD, "",
			_("above what the measured clock allows: not to be believed"));
	if (st->flags & JOB_CLOCKS_DISAGREE)
		y = say(s, in, y, ROLE_WARN, "", _("the events' clock and the wall clock differ"));
	if (st->flags & JOB_OTHER_DEVICE)
		y = say(s, in, y, ROLE_WARN, "",
			_("this loads another device than the one on the screen"));
	if (st->phase == JOB_FAILED) {
		y = say(s, in, y, ROLE_TEXT, _("why"), st->err.msg);
		if (st->err.hint[0])
			say(s, in, y, ROLE_TEXT, _("way out"), st->err.hint);
	}
}

/* TRANSLATORS: how a stress kernel goes */
static const char *const phases[] = { N_("idle"), N_("starting"), N_("building"), N_("tuning"),
	N_("running"), N_("stopping"), N_("done"), N_("failed") };

/* "running   1.1 of 10 s", and how far that is where there is room. */
static int draw_phase(struct screen *s, struct rect in, int y, const struct job_state *st)
{
	enum role role = st->phase == JOB_FAILED ? ROLE_BAD
		: job_is_on(st->phase)		 ? ROLE_WARN
						 : ROLE_TITLE;
	int x = in.x + 1 + STRESS_LABEL_W + 1, end = in.x + in.w - 1;
	char text[120];

	if (y >= in.y + in.h)
		return y;
	snprintf(text, sizeof(text),
		st->job.limit_ns > 0 ? _("%s   %.1f of %.0f s") : _("%s   %.1f s"),
		_(phases[st->phase]), (double)st->elapsed_ns / NS_PER_S,
		(double)st->job.limit_ns / NS_PER_S);
	canvas_field(s->c, in.x + 1, y, STRESS_LABEL_W, false, ROLE_LABEL, _("state"));
	canvas_field(s->c, x, y, end - x, false, role, text);
	x += PROGRESS_X;
	if (st->job.limit_ns > 0 && job_is_on(st->phase) && format_columns(text) < PROGRESS_X &&
		end - x >= 8)
		plot_bar(s->c, s->g, (struct rect){ x, y, end - x, 1 },
			(double)st->elapsed_ns / (double)st->job.limit_ns);
	return y + 1;
}

void stress_state_draw(struct screen *s, struct rect in, int y, const struct job_state *st)
{
	y = draw_phase(s, in, y, st);
	y = say(s, in, y, ROLE_TITLE, _("kernel"),
		st->kernel.name[0] ? st->kernel.name : st->job.kernel);
	if (st->device[0])
		y = say(s, in, y, ROLE_TEXT, _("device"), st->device);
	if (st->phase != JOB_FAILED)
		y = draw_rates(s, in, y, st);
	draw_verdict(s, in, y, st);
}

/* --- the last runs --- */

/* On a narrow screen the last ones go. */
enum {
	RUN_TIME,
	RUN_KERNEL,
	RUN_RATE,
	RUN_UNIT,
	RUN_SHARE,
	RUN_RESULT,
	RUN_CLOCK,
	RUN_WATTS,
	RUN_COLUMNS
};

static const char *run_result(const struct job_run *run)
{
	return run->state.phase == JOB_FAILED ? _("failed")
		: run->state.mismatches	      ? _("WRONG RESULTS")
		: run->state.verified	      ? _("verified")
					      : _("not checked");
}

static void run_cells(const struct job_run *run, char text[RUN_COLUMNS][CELL_TEXT])
{
	const char *unit = "";
	char buf[40];

	snprintf(text[RUN_TIME], CELL_TEXT, "%s", clock_format_local(run->wall_ns, buf));
	snprintf(text[RUN_KERNEL], CELL_TEXT, "%s",
		run->state.kernel.name[0] ? run->state.kernel.name : run->state.job.kernel);
	snprintf(text[RUN_RATE], CELL_TEXT, "%s",
		stress_rate_text(buf, sizeof(buf), &run->state, true, &unit));
	snprintf(text[RUN_UNIT], CELL_TEXT, "%s", unit);
	snprintf(text[RUN_SHARE], CELL_TEXT, "%s",
		stress_share_text(buf, sizeof(buf), &run->state, true));
	if (run->state.clock_hz > 0)
		snprintf(text[RUN_CLOCK], CELL_TEXT, "%.0f", run->state.clock_hz / 1e6);
	else
		snprintf(text[RUN_CLOCK], CELL_TEXT, "--");
	snprintf(text[RUN_WATTS], CELL_TEXT, "%s", number(buf, sizeof(buf), run->watts));
	snprintf(text[RUN_RESULT], CELL_TEXT, "%s", run_result(run));
}

void stress_runs_draw(struct screen *s, struct rect r)
{
	static const char *const heads[RUN_COLUMNS] = { N_("time"), N_("kernel"), N_("rate"), "",
		N_("%roof"), N_("result"), "MHz", "W" };
	struct rect in = box_frame(s, r, false, _("Last runs"), NULL);
	int n = s->m->runs ? job_log_len(s->m->runs) : 0;
	char text[RUN_COLUMNS][CELL_TEXT];
	struct table_column k[RUN_COLUMNS];

	n = n < in.h - 1 ? n : in.h - 1;
	for (int c = 0; c < RUN_COLUMNS; c++)
		k[c] = (struct table_column){ .head = *heads[c] ? _(heads[c]) : "",
			.w = *heads[c] ? format_columns(_(heads[c])) : 0,
			.right = c == RUN_RATE || c == RUN_SHARE || c == RUN_CLOCK ||
				c == RUN_WATTS };
	for (int i = 0; i < n; i++) {
		run_cells(job_log_get(s->m->runs, i), text);
		for (int c = 0; c < RUN_COLUMNS; c++)
			k[c].w = table_longest(k[c].w, text[c]);
	}
	table_place(k, RUN_COLUMNS, RUN_KERNEL, in.x + 1, in.w - 2);
	canvas_clip(s->c, in);
	for (int c = 0; c < RUN_COLUMNS; c++)
		table_cell(s, &k[c], in.y, ROLE_DIM, k[c].head);
	for (int i = 0; i < n; i++) {
		const struct job_run *run = job_log_get(s->m->runs, i);
		bool bad = run->state.mismatches || run->state.phase == JOB_FAILED;

		run_cells(run, text);
		for (int c = 0; c < RUN_COLUMNS; c++)
			table_cell(s, &k[c], in.y + 1 + i,
				c == RUN_RESULT				 ? bad		       ? ROLE_BAD
									 : run->state.verified ? ROLE_GOOD
											       : ROLE_DIM
					: c == RUN_TIME || c == RUN_UNIT ? ROLE_DIM
					: c == RUN_KERNEL		 ? ROLE_TEXT
									 : ROLE_VALUE,
				text[c]);
	}
	canvas_unclip(s->c);
}
