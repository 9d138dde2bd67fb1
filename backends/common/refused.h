/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stands in the place of a source that could not be opened, so that its counters have a reason. */
#ifndef BACKENDS_COMMON_REFUSED_H
#define BACKENDS_COMMON_REFUSED_H

#include "backends/common/backend.h"

/* Copies the counters. ready() fails with the refusal, samples carry the reason. */
struct source *refused_source_open(
	const char *name, const struct counter_desc *counters, int n, const struct err *refusal);
/* Returns the reason that values have after such a refusal. */
enum why refused_why(enum err_code code);

#endif
