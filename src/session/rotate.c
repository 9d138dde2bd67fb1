/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses whose turn it is. After each window, or after --rotate-every, the device is programmed
 * for the next set. */
#include "config.h"

#include "session/rotate.h"

#include <stdlib.h>
#include <string.h>

#include "session/program.h"
#include "session/sets.h"
#include "base/i18n.h"
#include "base/mem.h"

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
	if (n >= 0)
		err_set(err, ERR_USAGE, _("'%s' names fewer than two sets to take turns"),
			ses->want->rotate);
	return 0;
}

void rotate_after_window(struct session *ses, int64_t now_ns)
{
	struct rotation *r = ses->rotation;
	int next = (r->active + 1) % r->n;
	struct err err = { 0 };

	if (r->n == 1 || ses->rotation_stuck ||
		now_ns - ses->rotated_ns < ses->want->rotate_every_ns)
		return;
	if (!ses->program->devices.entries[ses->current].backend->reprogram(
		    ses->dev, r->part[next].set, now_ns, &err)) {
		err_hint(&err, _("the set %s goes on alone"), rotation_active(r)->set->name);
		session_problem(ses, &err);
		ses->rotation_stuck = true;
		return;
	}
	rotation_turn(r, next);
	/* The window in which the programming changed is partial, so a short one that nobody sees
	 * takes it. */
	ses->primed = false;
	ses->rotated_ns = now_ns;
}
