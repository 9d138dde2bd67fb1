/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The map of a device's parts has a metric set of its own, which counts only while the map is
 * shown. */
#ifndef SESSION_WINDOW_MAP_SET_H
#define SESSION_WINDOW_MAP_SET_H

#include "session/session.h"

/* Returns the set that map_set_enter() would count, NULL when the shown set has a map, or no other
 * set of the device has one. */
const struct metric_set *map_set_find(struct session *ses);
/* Counts the next set that has a map, and puts the other one aside with its windows and histories.
 * False: the device goes on with what it counts; err says why, and its code is ERR_NONE when there
 * is nothing to change. */
bool map_set_enter(struct session *ses, struct err *err);
/* Counts the set that was put aside again. The time between is blank in its histories. */
bool map_set_leave(struct session *ses, struct err *err);
/* Turns to another set that has a map. False as above. */
bool map_set_next(struct session *ses, struct err *err);
/* Returns what counts while no map is shown. */
const struct rotation *map_set_rotation(const struct session *ses);
/* Returns the set that is put aside while the map's counts, else NULL. */
const struct metric_set *map_set_home(const struct session *ses);
/* Releases what is aside; has to be called before the device is closed. */
void map_set_forget(struct session *ses);

#endif
