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
#include "session/window/sets.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "core/verdict/verdict.h"

static bool check_device(const struct device_entry *e, struct err *err)
{
	const struct device *d = &e->device;

	if (d->recorded) {
		err_set(err, ERR_USAGE,
			_("sets cannot be counted in turns in '%s': a recording holds what one set "
			  "has counted"),
			d->id);
		return err_hint(err, _("-m chooses one set"));
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
static bool check_use(const struct session *ses, const struct metric_set *set, struct err *err)
{
	enum task task = ses->opt->task;

	if (ses->want->record) {
		err_set(err, ERR_USAGE,
			_("'%s' is several sets that take turns, and a recording holds what one set has "
			  "counted"),
			set->name);
		return err_hint(err, _("-m chooses one set"));
	}
	if (task == TASK_RUN || task == TASK_SCRIPT)
		return true;
	err_set(err, ERR_USAGE,
		_("'%s' is several sets that take turns; this command needs one set"), set->name);
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

/* A profile names its sets in a line "turns". Sets that show nothing of this device are left out.
 * Writes the sets, or the set itself when it is no profile, and returns their number; 0: err. */
static int take_turns(struct session *ses, const struct device_entry *e,
	const struct metric_set *set, const struct metric_set **sets, struct err *err)
{
	int pos = 0, n = 0;
	const struct set_directive *turns = metric_set_directive(set, "turns", &pos);
	char *names, *at = NULL;

	if (!turns && ses->want->rotate_every_ns && ses->want->set)
		return err_set(err, ERR_USAGE,
			_("--rotate-every is the length of a turn, and '%s' is a single set"),
			set->name);
	if (!turns) {
		sets[0] = set;
		return 1;
	}
	if (!check_device(e, err) || !check_use(ses, set, err))
		return 0;
	names = xstrdup(turns->args);
	for (char *name = strtok_r(names, " \t", &at); name && n >= 0;
		name = strtok_r(NULL, " \t", &at)) {
		const struct metric_set *next = sets_choose(ses, &e->device, name, err);

		if (!next)
			n = -1;
		else if (metric_set_fits(next, &e->device))
			n = add_set(ses, &e->device, name, sets, n, err);
	}
	free(names);
	if (n > 0)
		return n;
	if (n == 0)
		err_set(err, ERR_USAGE, _("no set of '%s' shows a part that '%s' has"), set->name,
			e->device.id);
	return 0;
}

int rotate_choose(struct session *ses, const struct device_entry *e, const char *set_name,
	const struct metric_set **sets, struct err *err)
{
	char *names, *at = NULL;
	int n = 0;

	if (set_name || !ses->want->rotate) {
		const struct metric_set *set = sets_choose(ses, &e->device, set_name, err);

		return set ? take_turns(ses, e, set, sets, err) : 0;
	}
	if (!check_device(e, err))
		return 0;
	names = xstrdup(ses->want->rotate);
	for (char *name = strtok_r(names, ",", &at); name && n >= 0;
		name = strtok_r(NULL, ",", &at))
		n = add_set(ses, &e->device, name, sets, n, err);
	free(names);
	if (n >= 2)
		return n;
	if (n >= 0) {
		err_set(err, ERR_USAGE, _("'%s' names fewer than two sets to take turns"),
			ses->want->rotate);
		err_hint(err, _("-m SET,SET counts several in turns, -m help lists them"));
	}
	return 0;
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
	const struct metric_set *set = ses->now->rotation->set, *other = NULL;
	char name[64], without[64];
	int pos = 0;
	const struct set_directive *d = metric_set_directive(set, "glance", &pos);

	int words = d ? sscanf(d->args, "%63s without %63s", name, without) : 0;

	if (words > 0 && may_glance(ses) && ses->now->rotation->n == 1 &&
		(words == 1 || !device_const(&ses->dev->device, without)))
		other = sets_choose(ses, &ses->dev->device, name, NULL);
	if (!other)
		return NULL;
	return rotation_new_glance(set, other, clock_mono_ns(&ses->clock));
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
	/* The window in which the programming changed is partial, so a short one that nobody sees
	 * takes it. */
	ses->turns.count++;
	ses->turns.since_ns = now_ns;
	return true;
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

	if (r->n == 1 || ses->turns.stuck)
		return;
	if (r->is_glance)
		glance_after_window(ses, s, may_begin);
	else if (s->mono_ns - ses->turns.since_ns >= ses->want->rotate_every_ns)
		turn(ses, (r->active + 1) % r->n, s->mono_ns);
}
