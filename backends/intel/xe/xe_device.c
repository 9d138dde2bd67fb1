/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens what an xe card offers and notes what it does not offer. */
#include "config.h"

#include "backends/intel/xe/xe_device.h"

#include <stdio.h>
#include <string.h>

#include "backends/card/drm_card.h"
#include "backends/intel/live/assemble.h"
#include "backends/intel/platform/platform.h"
#include "backends/intel/xe/xe_node.h"
#include "backends/intel/xe/xe_stall_records.h"
#include "base/mem.h"

enum { PART_OA, PART_FREQ, PART_STALL, PARTS };

/* The xe driver gives counters through its streams alone. */
static bool check_access(const struct open_options *o, const char *card, struct err *err)
{
	if (!o->access || !strcmp(o->access, "auto") || !strcmp(o->access, "perf"))
		return true;
	err_set(err, ERR_UNSUPPORTED, "%s: access by '%s' is for cards of the i915 driver", card,
		o->access);
	return err_hint(err, "leave --access out, or use --access perf");
}

static struct source *open_oa(
	const char *card, struct device *d, const struct open_options *o, struct err *err)
{
	struct source *stream = NULL;
	struct drm_node n;
	struct xe_facts f;

	if (!d->max_hz)
		gt_clock_limits(o->fs, card, d);
	if (!drm_node_open(&n, o->fs, card, err))
		return NULL;
	if (xe_node_identify(&n, d, &f, err)) {
		intel_device_set_consts(d);
		stream = xe_stream_open(&n, &f, d, o, err);
	}
	drm_node_close(&n);
	return stream;
}

static struct source *open_stall(
	const char *card, struct device *d, const struct open_options *o, struct err *err)
{
	struct source *stream = NULL;
	struct device again = *d;	/* the OA stream has filled *d already */
	struct drm_node n;
	struct xe_facts f;

	if (!drm_node_open(&n, o->fs, card, err))
		return NULL;
	if (xe_node_identify(&n, &again, &f, err))
		stream = xe_stall_source_open(&n, &f, d, o, err);
	drm_node_close(&n);
	return stream;
}

/* Says which units of the card nothing here counts. */
static void check_others(struct open_device *dev)
{
	static const struct {
		const char *name, *source, *gives, *reason;
	} rows[] = {
		{ "other_tile_count", "other tiles", "the same counters of each tile",
			"not read, what is shown is of the first tile alone" },
		{ "media_oa_unit_count", "media OA units", "counters of the media engines",
			"not read, no metric set is for them; engine busyness is" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct device_const *n = device_const(&dev->device, rows[i].name);
		struct device_check c =
			device_check_of("oa", rows[i].source, rows[i].gives, NULL);

		if (!n)
			continue;
		snprintf(c.status, sizeof(c.status), "--");
		snprintf(c.reason, sizeof(c.reason), "%.0f: %s", n->v, rows[i].reason);
		open_device_check(dev, &c);
	}
}

bool xe_device_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	struct intel_part parts[PARTS] = {
		[PART_OA] = { .name = "xe observation",
			.gives = "OA reports: counters of all EUs, caches and memory",
			.open = open_oa },
		[PART_STALL] = { .name = "xe EU stall sampling",
			.gives = "what EU threads wait for",
			.open = open_stall },
		[PART_FREQ] = { .name = "xe clock files",
			.gives = "actual and requested clock, RC6 residency" },
	};
	const struct feed stall = {
		.name = "stall", .counters = xe_stall_counters, .n_counters = XE_STALL_COUNTERS
	};

	*dev = (struct open_device){ 0 };
	if (!check_access(o, e->device.id, err))
		return false;
	intel_device_prepare(e, &dev->device);
	/* Reading its limits wakes a card (Linux xe_gt_freq.c), so those of a sleeper are read later. */
	if (!drm_card_is_asleep(o->fs, e->device.id))
		gt_clock_limits(o->fs, e->device.id, &dev->device);
	intel_device_set_consts(&dev->device);
	if (!intel_part_oa(&parts[PART_OA], &dev->device, o, err))
		return false;
	parts[PART_FREQ].source = gt_clock_open(e->device.id, o);
	if (!parts[PART_FREQ].source)
		err_set(&parts[PART_FREQ].refusal, ERR_UNSUPPORTED,
			"no clock file below /sys/class/drm/%s can be read", e->device.id);
	size_t n_parts = xe_stall_wanted(o->set) ? PARTS : PART_STALL;
	if ((n_parts == PARTS &&
		    !intel_part_stream(&parts[PART_STALL], &dev->device, o, &stall, err)) ||
		!intel_device_assemble(dev, parts, n_parts, err))
		return false;
	check_others(dev);
	return true;
}
