/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens simulated devices for tests and reads windows of them the way the program does: virtual
 * times, records, samples. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/oa/oa_format.h"
#include "backends/common/backend.h"
#include "base/clock.h"
#include "data/data.h"
#include "tests/tap.h"

#define RIG_START_NS (123456 * NS_PER_S)

struct rig {
	struct open_device dev;
	int64_t now_ns;
};

/* directives: "program A7 active", ... NULL at the end. */
static inline bool rig_try(struct rig *r, const char *spec, const char *const *directives,
	int64_t period_ns, int64_t delay_ns, struct err *err)
{
	struct set_directive d[32];
	char keys[32][16];
	struct metric_set set = { .name = (char *)"rig", .directives = d };
	struct open_options o = {
		.set = &set, .now_ns = RIG_START_NS, .oa_period_ns = period_ns, .delay_ns = delay_ns
	};
	struct device_list list = { 0 };
	bool good;

	for (; directives && directives[set.n_directives]; set.n_directives++) {
		const char *text = directives[set.n_directives];
		size_t len = strcspn(text, " ");

		snprintf(keys[set.n_directives], sizeof(keys[0]), "%.*s", (int)len, text);
		d[set.n_directives] = (struct set_directive){ keys[set.n_directives],
			(char *)text + len + 1, (char *)"rig", 1 };
	}
	r->now_ns = RIG_START_NS;
	good = sim_backend.resolve(NULL, spec, &list, err) &&
		sim_backend.open(&list.entries[0], &o, &r->dev, err);
	free(list.entries);
	return good;
}

static inline void rig_open(
	struct rig *r, const char *spec, const char *const *directives, int64_t period_ns)
{
	struct err err = { 0 };

	if (!rig_try(r, spec, directives, period_ns, NS_PER_S, &err)) {
		printf("Bail out! cannot open sim:%s: %s\n", spec, err.msg);
		exit(1);
	}
}

static inline void rig_close(struct rig *r)
{
	open_device_close(&r->dev);
	memset(r, 0, sizeof(*r));
}

static inline void rig_ready(struct rig *r, int64_t ns)
{
	struct err err = { 0 };

	r->now_ns += ns;
	for (int i = 0; i < r->dev.n_sources; i++)
		if (!r->dev.sources[i]->ops->ready(r->dev.sources[i], r->now_ns, &err))
			printf("# source %d: %s\n", i, err.msg);
}

/* One window of ns, read in steps of step_ns. */
static inline void rig_window(struct rig *r, int64_t ns, int64_t step_ns, struct sample *out)
{
	for (int64_t done = 0; done < ns; done += step_ns)
		rig_ready(r, step_ns < ns - done ? step_ns : ns - done);
	for (int i = 0; i < r->dev.n_sources; i++) {
		memset(&out[i], 0, sizeof(out[i]));
		r->dev.sources[i]->ops->collect(r->dev.sources[i], r->now_ns, &out[i]);
	}
}

/* The delta of a counter in a sample of source i. */
static inline double rig_value(const struct rig *r, const struct sample *s, int i, const char *name)
{
	const struct feed *f = &r->dev.sources[i]->feed;

	for (int k = 0; k < f->n_counters; k++)
		if (strcmp(f->counters[k].name, name) == 0)
			return s[i].why == WHY_OK ? (double)s[i].values[k] : NAN;
	return NAN;
}
