/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes windows: turns the sources' samples into a snapshot. Ticks call this, keys never do. */
#pragma once

#include "session/session.h"

/* How often a refused source is tried again and a missing device is looked for. */
#define REFRESH_RETRY_NS (3 * NS_PER_S)

/* Has to be called after a device was opened. It binds its rotation and forgets every value. */
void refresh_start(struct session *ses);
/* Uses another set, alone, with the same running sources. */
void refresh_use_set(struct session *ses, const struct metric_set *set);
void refresh_stop(struct session *ses);
/* For the set of the map (map_set.c): binds a set beside the one that is counted. The caller owns
 * what comes back; refresh_free_set() takes NULL, too. */
struct counting *refresh_make_set(struct session *ses, const struct metric_set *set);
void refresh_free_set(struct counting *c);
/* Counts what next is bound to from now on; the next window begins. Returns what was counted. */
struct counting *refresh_swap(struct session *ses, struct counting *next);
/* Returns the time until the next refresh_tick() is wanted. It changes after the first tick and
 * with the length of a window. */
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
/* Makes windows so long, the running one too, and tells the sources. It is the only place where the
 * length changes. */
void refresh_set_length(struct session *ses, int64_t length_ns);
/* From now on the sum gets every window; NULL: nothing does. */
void refresh_add_up(struct session *ses, struct window_sum *sum);
/* Counts these sets from the next refresh_start() on; the session owns them. */
void refresh_use_rotation(struct session *ses, struct rotation *r);
/* While it is paused windows pass unseen; refresh_show_next() shows one of them. */
void refresh_pause(struct session *ses, bool paused);
void refresh_show_next(struct session *ses);
/* Has to be called before a recording is opened: its windows are those of the program that made it,
 * and the caller takes its marks. */
void refresh_as_recorded(struct session *ses);
/* No window follows, because somebody has all that he wanted. */
void refresh_end(struct session *ses);
/* What follows is of another time: a gap in the past, and nothing was said yet. */
void refresh_go_elsewhere(struct session *ses);
/* From now on it is evaluated what each hardware context does. */
void refresh_want_contexts(struct session *ses);
/* The GPU was reset: what its streams were told is gone, so that they are opened again at once. */
void refresh_reset(struct session *ses, int64_t now_ns);
/* Says whether it is time to look for what is missing, and remembers that somebody does. */
bool refresh_retry_is_due(struct session *ses, int64_t now_ns);
/* Returns the newest snapshot, or NULL before the first complete window. */
const struct snapshot *refresh_snapshot(const struct session *ses);

/* Finds who uses the device, in each window while somebody wants to see it. */

/* Asks for a scan in each window from now on, or for none. The first scan is made at once, so that
 * the next window has rates. */
void client_scan_want(struct session *ses, bool wanted);
/* Scans, whether or not somebody wants to see it. Shares of time are of what passed since the last scan. */
void client_scan_now(struct session *ses, int64_t now_ns, struct client_table *out);
/* Has to be called at the end of a window. Returns the table, out, or NULL when nobody wants one. */
const struct client_table *client_scan_run(
	struct session *ses, int64_t now_ns, struct client_table *out);
/* Has to be called after another device was opened. */
void client_scan_restart(struct session *ses);
void client_scan_release(struct session *ses);
