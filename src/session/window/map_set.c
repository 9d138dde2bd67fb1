/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exchanges the set that is counted for that of the map, and back. */
#include "config.h"

#include "session/window/rotate.h"

#include "session/program.h"
#include "session/window/record.h"
#include "session/window/refresh.h"
#include "session/window/sets.h"
#include "base/i18n.h"

static const struct backend *backend_of(const struct session *ses)
{
	return ses->program->devices.entries[ses->opened.entry].backend;
}

const struct metric_set *map_set_find(struct session *ses)
{
	if (!ses->dev || ses->dev->device.recorded || ses->now->snaps[0].n_maps > 0)
		return NULL;
	return sets_next(ses, ses->dev->device.platform, true);
}

const struct rotation *map_set_rotation(const struct session *ses)
{
	return ses->map.is_on ? ses->aside->rotation : ses->now->rotation;
}

const struct metric_set *map_set_home(const struct session *ses)
{
	return ses->map.is_on ? ses->aside->set : NULL;
}

static void exchange(struct session *ses)
{
	ses->aside = refresh_swap(ses, ses->aside);
	ses->map.since_ns = clock_mono_ns(&ses->clock);
	ses->map.is_on = !ses->map.is_on;
}

/* A recording holds what one set counts, so it has the counters until it ends. */
static bool program_set(struct session *ses, const struct metric_set *set, struct err *err)
{
	if (record_is_on(ses)) {
		err_set(err, ERR_BUSY,
			_("the set %s is recorded, so it counts until the recording ends"),
			ses->now->set->name);
		return err_hint(err, _("the key W ends it"));
	}
	return backend_of(ses)->reprogram(ses->dev, set, clock_mono_ns(&ses->clock), err);
}

bool map_set_enter(struct session *ses, struct err *err)
{
	const struct metric_set *set = map_set_find(ses);

	/* The map waits for the end of a recording, which holds what one set counts. */
	if (ses->map.is_on || !set || ses->play.paused || ses->opened.stands_in ||
		record_is_on(ses) || !backend_of(ses)->reprogram)
		return false;
	if (ses->aside)
		set = ses->aside->set;
	else
		set = sets_choose(ses, &ses->dev->device, set->name, err);
	if (!set || !program_set(ses, set, err))
		return false;
	if (!ses->aside)
		ses->aside = refresh_make_set(ses, set);
	exchange(ses);
	return true;
}

bool map_set_next(struct session *ses, struct err *err)
{
	const struct metric_set *set;

	if (!ses->map.is_on)
		return map_set_enter(ses, err);
	set = sets_next(ses, ses->dev->device.platform, true);
	if (set)
		set = sets_choose(ses, &ses->dev->device, set->name, err);
	if (!set || !program_set(ses, set, err))
		return false;
	refresh_free_set(refresh_swap(ses, refresh_make_set(ses, set)));
	return true;
}

bool map_set_leave(struct session *ses, struct err *err)
{
	int64_t blank_ns = clock_mono_ns(&ses->clock) - ses->map.since_ns;
	struct rotation *r;

	if (!ses->map.is_on)
		return true;
	r = ses->aside->rotation;
	if (!program_set(ses, r->part[r->active].set, err))
		return false;
	int64_t from_ns = ses->map.since_ns;
	exchange(ses);
	for (int64_t i = 0; i < blank_ns / ses->window.length_ns && i < SESSION_HISTORY_ROWS; i++) {
		history_open_row(&ses->now->history);
		history_stamp(&ses->now->history, from_ns + i * ses->window.length_ns);
		history_open_row(&ses->now->roofs);
	}
	return true;
}

void map_set_forget(struct session *ses)
{
	refresh_free_set(ses->aside);
	ses->aside = NULL;
	ses->map.is_on = false;
}
