/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who uses the device: looked for in each window while somebody wants to see it. */
#ifndef SESSION_CLIENT_SCAN_H
#define SESSION_CLIENT_SCAN_H

#include "session/session.h"

/* Asks for a scan in each window, or for none from now on. The first scan is made at once, so that
 * the next window has rates. */
void client_scan_want(struct session *ses, bool wanted);
/* At the end of a window. Returns the table of the snapshot, NULL when nobody wants one. */
const struct client_table *client_scan_run(struct session *ses, int64_t now_ns);
/* After another device was opened. */
void client_scan_restart(struct session *ses);
void client_scan_release(struct session *ses);

#endif
