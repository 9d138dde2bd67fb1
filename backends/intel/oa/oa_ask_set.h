/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a metric set tells of blocks of B0 to B7: a metric for each question, and in words what the
 * counters of a set count. */
#ifndef BACKENDS_INTEL_OA_OA_ASK_SET_H
#define BACKENDS_INTEL_OA_OA_ASK_SET_H

#include "backends/intel/oa/oa_ask.h"
#include "backends/intel/oa/oa_profile.h"
#include "core/metric/metric_extend.h"

/* Adds what options ask, in the words of oa_ask_option() and oa_trigger_option(), to a set that has its
 * body. Returns false, with the set as it was, when the device cannot do that with this set. */
bool oa_ask_add(struct metric_set *set, const struct device *d, const struct metric_wish *wishes, int n,
	oa_config_fn *config, struct err *err);
/* Gives each question that no metric reads a metric, named by its words, and explains the inputs B0 to
 * B7 and C0 to C7 by lanes and comparison. Does nothing with other devices than Intel's, or when the
 * set cannot be programmed: its opening says why. */
void oa_ask_describe(struct metric_set *set, const struct device *d, oa_config_fn *config);

#endif
