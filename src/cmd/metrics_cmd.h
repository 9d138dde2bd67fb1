/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rooftop metrics: names, units, equations and origins; and the check of a metric file. */
#ifndef CMD_METRICS_CMD_H
#define CMD_METRICS_CMD_H

#include "session/session.h"
#include "base/strbuf.h"

enum status metrics_cmd(struct session *ses, struct strbuf *out);
/* --explain NAME. */
enum status explain_cmd(struct session *ses, struct strbuf *out);
/* The device whose metrics are meant. Nothing is measured, so that a simulated one lends its
 * platform where there is no other. */
bool metrics_cmd_device(struct session *ses, int *index, struct err *err);
/* Its chosen set, NULL with err. */
const struct metric_set *metrics_cmd_set(struct session *ses, struct err *err);
/* False with an error that names similar metrics. */
bool metrics_cmd_unknown(const struct metric_set *set, const char *name, struct err *err);

#endif
