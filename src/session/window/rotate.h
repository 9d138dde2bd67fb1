/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which metric sets an open device counts, and whose turn it is. */
#ifndef SESSION_WINDOW_ROTATE_H
#define SESSION_WINDOW_ROTATE_H

#include "session/session.h"

/* Chooses the sets to count on a device and writes them to sets (ROTATION_MAX entries): the one of
 * set_name, else those of -m A,B, else the usual one. Returns their number, or 0 with
 * err. */
int rotate_choose(struct session *ses, const struct device_entry *e, const char *set_name,
	const struct metric_set **sets, struct err *err);
/* Returns, after a device was opened, a rotation of its set and of the one that is glanced at beside
 * it, or NULL: the line "glance" names it, and the constant of the device without which it is of use.
 * The caller owns it. */
struct rotation *rotate_glance(struct session *ses);
/* Has to be called when counting begins: nothing had its turn yet. */
void rotate_start(struct session *ses);
/* Has to be called of each window before its verdict is made: what a glance has seen holds as long
 * as the device does the same. */
void rotate_before_verdict(struct session *ses, struct snapshot *s);
/* Stops glances, because what is counted now is for a recording. False: err. */
bool rotate_end_glance(struct session *ses, struct err *err);
/* Has to be called after a window was shown. It gives the next set its turn when it is time; a
 * glance begins only where it may. */
void rotate_after_window(struct session *ses, const struct snapshot *s, bool may_begin);

#endif
