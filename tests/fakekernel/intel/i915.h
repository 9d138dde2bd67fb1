/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the fake i915 share. Functions return -1 and set errno as system calls do. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct drm_i915_perf_oa_config;
struct drm_i915_perf_open_param;
struct fake_oa;

int fake_i915_add_config(const struct drm_i915_perf_oa_config *c);
int fake_i915_remove_config(uint64_t id);
/* The stream's descriptor, whose private data is its struct fake_oa. */
int fake_i915_perf_open(const struct drm_i915_perf_open_param *p);
int fake_i915_stream_ioctl(struct fake_oa *s, unsigned long request, unsigned long arg);
ssize_t fake_i915_stream_read(struct fake_oa *s, void *buf, size_t size);
void fake_i915_stream_close(struct fake_oa *s);
