/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The GPU's counters by a stream of the driver, which counts for everybody. */
#ifndef BACKENDS_ADRENO_COUNTER_STREAM_H
#define BACKENDS_ADRENO_COUNTER_STREAM_H

#include "backends/common/backend.h"
#include "backends/adreno/stream_samples.h"

/* Counts what the lines "program NAME GROUP COUNTABLE" of o->set ask for; COUNTABLE is the number
 * in the register. Where the stream is refused, err says why, and the source tries again. Returns
 * NULL when the set asks for nothing, or for what no stream can have, which err then says. */
struct source *adreno_stream_open(
	const struct device *d, const struct open_options *o, struct err *err);

#endif
