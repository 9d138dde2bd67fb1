/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that tell something of devices, metrics and limits. */
#ifndef CMD_TELL_TELL_H
#define CMD_TELL_TELL_H

#include "session/program.h"
#include "session/session.h"
#include "base/near.h"
#include "base/strbuf.h"

/* Runs until -n windows were written, the data end, a signal comes (*signo is then set) or the
 * reader goes away. A reader that went away is no error. */
enum status batch_run(struct program *p, enum output_form form, int *signo);

/* Writes a report as text, or as TAP with --tap. It changes no setting. */
enum status doctor(struct session *ses, struct strbuf *out);

enum status explain_limit_cmd(struct session *ses, enum output_form form);

enum status roofline_cmd(struct session *ses, enum output_form form);

/* Lists devices, usable or not, and says why; as JSON lines with form OUTPUT_JSON. */
enum status list_devices(struct session *ses, struct strbuf *out);
/* Lists the events that --counter takes on the chosen device. */
enum status list_events(struct session *ses, struct strbuf *out);
/* Lists the metric sets of the chosen device. */
enum status list_sets(struct session *ses, struct strbuf *out);

enum status metrics_cmd(struct session *ses, struct strbuf *out);
/* Carries out rooftop explain NAME. */
enum status explain_cmd(struct session *ses, struct strbuf *out);
/* Finds the device whose metrics are meant. Nothing is measured here, so a simulated device lends
 * its platform where there is no other. */
bool metrics_cmd_device(struct session *ses, int *index, struct err *err);
/* Returns the chosen set of that device, or NULL with err. */
const struct metric_set *metrics_cmd_set(struct session *ses, struct err *err);
/* Looks for metrics of the set whose name, label or group comes near. */
void metrics_cmd_near(const struct metric_set *set, const char *name, struct near *near);
/* Returns false with an error that names similar metrics. */
bool metrics_cmd_unknown(const struct metric_set *set, const char *name, struct err *err);

/* Says on standard error that another metric has the label by which one was named; other is -1
 * where there is none. */
void metrics_cmd_tell_other(const struct metric_set *set, const char *word, int metric, int other);

#endif
