/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks up the devices of the command line, then opens them. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "session/devices/devices.h"
#include "session/window/sets.h"
#include "base/mem.h"
#include "data/data.h"

/* A device to open, and what was asked of it. */
struct plan_item {
	const struct device_options *want;
	int index;
	bool of_all; /* -D all has found it */
};

struct plan {
	struct plan_item *item;
	size_t n, cap;
};

static void add(struct plan *plan, const struct device_options *want, int index, bool of_all)
{
	plan->item = array_grow(plan->item, plan->n, &plan->cap, sizeof(*plan->item));
	plan->item[plan->n++] = (struct plan_item){ want, index, of_all };
}

static bool is_of_machine(const struct device *d)
{
	return !d->simulated && !d->recorded;
}

static bool has(const struct plan *plan, int index)
{
	for (size_t i = 0; i < plan->n; i++)
		if (plan->item[i].index == index)
			return true;
	return false;
}

static bool add_named(struct program *p, const struct open_all *how, struct plan *plan,
	const struct device_options *want, struct err *err)
{
	struct session *first = p->sessions[0];
	size_t known = p->devices.count;
	int index;

	if (want == first->want) {
		if (!devices_choose(first, how->may_simulate, &index, err))
			return false;
	} else if (!devices_named(first, want->name, &index, err)) {
		return false;
	}
	const struct device *d = &p->devices.entries[index].device;
	if (!how->may_repeat && is_of_machine(d) && has(plan, index)) {
		err_set(err, ERR_USAGE, "'%s' is named twice, and its counters have one reader",
			d->id);
		return err_hint(err, "-m SET,SET counts several metric sets of it in turns");
	}
	add(plan, want, index, false);
	/* A stream has brought all its devices. */
	bool is_all = d->recorded && (!want->name || strcmp(d->id, want->name) != 0);
	for (size_t i = known; is_all && i < p->devices.count; i++)
		if ((int)i != index)
			add(plan, want, (int)i, false);
	return true;
}

/* Adds all devices that nobody has named, so that a device with a -D of its own gets what that asks
 * for. */
static bool add_all(
	struct program *p, struct plan *plan, const struct device_options *want, struct err *err)
{
	for (size_t i = 0; i < p->devices.count; i++) {
		const struct device_entry *e = &p->devices.entries[i];

		if (e->usable && is_of_machine(&e->device) && !has(plan, (int)i) &&
			sets_exist(p->sessions[0], &e->device))
			add(plan, want, (int)i, true);
	}
	return plan->n > 0 || devices_none(p->sessions[0], err);
}

static bool make_plan(
	struct program *p, const struct open_all *how, struct plan *plan, struct err *err)
{
	const struct options *o = p->opt;

	for (int i = 0; i < o->n_devices; i++)
		if (!options_mean_all(&o->devices[i]) && !add_named(p, how, plan, &o->devices[i], err))
			return false;
	for (int i = 0; i < o->n_devices; i++)
		if (options_mean_all(&o->devices[i]) && !add_all(p, plan, &o->devices[i], err))
			return false;
	return true;
}

static bool open_item(struct program *p, const struct plan_item *item, const struct open_all *how,
	struct err *err)
{
	struct session *first = p->sessions[0], *ses = first;
	struct err why = { 0 };

	/* The first session exists already. */
	if (first->dev)
		ses = program_add_session(p, item->want);
	const struct device *d = &p->devices.entries[item->index].device;
	if (how->may_be_real && !first->dev && !d->simulated && !d->recorded)
		first->clock = (struct clock){ .is_virtual = false };
	ses->want = item->want;
	ses->clock = first->clock;
	if (how->may_hurry && (item->want->speed_max || item->want->per_report))
		session_virtual_clock(ses, 0);
	else if (how->may_hurry)
		ses->clock = (struct clock){ .is_virtual = false };
	if (devices_open_best(ses, item->index, &why))
		return true;
	*err = why;
	if (!item->of_all)
		return false;
	session_problem(first, &why);
	if (ses != first)
		program_close_session(p, ses);
	return true;
}

void open_all_new(struct program *p)
{
	const struct device_options *want = options_of_all(p->opt);
	const struct open_all how = { .may_hurry = true };
	struct err err = { 0 };

	for (size_t i = 0; want && i < p->devices.count; i++) {
		const struct device_entry *e = &p->devices.entries[i];
		const struct plan_item item = { want, (int)i, true };

		/* Opening may take long, and then has to be tried no more often than devices change. */
		if (e->usable && is_of_machine(&e->device) && !session_of_entry(p, (int)i) &&
			sets_exist(p->sessions[0], &e->device))
			open_item(p, &item, &how, &err);
	}
	packed_forget();
}

bool open_all(struct program *p, const struct open_all *how, struct err *err)
{
	struct plan plan = { 0 };
	struct err last = { 0 };
	bool good = make_plan(p, how, &plan, err);

	for (size_t i = 0; good && i < plan.n; i++)
		good = open_item(p, &plan.item[i], how, &last);
	free(plan.item);
	packed_forget();
	if (last.code && (!good || !p->sessions[0]->dev)) {
		*err = last;
		return false;
	}
	return good;
}
