/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who uses the device: scanned when somebody wants to see it, written in the forms of batch
 * output. */
#ifndef SESSION_CLIENT_SCAN_H
#define SESSION_CLIENT_SCAN_H

#include "session/session.h"

/* Asks for scans with each window, or ends them. The first scan is made at once, so that the next
 * window has rates. */
void clients_want(struct session *ses, bool wanted);
/* At the end of a window; the table of the snapshot, or NULL when nobody wants one. */
const struct client_table *clients_scan(struct session *ses, int64_t now_ns);
/* After another device was opened. */
void clients_restart(struct session *ses);
void clients_release(struct session *ses);

/* ,"clients":[...],"clients_hidden":N of a JSON window. Nothing for NULL. */
void clients_add_json(const struct client_table *t, struct strbuf *out);
/* A line for each client below a line of text output, prefix first. Nothing for NULL. */
void clients_add_text(const struct client_table *t, const char *prefix, struct strbuf *out);

#endif
