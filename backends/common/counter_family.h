/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a user may choose of a family of counters, beyond the sets of metric files. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/fsroot.h"
#include "base/strbuf.h"
#include "core/metric/metric.h"
#include "core/metric/metric_extend.h"
#include "core/value/device.h"
#include "core/value/sample.h"

/* Events that are to become a set. */
struct chosen_events {
	const struct fsroot *fs;
	const struct device *device;
	const char *const *names;
	int n;
	const char *in;		/* the one part that counts them, such as "0.3"; NULL: all of them */
	/* receives what the manual warns of; NULL: not wanted */
	void (*note)(void *ctx, const struct err *err);
	void *ctx;
};

/* What the head of a recording says of the reports that counters come in. */
struct report_form {
	bool is_xe;		/* the form of xe-perf-recorder */
	uint32_t number;	/* of the reports' layout, as that form counts layouts */
	struct strbuf absent;	/* counters that the layout has and the source does not offer */
};

/* Devices of several backends have counters of the same family: those of this machine, simulated
 * ones and recordings. Nothing here blocks for long; what is appended is the caller's. */
struct counter_family {
	/* Says whether the device has such counters. */
	bool (*serves)(const struct device *d);
	/* Appends the events that can be chosen on the device, or with NULL those of any; false
	 * when there are none. */
	bool (*list_events)(const struct fsroot *fs, const struct device *d, struct strbuf *out);
	/* Appends a set of these events, as the text of a metric file. */
	bool (*custom_set)(struct strbuf *out, const struct chosen_events *events, struct err *err);
	/* Optional. Turns the value of an option that is about counters ("boolean") into the words
	 * of a wish, as far as no device is needed; err has what is allowed as its hint. */
	bool (*take_words)(const char *option, const char *value, char *words, size_t size,
		struct err *err);
	/* Optional. Adds wishes to a set that has its body; access is the way to the counters or
	 * NULL. False, with the set as it was, when the device cannot do that with this set. */
	bool (*add_wishes)(struct metric_set *set, const struct device *d,
		const struct metric_wish *wishes, int n, const char *access, struct err *err);
	/* Optional. Gives each wish that no metric reads a metric, and says what programmed
	 * counters of the set count. */
	void (*describe)(struct metric_set *set, const struct device *d);
	/* Optional. Loads the vendor's own file of sets; fits one to a device whose topology is
	 * known, where hide leaves out what the device lacks. */
	bool (*load_sets)(struct metric_lib *lib, const char *path, metric_problem_fn *problem,
		void *ctx, struct err *err);
	void (*fit)(struct metric_set *set, const struct device *d, bool hide);
	/* Optional, for counters that come in reports. */
	void (*tell_reports)(const struct device *d, const struct feed *feed, struct report_form *out);
};

#define COUNTER_FAMILY_LIST(X) \
	X(oa) \
	X(processor)

#define X(name) extern const struct counter_family name##_counters;
COUNTER_FAMILY_LIST(X)
#undef X
/* NULL-terminated. */
extern const struct counter_family *const counter_families[];

/* The family of the device's counters; NULL: users choose nothing of them. */
const struct counter_family *counter_family_of(const struct device *d);
/* These ask whichever family knows the option, the file, the set. */
bool counter_words(
	const char *option, const char *value, char *words, size_t size, struct err *err);
bool counter_sets_load(struct metric_lib *lib, const char *path, metric_problem_fn *problem,
	void *ctx, struct err *err);
