/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of the whole chain, from reports to metrics, that need no hardware. */
#ifndef CMD_TELL_SELFTEST_H
#define CMD_TELL_SELFTEST_H

#include <stdbool.h>
#include <stddef.h>

#include "session/session.h"
#include "base/err.h"

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

#endif
