/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rooftop metrics prints names, units, equations and origins, and checks a metric file. */
#ifndef CMD_TELL_METRICS_CMD_H
#define CMD_TELL_METRICS_CMD_H

#include "session/session.h"
#include "base/strbuf.h"

enum status metrics_cmd(struct session *ses, struct strbuf *out);
/* Carries out rooftop explain NAME. */
enum status explain_cmd(struct session *ses, struct strbuf *out);
/* Finds the device whose metrics are meant. Nothing is measured here, so a simulated device lends
 * its platform where there is no other. */
bool metrics_cmd_device(struct session *ses, int *index, struct err *err);
/* Returns the chosen set of that device, or NULL with err. */
const struct metric_set *metrics_cmd_set(struct session *ses, struct err *err);
/* Returns false with an error that names similar metrics. */
bool metrics_cmd_unknown(const struct metric_set *set, const char *name, struct err *err);

/* Says on standard error that another metric has the label by which one was named; other is -1 where
 * there is none. */
void metrics_cmd_tell_other(const struct metric_set *set, const char *word, int metric, int other);

#endif
