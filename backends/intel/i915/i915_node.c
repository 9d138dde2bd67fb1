/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks an i915 node for facts. */
#include "config.h"

#include "backends/intel/i915/i915_device.h"

#include <stdlib.h>

#include "backends/intel/platform/platform.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/minmax.h"

#ifdef HAVE_LIBDRM

#include "backends/intel/i915/i915_uapi.h"

#define ANSWER_BYTES 16384	/* more than any kernel answers */

static bool getparam(const struct drm_node *n, int param, int *value)
{
	struct drm_i915_getparam p = { .param = param, .value = value };

	bool good = node_ioctl(n->fd, DRM_IOCTL_I915_GETPARAM, &p) == 0;
	if (good)
		node_answered(n->fd, DRM_IOCTL_I915_GETPARAM, value, sizeof(*value));
	return good;
}

/* The kernel first says how long the answer is, then answers. Returns NULL with errno; *length is
 * then the negative errno of this item, or 0 when the query itself failed. */
static void *query(const struct drm_node *n, uint32_t id, int *length)
{
	struct drm_i915_query_item item = { .query_id = id };
	struct drm_i915_query q = { .num_items = 1, .items_ptr = (uintptr_t)&item };

	*length = 0;
	if (node_ioctl(n->fd, DRM_IOCTL_I915_QUERY, &q) < 0)
		return NULL;
	*length = item.length;
	if (item.length <= 0 || item.length > ANSWER_BYTES)
		return NULL;
	size_t room = (size_t)item.length;
	void *answer = xcalloc(1, room);
	item.data_ptr = (uintptr_t)answer;
	*length = 0;
	if (node_ioctl(n->fd, DRM_IOCTL_I915_QUERY, &q) == 0)
		*length = item.length;
	if (*length > 0) {
		node_answered(n->fd, DRM_IOCTL_I915_QUERY, answer,
			min_u64((uint64_t)item.length, room));
		return answer;
	}
	free(answer);
	return NULL;
}

static bool read_topology(const struct drm_node *n, struct topology *t, struct err *err)
{
	int length;
	uint8_t *raw = query(n, DRM_I915_QUERY_TOPOLOGY_INFO, &length);

	if (!raw && length == 0)
		return err_sys(err, "%s: the kernel does not tell the topology", n->card);
	if (!raw)
		return err_set(err, ERR_UNSUPPORTED,
			"%s: the kernel does not tell the topology (%d)", n->card, length);
	bool good = intel_topology_parse(t, raw, (size_t)length, err);
	free(raw);
	return good;
}

/* Older parts, and older kernels, do not have the firmware's table. */
static void read_hwconfig(const struct drm_node *n, struct device *d)
{
	int length;
	uint32_t *table = query(n, DRM_I915_QUERY_HWCONFIG_BLOB, &length);

	if (table)
		intel_hwconfig_memory_consts(d, table, (size_t)length / sizeof(*table));
	free(table);
}

bool i915_node_identify(
	const struct drm_node *n, struct device *d, int *perf_revision, struct err *err)
{
	int v;

	if (getparam(n, I915_CHIPSET_ID, &v) && v != (int)d->pci_device)
		return err_set(err, ERR_UNSUPPORTED,
			"%s: sysfs names the GPU %04x, its driver %04x", n->card, d->pci_device,
			v);
	if (getparam(n, I915_REVISION, &v))
		d->pci_revision = (uint32_t)v;
	if ((getparam(n, I915_OA_TIMESTAMP_HZ, &v) && v > 0) ||
		(getparam(n, I915_CS_TIMESTAMP_HZ, &v) && v > 0))
		d->timestamp_hz = (uint64_t)v;
	if (getparam(n, I915_PERF_REVISION_NUMBER, &v))
		*perf_revision = v;
	read_hwconfig(n, d);
	return read_topology(n, &d->topology, err);
}

/* This reads the machine's clock, not the program's: the pair has to be read together. */
bool i915_node_correlate(
	const struct drm_node *n, uint64_t *cpu_ns, uint64_t *gpu_timestamp, struct err *err)
{
	uint64_t best_ns = UINT64_MAX;

	for (int i = 0; i < 3; i++) {
		struct drm_i915_reg_read reg = { .offset = I915_REG_TIMESTAMP };
		uint64_t before_ns = (uint64_t)clock_machine_ns(), after_ns;

		if (node_ioctl(n->fd, DRM_IOCTL_I915_REG_READ, &reg) < 0)
			return err_sys(err, "%s: cannot read the GPU's time stamp", n->card);
		after_ns = (uint64_t)clock_machine_ns();
		if (after_ns - before_ns >= best_ns)
			continue;
		best_ns = after_ns - before_ns;
		*cpu_ns = before_ns + best_ns / 2;
		*gpu_timestamp = reg.val;
	}
	return true;
}

#endif
