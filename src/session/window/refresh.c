/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tick drains the sources; the last tick of a window collects, evaluates and flips the
 * snapshots. */
#include "config.h"

#include "session/window/refresh.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "session/window/own_load.h"
#include "session/program.h"
#include "session/window/record.h"
#include "session/window/rotate.h"
#include "session/window/sets.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "core/verdict/verdict.h"

/* Sources begin in the middle of a report period. A short window that nobody sees takes the partial
 * one, and the first value comes early. */
#define PRIME_NS (100 * NS_PER_MS)
/* Longer windows are drained in between, and a recording needs a tick each second for its time
 * pairs. */
#define TICK_MAX_NS NS_PER_S
/* A shorter sleep does not count, because the two clocks are read one after the other. */
#define SLEPT_MIN_NS (100 * NS_PER_MS)

/* The windows of a stream come when they come: so often the program looks. */
#define STREAM_LOOK_NS (40 * NS_PER_MS)
/* The next one is there already. */
#define STREAM_NEXT_NS NS_PER_MS

/* Whether the device says itself when a window is complete, and none is. */
static bool is_waiting(const struct session *ses)
{
	struct source *s = ses->dev->sources[0];

	return s->ops->waiting && s->ops->waiting(s);
}

static int ticks_of(const struct session *ses)
{
	if (ses->dev && ses->dev->sources[0]->ops->waiting)
		return 1;
	return (int)((ses->window.length_ns + TICK_MAX_NS - 1) / TICK_MAX_NS);
}

static bool is_primed(const struct session *ses)
{
	return ses->window.primed && ses->window.turn == ses->turns.count;
}

static void prime(struct session *ses, bool primed)
{
	ses->window.primed = primed;
	ses->window.turn = ses->turns.count;
}

static void begin_window(struct session *ses)
{
	ses->window.ticks_left = ticks_of(ses);
	ses->window.changes++;
}

/* Makes what is evaluated of the set by the device and the feeds as they are now. */
static void bind_values(struct session *ses)
{
	const struct device *d = &ses->dev->device;
	struct rotation *r = ses->now->rotation;
	const struct feed *feeds[DEVICE_MAX_SOURCES];

	for (int k = 0; k < r->n; k++)
		assert(!r->part[k].set->is_head);
	for (int i = 0; i < ses->dev->n_sources; i++)
		feeds[i] = &ses->dev->sources[i]->feed;
	ses->now->set = r->set;
	ses->now->is_bound = true;
	rotation_bind(r, d, feeds, ses->dev->n_sources);
	/* A pair of reports has the value that Intel's own programs compute of it. */
	for (int k = 0; k < r->n && ses->want->per_report; k++)
		r->part[k].binding.width = EXPR_64_BITS;
	for (int i = 0; i < 2; i++)
		rotation_init_snapshot(r, &ses->now->snaps[i], d);
	roofline_init(&ses->now->roofline, &r->part[r->roofline].binding, d);
	roofline_measured(&ses->now->roofline, &ses->opened.measured);
	for (int k = 0; k < r->n && d->has_oa_reports; k++)
		context_table_reserve(&ses->contexts.table, r->part[k].set->n_metrics);
	ses->now->front = 0;
}

static void unbind_values(struct counting *c)
{
	for (int i = 0; i < 2; i++)
		snapshot_release(&c->snaps[i]);
	roofline_release(&c->roofline);
}

/* Cells may be others than before; the past of those that are not stays. */
static void fit_cell_histories(struct counting *c)
{
	for (int k = 0; k < SNAPSHOT_MAX_MAPS; k++) {
		const struct cell_map *map = &c->snaps[0].maps[k];
		int columns = k < c->snaps[0].n_maps ? map->n * map->n_metrics : 0;

		if (c->cell_history[k].columns == columns)
			continue;
		history_release(&c->cell_history[k]);
		if (columns)
			history_init(&c->cell_history[k], columns, SESSION_CELL_HISTORY_ROWS);
	}
}

static void bind(struct session *ses)
{
	bind_values(ses);
	/* The values shown have a history, and so have roofs that can move. */
	int n = ses->now->set->n_metrics, rows = SESSION_HISTORY_ROWS;
	if (ses->program->n_sessions > SESSION_MANY || ses->opt->n_devices > SESSION_MANY)
		rows = SESSION_HISTORY_ROWS_OF_MANY;
	bool *kept = xcalloc((size_t)n + 1, sizeof(*kept));
	for (int i = 0; i < n; i++)
		kept[i] = !(ses->now->set->metrics[i].flags & METRIC_HIDDEN);
	history_init_some(&ses->now->history, n, kept, rows);
	for (int i = 0; i < n; i++) {
		const struct expr *roof = ses->now->set->metrics[i].ceiling;
		int inputs[EQUATION_INPUTS_MAX];

		kept[i] = roof && metric_equation_inputs(roof, inputs) > 0;
	}
	history_init_some(&ses->now->roofs, n, kept, rows);
	free(kept);
	fit_cell_histories(ses->now);
	ses->now->seq = 0;
	ses->now->verdicts = (struct verdict_memory){ 0 };
}

struct counting *refresh_swap(struct session *ses, struct counting *next)
{
	struct counting *before = ses->now;

	ses->now = next;
	ses->window.primed = false;
	begin_window(ses);
	return before;
}

struct counting *refresh_make_set(struct session *ses, const struct metric_set *set)
{
	struct counting *now = ses->now, *made;

	ses->now = made = xcalloc(1, sizeof(*made));
	made->rotation = rotation_new(&set, 1, false);
	bind(ses);
	ses->now = now;
	return made;
}

/* The rotation stays. */
static void unbind(struct counting *c)
{
	if (!c->is_bound)
		return;
	unbind_values(c);
	history_release(&c->history);
	for (int k = 0; k < SNAPSHOT_MAX_MAPS; k++)
		history_release(&c->cell_history[k]);
	history_release(&c->roofs);
	c->is_bound = false;
}

void refresh_free_set(struct counting *c)
{
	if (!c)
		return;
	unbind(c);
	rotation_free(c->rotation);
	free(c);
}

void refresh_start(struct session *ses)
{
	unbind(ses->now);
	bind(ses);
	rotate_start(ses);
	/* A recording begins with its first report, so nothing is cut off there. */
	prime(ses, ses->dev->device.recorded);
	ses->play.ended = false;
	ses->play.paused = ses->play.step = false;
	ses->got.lost_total = 0;
	ses->contexts.watch = (struct context_watch){ 0 };
	ses->contexts.wanted |= ses->want->has_context || ses->want->lists_contexts;
	memset(ses->got.failed, 0, sizeof(ses->got.failed));
	ses->got.retried_ns = clock_mono_ns(&ses->clock);
	ses->got.suspended_ns = clock_suspended_ns(&ses->clock);
	client_scan_restart(ses);
	begin_window(ses);
	kernel_watch_opened(ses);
}

void refresh_use_set(struct session *ses, const struct metric_set *set)
{
	set = sets_whole(ses, set);
	unbind(ses->now);
	refresh_use_rotation(ses, rotation_new(&set, 1, false));
	bind(ses);
}

void refresh_stop(struct session *ses)
{
	kernel_watch_leave(ses);
	unbind(ses->now);
	refresh_use_rotation(ses, NULL);
	context_table_release(&ses->contexts.table);
}

void refresh_set_length(struct session *ses, int64_t length_ns)
{
	ses->window.length_ns = length_ns;
	for (int i = 0; ses->dev && i < ses->dev->n_sources; i++)
		if (ses->dev->sources[i]->ops->retime)
			ses->dev->sources[i]->ops->retime(ses->dev->sources[i], length_ns);
	begin_window(ses);
}

void refresh_add_up(struct session *ses, struct window_sum *sum)
{
	ses->got.sum = sum;
}

void refresh_use_rotation(struct session *ses, struct rotation *r)
{
	rotation_free(ses->now->rotation);
	ses->now->rotation = r;
}

void refresh_pause(struct session *ses, bool paused)
{
	ses->play.paused = paused;
	ses->play.step = false;
}

void refresh_show_next(struct session *ses)
{
	ses->play.step = ses->play.paused;
}

void refresh_as_recorded(struct session *ses)
{
	ses->play.as_recorded = true;
}

void refresh_end(struct session *ses)
{
	ses->play.ended = true;
}

void refresh_go_elsewhere(struct session *ses)
{
	history_open_row(&ses->now->history);
	history_open_row(&ses->now->roofs);
	ses->now->verdicts = (struct verdict_memory){ .has_said = false };
	rotation_forget(ses->now->rotation);
	ses->play.ended = false;
	begin_window(ses);
	kernel_watch_anew(ses);
}

void refresh_want_contexts(struct session *ses)
{
	ses->contexts.wanted = true;
}

bool refresh_retry_is_due(struct session *ses, int64_t now_ns)
{
	if (now_ns - ses->got.retried_ns < REFRESH_RETRY_NS)
		return false;
	ses->got.retried_ns = now_ns;
	return true;
}

int64_t refresh_period_ns(const struct session *ses)
{
	if (ses->dev && ses->dev->sources[0]->ops->waiting)
		return is_waiting(ses) ? STREAM_LOOK_NS : STREAM_NEXT_NS;
	if (!is_primed(ses))
		return min_i64(ses->window.length_ns, PRIME_NS);
	return ses->window.length_ns / ticks_of(ses);
}

const struct snapshot *refresh_snapshot(const struct session *ses)
{
	return ses->now->is_bound && ses->now->snaps[ses->now->front].seq > 0
		? &ses->now->snaps[ses->now->front]
		: NULL;
}

/* Drains a source. A problem is reported once, and again only after the source has worked in
 * between, or where what did not answer says that somebody is in its way. */
static bool drain_source(struct session *ses, int i, int64_t now_ns)
{
	struct source *s = ses->dev->sources[i];
	struct err err = { 0 };
	bool good = s->ops->ready(s, now_ns, &err);

	if (!good && (!ses->got.failed[i] || (ses->got.failed[i] == ERR_SYS &&
		    (err.code == ERR_BUSY || err.code == ERR_PERMISSION))))
		session_problem(ses, &err);
	ses->got.failed[i] = good ? ERR_NONE : err.code;
	return good;
}

/* The hardware has forgotten what it was told. Sources that are tried again are so at once, and
 * that was said of all of them. */
static void begin_anew(struct session *ses, int64_t now_ns, const char *why)
{
	for (int i = 0; i < ses->dev->n_sources; i++) {
		struct source *s = ses->dev->sources[i];

		if (s->ops->forgotten && !ses->got.failed[i]) {
			s->ops->forgotten(s, why);
			ses->got.failed[i] = ERR_SYS;
		}
		s->reset = false;
	}
	ses->got.retried_ns = now_ns - REFRESH_RETRY_NS;
}

void refresh_reset(struct session *ses, int64_t now_ns)
{
	begin_anew(ses, now_ns, _("the GPU was reset: counting begins again"));
}

static void drain(struct session *ses, int64_t now_ns)
{
	bool reset = false;

	for (int i = 0; i < ses->dev->n_sources; i++) {
		drain_source(ses, i, now_ns);
		reset |= ses->dev->sources[i]->reset;
	}
	if (reset)
		refresh_reset(ses, now_ns);
}

bool refresh_ready(struct session *ses, int fd)
{
	bool good = true;

	for (int i = 0; ses->dev && i < ses->dev->n_sources; i++) {
		if (ses->dev->sources[i]->fd == fd)
			good = drain_source(ses, i, clock_mono_ns(&ses->clock)) && good;
	}
	return good;
}

/* A source has learned something of its device or its feed, which a recording is told at once. */
static void learn(struct session *ses, struct source *s)
{
	s->rebind = false;
	ses->got.unbound = true;
	record_facts(ses, false);
}

/* Columns of a file stay what they are, and so does the past. */
static void bind_again(struct session *ses)
{
	unbind_values(ses->now);
	sets_fit(ses, &ses->dev->device, false);
	sets_estimate(ses);
	bind_values(ses);
	fit_cell_histories(ses->now);
	ses->got.unbound = false;
}

/* Whether what is shown stands still. */
static bool stands_still(const struct session *ses)
{
	return ses->play.paused && !ses->play.step;
}

/* Tries sources again that were refused or lost their device; they come back by themselves after a
 * sysctl, a new file mode or a plug. What is shown learns of it when it goes on. */
static void retry(struct session *ses, int64_t now_ns)
{
	bool due = now_ns - ses->got.retried_ns >= REFRESH_RETRY_NS;

	for (int i = 0; i < ses->dev->n_sources; i++) {
		struct source *s = ses->dev->sources[i];
		struct err err = { 0 };

		if (s->rebind)
			learn(ses, s);
		if (!due || ses->got.samples[i].why == WHY_OK ||
			ses->got.samples[i].why == WHY_NOT_YET || !s->ops->retry)
			continue;
		ses->got.retried_ns = now_ns;
		if (!s->ops->retry(s, now_ns, &err))
			continue;
		log_add(&ses->log, clock_wall_ns(&ses->clock), LOG_INFO, _("%s: %s delivers now"),
			ses->dev->device.id, s->feed.name);
		if (s->rebind)
			learn(ses, s);
	}
	if (ses->got.unbound && !stands_still(ses))
		bind_again(ses);
}

/* Starts anew after a suspend: the hardware has forgotten its programming, and a window that holds
 * the night is worth nothing. */
static void resume(struct session *ses, int64_t now_ns)
{
	int64_t slept_ns = clock_suspended_ns(&ses->clock) - ses->got.suspended_ns;

	if (slept_ns < SLEPT_MIN_NS)
		return;
	ses->got.suspended_ns += slept_ns;
	begin_anew(ses, now_ns, _("the machine slept: counting begins again"));
	struct err slept = { 0 };
	err_set(&slept, ERR_SYS, _("the machine slept for %.1f s: counting begins again"),
		(double)slept_ns / NS_PER_S);
	session_problem(ses, &slept);
	ses->window.primed = false;
}

static void collect(struct session *ses, int64_t now_ns)
{
	for (int i = 0; i < ses->dev->n_sources; i++) {
		memset(&ses->got.samples[i], 0, sizeof(ses->got.samples[i]));
		ses->dev->sources[i]->ops->collect(
			ses->dev->sources[i], now_ns, &ses->got.samples[i]);
		ses->got.lost_total += ses->got.samples[i].lost;
		if (i == 0 && (ses->got.samples[i].quality & SAMPLE_LAST))
			ses->play.ended = true;
	}
	rotate_follow(ses);
	context_watch_note(&ses->contexts.watch, &ses->got.samples[0]);
	record_window(ses, now_ns);
	own_load_count_energy(ses);
	if (ses->got.sum)
		window_sum_add(ses->got.sum, ses->got.samples);
}

static void measure_self(struct session *ses)
{
	int64_t cpu_ns = clock_self_cpu_ns(), mono_ns = clock_mono_ns(&ses->clock);

	if (ses->self.mono_ns && mono_ns > ses->self.mono_ns && !ses->clock.is_virtual)
		ses->self.cpu_pct = 100.0 * (double)(cpu_ns - ses->self.cpu_ns) /
			(double)(mono_ns - ses->self.mono_ns);
	ses->self.cpu_ns = cpu_ns;
	ses->self.mono_ns = mono_ns;
}

/* Counters and clocks may err by that much. */
#define EXCEEDED_BY 1.05

/* More bytes than the memory can move: what a table or the firmware says of it is wrong, from the
 * next window on. Only counted bytes prove it, because an upper bound may hold hits of a cache. */
static void disprove_roofs(struct session *ses)
{
	const struct snapshot *w = rotation_active(ses->now->rotation)->window;
	struct device *d = &ses->dev->device;
	struct err wrong = { 0 };

	for (int i = 0; i < w->set->n_metrics; i++) {
		const struct metric *m = &w->set->metrics[i];
		const struct device_const *c = NULL;

		if (m->roof == ROOF_TRAFFIC && m->ceiling && !(m->flags & METRIC_ESTIMATED) &&
			w->values[i].v > w->ceilings[i].v * EXCEEDED_BY)
			c = metric_bound_const(w->set, m->ceiling, d);
		if (!c || (c->source != ROOF_DATA_SHEET && c->source != ROOF_READ))
			continue;
		err_set(&wrong, ERR_UNSUPPORTED,
			_("%s: %s reached %.4g %s, more than its roof of %.4g (%s): that roof is "
			  "wrong and not used any more"),
			d->id, metric_label(m), w->values[i].v, m->unit_text, w->ceilings[i].v,
			c->origin);
		err_hint(&wrong, _("rooftop calibrate measures it"));
		session_problem(ses, &wrong);
		device_disprove(d, c->name);
		for (int k = 0; k < ses->now->rotation->n; k++)
			if (ses->now->rotation->part[k].is_bound)
				metric_bind_consts(&ses->now->rotation->part[k].binding, d);
		return;
	}
}

/* Makes the sample of one half of the first source's window; the other sources have no halves, and
 * theirs are taken as even. */
static void halve(struct session *ses, bool second)
{
	const struct sample *whole = &ses->got.samples[0];
	struct sample *half = &ses->got.half_samples[0];
	int n = ses->dev->sources[0]->feed.n_counters;

	memcpy(ses->got.half_samples, ses->got.samples, sizeof(ses->got.samples));
	half->window_ns = second ? whole->window_ns - whole->half_ns : whole->half_ns;
	for (int i = 0; i < n; i++)
		half->values[i] = second ? whole->values[i] - whole->half[i] : whole->half[i];
}

/* Evaluates both halves of the window, which tell whether it mixes two phases. The whole window has
 * to be evaluated after them. Sets that take turns have no halves of the same metrics. */
static void fill_halves(struct session *ses, struct snapshot *s)
{
	struct rotation *r = ses->now->rotation;

	s->has_halves = (r->n == 1 || r->is_glance) && ses->got.samples[0].why == WHY_OK &&
		ses->got.samples[0].half;
	for (int k = 0; k < 2 && s->has_halves; k++) {
		halve(ses, k == 1);
		rotation_eval_half(r, ses->got.half_samples, s, k);
	}
}

/* Evaluates what each context did. The whole window has to be evaluated after it. */
static void fill_contexts(struct session *ses, struct snapshot *s)
{
	s->contexts = NULL;
	if (!ses->contexts.wanted || !ses->dev->device.has_oa_reports)
		return;
	context_table_eval(&ses->contexts.table, &rotation_active(ses->now->rotation)->binding,
		&ses->got.samples[0], ses->got.half_samples);
	s->contexts = &ses->contexts.table;
}

static void fill_code(const struct session *ses, struct snapshot *s)
{
	s->code_feed = NULL;
	for (int i = 0; i < ses->dev->n_sources; i++) {
		if (!ses->got.samples[i].code || ses->got.samples[i].why != WHY_OK)
			continue;
		s->code = *ses->got.samples[i].code;
		s->code_feed = &ses->dev->sources[i]->feed;
	}
}

/* With a chosen context the reports are its own, and all other sources are everybody's: operations
 * of the one for each watt of all would be a number of nothing. */
static void drop_mixtures(const struct metric_binding *b, struct snapshot *s)
{
	for (int i = 0; i < b->set->n_metrics; i++) {
		unsigned feeds = metric_feeds(b, i);

		if ((feeds & 1) && (feeds & ~1u))
			s->values[i] = value_none(WHY_NOT_BY_CONTEXT);
	}
}

/* Returns the time of day of the newest window: for a recording that of when it was made, as far as
 * it says so. */
static int64_t wall_of(const struct session *ses)
{
	const struct device *d = &ses->dev->device;
	int64_t t_ns = ses->got.samples[0].t1_ns;

	if (d->recorded && d->recording.epoch_ns && d->recording.epoch_ns < INT64_MAX / 2 &&
		t_ns >= 0 && t_ns < INT64_MAX / 2)
		return (int64_t)d->recording.epoch_ns + t_ns;
	return clock_wall_ns(&ses->clock);
}

/* Looks for a set that counts what the answer lacks. Each set is read for that once. */
static void name_missing_set(struct session *ses, struct snapshot *s)
{
	const struct device *d = &ses->dev->device;
	const struct metric_set *set;

	if (s->verdict.kind != VERDICT_UNKNOWN || s->verdict.missing != VERDICT_MISSING_SET)
		return;
	set = sets_counting(ses, d, s->verdict.bound);
	verdict_name_set(&s->verdict, set ? set->name : NULL, set == s->set);
}

static void fill(struct session *ses, struct snapshot *s, int64_t now_ns)
{
	struct rotation_part *p = rotation_active(ses->now->rotation);

	s->seq = ++ses->now->seq;
	s->mono_ns = now_ns;
	s->wall_ns = wall_of(ses);
	s->window_ns = ses->got.samples[0].window_ns;
	s->quality = 0;
	s->reports = ses->got.samples[0].reports;
	memcpy(s->triggered, ses->got.samples[0].triggered, sizeof(s->triggered));
	s->load_groups = ses->got.samples[0].load_groups;
	s->lost = 0;
	for (int i = 0; i < ses->dev->n_sources; i++) {
		s->quality |= ses->got.samples[i].quality;
		s->lost += ses->got.samples[i].lost;
	}
	s->lost_total = ses->got.lost_total;
	s->report_why = ses->got.samples[0].report_why;
	s->tells_clock = ses->got.samples[0].tells_clock;
	s->clock_low_hz = ses->got.samples[0].clock_low_hz;
	s->clock_high_hz = ses->got.samples[0].clock_high_hz;
	fill_halves(ses, s);
	fill_contexts(ses, s);
	rotation_eval(ses->now->rotation, ses->got.samples, s);
	fill_code(ses, s);
	if (p->window != s)
		fill_code(ses, p->window);
	if (ses->want->has_context && ses->now->rotation->n == 1)
		drop_mixtures(&p->binding, s);
	s->users = client_scan_run(ses, now_ns, &ses->clients.table);
	s->clients = ses->clients.wanted ? s->users : NULL;
	kernel_watch_window(ses, s->users);
	s->why = ses->got.samples[0].why;
	own_load_state(ses, &s->job);
	disprove_roofs(ses);
	/* The roofline stands still while another set has its turn. */
	if (ses->now->rotation->active == ses->now->rotation->roofline) {
		roofline_update(
			&ses->now->roofline, &p->binding, p->window->values, &s->job, now_ns);
		roofline_take_ceilings(&ses->now->roofline, p->window->ceilings);
	}
	s->roofline = &ses->now->roofline;
	roofline_set_ceilings(s->roofline, ses->now->set, s->ceilings);
	rotate_before_verdict(ses, s);
	verdict_make(s, &ses->now->verdicts, &s->verdict);
	name_missing_set(ses, s);
	/* The status is what the primary source says of itself, else why another source gives
	 * nothing. */
	s->status[0] = '\0';
	if (ses->want->has_context && !ses->contexts.watch.saw_chosen)
		context_watch_sentence(
			&ses->contexts.watch, ses->want->context, s->status, sizeof(s->status));
	for (int i = 0; i < ses->dev->n_sources && !s->status[0]; i++) {
		struct source *source = ses->dev->sources[i];

		if (source->ops->status && (i == 0 || ses->got.samples[i].why != WHY_OK))
			source->ops->status(source, s->status, sizeof(s->status));
	}
}

static void push_cells(struct session *ses, const struct snapshot *s)
{
	for (int k = 0; k < s->n_maps; k++) {
		const struct cell_map *map = &s->maps[k];
		struct history *h = &ses->now->cell_history[k];

		history_open_row(h);
		for (int i = 0; i < map->n * map->n_metrics; i++)
			history_set(h, i,
				cell_value(
					map, i / map->n_metrics, map->metrics[i % map->n_metrics]));
	}
}

/* Says where the command that was recorded began, and its phases. */
static void log_marks(struct session *ses)
{
	struct source *s = ses->dev->sources[0];
	struct rec_mark m;

	while (!ses->play.as_recorded && s->ops->mark && s->ops->mark(s, &m)) {
		for (char *c = m.text; *c; c++)
			if (*c == '\t')
				*c = ' ';
		if (m.kind == REC_MARK_BEGIN)
			log_add(&ses->log, wall_of(ses), LOG_INFO, _("a command begins: %s"),
				m.text);
		else if (m.kind == REC_MARK_END)
			log_add(&ses->log, wall_of(ses), LOG_INFO, _("the command has ended"));
		else if (*m.text)
			log_add(&ses->log, wall_of(ses), LOG_INFO, _("phase %s begins"), m.text);
		else
			log_add(&ses->log, wall_of(ses), LOG_INFO, _("the phase has ended"));
	}
}

/* The device goes on while the screen stands still, and its windows pass unseen so that the next
 * one shown is whole. */
static void pass_window(struct session *ses, int64_t now_ns)
{
	const struct client_table *users = NULL;

	collect(ses, now_ns);
	retry(ses, now_ns);
	if (record_is_on(ses) || kernel_watch_asks_clients(ses))
		users = client_scan_run(ses, now_ns, &ses->clients.unseen);
	kernel_watch_window(ses, users);
	if (!(ses->got.samples[0].quality & SAMPLE_PARTIAL) && record_is_on(ses))
		record_whole_window(ses, now_ns, users);
}

/* Ends a window. Drops a partial window and an empty end of a recording. */
static bool finish_tick(struct session *ses, int64_t now_ns)
{
	bool self_paced = ses->dev->sources[0]->self_paced;

	ses->window.ticks_left = ticks_of(ses);
	if (stands_still(ses)) {
		/* A device that sets its own pace waits. */
		if (!self_paced)
			pass_window(ses, now_ns);
		return false;
	}
	ses->play.step = false;
	collect(ses, now_ns);
	log_marks(ses);
	retry(ses, now_ns);
	struct snapshot *back = &ses->now->snaps[1 - ses->now->front];
	if (ses->clock.is_virtual && self_paced) {
		clock_advance(&ses->clock, ses->got.samples[0].window_ns);
		now_ns = clock_mono_ns(&ses->clock);
	}
	measure_self(ses);
	if (ses->got.samples[0].quality & SAMPLE_PARTIAL ||
		(ses->play.ended && ses->got.samples[0].why != WHY_OK))
		return false;
	fill(ses, back, now_ns);
	record_whole_window(ses, now_ns, back->users);
	ses->now->front = 1 - ses->now->front;
	history_push(&ses->now->history, back->values);
	/* A recording has places of its own, between which it is played to and fro. */
	if (!ses->dev->sources[0]->ops->playback)
		history_stamp(&ses->now->history, now_ns);
	push_cells(ses, back);
	history_push(&ses->now->roofs, back->ceilings);
	/* A recording holds one set, so nothing is glanced at while it runs. */
	rotate_after_window(ses, back, !record_is_on(ses));
	return true;
}

static bool tick(struct session *ses)
{
	int64_t now_ns = clock_mono_ns(&ses->clock);
	bool self_paced = ses->dev->sources[0]->self_paced;

	if (ses->play.ended || (self_paced && ses->play.paused && !ses->play.step))
		return false;
	own_load_ready(ses);
	resume(ses, now_ns);
	drain(ses, now_ns);
	if (is_waiting(ses))
		return false;
	if (!is_primed(ses)) {
		collect(ses, now_ns);
		retry(ses, now_ns);
		measure_self(ses);
		prime(ses, true);
		ses->window.ticks_left = ticks_of(ses);
		return false;
	}
	if (--ses->window.ticks_left > 0 && !(self_paced && ses->clock.is_virtual))
		return false;
	return finish_tick(ses, now_ns);
}

bool refresh_tick(struct session *ses)
{
	bool is_new = tick(ses);

	/* Whoever takes the marks of a recording reads behind them. */
	if (ses->kernels.begun && !ses->play.as_recorded)
		kernel_watch_read(ses);
	return is_new;
}

bool refresh_now(struct session *ses)
{
	int64_t now_ns = clock_mono_ns(&ses->clock);

	if (ses->play.ended || !is_primed(ses))
		return false;
	drain(ses, now_ns);
	return !is_waiting(ses) && finish_tick(ses, now_ns);
}

bool refresh_virtual_step(struct session *ses)
{
	if (!ses->dev->sources[0]->self_paced)
		clock_advance(&ses->clock, refresh_period_ns(ses));
	return refresh_tick(ses);
}
