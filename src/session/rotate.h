/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which metric sets an open device counts, and whose turn it is. */
#ifndef SESSION_ROTATE_H
#define SESSION_ROTATE_H

#include "session/session.h"

/* Chooses the sets to count on a device and writes them to sets (ROTATION_MAX entries): the one of
 * set_name, else those of --rotate (or -m A,B), else the usual one. Returns their number, or 0 with
 * err. */
int rotate_choose(struct session *ses, const struct device_entry *e, const char *set_name,
	const struct metric_set **sets, struct err *err);
/* Has to be called after a window was shown. It gives the next set its turn when it is time. */
void rotate_after_window(struct session *ses, int64_t now_ns);

#endif
