/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens what an i915 card offers and notes what it does not offer. */
#include "config.h"

#include "backends/intel/i915/i915_device.h"

#include <stdio.h>
#include <string.h>

#include "backends/intel/i915/eu_sampler.h"
#include "backends/intel/live/assemble.h"
#include "backends/intel/platform/platform.h"
#include "base/mem.h"

/* One value of --access. possible() says from files alone whether it could be used. It is NULL when
 * only trying tells. */
struct access_way {
	const char *name;
	const char *source;	/* the name in checks */
	const char *gives;
	intel_open_fn *open;
	bool (*possible)(const struct device *d, const struct fsroot *fs, struct err *err);
};

/* "auto" takes the first way, which disturbs nobody and needs the fewest permissions. */
static const struct access_way ways[] = {
	{ "perf", "i915 perf", "OA reports: A, B and C counters of all EUs", i915_stream_open, NULL },
	{ "mmio", "OA registers", "the same counters, read past the driver", mmio_source_open, mmio_source_possible },
	{ "rpc", "MI_REPORT_PERF_COUNT", "the same counters, as the command streamer writes them", rpc_source_open, rpc_source_possible },
};

static const struct access_way *find_way(
	const struct open_options *o, const char *card, struct err *err)
{
	const char *name = o->access;

	if (!name || !strcmp(name, "auto"))
		name = ways[0].name;
	for (size_t i = 0; i < ARRAY_LEN(ways); i++)
		if (!strcmp(ways[i].name, name))
			return &ways[i];
	err_set(err, ERR_UNSUPPORTED, "%s: there is no access by '%s'", card, name);
	err_hint(err, "leave --access out, or use --access perf");
	return NULL;
}

/* Adds what a reader has to know about the values that the chosen way gives, and what the other
 * ways could do, which are not tried. */
static void check_ways(struct open_device *dev, const struct open_options *o,
	const struct access_way *taken, struct source *oa)
{
	struct device_check c = device_check_of("oa", taken->source, taken->gives, NULL);
	struct err refusal = { .code = ERR_NONE };

	snprintf(c.status, sizeof(c.status), "--");
	if (oa && oa->ops->status)
		oa->ops->status(oa, c.reason, sizeof(c.reason));
	if (c.reason[0])
		open_device_check(dev, &c);
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		const struct access_way *w = &ways[i];

		if (w == taken)
			continue;
		bool possible = !w->possible || w->possible(&dev->device, o->fs, &refusal);
		c = device_check_of("oa", w->source, w->gives, possible ? NULL : &refusal);
		if (possible) {
			snprintf(c.status, sizeof(c.status), "--");
			snprintf(c.reason, sizeof(c.reason),
				"not tried; --access %s asks for it", w->name);
		}
		open_device_check(dev, &c);
	}
}

bool i915_device_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	const struct access_way *way = find_way(o, e->device.id, err);
	struct intel_part parts[3] = {
		[1] = { .name = "i915 clock files",
			.gives = "actual and requested clock, RC6 residency" },
		[2] = { .name = "looks at single EUs",
			.gives = "which EUs hold threads, by samples",
			.open = eu_sampler_open },
	};
	const struct feed eus = { .name = "eus", .counters = eu_sampler_counters,
		.n_counters = EU_SAMPLER_COUNTERS };
	size_t n_parts = ARRAY_LEN(parts) - !eu_sampler_wanted(o->set);

	*dev = (struct open_device){ 0 };
	if (!way)
		return false;
	parts[0].name = way->source;
	parts[0].gives = way->gives;
	parts[0].open = way->open;
	intel_device_prepare(e, &dev->device);
	gt_clock_limits(o->fs, e->device.id, &dev->device);
	intel_device_set_consts(&dev->device);
	if (!intel_part_oa(&parts[0], &dev->device, o, err))
		return false;
	parts[1].source = gt_clock_open(e->device.id, o);
	if (!parts[1].source)
		err_set(&parts[1].refusal, ERR_UNSUPPORTED,
			"no clock file below /sys/class/drm/%s can be read", e->device.id);
	if (n_parts == ARRAY_LEN(parts) &&
		!intel_part_stream(&parts[2], &dev->device, o, &eus, err))
		return false;
	if (!intel_device_assemble(dev, parts, n_parts, err))
		return false;
	check_ways(dev, o, way, parts[0].source);
	return true;
}
