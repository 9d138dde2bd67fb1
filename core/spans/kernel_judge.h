/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the counters of a kernel say of it: rates, and what limits it, by the rules of the
 * verdict. */
#pragma once

#include "core/metric/metric.h"
#include "core/spans/kernel_list.h"

/* By what is judged. feed: of the first source, whose counters are told; others have no pairs. */
struct kernel_judge {
	struct metric_binding *binding; /* its inputs become those of the kernel */
	const struct device *device;
	const struct feed *feed;
	int n_sources;
	const struct roof_file *measured;
};

/* Fills in what counts[] of ns of a kernel, and out->pairs, make of it, without the unsure ones. */
void kernel_judge(const struct kernel_judge *by, const uint64_t *counts, const bool *unsure,
	int64_t ns, struct kernel_line *out);
