/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a source that only lacks its reports, from the node of an i915 card. */
#include "config.h"

#include "backends/intel/i915/oa_poll.h"

#ifdef HAVE_LIBDRM

#include "backends/intel/i915/i915_device.h"
#include "backends/intel/platform/platform.h"

bool i915_live_open(struct i915_live *s, const char *card, struct device *d,
	const struct open_options *o, const char *how, struct err *err)
{
	s->perf_revision = 1;
	if (!drm_node_open(&s->live.node, o->fs, card, err))
		return false;
	bool identified = i915_node_identify(&s->live.node, d, &s->perf_revision, err);
	intel_device_set_consts(d);
	return identified && oa_live_decode(&s->live, d, o, how, err);
}

bool i915_live_correlate(struct source *src, int64_t now_ns, uint64_t *cpu_ns,
	uint64_t *gpu_timestamp, struct err *err)
{
	(void)now_ns;
	return i915_node_correlate(
		&((const struct i915_live *)src)->live.node, cpu_ns, gpu_timestamp, err);
}

#endif
