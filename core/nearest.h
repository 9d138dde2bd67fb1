/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sentence at the bottom: which resource is nearest to its roof, and how far it is. */
#ifndef CORE_NEAREST_H
#define CORE_NEAREST_H

#include <stddef.h>

#include "core/metric.h"
#include "core/value.h"

enum nearest_kind {
	NEAREST_NONE,		/* nothing to say: no resource has a value and a ceiling */
	/* the device does (nearly) nothing, or waits for work most of the time without being near a
	 * roof */
	NEAREST_IDLE,
	NEAREST_LATENCY,	/* busy, but no resource is above half of its roof */
	NEAREST_BOUND,		/* one resource is nearest to its roof */
};

/* Only metrics with a bound name and a ceiling take part; power only does when it is at its
 * limit. */
struct nearest {
	enum nearest_kind kind;
	int metric;		/* index in the set, -1 for NONE */
	double utilization;	/* value / ceiling of that metric */
	double headroom;	/* ceiling / value: how many times faster until that roof */
};

/* The metric named "gpu_busy" decides what is idle, if the set has it. */
struct nearest nearest_make(
	const struct metric_set *set, const struct value *values, const struct value *ceilings);
/* Writes a translated sentence: "bound by GTI bandwidth: 43.1 of 67.2 GB/s (64 %), headroom 1.56x".
 * Returns buf. */
const char *nearest_sentence(const struct nearest *v, const struct metric_set *set,
	const struct value *values, const struct value *ceilings, char *buf, size_t size);

#endif
