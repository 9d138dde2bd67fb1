/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a Mali device of any backend for tests, and evaluates windows of it as the program does. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "backends/common/backend.h"
#include "base/clock.h"
#include "core/metric/metric.h"
#include "core/snapshot/snapshot.h"
#include "data/data.h"
#include "tests/tap.h"

struct mali_rig {
	struct open_device dev;
	const struct metric_set *set;
	struct metric_binding binding;
	struct cell_map maps[SNAPSHOT_MAX_MAPS];
	int n_maps;
	struct sample samples[DEVICE_MAX_SOURCES];
	struct value *values, *ceilings;
	int64_t now_ns;
	int failures;	/* of ready() in the last window */
	struct err err;	/* the last one of them */
};

static inline const char *mali_include(void *ctx, const char *name)
{
	(void)ctx;
	return packed_find(metric_files, name, "");
}

static inline void mali_problem(void *ctx, const struct err *err)
{
	(void)ctx;
	diag("%s", err->msg);
}

static inline void mali_rig_load(struct metric_lib *lib, const char *file)
{
	is_int(metric_lib_load(lib, file, packed_find(metric_files, file, ""), mali_include, NULL,
		       mali_problem, NULL),
		0, "%s loads without a problem", file);
}

/* The shipped sets of Bifrost GPUs. */
static inline void mali_rig_lib(struct metric_lib *lib)
{
	mali_rig_load(lib, "mali.metrics");
}

static inline void mali_rig_bind(struct mali_rig *r, const struct metric_lib *lib, const char *set)
{
	const struct feed *feeds[DEVICE_MAX_SOURCES];

	r->set = metric_lib_find(lib, set, r->dev.device.platform);
	if (!r->set) {
		printf("Bail out! no set %s for %s\n", set, r->dev.device.platform);
		exit(1);
	}
	for (int i = 0; i < r->dev.n_sources; i++)
		feeds[i] = &r->dev.sources[i]->feed;
	metric_bind(&r->binding, r->set, &r->dev.device, feeds, r->dev.n_sources);
	r->n_maps = metric_maps_init(&r->binding, r->maps, SNAPSHOT_MAX_MAPS);
	r->values = calloc((size_t)r->set->n_metrics, sizeof(*r->values));
	r->ceilings = calloc((size_t)r->set->n_metrics, sizeof(*r->ceilings));
}

static inline void mali_rig_close(struct mali_rig *r)
{
	metric_maps_release(r->maps, r->n_maps);
	metric_unbind(&r->binding);
	free(r->values);
	free(r->ceilings);
	open_device_close(&r->dev);
	memset(r, 0, sizeof(*r));
}

/* One window of ns, drained at its end. */
static inline void mali_rig_window(struct mali_rig *r, int64_t ns)
{
	r->now_ns += ns;
	r->failures = 0;
	for (int i = 0; i < r->dev.n_sources; i++)
		r->failures += !r->dev.sources[i]->ops->ready(
			r->dev.sources[i], r->now_ns, &r->err);
	memset(r->samples, 0, sizeof(r->samples));
	for (int i = 0; i < r->dev.n_sources; i++)
		r->dev.sources[i]->ops->collect(r->dev.sources[i], r->now_ns, &r->samples[i]);
	metric_eval(&r->binding, r->samples, r->values, r->ceilings);
	metric_maps_fill(&r->binding, r->maps, r->n_maps);
}

static inline struct value mali_rig_value(const struct mali_rig *r, const char *name)
{
	int i = metric_set_index(r->set, name);

	return i < 0 ? value_none(WHY_NOT_IN_SET) : r->values[i];
}

/* NAN when there is no such map or cell. */
static inline double mali_rig_cell(
	const struct mali_rig *r, const char *scope, int cell, const char *name)
{
	int m = metric_set_index(r->set, name);

	for (int k = 0; k < r->n_maps; k++)
		if (!strcmp(r->maps[k].scope, scope) && m >= 0 && cell < r->maps[k].n)
			return cell_value(&r->maps[k], cell, m).v;
	return NAN;
}
