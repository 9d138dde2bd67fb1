/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes windows: turns the sources' samples into a snapshot. Ticks call this, keys never do. */
#ifndef SESSION_WINDOW_REFRESH_H
#define SESSION_WINDOW_REFRESH_H

#include "session/session.h"

/* How often a refused source is tried again and a missing device is looked for. */
#define REFRESH_RETRY_NS (3 * NS_PER_S)

/* Has to be called after a device was opened. It binds its rotation and forgets every value. */
void refresh_start(struct session *ses);
/* Uses another set, alone, with the same running sources. */
void refresh_use_set(struct session *ses, const struct metric_set *set);
void refresh_stop(struct session *ses);
/* For the set of the map (map_set.c): binds a set beside the one that is counted. The caller owns what
 * comes back; refresh_free_set() takes NULL, too. */
struct counting *refresh_make_set(struct session *ses, const struct metric_set *set);
void refresh_free_set(struct counting *c);
/* Counts what next is bound to from now on; the next window begins. Returns what was counted. */
struct counting *refresh_swap(struct session *ses, struct counting *next);
/* Returns the time until the next refresh_tick() is wanted. It changes after the first tick and
 * with delay_ns. */
int64_t refresh_period_ns(const struct session *ses);
/* Drains the sources. When the window is complete, it makes a snapshot and returns true. */
bool refresh_tick(struct session *ses);
/* Drains the source that a readable descriptor belongs to. Returns false when it cannot be read;
 * the caller must then stop polling it, because it would stay readable. Ticks go on trying. */
bool refresh_ready(struct session *ses, int fd);
/* Ends the window now. */
bool refresh_now(struct session *ses);
/* Moves a virtual clock to the next tick and carries the tick out. */
bool refresh_virtual_step(struct session *ses);
/* Has to be called when delay_ns has changed. The running window gets the new length. */
void refresh_retime(struct session *ses);
/* Returns the newest snapshot, or NULL before the first complete window. */
const struct snapshot *refresh_snapshot(const struct session *ses);

#endif
