/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets in turns, among them that of the map. */
#pragma once

#include "session/session.h"

/* Chooses the sets to count on a device and writes them to sets (ROTATION_MAX entries): the one of
 * set_name, else those of -m A,B, else the usual one. Returns their number, or 0 with
 * err. */
int rotate_choose(struct session *ses, const struct device_entry *e, const char *set_name,
	const struct metric_set **sets, struct err *err);
/* Returns, after a device was opened, a rotation of its set and of the one that is glanced at
 * beside it, or NULL: the line "glance" names it, and the constant of the device without which it
 * is of use. The caller owns it. */
struct rotation *rotate_glance(struct session *ses);
/* Has to be called when counting begins: nothing had its turn yet. */
void rotate_start(struct session *ses);
/* Has to be called of each window before its verdict is made: what a glance has seen holds as long
 * as the device does the same. */
void rotate_before_verdict(struct session *ses, struct snapshot *s);
/* Has to be called when samples were collected: those of a recording may be of the next set. */
void rotate_follow(struct session *ses);
/* Stops glances, because what is counted now is for a recording. False: err. */
bool rotate_end_glance(struct session *ses, struct err *err);
/* Has to be called after a window was shown. It gives the next set its turn when it is time; a
 * glance begins only where it may. */
void rotate_after_window(struct session *ses, const struct snapshot *s, bool may_begin);

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
