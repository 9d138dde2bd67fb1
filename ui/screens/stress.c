/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The launcher chooses a kernel and how it runs, and shows how it goes and what the counters say
 * meanwhile. */
#include "config.h"

#include <stdio.h>

#include "base/clock.h"
#include "ui/screens/overview.h"
#include "base/minmax.h"
#include "ui/screens/stress.h"

#define TWO_BOXES_W 64
#define FORM_H 17		/* a run with all that can be said of it */
#define LIST_MAX_W 52		/* names, rates and shares as a whole */
#define BESIDE_W 132		/* from it the counters stand below the form, beside the list */

void view_job(const struct view *v, const struct view_model *m, struct job *out)
{
	const struct kernel_info *k = stress_selected(v, m);

	*out = v->stress.form;
	out->kernel[0] = '\0';
	if (k)
		snprintf(out->kernel, sizeof(out->kernel), "%s", k->name);
}

/* The launcher is above, the counters below, or beside the list on a wide screen, which gets the
 * rows that the form does not need; the last runs are at the bottom where there is room. */
struct parts {
	struct rect list, form, live, runs;
};

static struct parts parts_at(const struct screen *s)
{
	int runs = s->m->runs ? job_log_len(s->m->runs) : 0, h = s->l.body.h;
	struct rect b = s->l.body;
	struct parts p = { .list = b };

	if (h >= 30 && runs)
		p.runs = (struct rect){ b.x, 0, b.w, 3 + min_of(runs, 4) };
	h -= p.runs.h;
	p.runs.y = b.y + h;
	p.list.h = h;
	p.live = p.list;
	p.live.h = h >= 18 ? max_of(h * 2 / 5, h - FORM_H) : 0;
	p.live.y += h - p.live.h;
	if (b.w < BESIDE_W || !p.live.h)
		p.list.h -= p.live.h;
	p.form = p.list;
	p.form.h = h - p.live.h;
	if (b.w >= TWO_BOXES_W) {
		p.list.w = b.w < 100 ? b.w / 2 : min_of(b.w * 2 / 5, LIST_MAX_W);
		p.form.x += p.list.w;
		p.form.w -= p.list.w;
	} else if (s->v->stress.field == FIELD_LIST && !stress_is_running(s->m)) {
		p.form.h = 0;
	} else {
		p.list.h = 0;
	}
	if (p.list.h > p.form.h && b.w >= BESIDE_W) {
		p.live.x = p.form.x;
		p.live.w = p.form.w;
	}
	return p;
}

/* The inside of the form's pane; on a screen without room for a frame all of it. */
static struct rect form_inside(struct rect r)
{
	if (r.h < 4)
		return r;
	return (struct rect){ r.x + 1, r.y + 1, r.w - 2, r.h - 2 };
}

static void draw_form(struct screen *s, struct rect r)
{
	const struct kernel_info *k = stress_selected(s->v, s->m);
	bool simulated = s->m->device && s->m->device->simulated;
	struct rect in = form_inside(r);
	int y = in.y;

	if (in.y > r.y)
		box_frame(s, r, s->v->stress.field != FIELD_LIST, _("Launch"),
			simulated ? _("simulated") : NULL);
	canvas_clip(s->c, in);
	/* A running kernel is worth more than the fields where there is room for one of them. */
	if (in.h > FIELD_COUNT || !stress_is_running(s->m))
		y += stress_form_draw(s, in) + (in.h > 10);
	if (s->m->job && s->m->job->phase != JOB_IDLE)
		stress_state_draw(s, in, y, s->m->job);
	else if (k)
		stress_kernel_draw(s, in, y, k);
	canvas_unclip(s->c);
}

static void draw(struct screen *s)
{
	struct parts p = parts_at(s);

	if (p.list.h)
		stress_list_draw(s, p.list);
	if (p.form.h)
		draw_form(s, p.form);
	if (p.live.h)
		overview_panes_draw(s, p.live);
	if (p.runs.h)
		stress_runs_draw(s, p.runs);
}

/* --- keys --- */

static enum command start(struct view *v, const struct view_model *m)
{
	static const struct prompt_answer yes[] = { { 'y', N_("yes"), CMD_STRESS_YES } };
	const struct kernel_info *k = stress_selected(v, m);

	if (stress_is_running(m))
		return CMD_STRESS_END;
	if (!k)
		return CMD_NONE;
	if (m->may_load || (m->device && m->device->simulated))
		return CMD_STRESS_START;
	prompt_ask(&v->prompt, yes, 1,
		_("A load heats the machine and slows its other users. Start %.40s for %g s?"),
		k->name, (double)v->stress.form.limit_ns / NS_PER_S);
	return CMD_NONE;
}

/* While a load runs nothing is to be set, and its user wants to see the other screens; also when it
 * ends meanwhile, until a field is gone to or changed. */
static bool takes_digits(const struct view *v, const struct view_model *m)
{
	enum stress_field f = (enum stress_field)v->stress.field;

	if (v->stress.is_watched || stress_is_running(m))
		return false;
	return f != FIELD_LIST && f != FIELD_VERIFY && f != FIELD_TUNE;
}

/* The first digit begins a new number. */
static void digit(struct view *v, char digit)
{
	const char text[] = { digit, '\0' };

	prompt_open(&v->prompt, PROMPT_VALUE,
		stress_field_name((enum stress_field)v->stress.field), text);
	v->prompt.command = CMD_STRESS_VALUE;
}

static enum command step_preset(struct view *v, const struct view_model *m, int step)
{
	return stress_step_preset(v, m, step) ? CMD_STRESS_PRESET : CMD_NONE;
}

static const struct drawn_line drawn[] = {
	DRAWN_LINE(N_("preset"), stress_preset_text, step_preset),
};

static bool command(
	struct view *v, const struct screen *s, enum command cmd, enum command *out)
{
	struct stress_view *st = &v->stress;
	enum stress_field field = (enum stress_field)st->field;

	if (select_is_move(cmd)) {
		if (st->field == FIELD_LIST)
			stress_list_move(v, s->m, cmd);
		else
			st->field = 1 + select_move(cmd, st->field - 1, 2, FIELD_COUNT - 1);
		st->is_watched = false;
		return true;
	}
	switch (cmd) {
	case CMD_PANE_NEXT: st->field = (st->field + 1) % FIELD_COUNT; break;
	case CMD_PANE_PREVIOUS: st->field = (st->field + FIELD_COUNT - 1) % FIELD_COUNT; break;
	case CMD_ENTER: *out = start(v, s->m); break;
	case CMD_LEFT:
	case CMD_RIGHT:
		if (field == FIELD_LIST)
			field = FIELD_LIMIT;
		if (!parts_at(s).form.h)
			st->field = (int)field; /* what changes comes into sight */
		stress_field_step(&st->form, &s->m->chosen, field, cmd == CMD_RIGHT);
		break;
	case CMD_STRESS_VALUE:
		if (!stress_field_set(&st->form, field, v->prompt.text))
			*out = cmd;
		break;
	default: return false;
	}
	st->is_watched = cmd == CMD_ENTER;
	return true;
}

static void choose(struct view *v, const struct view_model *m, int list, int row)
{
	v->stress.is_watched = false;
	v->stress.field = list == STRESS_FIELDS ? row : FIELD_LIST;
	if (list == STRESS_KERNELS)
		stress_list_choose(v, m, row);
}

static const struct footer_key footer[] = {
	{ CMD_ENTER, CMD_NONE, N_("Start/Stop") },
	{ CMD_PANE_NEXT, CMD_NONE, N_("Field") },
	{ CMD_LEFT, CMD_RIGHT, N_("Change") },
	{ CMD_DRAWN, CMD_NONE, N_("Presets") },
};

const struct screen_ops screen_stress = {
	SCREEN_FOOTER(footer),
	SCREEN_DRAWN(drawn),
	.draw = draw,
	.command = command,
	.takes_digits = takes_digits,
	.digit = digit,
	.find = stress_list_find,
	.filter_at = offsetof(struct view, stress.filter),
	.choose = choose,
};
