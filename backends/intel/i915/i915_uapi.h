/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel interface of i915 perf: libdrm's header, and numbers that older ones lack (Linux
 * include/uapi/drm/i915_drm.h). */
#pragma once

#include <i915_drm.h>

/* DRM_IOCTL_I915_GETPARAM */
enum i915_param {
	I915_CHIPSET_ID = 4,
	I915_REVISION = 32,
	I915_CS_TIMESTAMP_HZ = 51,
	I915_PERF_REVISION_NUMBER = 54,
	I915_OA_TIMESTAMP_HZ = 57,
};

/* Properties of DRM_IOCTL_I915_PERF_OPEN. SSEU exists since revision 4, poll period since 5, engine
 * since 6. */
enum i915_prop {
	I915_PROP_CTX_HANDLE = 1,
	I915_PROP_SAMPLE_OA,
	I915_PROP_METRICS_SET,
	I915_PROP_FORMAT,
	I915_PROP_EXPONENT,
	I915_PROP_HOLD_PREEMPTION,
	I915_PROP_GLOBAL_SSEU,
	I915_PROP_POLL_PERIOD,
	I915_PROP_ENGINE_CLASS,
	I915_PROP_ENGINE_INSTANCE,
	I915_PROP_COUNT,
};

/* since Linux 5.19 */
#ifndef DRM_I915_QUERY_HWCONFIG_BLOB
#define DRM_I915_QUERY_HWCONFIG_BLOB 5
#endif

/* The one register that REG_READ gives is the render engine's time stamp; bit 0 asks for all 8
 * bytes at once. */
#define I915_REG_TIMESTAMP (0x2358 | 1)

/* "Not supported" inside the kernel. perf answers it where it was never initialised. The C library
 * has no such errno. */
#define I915_ENOTSUPP 524
