/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The device node of an i915 card, what it tells about the GPU, and the clock files beside it. */
#ifndef BACKENDS_INTEL_I915_NODE_H
#define BACKENDS_INTEL_I915_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/fsroot.h"
#include "core/device.h"

struct i915_node {
	int fd;			/* -1: closed */
	int perf_revision;
	char card[32];		/* "card0" */
	char path[64];		/* "/dev/dri/renderD128" */
	const struct fsroot *fs;
};

/* Opens the card's render node, or its primary one where there is none. The error names the node and who may use it. */
bool i915_node_open(struct i915_node *n, const struct fsroot *fs, const char *card, struct err *err);
void i915_node_close(struct i915_node *n);
/* PCI id, revision, time stamp frequency and topology as the kernel knows them; what it does not tell stays as it is. */
bool i915_node_identify(struct i915_node *n, struct device *d, struct err *err);
/* An ioctl that signals do not end. Returns what the kernel returns, -1 with errno. */
int i915_ioctl(int fd, unsigned long request, void *arg);
/* The GPU's time stamp between two readings of CLOCK_MONOTONIC, best of three. */
bool i915_node_correlate(const struct i915_node *n, uint64_t *cpu_ns, uint64_t *gpu_timestamp, struct err *err);

/* Path of a clock file of the first GT, below the prefix: gt/gt0/MODERN where the kernel has it, else LEGACY. False: neither. */
bool i915_gt_file(const struct fsroot *fs, const char *card, const char *modern, const char *legacy, char *buf, size_t size);
/* The limits in force, from sysfs; 0 what is unknown. */
void i915_clock_limits(const struct fsroot *fs, const char *card, struct device *d);

#endif
