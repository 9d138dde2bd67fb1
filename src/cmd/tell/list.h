/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists on standard output: devices, metric sets, metrics, one metric. */
#ifndef CMD_TELL_LIST_H
#define CMD_TELL_LIST_H

#include "session/session.h"
#include "base/strbuf.h"

/* Lists devices, usable or not, and says why; as JSON lines with form OUTPUT_JSON. */
enum status list_devices(struct session *ses, struct strbuf *out);
/* Lists the events that --counter takes on the chosen device. */
enum status list_events(struct session *ses, struct strbuf *out);
/* Lists the metric sets of the chosen device. */
enum status list_sets(struct session *ses, struct strbuf *out);

#endif
