/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metric sets in turns on one open device. */
#ifndef SESSION_ROTATE_H
#define SESSION_ROTATE_H

#include "session/session.h"

/* The sets that --rotate (or -m A,B) names for a device, into sets (ROTATION_MAX); 0 when they are
 * not asked for, -1 with err. */
int rotate_choose(struct session *ses, const struct device_entry *e, const struct metric_set **sets,
	struct err *err);
/* After a window was shown: the next set's turn, when it is time. */
void rotate_after_window(struct session *ses, int64_t now_ns);

#endif
