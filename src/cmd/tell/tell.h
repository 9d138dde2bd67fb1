/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that tell something of devices, metrics and limits. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/near.h"
#include "base/strbuf.h"
#include "session/program.h"
#include "session/session.h"

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
/* Returns the chosen set of that device, which is *d then, or NULL with err. */
const struct metric_set *metrics_cmd_set(
	struct session *ses, const struct device **d, struct err *err);
/* Looks for metrics of the set whose name, label or group comes near. */
void metrics_cmd_near(const struct metric_set *set, const char *name, struct near *near);
/* Returns false with an error that names the platform's sets that have it, else similar metrics. */
bool metrics_cmd_unknown(struct session *ses, const struct metric_set *set, const char *platform,
	const char *name, struct err *err);

/* Says on standard error that another metric has the label by which one was named; other is -1
 * where there is none. */
void metrics_cmd_tell_other(const struct metric_set *set, const char *word, int metric, int other);

/* Checks of the whole chain, from reports to metrics, that need no hardware. */

/* Checks that the metrics of the simulated device's windows are numbers. what gets a line about
 * what was seen. */
bool selftest_model(const struct options *opt, char *what, size_t size, struct err *err);
/* Checks that the B counters of Intel's self-test set have their fixed ratios. */
bool selftest_oa(const struct options *opt, char *what, size_t size, struct err *err);
enum selftest_result { SELFTEST_GOOD, SELFTEST_FAILED, SELFTEST_NOT_TRIED };

/* Makes the same check on a device of this machine, through the caller's session. It takes about as
 * long as a window of 0.1 s and closes the device again. The check is not tried when the device has
 * no such set or cannot be opened; err then says why. */
enum selftest_result selftest_device(
	struct session *ses, int index, char *what, size_t size, struct err *err);
/* Checks that a recording of the simulated device, written to a temporary file and played, gives
 * the same values again. */
bool selftest_recording(const struct options *opt, char *what, size_t size, struct err *err);

/* Opens the device of the options. The clock of a simulated or recorded one becomes virtual. */
bool window_wait_open(struct session *ses, struct err *err);
/* Waits until a tick is due, by the machine's clock or the virtual one, and ticks. Returns whether a
 * window is complete. */
bool window_wait_tick(struct session *ses);
/* Waits until as many windows as --iterations says are complete (at least one), or the data end.
 * Returns the last one, or NULL when there is none. */
const struct snapshot *window_wait_last(struct session *ses);
