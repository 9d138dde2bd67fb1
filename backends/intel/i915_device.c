/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens what an i915 card offers and notes what it does not. */
#include "config.h"

#include "backends/intel/i915_device.h"

#include <string.h>

#include "backends/intel/i915_freq.h"
#include "backends/intel/i915_node.h"
#include "backends/intel/i915_stream.h"
#include "backends/intel/oa_format.h"
#include "backends/intel/parts.h"
#include "backends/intel/platform.h"
#include "base/i18n.h"
#include "base/mem.h"

static bool check_access(const struct open_options *o, const char *card, struct err *err)
{
	if (!o->access || !strcmp(o->access, "auto") || !strcmp(o->access, "perf"))
		return true;
	err_set(err, ERR_UNSUPPORTED, _("%s: access by '%s' is not part of this version"), card, o->access);
	return err_hint(err, _("leave --access out, or use --access perf"));
}

bool i915_device_open(const struct device_entry *e, const struct open_options *o, struct open_device *dev, struct err *err)
{
	struct intel_part parts[] = {
		{ .name = "i915 perf", .gives = _("OA reports: A, B and C counters of all EUs") },
		{ .name = _("i915 clock files"), .gives = _("actual and requested clock, RC6 residency") },
	};
	struct counter_desc counters[OA_MAX_COUNTERS];

	*dev = (struct open_device){ 0 };
	if (!check_access(o, e->device.id, err))
		return false;
	intel_device_prepare(e, &dev->device);
	i915_clock_limits(o->fs, e->device.id, &dev->device);
	intel_device_set_consts(&dev->device);
	parts[0].source = i915_stream_open(e->device.id, &dev->device, o, &parts[0].refusal);
	if (!parts[0].source && !intel_is_refusal(&parts[0].refusal)) {
		*err = parts[0].refusal;
		return false;
	}
	intel_part_closed_oa(&parts[0], &dev->device, counters);
	parts[1].source = i915_freq_open(e->device.id, o);
	if (!parts[1].source)
		err_set(&parts[1].refusal, ERR_UNSUPPORTED, _("no clock file below /sys/class/drm/%s can be read"), e->device.id);
	return intel_device_assemble(dev, parts, ARRAY_LEN(parts), err);
}
