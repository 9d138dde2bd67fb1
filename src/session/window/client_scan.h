/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds who uses the device, in each window while somebody wants to see it. */
#ifndef SESSION_WINDOW_CLIENT_SCAN_H
#define SESSION_WINDOW_CLIENT_SCAN_H

#include "session/session.h"

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

#endif
