/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of the whole chain, from reports to metrics, that need no hardware. */
#ifndef APP_SELFTEST_H
#define APP_SELFTEST_H

#include <stdbool.h>
#include <stddef.h>

#include "app/options.h"
#include "base/err.h"

/* The simulated device gives windows whose metrics are numbers. what: one line about what was seen. */
bool selftest_model(const struct options *opt, char *what, size_t size, struct err *err);
/* The B counters of Intel's self-test set have their fixed ratios. */
bool selftest_oa(const struct options *opt, char *what, size_t size, struct err *err);
/* A recording of the simulated device, written to a temporary file and played, gives the same values again. */
bool selftest_recording(const struct options *opt, char *what, size_t size, struct err *err);

#endif
