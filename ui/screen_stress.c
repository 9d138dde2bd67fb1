/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The launcher: which kernel, how, how it goes, what the counters say meanwhile. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/mem.h"
#include "base/parse.h"
#include "ui/pane_meters.h"
#include "ui/table.h"

#define TWO_BOXES_W 64
#define LABEL_W 12
#define MAX_ROWS 512

enum field { FIELD_LIST, FIELD_GROUPS, FIELD_GROUP_SIZE, FIELD_REPEAT, FIELD_LIMIT, FIELD_VERIFY, FIELD_TUNE, FIELD_COUNT };

static const char *const field_names[FIELD_COUNT] = { NULL, N_("work-groups"), N_("work-items"), N_("repeat"), N_("time"), N_("verify (v)"),
	N_("tune (t)") };

/* What p goes through: the first kernel of that family and type that the device has, four wide where there is a choice. */
static const struct preset {
	const char *title;
	const char *family, *op, *type;
	int64_t limit_ns;
	bool tune;
} presets[] = {
	{ N_("quick check"), "private", "mad", "sp", 3 * NS_PER_S, false },
	{ N_("bandwidth"), "triad", "", "sp", 10 * NS_PER_S, false },
	{ N_("bandwidth"), "copy", "", "sp", 10 * NS_PER_S, false },
	{ N_("heat"), "power", "mad", "sp", 300 * NS_PER_S, false },
};

static bool fits(const struct preset *p, const struct kernel_info *k)
{
	return !strcmp(k->family, p->family) && (!*p->op || !strcmp(k->op, p->op)) && !strcmp(k->type, p->type) && k->supported;
}

static const struct kernel_info *preset_kernel(const struct preset *p, const struct view_model *m)
{
	const struct kernel_info *best = NULL;

	for (size_t i = 0; i < m->n_kernels; i++)
		if (fits(p, &m->kernels[i]) && (!best || m->kernels[i].width == 4))
			best = &m->kernels[i];
	return best;
}

/* --- what is selected --- */

static bool is_listed(const struct view *v, const struct kernel_info *k)
{
	return view_contains(k->name, v->stress.filter) || !*v->stress.filter;
}

/* Indices of the kernels that the filter leaves; returns their number. */
static int list_rows(const struct view *v, const struct view_model *m, short *rows)
{
	int n = 0;

	for (size_t i = 0; i < m->n_kernels && n < MAX_ROWS; i++)
		if (is_listed(v, &m->kernels[i]))
			rows[n++] = (short)i;
	return n;
}

/* Before anything was selected it is the first preset's. */
static int selected_row(const struct view *v, const struct view_model *m, const short *rows, int n)
{
	const struct kernel_info *first = *v->stress.kernel ? NULL : preset_kernel(&presets[0], m);
	const char *name = first ? first->name : v->stress.kernel;

	for (int i = 0; i < n; i++)
		if (!strcmp(m->kernels[rows[i]].name, name))
			return i;
	return 0;
}

static const struct kernel_info *selected_kernel(const struct view *v, const struct view_model *m)
{
	short rows[MAX_ROWS];
	int n = list_rows(v, m, rows);

	return n ? &m->kernels[rows[selected_row(v, m, rows, n)]] : NULL;
}

void view_job(const struct view *v, const struct view_model *m, struct job *out)
{
	const struct kernel_info *k = selected_kernel(v, m);

	*out = v->stress.form;
	snprintf(out->kernel, sizeof(out->kernel), "%s", k ? k->name : "");
}

static bool job_runs(const struct view_model *m)
{
	return m->job && job_is_on(m->job->phase);
}

/* --- numbers --- */

/* The rate that a kernel is about, in its unit, from FLOP, bytes or operations per second. */
static double rate_of(const struct kernel_info *k, double flop, double bytes, double ops, const char **unit)
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
	return mean ? rate_of(&st->kernel, st->mean_flop_per_s, st->mean_bytes_per_s, st->mean_ops_per_s, unit)
		: rate_of(&st->kernel, st->flop_per_s, st->bytes_per_s, st->ops_per_s, unit);
}

/* Share of what is possible: of the measured clock's bound, else of the prediction. NAN without either. */
static double share_of(const struct job_state *st, bool mean)
{
	const char *unit;
	double rate = state_rate(st, mean, &unit), bound = NAN;

	if (st->kernel.flop > 0)
		bound = st->bound_flop_per_s > 0 ? st->bound_flop_per_s / 1e9 : st->predicted_flop_per_s / 1e9;
	else if (st->predicted_bytes_per_s > 0)
		bound = st->predicted_bytes_per_s / 1e9;
	return bound > 0 ? 100 * rate / bound : NAN;
}

static const char *number(char *buf, size_t size, double v)
{
	return isfinite(v) ? format_number(buf, size, v, 6) : "--";
}

/* --- the list --- */

enum { COL_NAME, COL_LAST, COL_SHARE, COL_COUNT };

/* Without its first word where the column is too narrow: that says the least. */
static const char *short_name(const char *name, int w)
{
	const char *dot = format_columns(name) > w ? strchr(name, '.') : NULL;

	return dot ? dot + 1 : name;
}

static const char *share_text(char *buf, size_t size, double share)
{
	if (isfinite(share))
		snprintf(buf, size, "%.1f", share);
	else
		snprintf(buf, size, "--");
	return buf;
}

static void draw_kernel(struct screen *s, const struct table_column *k, const struct kernel_info *info, struct rect in, int y, bool selected)
{
	const struct job_run *run = s->m->runs ? job_log_find(s->m->runs, info->name) : NULL;
	enum role role = selected ? ROLE_SELECTED : info->supported ? ROLE_TEXT : ROLE_DIM;
	const char *unit = "";
	char buf[32];

	if (selected)
		canvas_put(s->c, in.x, y, s->g->marker, ROLE_FOCUS);
	table_cell(s->c, &k[COL_NAME], y, role, short_name(info->name, k[COL_NAME].w));
	if (!info->supported) {
		table_cell(s->c, &k[COL_LAST], y, ROLE_DIM, "--");
		return;
	}
	if (!run)
		return;
	table_cell(s->c, &k[COL_LAST], y, ROLE_VALUE, number(buf, sizeof(buf), state_rate(&run->state, true, &unit)));
	table_cell(s->c, &k[COL_SHARE], y, ROLE_TEXT, share_text(buf, sizeof(buf), share_of(&run->state, true)));
}

static void draw_list(struct screen *s, struct rect r)
{
	struct rect in = box_frame(s->c, s->g, r, s->v->stress.field == FIELD_LIST, _("Kernels"), *s->v->stress.filter ? s->v->stress.filter : NULL);
	struct table_column k[COL_COUNT] = { { N_("kernel"), 0, 0, false }, { N_("last"), 0, 6, true }, { N_("%roof"), 0, 5, true } };
	short rows[MAX_ROWS];
	int n = list_rows(s->v, s->m, rows), selected = selected_row(s->v, s->m, rows, n), visible = in.h - 1, top;

	canvas_clip(s->c, in);
	if (!n) {
		box_text(s->c, (struct rect){ in.x + 1, in.y, in.w - 2, in.h }, 0, *s->v->stress.filter ? _("no kernel has that in its name")
			: _("nothing can run a load on this device; a simulated device can, and OpenCL where it is installed"));
		canvas_unclip(s->c);
		return;
	}
	for (int i = 0; i < n; i++)
		k[COL_NAME].w = table_longest(k[COL_NAME].w, s->m->kernels[rows[i]].name);
	table_place(k, COL_COUNT, COL_NAME, in.x + 2, in.w - 3);
	for (int i = 0; i < COL_COUNT; i++)
		table_cell(s->c, &k[i], in.y, ROLE_DIM, _(k[i].head));
	top = layout_scroll(s->v->stress.top, selected, visible, n);
	for (int i = 0; i < visible && top + i < n; i++)
		draw_kernel(s, k, &s->m->kernels[rows[top + i]], in, in.y + 1 + i, top + i == selected);
	canvas_unclip(s->c);
	box_scroll_mark(s->c, s->g, r, top, visible, n);
}

/* --- the form and how it goes --- */

static void field_text(const struct job *j, enum field f, char *buf, size_t size)
{
	uint64_t n = f == FIELD_GROUPS ? j->groups : f == FIELD_GROUP_SIZE ? j->group_size : j->repeat;

	switch (f) {
	case FIELD_LIMIT: snprintf(buf, size, "%g s", (double)j->limit_ns / NS_PER_S); break;
	case FIELD_VERIFY: snprintf(buf, size, "%s", j->verify ? "x" : " "); break;
	case FIELD_TUNE: snprintf(buf, size, "%s", j->tune ? "x" : " "); break;
	default:
		if (n)
			snprintf(buf, size, "%" PRIu64, n);
		else
			snprintf(buf, size, "%s", _("auto"));
	}
}

/* "[auto]" */
static const char *field_cell(const struct job *j, enum field f, char *buf, size_t size)
{
	char text[32];

	field_text(j, f, text, sizeof(text));
	snprintf(buf, size, "[%s]", text);
	return buf;
}

/* Columns that names get where each field and its name have w columns; less than 1: they do not fit. */
static int names_room(const struct job *j, int w)
{
	int name_w = 0, cell_w = 0;
	char cell[48];

	for (int f = 1; f < FIELD_COUNT; f++) {
		int name = format_columns(_(field_names[f])), columns = format_columns(field_cell(j, (enum field)f, cell, sizeof(cell)));

		name_w = name > name_w ? name : name_w;
		cell_w = columns > cell_w ? columns : cell_w;
	}
	if (w < name_w + 1 + cell_w)
		return 0;
	return w > LABEL_W + 1 + cell_w && LABEL_W > name_w ? LABEL_W : name_w;
}

/* Two fields a line where it is long enough; returns the lines used. */
static int draw_fields(struct screen *s, struct rect in)
{
	const struct job *form = &s->v->stress.form;
	int y = in.y, name_w = names_room(form, in.w / 2 - 1);
	bool two = name_w > 0;

	name_w = two ? name_w : LABEL_W;
	for (int f = 1; f < FIELD_COUNT; f++) {
		int x = in.x + 1 + (two && f % 2 == 0 ? in.w / 2 : 0);
		bool focus = s->v->stress.field == f;
		char cell[48];

		glyphs_field(s->c, s->g, x, y, name_w, ROLE_LABEL, _(field_names[f]));
		canvas_text(s->c, x + name_w + 1, y, focus ? ROLE_SELECTED : ROLE_VALUE, field_cell(form, (enum field)f, cell, sizeof(cell)));
		y += !two || f % 2 == 0;
	}
	return y - in.y;
}

static int say(struct screen *s, struct rect in, int y, enum role role, const char *label, const char *text)
{
	struct rect r = { in.x + 1 + LABEL_W + 1, y, in.w - LABEL_W - 3, in.y + in.h - y };
	int n;

	if (y >= in.y + in.h || r.w < 4)
		return y;
	canvas_field(s->c, in.x + 1, y, LABEL_W, false, ROLE_LABEL, label);
	if (role != ROLE_TEXT) {
		canvas_field(s->c, r.x, y, r.w, false, role, text);
		return y + 1;
	}
	n = box_text(s->c, r, 0, text);
	return y + (n < r.h ? n : r.h);
}

static int draw_rates(struct screen *s, struct rect in, int y, const struct job_state *st)
{
	const char *unit = "";
	double rate = state_rate(st, !job_is_on(st->phase), &unit);
	double watts = st->elapsed_ns > 0 ? st->energy_uj * 1000 / (double)st->elapsed_ns : NAN;
	double predicted = st->kernel.flop > 0 ? st->predicted_flop_per_s / 1e9 : st->predicted_bytes_per_s / 1e9;
	char a[32], b[32], c[32], text[200];

	snprintf(text, sizeof(text), _("%s %s   %s %% of what is possible"), number(a, sizeof(a), rate), unit,
		share_text(b, sizeof(b), share_of(st, !job_is_on(st->phase))));
	y = say(s, in, y, st->flags & JOB_ABOVE_BOUND ? ROLE_BAD : ROLE_VALUE, _("rate"), text);
	snprintf(text, sizeof(text), "%s %s", number(a, sizeof(a), predicted), unit);
	if (isfinite(predicted) && predicted > 0)
		y = say(s, in, y, ROLE_DIM, _("predicted"), text);
	if (st->kernel.flop > 0 && st->clock_hz > 0) {
		snprintf(text, sizeof(text), _("%s FLOP/cycle at %s MHz"), number(a, sizeof(a), rate * 1e9 / st->clock_hz),
			number(b, sizeof(b), st->clock_hz / 1e6));
		y = say(s, in, y, ROLE_VALUE, "", text);
	}
	if (isfinite(watts)) {
		snprintf(text, sizeof(text), _("%s W package   %s %s per W"), number(a, sizeof(a), watts), number(c, sizeof(c), rate / watts), unit);
		y = say(s, in, y, ROLE_VALUE, _("power"), text);
	}
	if (st->launch_ns > 0) {
		snprintf(text, sizeof(text), _("%" PRIu64 " of %s ms, %s ms apart"), st->launches_done, number(a, sizeof(a), st->launch_ns / 1e6),
			number(b, sizeof(b), st->gap_ns / 1e6));
		y = say(s, in, y, ROLE_DIM, _("launches"), text);
	}
	return y;
}

static int draw_verdict(struct screen *s, struct rect in, int y, const struct job_state *st)
{
	char text[200];

	if (st->mismatches)
		snprintf(text, sizeof(text), _("WRONG: %" PRIu64 " results differ, %" PRIu64 " checks passed"), st->mismatches, st->verified);
	else
		snprintf(text, sizeof(text), _("ok, %" PRIu64 " checks"), st->verified);
	if (st->job.verify && (st->verified || st->mismatches))
		y = say(s, in, y, st->mismatches ? ROLE_BAD : ROLE_GOOD, _("verify"), text);
	if (st->flags & JOB_ABOVE_BOUND)
		y = say(s, in, y, ROLE_BAD, "", _("above what the measured clock allows: not to be believed"));
	if (st->flags & JOB_CLOCKS_DISAGREE)
		y = say(s, in, y, ROLE_WARN, "", _("the events' clock and the wall clock differ"));
	if (st->flags & JOB_OTHER_DEVICE)
		y = say(s, in, y, ROLE_WARN, "", _("this loads another device than the one on the screen"));
	if (st->phase == JOB_FAILED) {
		y = say(s, in, y, ROLE_TEXT, _("why"), st->err.msg);
		if (st->err.hint[0])
			y = say(s, in, y, ROLE_TEXT, _("way out"), st->err.hint);
	}
	return y;
}

/* TRANSLATORS: how a stress kernel goes */
static const char *const phases[] = { N_("idle"), N_("starting"), N_("building"), N_("tuning"), N_("running"), N_("stopping"), N_("done"),
	N_("failed") };

static void draw_state(struct screen *s, struct rect in, int y, const struct job_state *st)
{
	enum role role = st->phase == JOB_FAILED ? ROLE_BAD : job_is_on(st->phase) ? ROLE_WARN : ROLE_TITLE;
	char text[300];

	snprintf(text, sizeof(text), st->job.limit_ns > 0 ? _("%s   %.1f of %.0f s") : _("%s   %.1f s"), _(phases[st->phase]),
		(double)st->elapsed_ns / NS_PER_S, (double)st->job.limit_ns / NS_PER_S);
	y = say(s, in, y, role, st->kernel.name[0] ? "" : _("state"), text);
	if (st->kernel.name[0])
		canvas_field(s->c, in.x + 1, y - 1, LABEL_W, false, ROLE_LABEL, _("state"));
	snprintf(text, sizeof(text), "%s%s%s", st->kernel.name[0] ? st->kernel.name : st->job.kernel, st->device[0] ? " / " : "", st->device);
	y = say(s, in, y, ROLE_TEXT, _("kernel"), text);
	if (st->phase != JOB_FAILED)
		y = draw_rates(s, in, y, st);
	draw_verdict(s, in, y, st);
}

static void draw_form(struct screen *s, struct rect r)
{
	const struct kernel_info *k = selected_kernel(s->v, s->m);
	bool simulated = s->m->device && s->m->device->simulated;
	struct rect in = box_frame(s->c, s->g, r, s->v->stress.field != FIELD_LIST, _("Launch"), simulated ? _("simulated") : NULL);
	int y;

	canvas_clip(s->c, in);
	/* Where there is room for one of the two, a running kernel is worth more. */
	y = in.y;
	if (in.h > FIELD_COUNT || !job_runs(s->m))
		y += draw_fields(s, in) + (in.h > 10);
	if (s->m->job && s->m->job->phase != JOB_IDLE)
		draw_state(s, in, y, s->m->job);
	else if (k)
		say(s, in, y, ROLE_TEXT, k->supported ? _("kernel") : _("why not"), k->supported ? _(k->text) : k->reason);
	canvas_unclip(s->c);
}

/* --- what the counters say, and the last runs --- */

static void draw_live(struct screen *s, struct rect r)
{
	struct pane_list l;
	int n, w;

	pane_list_make(&l, s->v, s->m->set);
	n = l.n < 1 ? 0 : r.w >= TWO_BOXES_W && l.n > 1 ? 2 : 1;
	w = n ? r.w / n : 0;
	for (int i = 0; i < n && r.h >= 3; i++)
		pane_meters_draw(s, &l, i, (struct rect){ r.x + i * w, r.y, i == n - 1 ? r.w - i * w : w, r.h }, true, false);
}

static void draw_runs(struct screen *s, struct rect r)
{
	struct rect in = box_frame(s->c, s->g, r, false, _("Last runs"), NULL);

	canvas_clip(s->c, in);
	for (int i = 0; i < in.h; i++) {
		const struct job_run *run = s->m->runs ? job_log_get(s->m->runs, i) : NULL;
		char clock[24], rate[32], watts[32], share[32];
		const char *unit = "";

		if (!run)
			break;
		number(rate, sizeof(rate), state_rate(&run->state, true, &unit));
		canvas_text(s->c, in.x + 1, in.y + i, ROLE_DIM, clock_format_local(run->wall_ns, clock));
		canvas_field(s->c, in.x + 11, in.y + i, 30, false, ROLE_TEXT, run->state.kernel.name);
		canvas_field(s->c, in.x + 42, in.y + i, 7, true, ROLE_VALUE, rate);
		canvas_field(s->c, in.x + 50, in.y + i, 8, false, ROLE_UNIT, unit);
		canvas_textf(s->c, in.x + 59, in.y + i, ROLE_TEXT, "%6s %%  %6s W  ", share_text(share, sizeof(share), share_of(&run->state, true)),
			number(watts, sizeof(watts), run->watts));
		canvas_text(s->c, in.x + 79, in.y + i, run->state.mismatches || run->state.phase == JOB_FAILED ? ROLE_BAD : ROLE_GOOD,
			run->state.phase == JOB_FAILED ? _("failed") : run->state.mismatches ? _("WRONG RESULTS") : run->state.verified ? _("verified") : "");
	}
	canvas_unclip(s->c);
}

/* Launcher above, counters below, the last runs at the bottom where there is room. */
struct parts {
	struct rect list, form, live, runs;
};

static void place_parts(const struct view *v, const struct view_model *m, struct rect b, struct parts *p)
{
	int runs = m->runs ? job_log_len(m->runs) : 0, h = b.h;

	*p = (struct parts){ 0 };
	if (b.h >= 30 && runs)
		p->runs = (struct rect){ b.x, 0, b.w, 2 + (runs < 4 ? runs : 4) };
	h -= p->runs.h;
	if (h >= 18)
		p->live = (struct rect){ b.x, 0, b.w, h * 2 / 5 };
	h -= p->live.h;
	p->list = p->form = (struct rect){ b.x, b.y, b.w, h };
	if (b.w >= TWO_BOXES_W) {
		p->list.w = b.w < 100 ? b.w / 2 : b.w * 2 / 5;
		p->form.x += p->list.w;
		p->form.w -= p->list.w;
	} else if (v->stress.field == FIELD_LIST && !job_runs(m)) {
		p->form.h = 0;
	} else {
		p->list.h = 0;
	}
	p->live.y = b.y + h;
	p->runs.y = p->live.y + p->live.h;
}

static void draw(struct screen *s)
{
	struct parts p;

	place_parts(s->v, s->m, s->l.body, &p);
	if (p.list.h)
		draw_list(s, p.list);
	if (p.form.h)
		draw_form(s, p.form);
	if (p.live.h)
		draw_live(s, p.live);
	if (p.runs.h)
		draw_runs(s, p.runs);
}

/* --- keys --- */

static void move_list(struct view *v, const struct view_model *m, enum command cmd, int w, int h)
{
	struct screen_layout l;
	struct parts p;
	short rows[MAX_ROWS];
	int n = list_rows(v, m, rows), visible, row;

	if (!n)
		return;
	chrome_layout(&l, m, w, h);
	place_parts(v, m, l.body, &p);
	visible = p.list.h - 3 > 0 ? p.list.h - 3 : 1;
	row = view_move(cmd, selected_row(v, m, rows, n), visible, n);
	snprintf(v->stress.kernel, sizeof(v->stress.kernel), "%s", m->kernels[rows[row]].name);
	v->stress.top = layout_scroll(v->stress.top, row, visible, n);
}

static uint64_t *count_field(struct job *j, enum field f)
{
	return f == FIELD_GROUPS ? &j->groups : f == FIELD_GROUP_SIZE ? &j->group_size : f == FIELD_REPEAT ? &j->repeat : NULL;
}

/* Doubles or halves; below the smallest lies "auto". Times go through round ones. */
static void change(struct job *j, enum field f, bool more)
{
	static const int seconds[] = { 1, 2, 3, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600 };
	uint64_t *n = count_field(j, f);
	int at = 0;

	if (n) {
		*n = more ? (*n ? *n * 2 : 1) : *n / 2;
		if (*n > 1 << 24)
			*n = 1 << 24;
	} else if (f == FIELD_VERIFY) {
		j->verify = !j->verify;
	} else if (f == FIELD_TUNE) {
		j->tune = !j->tune;
	} else {
		while (at < (int)ARRAY_LEN(seconds) - 1 && seconds[at] * NS_PER_S < j->limit_ns)
			at++;
		at = more ? at + (seconds[at] * NS_PER_S <= j->limit_ns) : at - 1;
		at = at < 0 ? 0 : at >= (int)ARRAY_LEN(seconds) ? (int)ARRAY_LEN(seconds) - 1 : at;
		j->limit_ns = seconds[at] * NS_PER_S;
	}
}

static void ask_value(struct view *v)
{
	char text[32];

	field_text(&v->stress.form, (enum field)v->stress.field, text, sizeof(text));
	prompt_open(&v->prompt, PROMPT_VALUE, _(field_names[v->stress.field]), strcmp(text, _("auto")) ? text : "");
	v->prompt.command = CMD_STRESS_VALUE;
}

/* What is no number of the field changes nothing. */
static void take_value(struct view *v)
{
	uint64_t *n = count_field(&v->stress.form, (enum field)v->stress.field), value;
	int64_t ns;

	if (!*v->prompt.text && n)
		*n = 0;
	else if (n && parse_u64_range(v->prompt.text, 1, 1 << 24, &value))
		*n = value;
	else if (v->stress.field == FIELD_LIMIT && parse_duration_ns(v->prompt.text, &ns) && ns >= NS_PER_S / 10 && ns <= 86400 * NS_PER_S)
		v->stress.form.limit_ns = ns;
}

static enum command start(struct view *v, const struct view_model *m)
{
	static const struct prompt_answer yes[] = { { 'y', N_("yes"), CMD_STRESS_YES } };
	const struct kernel_info *k = selected_kernel(v, m);
	enum field f = (enum field)v->stress.field;

	if (job_runs(m))
		return CMD_STRESS_STOP;
	if (f == FIELD_VERIFY || f == FIELD_TUNE) {
		change(&v->stress.form, f, true);
		return CMD_NONE;
	}
	if (f != FIELD_LIST) {
		ask_value(v);
		return CMD_NONE;
	}
	if (!k)
		return CMD_NONE;
	if (m->may_load || (m->device && m->device->simulated))
		return CMD_STRESS_START;
	prompt_ask(&v->prompt, yes, 1, _("A load heats the machine and slows its other users. Start %.40s for %g s?"), k->name,
		(double)v->stress.form.limit_ns / NS_PER_S);
	return CMD_NONE;
}

/* The preset after the one whose kernel is selected. */
static void next_preset(struct view *v, const struct view_model *m)
{
	const struct kernel_info *now = selected_kernel(v, m);
	size_t at = 0;

	for (size_t i = 0; now && i < ARRAY_LEN(presets); i++)
		if (preset_kernel(&presets[i], m) == now)
			at = i + 1;
	for (size_t i = 0; i < ARRAY_LEN(presets); i++) {
		const struct preset *p = &presets[(at + i) % ARRAY_LEN(presets)];
		const struct kernel_info *k = preset_kernel(p, m);

		if (!k)
			continue;
		snprintf(v->stress.kernel, sizeof(v->stress.kernel), "%s", k->name);
		v->stress.form = (struct job){ .limit_ns = p->limit_ns, .tune = p->tune, .verify = true };
		v->stress.field = FIELD_LIST;
		return;
	}
}

static bool command(struct view *v, const struct view_model *m, enum command cmd, int w, int h, enum command *out)
{
	struct stress_view *st = &v->stress;

	if (view_is_move(cmd)) {
		if (st->field == FIELD_LIST)
			move_list(v, m, cmd, w, h);
		else
			st->field = 1 + view_move(cmd, st->field - 1, 2, FIELD_COUNT - 1);
		return true;
	}
	switch (cmd) {
	case CMD_PANE_NEXT: st->field = (st->field + 1) % FIELD_COUNT; break;
	case CMD_PANE_PREVIOUS: st->field = (st->field + FIELD_COUNT - 1) % FIELD_COUNT; break;
	case CMD_STRESS_START: *out = start(v, m); break;
	case CMD_STRESS_LESS:
	case CMD_STRESS_MORE: change(&st->form, st->field == FIELD_LIST ? FIELD_LIMIT : (enum field)st->field, cmd == CMD_STRESS_MORE); break;
	case CMD_STRESS_PRESET: next_preset(v, m); break;
	case CMD_STRESS_VERIFY: st->form.verify = !st->form.verify; break;
	case CMD_STRESS_TUNE: st->form.tune = !st->form.tune; break;
	case CMD_STRESS_VALUE: take_value(v); break;
	default: return false;
	}
	return true;
}

static bool find(struct view *v, const struct view_model *m, const char *text, int step, int w, int h)
{
	short rows[MAX_ROWS];
	int n = list_rows(v, m, rows), now = selected_row(v, m, rows, n);

	for (int i = step; i < n + step; i++) {
		int row = (now + i) % n;

		if (!view_contains(m->kernels[rows[row]].name, text))
			continue;
		snprintf(v->stress.kernel, sizeof(v->stress.kernel), "%s", m->kernels[rows[row]].name);
		move_list(v, m, CMD_NONE, w, h);
		return true;
	}
	return false;
}

static char *filter(struct view *v, size_t *size)
{
	*size = sizeof(v->stress.filter);
	return v->stress.filter;
}

static void click(struct view *v, const struct view_model *m, const struct key_event *k, int w, int h)
{
	struct screen_layout l;
	struct parts p;
	short rows[MAX_ROWS];
	int n = list_rows(v, m, rows), row;
	bool two;

	chrome_layout(&l, m, w, h);
	place_parts(v, m, l.body, &p);
	if (view_in_rect(&p.list, k->x, k->y)) {
		v->stress.field = FIELD_LIST;
		row = k->y - p.list.y - 2 + layout_scroll(v->stress.top, selected_row(v, m, rows, n), p.list.h - 3, n);
		if (k->y >= p.list.y + 2 && row < n)
			snprintf(v->stress.kernel, sizeof(v->stress.kernel), "%s", m->kernels[rows[row]].name);
	} else if (view_in_rect(&p.form, k->x, k->y)) {
		two = names_room(&v->stress.form, (p.form.w - 2) / 2 - 1) > 0;
		row = two ? 1 + 2 * (k->y - p.form.y - 1) + (k->x >= p.form.x + p.form.w / 2) : k->y - p.form.y;
		if (row >= 1 && row < FIELD_COUNT)
			v->stress.field = row;
	}
}

static const struct footer_key footer[] = {
	{ CMD_STRESS_START, CMD_NONE, N_("Start") },
	{ CMD_STRESS_STOP, CMD_NONE, N_("Stop") },
	{ CMD_PANE_NEXT, CMD_NONE, N_("Field") },
	{ CMD_STRESS_LESS, CMD_STRESS_MORE, N_("Change") },
	{ CMD_STRESS_PRESET, CMD_NONE, N_("Preset") },
	{ CMD_FIND, CMD_NONE, N_("Find") },
	{ CMD_FILTER, CMD_NONE, N_("Filter") },
};

const struct screen_ops screen_stress = {
	.name = "stress",
	.title = N_("Stress"),
	.brief = N_("Load"),
	.turn = CMD_SCREEN_STRESS,
	.keys = "on-stress",
	.footer = footer,
	.n_footer = (int)ARRAY_LEN(footer),
	.draw = draw,
	.command = command,
	.find = find,
	.filter = filter,
	.click = click,
};
