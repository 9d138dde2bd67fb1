/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes buffer objects of an i915 node and batches of commands that write into them. */
#ifndef BACKENDS_INTEL_I915_I915_GEM_H
#define BACKENDS_INTEL_I915_I915_GEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/card/drm_node.h"

#define GEM_BYTES 4096

/* A page that CPU and GPU share. The caller owns it. When map is NULL, there is no page. */
struct gem_object {
	uint32_t handle;
	void *map;
};

/* Makes the page. Returns false with errno. */
bool gem_object_open(struct gem_object *b, const struct drm_node *n);
void gem_object_close(struct gem_object *b, const struct drm_node *n);

/* Makes a context of our own. Returns false with errno. */
bool gem_context_open(const struct drm_node *n, uint32_t *context);
void gem_context_close(const struct drm_node *n, uint32_t context);

/* What a batch needs to know. */
struct gem_batch {
	struct gem_object batch;	/* the commands */
	struct gem_object target;	/* what they write into */
	uint32_t context;		/* 0: the node's own */
	/* before Gen8 the kernel puts the target's address at byte relocate_at of the commands */
	bool relocate;
	uint32_t relocate_at;
};

/* Where batch and target lie in the context's address space when the kernel does not relocate. */
#define GEM_TARGET_ADDRESS 0x100000u
#define GEM_BATCH_ADDRESS 0x200000u

/* Copies the commands into the batch and hands it to the render engine; does not wait. The previous
 * batch must be done. Returns false with errno. */
bool gem_batch_submit(const struct gem_batch *b, const struct drm_node *n, const uint32_t *commands,
	size_t n_commands);
/* Waits at most timeout_ns, after which the target may be read. Returns false with errno, which is
 * ETIME when the batch is not done. */
bool gem_batch_wait(const struct gem_batch *b, const struct drm_node *n, int64_t timeout_ns);

#endif
