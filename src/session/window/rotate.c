/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses whose turn it is. After each window, or after --rotate-every, the device is programmed
 * for the next set. */
#include "config.h"

#include "session/window/rotate.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/program.h"
#include "session/window/record.h"
#include "session/window/sets.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "core/verdict/verdict.h"

static bool check_device(const struct device_entry *e, struct err *err)
{
	const struct device *d = &e->device;

	if (d->recorded) {
		err_set(err, ERR_USAGE,
			_("'%s' is recorded: only the sets that it was made with take turns in it"),
			d->id);
		return err_hint(err, *d->recording.turns ? _("without -m they are shown")
							 : _("-m chooses one set"));
	}
	if (e->backend->reprogram)
		return true;
	err_set(err, ERR_USAGE,
		_("sets cannot be counted in turns on '%s': its counters cannot be changed while "
		  "it is open"),
		d->id);
	return err_hint(err, _("-m chooses one set; the key m turns to the next one"));
}

/* The command line names a profile as it names a set, so what one set can do and several cannot is
 * refused here. */
static bool check_use(const struct session *ses, const char *name, struct err *err)
{
	enum task task = ses->opt->task;

	if (task == TASK_RUN || task == TASK_SCRIPT)
		return true;
	err_set(err, ERR_USAGE,
		_("'%s' is several sets that take turns; this command needs one set"), name);
	return err_hint(err, _("-m chooses one set"));
}

static int add_set(struct session *ses, const struct device *d, const char *name,
	const struct metric_set **sets, int n, struct err *err)
{
	const struct metric_set *set = sets_choose(ses, d, name, err);

	if (!set)
		return -1;
	if (sets_is_profile(set)) {
		err_set(err, ERR_USAGE, _("'%s' is several sets that take turns already"), name);
		err_hint(err, _("-m %s alone counts them"), name);
		return -1;
	}
	for (int i = 0; i < n; i++) {
		if (sets[i] == set) {
			err_set(err, ERR_USAGE, _("set '%s' is there twice"), name);
			err_hint(err, _("-m %s alone counts it in every window"), name);
			return -1;
		}
	}
	if (n == ROTATION_MAX) {
		err_set(err, ERR_USAGE, _("more than %d sets in turns"), ROTATION_MAX);
		return -1;
	}
	sets[n] = set;
	return n + 1;
}

/* Writes the sets of these names, which have one of the characters between them. Returns their
 * number; -1: err. */
static int add_sets(struct session *ses, const struct device *d, const char *names,
	const char *between, const struct metric_set **sets, struct err *err)
{
	char *copy = xstrdup(names), *at = NULL;
	int n = 0;

	for (char *name = strtok_r(copy, between, &at); name && n >= 0;
		name = strtok_r(NULL, between, &at))
		n = add_set(ses, d, name, sets, n, err);
	free(copy);
	return n;
}

/* A profile names its sets in a line "turns". Sets that show nothing of this device are left out.
 * Writes the sets, or the set itself when it is no profile, and returns their number; 0: err. */
static int take_turns(struct session *ses, const struct device_entry *e,
	const struct metric_set *set, const struct metric_set **sets, struct err *err)
{
	int pos = 0, n = 0, all;
	const struct set_directive *turns = metric_set_directive(set, "turns", &pos);

	if (!turns && ses->want->rotate_every_ns && ses->want->set)
		return err_set(err, ERR_USAGE,
			_("--rotate-every is the length of a turn, and '%s' is a single set"),
			set->name);
	if (!turns) {
		sets[0] = set;
		return 1;
	}
	if (!check_device(e, err) || !check_use(ses, set->name, err))
		return 0;
	all = add_sets(ses, &e->device, turns->args, " \t", sets, err);
	for (int i = 0; i < all; i++)
		if (metric_set_fits(sets[i], &e->device))
			sets[n++] = sets[i];
	if (n == 0 && all >= 0)
		err_set(err, ERR_USAGE, _("no set of '%s' shows a part that '%s' has"), set->name,
			e->device.id);
	return n;
}

/* Writes the sets that took turns in a recording. Returns their number, or 0 where not all of them
 * are known here, or the command needs one set, as sets_choose() says; -1: err. */
static int take_recorded(struct session *ses, const struct device_entry *e, bool chosen,
	const struct metric_set **sets, struct err *err)
{
	struct err unknown = { 0 };

	if (chosen && !check_device(e, err))
		return -1;
	int n = add_sets(ses, &e->device, e->device.recording.turns, " ", sets, &unknown);
	return n < 2 || !check_use(ses, e->device.recording.set, &unknown) ? 0 : n;
}

int rotate_choose(struct session *ses, const struct device_entry *e, const char *set_name,
	const struct metric_set **sets, struct err *err)
{
	const struct device_options *o = ses->want;
	int n = 0;

	if (*e->device.recording.turns)
		n = take_recorded(ses, e, set_name || o->rotate || o->set, sets, err);
	if (n)
		return n < 0 ? 0 : n;
	if (set_name || !o->rotate) {
		const struct metric_set *set = sets_choose(ses, &e->device, set_name, err);

		return set ? take_turns(ses, e, set, sets, err) : 0;
	}
	if (!check_device(e, err))
		return 0;
	n = add_sets(ses, &e->device, o->rotate, ",", sets, err);
	if (n == 0 || n == 1) {
		err_set(err, ERR_USAGE, _("'%s' names fewer than two sets to take turns"),
			o->rotate);
		err_hint(err, _("-m SET,SET counts several in turns, -m help lists them"));
	}
	return n < 2 ? 0 : n;
}

/* One window in so many is for the set that is glanced at. */
#define GLANCE_EVERY 8

/* Commands that add up windows need all of them of one set, and so does what is recorded from the
 * first window to the last; -m asks for the one that it names. */
static bool may_glance(const struct session *ses)
{
	const struct device_options *o = ses->want;
	enum task task = ses->opt->task;

	if (o->record && task == TASK_RUN && !options_want_screen(ses->opt))
		return false;
	return (task == TASK_RUN || task == TASK_SCRIPT || task == TASK_EXPLAIN_LIMIT) && !o->set &&
		!o->has_context && !o->per_report && !ses->dev->device.recorded &&
		ses->program->devices.entries[ses->opened.entry].backend->reprogram;
}

struct rotation *rotate_glance(struct session *ses)
{
	const struct metric_set *sets[2] = { ses->now->rotation->set, NULL };
	char name[64], without[64];
	int pos = 0;
	const struct set_directive *d = metric_set_directive(sets[0], "glance", &pos);
	int words = d ? sscanf(d->args, "%63s without %63s", name, without) : 0;

	if (words > 0 && may_glance(ses) && ses->now->rotation->n == 1 &&
		(words == 1 || !device_const(&ses->dev->device, without)))
		sets[1] = sets_choose(ses, &ses->dev->device, name, NULL);
	return sets[1] ? rotation_new(sets, 2, true) : NULL;
}

void rotate_start(struct session *ses)
{
	ses->turns = (struct turns){ .since_ns = clock_mono_ns(&ses->clock),
		.since_glance = UINT_MAX };
}

void rotate_before_verdict(struct session *ses, struct snapshot *s)
{
	struct verdict_pace now;

	if (ses->now->rotation->is_glance &&
		(!verdict_needs_queue(s, &now) ||
			!verdict_same_pace(&now, &ses->turns.glance_pace) ||
			ses->turns.since_glance >= GLANCE_EVERY))
		rotation_forget_glance(ses->now->rotation, s);
}

/* Gives a part its turn; what goes wrong ends the turns. */
static bool turn(struct session *ses, int next, int64_t now_ns)
{
	struct rotation *r = ses->now->rotation;
	struct err err = { 0 };

	if (!ses->program->devices.entries[ses->opened.entry].backend->reprogram(
		    ses->dev, r->part[next].set, now_ns, &err)) {
		err_hint(&err, _("the set %s goes on alone"), rotation_active(r)->set->name);
		session_problem(ses, &err);
		ses->turns.stuck = true;
		return false;
	}
	rotation_turn(r, next);
	record_facts(ses, true);
	/* The window in which the programming changed is partial, so a short one that nobody sees
	 * takes it. */
	ses->turns.count++;
	ses->turns.since_ns = now_ns;
	return true;
}

void rotate_follow(struct session *ses)
{
	const struct recorded *from = &ses->dev->device.recording;
	struct rotation *r = ses->now->rotation;

	if (!ses->dev->device.recorded || !*from->turns || from->turn == ses->turns.followed)
		return;
	ses->turns.followed = from->turn;
	if (r->merged && from->turn < (unsigned)r->n)
		rotation_turn(r, (int)from->turn);
	record_facts(ses, true);
}

bool rotate_end_glance(struct session *ses, struct err *err)
{
	struct rotation *r = ses->now->rotation;

	if (!r->is_glance || r->active == 0)
		return true;
	if (turn(ses, 0, clock_mono_ns(&ses->clock)))
		return true;
	return err_set(err, ERR_SYS, _("the set %s cannot be counted again"), r->part[0].set->name);
}

/* Glances at the other set for a window where only that could tell what limits the device. */
static void glance_after_window(struct session *ses, const struct snapshot *s, bool may_begin)
{
	struct verdict_pace now;

	if (ses->now->rotation->active == 1) {
		turn(ses, 0, s->mono_ns);
		return;
	}
	if (ses->turns.since_glance < GLANCE_EVERY)
		ses->turns.since_glance++;
	if (ses->turns.since_glance < GLANCE_EVERY - 1 || !may_begin ||
		!verdict_needs_queue(s, &now))
		return;
	ses->turns.glance_pace = now;
	ses->turns.since_glance = 0;
	turn(ses, 1, s->mono_ns);
}

void rotate_after_window(struct session *ses, const struct snapshot *s, bool may_begin)
{
	const struct rotation *r = ses->now->rotation;

	if (r->n == 1 || ses->turns.stuck || ses->dev->device.recorded)
		return;
	if (r->is_glance)
		glance_after_window(ses, s, may_begin);
	else if (s->mono_ns - ses->turns.since_ns >= ses->want->rotate_every_ns)
		turn(ses, (r->active + 1) % r->n, s->mono_ns);
}
