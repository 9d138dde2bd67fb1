/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows: from the sources' samples to a snapshot. Called on ticks, never on keys. */
#ifndef SESSION_REFRESH_H
#define SESSION_REFRESH_H

#include "session/session.h"

/* How often a source that was refused is tried again, and a device that is away is looked for. */
#define REFRESH_RETRY_NS (3 * NS_PER_S)

/* After a device was opened: binds its rotation, forgets every value. */
void refresh_start(struct session *ses);
/* Another set, alone, for the same, running sources. */
void refresh_use_set(struct session *ses, const struct metric_set *set);
void refresh_stop(struct session *ses);
/* Time until the next refresh_tick() is wanted. Changes after the first tick and with delay_ns. */
int64_t refresh_period_ns(const struct session *ses);
/* Drains the sources; when the window is complete, makes a snapshot and returns true. */
bool refresh_tick(struct session *ses);
/* Drains the source that a readable descriptor belongs to. False when it cannot be read: stop
 * polling it, it would stay readable; ticks go on trying. */
bool refresh_ready(struct session *ses, int fd);
/* Ends the window now. */
bool refresh_now(struct session *ses);
/* Moves a virtual clock to the next tick and does it. */
bool refresh_virtual_step(struct session *ses);
/* delay_ns changed: the running window gets the new length. */
void refresh_retime(struct session *ses);
/* NULL before the first complete window. */
const struct snapshot *refresh_snapshot(const struct session *ses);

#endif
