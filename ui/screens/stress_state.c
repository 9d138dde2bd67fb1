/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows a stress kernel in figures: what it may reach, how its run goes, and what the last runs
 * reached. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "ui/draw/plot.h"
#include "base/minmax.h"
#include "ui/screens/roof.h"
#include "ui/screens/stress.h"
#include "ui/frame/table.h"

#define CELL_TEXT 80
#define PROGRESS_X 28	/* the bar of progress stands behind the state */

bool stress_is_running(const struct view_model *m)
{
	return m->job && job_is_on(m->job->phase);
}

/* --- numbers --- */

/* What a kernel's rate is about. */
enum amount { AMOUNT_FLOP, AMOUNT_BYTES, AMOUNT_OPS };

static const char *const rate_units[] = { "GFLOP/s", "GB/s", "Gop/s" },
			 *const large_units[] = { "TFLOP/s", "TB/s", "Top/s" };

static enum amount amount_of(const struct kernel_info *k)
{
	if (k->work.flop > 0)
		return AMOUNT_FLOP;
	if (k->work.read_bytes + k->work.write_bytes + k->work.local_bytes > 0)
		return AMOUNT_BYTES;
	return AMOUNT_OPS;
}

/* Returns the rate in the unit of the kernel's rate. */
static double state_rate(const struct job_state *st, bool mean)
{
	const double now[] = { st->progress.flop_per_s, st->progress.bytes_per_s,
		st->progress.ops_per_s };
	const double means[] = { st->progress.mean_flop_per_s, st->progress.mean_bytes_per_s,
		st->progress.mean_ops_per_s };
	enum amount about = amount_of(&st->kernel);

	if (mean)
		return means[about] / 1e9;
	return now[about] / 1e9;
}

static double predicted_rate(const struct job_state *st)
{
	if (st->kernel.work.flop > 0)
		return st->predicted_flop_per_s / 1e9;
	return st->predicted_bytes_per_s / 1e9;
}

/* Writes one decimal, or three below 1, so that a column of rates can be compared, and "--" for no
 * number; some callers read buf and not what is returned. */
static const char *number(char *buf, size_t size, double v)
{
	int decimals = 1;

	if (fabs(v) < 0.95 && v != 0)
		decimals = 3;
	if (!isfinite(v))
		snprintf(buf, size, "--");
	else if (fabs(v) >= PEOPLE_MAX)
		format_people(buf, size, v, 6);
	else
		snprintf(buf, size, "%.*f", decimals, v);
	return buf;
}

/* Writes a rate in thousand millions, or in millions of millions where that has fewer digits;
 * *unit: which one. */
static const char *rate_number(
	char *buf, size_t size, double v, enum amount about, const char **unit)
{
	bool large = fabs(v) >= PEOPLE_MAX;

	*unit = (large ? large_units : rate_units)[about];
	if (!large)
		return number(buf, size, v);
	return format_number(buf, size, v / 1e3, 5);
}

const char *stress_rate_text(
	char *buf, size_t size, const struct job_state *st, bool mean, const char **unit)
{
	return rate_number(buf, size, state_rate(st, mean), amount_of(&st->kernel), unit);
}

/* What is possible is the bound at the measured clock, or else the prediction. */
const char *stress_share_text(char *buf, size_t size, const struct job_state *st, bool mean)
{
	double bound = predicted_rate(st), share;

	if (st->kernel.work.flop > 0 && st->progress.bound_flop_per_s > 0)
		bound = st->progress.bound_flop_per_s / 1e9;
	share = 100 * state_rate(st, mean) / bound;
	if (bound > 0 && isfinite(share))
		snprintf(buf, size, "%.1f", share);
	else
		snprintf(buf, size, "--");
	return buf;
}

/* --- lines with a name --- */

/* A pen writes lines below each other. */
struct pen {
	struct screen *s;
	struct rect in;	/* the inside of the pane */
	int y;
};

/* Returns the room behind the names. */
static int text_columns_of(const struct pen *p)
{
	return p->in.w - STRESS_LABEL_W - 3;
}

static void say(struct pen *p, enum role role, const char *label, const char *text)
{
	struct rect r = { p->in.x + 1 + STRESS_LABEL_W + 1, p->y, text_columns_of(p),
		p->in.y + p->in.h - p->y };

	if (r.h < 1 || r.w < 4)
		return;
	canvas_field(p->s->c, p->in.x + 1, p->y, STRESS_LABEL_W, false, ROLE_LABEL, label);
	if (role == ROLE_TEXT) {
		p->y += min_of(box_text(p->s->c, r, 0, text), r.h);
		return;
	}
	glyphs_field(p->s->c, p->s->g, r.x, r.y, r.w, role, text);
	p->y++;
}

/* --- before it runs --- */

void stress_kernel_draw(struct screen *s, struct rect in, int y, const struct kernel_info *k)
{
	struct pen p = { s, in, y };
	char text[120];

	if (!k->supported) {
		say(&p, ROLE_TEXT, _("why not"), k->reason);
		return;
	}
	say(&p, ROLE_TEXT, _("kernel"), _(k->text));
	/* TRANSLATORS: what one work-item does when the body runs once */
	snprintf(text, sizeof(text), _("%g FLOP, %g B a work-item and turn"), k->work.flop,
		k->work.read_bytes + k->work.write_bytes + k->work.local_bytes);
	say(&p, ROLE_TEXT, _("work"), text);
	say(&p, ROLE_TEXT, _("presets"), _("v: quick check, bandwidth, heat"));
	if ((s->m->device && s->m->device->simulated) || p.y + 1 >= in.y + in.h)
		return;
	box_text_role(s->c, (struct rect){ in.x + 1, p.y + 1, in.w - 2, in.y + in.h - p.y - 1 }, 0,
		ROLE_DIM,
		_("The load is a process of its own: it ends with rooftop, however that ends, and "
		  "never outlives its time."));
}

/* --- while it runs --- */

/* Returns the metric that counts what the kernel's rate is about (FLOP, or bytes where they leave
 * the EUs, before any cache), or -1 when there is none. */
static int counting_metric(const struct roofline *r, const struct kernel_info *k)
{
	if (!r)
		return -1;
	if (k->work.flop > 0)
		return r->performance;
	for (int i = 0; i < r->n_views && !(k->work.local_bytes > 0); i++)
		if (strcmp(r->views[i].level, ROOF_LOCAL_LEVEL) != 0)
			return r->views[i].traffic;
	return -1;
}

/* Says whether the window on the screen is the newest and lies inside the run, so that both figures
 * are of the same kernel at the same time. */
static bool is_window_of_run(const struct view_model *m, const struct job_state *st)
{
	const struct job_state *then = &m->snap->job;

	return !m->paused && !m->back && st->phase == JOB_RUNNING && then->phase == JOB_RUNNING &&
		then->start_mono_ns == st->start_mono_ns &&
		m->snap->window_ns <= then->progress.elapsed_ns;
}

/* Shows what the device's counters say of the same amount, where they count it during this run
 * alone. */
static void draw_counted(struct pen *p, const struct job_state *st)
{
	const struct view_model *m = p->s->m;
	int metric = counting_metric(roof_line(m), &st->kernel);
	double rate = state_rate(st, !job_is_on(st->phase)), counted, apart;
	enum amount about = amount_of(&st->kernel);
	const char *sign = "", *unit;
	char a[32], text[120];

	if (metric < 0 || about == AMOUNT_OPS || st->flags & JOB_OTHER_DEVICE ||
		!is_window_of_run(m, st) || snapshot_is_kept(m->snap, metric))
		return;
	counted = m->snap->values[metric].v * m->set->metrics[metric].unit.scale / 1e9;
	apart = 100 * (counted / rate - 1);
	if (!(counted > 0) || !(rate > 0))
		return;
	if (fabs(apart) < 0.05)
		apart = 0;
	if (m->set->metrics[metric].flags & METRIC_ESTIMATED)
		sign = "~";
	rate_number(a, sizeof(a), counted, about, &unit);
	snprintf(text, sizeof(text), "%s%s %s, %+.1f %%", sign, a, unit, apart);
	say(p, ROLE_VALUE, _("counted"), text);
}

/* Below this share of what was predicted the screen says why. */
#define LOW_SHARE 0.6

/* Says why a run is far below its prediction, which is for a device that is full. */
static void draw_why_low(struct pen *p, const struct job_state *st, double rate)
{
	const struct device *d = p->s->m->device;
	const double threads = (double)st->job.groups *
		ceil((double)st->job.group_size / st->made.simd);
	const int slots = d ? d->topology.eus * d->topology.threads_per_eu : 0;
	char text[200];

	if (!(rate < LOW_SHARE * predicted_rate(st)) || st->flags & JOB_OTHER_DEVICE)
		return;
	if (threads < slots)
		snprintf(text, sizeof(text),
			_("below the prediction: %.0f threads for %d slots, too few"), threads,
			slots);
	else if (st->progress.gap_ns > (1 - LOW_SHARE) * st->progress.launch_ns)
		snprintf(text, sizeof(text), "%s",
			_("below the prediction: the device waits between launches; a longer loop "
			  "helps"));
	else if (d && st->progress.clock_hz < LOW_SHARE * (double)d->max_hz)
		snprintf(text, sizeof(text),
			_("below the prediction: the clock is at %.0f of %.0f MHz"),
			st->progress.clock_hz / 1e6, (double)d->max_hz / 1e6);
	else
		snprintf(text, sizeof(text),
			_("below the prediction: screen %c says what limits it"),
			command_info(p->s->tabs[VIEW_OVERVIEW].turn)->keys[0]);
	say(p, ROLE_TEXT, "", text);
}

static void draw_launches(struct pen *p, const struct job_state *st)
{
	char a[32], b[32], n[24], text[120];

	if (!(st->progress.launch_ns > 0))
		return;
	snprintf(n, sizeof(n), "%" PRIu64, st->progress.launches_done);
	if ((double)st->progress.launches_done >= PEOPLE_MAX)
		format_si(n, sizeof(n), (double)st->progress.launches_done, 5);
	number(a, sizeof(a), st->progress.launch_ns / 1e6);
	if (isfinite(st->progress.gap_ns))
		snprintf(text, sizeof(text), _("%s of %s ms, %s ms apart"), n, a,
			number(b, sizeof(b), st->progress.gap_ns / 1e6));
	else
		snprintf(text, sizeof(text), _("%s of %s ms"), n, a);
	say(p, ROLE_DIM, _("launches"), text);
}

static void draw_rates(struct pen *p, const struct job_state *st)
{
	const enum amount about = amount_of(&st->kernel);
	const char *unit;
	bool mean = !job_is_on(st->phase);
	enum role role = ROLE_VALUE;
	double rate = state_rate(st, mean), predicted = predicted_rate(st),
	       watts = st->energy_uj * 1000 / (double)st->progress.elapsed_ns;
	char a[32], b[32], text[200];

	rate_number(a, sizeof(a), rate, about, &unit);
	stress_share_text(b, sizeof(b), st, mean);
	snprintf(text, sizeof(text), _("%s %s   %s %% of what is possible"), a, unit, b);
	if (format_columns(text) > text_columns_of(p))
		snprintf(text, sizeof(text), "%s %s  %s %%", a, unit, b);
	if (st->flags & JOB_ABOVE_BOUND)
		role = ROLE_BAD;
	say(p, role, _("rate"), text);
	if (st->kernel.work.flop > 0 && st->progress.clock_hz > 0 && rate > 0) {
		snprintf(text, sizeof(text), _("%s FLOP/cycle at %.0f MHz"),
			number(a, sizeof(a), rate * 1e9 / st->progress.clock_hz),
			st->progress.clock_hz / 1e6);
		if (format_columns(text) > text_columns_of(p))
			snprintf(text, sizeof(text), "%s FLOP/cycle", a);
		say(p, ROLE_VALUE, "", text);
	}
	draw_why_low(p, st, rate);
	draw_counted(p, st);
	rate_number(a, sizeof(a), predicted, about, &unit);
	snprintf(text, sizeof(text), "%s %s", a, unit);
	if (isfinite(predicted) && predicted > 0)
		say(p, ROLE_DIM, _("predicted"), text);
	if (st->progress.elapsed_ns > 0 && isfinite(watts)) {
		number(a, sizeof(a), watts);
		rate_number(b, sizeof(b), rate / watts, about, &unit);
		snprintf(text, sizeof(text),
			st->energy_is_gpus ? _("%s W GPU   %s %s per W")
				: _("%s W package   %s %s per W"), a, b, unit);
		for (int gap = 3; gap > 0 && format_columns(text) > text_columns_of(p); gap -= 2)
			snprintf(text, sizeof(text), "%s W%*s%s %s/W", a, gap, "", b, unit);
		say(p, ROLE_VALUE, _("power"), text);
	}
	draw_launches(p, st);
}

/* TRANSLATORS: how a stress kernel goes */
static const char *const phases[] = { N_("idle"), N_("starting"), N_("building"), N_("tuning"),
	N_("running"), N_("stopping"), N_("done"), N_("failed") };

/* A run that came less far than this share of its time was stopped. */
#define ENDED_SHARE 0.95

/* Draws "running   1.1 of 10 s", and how far that is where there is room. */
static void draw_phase(struct pen *p, const struct job_state *st)
{
	enum role role = ROLE_TITLE;
	int x = p->in.x + 1 + STRESS_LABEL_W + 1, end = p->in.x + p->in.w - 1;
	double elapsed_s = (double)st->progress.elapsed_ns / NS_PER_S,
	       limit_s = (double)st->job.limit_ns / NS_PER_S;
	const char *phase = _(phases[st->phase]);
	char text[120];

	if (st->phase == JOB_DONE && elapsed_s < ENDED_SHARE * limit_s)
		phase = _("stopped");
	if (p->y >= p->in.y + p->in.h)
		return;
	if (st->phase == JOB_FAILED)
		role = ROLE_BAD;
	else if (job_is_on(st->phase))
		role = ROLE_WARN;
	if (limit_s > 0)
		snprintf(text, sizeof(text), _("%s   %.1f of %.0f s"), phase, elapsed_s,
			limit_s);
	else
		snprintf(text, sizeof(text), _("%s   %.1f s"), phase, elapsed_s);
	canvas_field(p->s->c, p->in.x + 1, p->y, STRESS_LABEL_W, false, ROLE_LABEL, _("state"));
	canvas_field(p->s->c, x, p->y, end - x, false, role, text);
	x += PROGRESS_X;
	if (limit_s > 0 && job_is_on(st->phase) && format_columns(text) < PROGRESS_X &&
		end - x >= 8)
		plot_bar(p->s->c, p->s->g, (struct rect){ x, p->y, end - x, 1 },
			elapsed_s / limit_s);
	p->y++;
}

/* Returns the kernel as it runs, with the width that was chosen, or, before it runs, as it was
 * asked for. */
static const char *kernel_name(const struct job_state *st)
{
	if (st->kernel.name[0])
		return st->kernel.name;
	return st->job.kernel;
}

void stress_state_draw(struct screen *s, struct rect in, int y, const struct job_state *st)
{
	struct pen p = { s, in, y };
	enum role role = ROLE_GOOD;
	char text[200];

	draw_phase(&p, st);
	say(&p, ROLE_TITLE, _("kernel"), kernel_name(st));
	if (st->phase != JOB_FAILED)
		draw_rates(&p, st);
	if (st->device[0])
		say(&p, ROLE_TEXT, _("device"), st->device);
	snprintf(text, sizeof(text),
		ngettext("ok, %" PRIu64 " check", "ok, %" PRIu64 " checks",
			(unsigned long)st->progress.verified),
		st->progress.verified);
	if (st->progress.mismatches) {
		snprintf(text, sizeof(text),
			ngettext("WRONG: %" PRIu64 " result differs, checks passed: %" PRIu64,
				"WRONG: %" PRIu64 " results differ, checks passed: %" PRIu64,
				(unsigned long)st->progress.mismatches),
			st->progress.mismatches, st->progress.verified);
		role = ROLE_BAD;
	}
	if (st->job.verify && (st->progress.verified || st->progress.mismatches))
		say(&p, role, _("verify"), text);
	if (st->flags & JOB_ABOVE_BOUND)
		say(&p, ROLE_BAD, "", _("above what the measured clock allows: not to be believed"));
	if (st->flags & JOB_CLOCKS_DISAGREE)
		say(&p, ROLE_WARN, "", _("OpenCL's times and the wall clock differ"));
	if (st->flags & JOB_DISTURBED)
		say(&p, ROLE_WARN, "", _("uneven: others use the device or the processors"));
	if (st->flags & JOB_TUNED_BUSY)
		say(&p, ROLE_WARN, "", _("the sizes were tuned on a busy machine"));
	if (st->flags & JOB_OTHER_DEVICE)
		say(&p, ROLE_WARN, "", _("this loads another device than the one on the screen"));
	if (st->phase != JOB_FAILED)
		return;
	say(&p, ROLE_TEXT, _("why"), st->err.msg);
	if (st->err.hint[0])
		say(&p, ROLE_TEXT, _("way out"), st->err.hint);
}

/* --- the last runs --- */

/* On a narrow screen the last of these columns go. */
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

static const struct run_column {
	const char *head;
	bool right;
	enum role role;
} run_columns[RUN_COLUMNS] = {
	[RUN_TIME] = { N_("time"), false, ROLE_DIM },
	[RUN_KERNEL] = { N_("kernel"), false, ROLE_TEXT },
	[RUN_RATE] = { N_("rate"), true, ROLE_VALUE },
	[RUN_UNIT] = { "", false, ROLE_DIM },
	[RUN_SHARE] = { N_("%roof"), true, ROLE_VALUE },
	[RUN_RESULT] = { N_("result"), false, ROLE_DIM },
	[RUN_CLOCK] = { "MHz", true, ROLE_VALUE },
	[RUN_WATTS] = { "W", true, ROLE_VALUE },
};

/* Returns the role of the result. */
static enum role run_cells(const struct job_run *run, char text[RUN_COLUMNS][CELL_TEXT])
{
	const struct job_state *st = &run->state;
	const char *unit = "", *result = _("not checked");
	enum role role = ROLE_DIM;
	char buf[40];

	snprintf(text[RUN_TIME], CELL_TEXT, "%s", clock_format_local(run->wall_ns, buf));
	snprintf(text[RUN_KERNEL], CELL_TEXT, "%s", kernel_name(st));
	snprintf(text[RUN_RATE], CELL_TEXT, "%s",
		stress_rate_text(buf, sizeof(buf), st, true, &unit));
	snprintf(text[RUN_UNIT], CELL_TEXT, "%s", unit);
	snprintf(text[RUN_SHARE], CELL_TEXT, "%s", stress_share_text(buf, sizeof(buf), st, true));
	snprintf(text[RUN_CLOCK], CELL_TEXT, "--");
	if (st->progress.clock_hz > 0)
		snprintf(text[RUN_CLOCK], CELL_TEXT, "%.0f", st->progress.clock_hz / 1e6);
	snprintf(text[RUN_WATTS], CELL_TEXT, "%s", number(buf, sizeof(buf), run->watts));
	if (st->phase == JOB_FAILED) {
		result = _("failed");
		role = ROLE_BAD;
	} else if (st->progress.mismatches) {
		result = _("WRONG RESULTS");
		role = ROLE_BAD;
	} else if (st->progress.verified) {
		result = _("verified");
		role = ROLE_GOOD;
	}
	snprintf(text[RUN_RESULT], CELL_TEXT, "%s", result);
	return role;
}

void stress_runs_draw(struct screen *s, struct rect r)
{
	struct rect in = box_frame(s, r, false, _("Last runs"), NULL);
	int n = 0;
	char text[RUN_COLUMNS][CELL_TEXT];
	struct table_column k[RUN_COLUMNS];

	if (s->m->runs)
		n = min_of(job_log_len(s->m->runs), in.h - 1);
	for (int c = 0; c < RUN_COLUMNS; c++)
		k[c] = (struct table_column){ .head = run_columns[c].head,
			.right = run_columns[c].right };
	table_heads(k, RUN_COLUMNS);
	for (int i = 0; i < n; i++) {
		run_cells(job_log_get(s->m->runs, i), text);
		for (int c = 0; c < RUN_COLUMNS; c++)
			k[c].w = table_longest(k[c].w, text[c]);
	}
	table_place(k, RUN_COLUMNS, RUN_KERNEL, in.x + 1, in.w - 2);
	canvas_clip(s->c, in);
	table_heads_draw(s, k, RUN_COLUMNS, in.y);
	for (int i = 0; i < n; i++) {
		enum role result = run_cells(job_log_get(s->m->runs, i), text);

		for (int c = 0; c < RUN_COLUMNS; c++) {
			enum role role = run_columns[c].role;

			if (c == RUN_RESULT)
				role = result;
			table_cell(s, &k[c], in.y + 1 + i, role, text[c]);
		}
	}
	canvas_unclip(s->c);
}
