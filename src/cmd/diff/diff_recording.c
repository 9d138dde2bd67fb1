/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plays recordings for a comparison: sums over their windows, how far these move, and what limited
 * the device over all of them. */
#include "config.h"

#include "cmd/diff/diff.h"

#include <math.h>
#include <stdlib.h>

#include "cmd/run/run.h"
#include "session/devices/devices.h"
#include "session/program.h"
#include "session/window/refresh.h"
#include "out/lines/writer.h"
#include "base/mem.h"
#include "core/verdict/verdict.h"
#include "data/data.h"

/* Windows of recordings that do not tell where theirs ended. */
#define WINDOW_NS (100 * NS_PER_MS)

/* What is gathered while a recording plays. */
struct played {
	struct session *session;
	struct diff_side *side;
	struct window_sum sum;
	struct series *series;		/* [set->n_metrics] */
	unsigned long long windows;
	int64_t ns;			/* of all windows */
	int64_t length_ns;		/* that a run asked for; 0: not told */
	bool is_run;			/* the command of a run has begun */
	bool is_beside;			/* and has ended */
};

/* Keeps the run that has ended, if it had a window. */
static void keep(struct played *p)
{
	struct session *ses = p->session;
	const struct metric_binding *binding = &rotation_active(ses->now->rotation)->binding;
	struct verdict v;
	char sentence[240];

	if (!p->windows)
		return;
	struct diff_run *run = diff_add_run(p->side);
	/* Those of a short command are cut at both ends. */
	if (!p->length_ns)
		p->length_ns = p->ns / (int64_t)p->windows;
	diff_note(p->side, ses->dev->device.name, ses->now->set->name,
		(double)p->length_ns / NS_PER_S, ses->dev->device.simulated);
	run->windows = p->windows;
	window_sum_eval(&p->sum, &rotation_active(ses->now->rotation)->binding);
	for (int i = 0; i < ses->now->set->n_metrics; i++) {
		const struct metric *m = &ses->now->set->metrics[i];
		const struct spread s = series_spread(&p->series[i]);

		if (!writer_shows(m) || m->flags & METRIC_OLD_NAME || metric_is_total(binding, i))
			continue;
		/* The figure is that of all windows together; they tell how far it moves. A longer
		 * recording has more of an amount, so that its windows do not tell it. */
		double value = p->sum.values[i].v;
		if (p->sum.values[i].why != WHY_OK)
			continue;
		double half = metric_is_amount(binding, i) ? NAN : s.half * fabs(value / s.mean);
		if (value == 0 && s.half == 0)
			half = 0;
		struct diff_figure *f = diff_add_figure(
			run, m->name, writer_label(m), writer_unit(m), value, half);
		if (f)
			f->estimated = m->flags & METRIC_ESTIMATED;
	}
	window_sum_verdict(&p->sum, rotation_active(ses->now->rotation)->set, &v);
	diff_add_limit(run, "", verdict_kind_name(v.kind), v.bound,
		verdict_sentence(&v, true, sentence, sizeof(sentence)), v.headroom);
}

static void begin(struct played *p, int64_t from_ns)
{
	window_sum_clear(&p->sum, from_ns);
	for (int i = 0; i < p->session->now->set->n_metrics; i++)
		p->series[i] = (struct series){ 0 };
	p->windows = 0;
	p->ns = 0;
}

/* What ran before the command of a run and behind it is none of the run's, and each of several runs
 * is one. */
static void take_marks(struct played *p)
{
	const struct session *ses = p->session;
	struct source *s = ses->dev->sources[0];
	struct rec_mark m;

	while (s->ops->mark && s->ops->mark(s, &m)) {
		if (m.kind == REC_MARK_BEGIN && p->is_run)
			keep(p);
		if (m.kind == REC_MARK_BEGIN) {
			begin(p, m.t_ns);
			p->length_ns = m.length_ns;
		}
		if (m.kind == REC_MARK_BEGIN || m.kind == REC_MARK_END)
			p->is_beside = m.kind == REC_MARK_END;
		p->is_run |= m.kind == REC_MARK_BEGIN;
	}
}

static void add_window(struct played *p)
{
	const struct session *ses = p->session;
	const struct snapshot *s = refresh_snapshot(ses);

	/* The last one may be cut short, and would count as much as a whole one. */
	int64_t mean_ns = ses->play.as_recorded ? 0 : ses->window.length_ns;
	if (p->windows)
		mean_ns = p->ns / (int64_t)p->windows;
	bool is_cut = (ses->play.ended || p->is_run) && s->window_ns < mean_ns / 2 &&
		!ses->dev->sources[0]->ops->waiting;
	if (is_cut && !p->is_run)
		return;
	p->windows++;
	p->ns += s->window_ns;
	if (is_cut)
		return;
	for (int i = 0; i < ses->now->set->n_metrics; i++)
		if (s->values[i].why == WHY_OK)
			series_add(&p->series[i], s->values[i].v);
}

static bool play(struct played *p, const char *path, struct err *err)
{
	struct session *ses = p->session;
	const size_t before = p->side->n;
	int index;

	session_virtual_clock(ses, 0);
	/* In others than its own, the sources beside the reports would be joined or repeat
	 * themselves. */
	if (!ses->opt->delay_ns) {
		refresh_as_recorded(ses);
		refresh_set_length(ses, WINDOW_NS);
	}
	if (!devices_named(ses, ses->want->name, &index, err) ||
		!devices_open(ses, index, NULL, err))
		return false;
	window_sum_init(&p->sum, ses->dev, ses->now->set, &ses->opened.measured);
	p->series = xcalloc((size_t)ses->now->set->n_metrics + 1, sizeof(*p->series));
	begin(p, 0);
	while (!ses->play.ended) {
		bool is_new = refresh_virtual_step(ses);

		if (ses->play.as_recorded)
			take_marks(p);
		if (!is_new || p->is_beside)
			continue;
		window_sum_add(&p->sum, ses->got.samples);
		add_window(p);
	}
	keep(p);
	return p->side->n > before ||
		err_set(err, ERR_UNSUPPORTED, "'%.200s' has no whole window", path);
}

bool diff_read_recording(
	struct diff_side *side, struct session *first, const char *path, struct err *err)
{
	char *name = xasprintf("file:%s", path);
	struct device_options want = *first->want;

	want.name = name;
	want.speed_max = true;
	struct program *program = first->program;
	struct played p = { .session = program_add_session(program, &want), .side = side };
	bool good = play(&p, path, err);
	window_sum_release(&p.sum);
	program_close_session(program, p.session);
	packed_forget();
	free(p.series);
	free(name);
	return good;
}
