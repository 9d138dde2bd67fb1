/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The GEM ioctls that small batches need. */
#include "config.h"

#include "backends/intel/i915/i915_gem.h"

#ifdef HAVE_LIBDRM

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "backends/intel/i915/i915_uapi.h"

/* The old ioctl maps a page; cards with memory of their own have another one instead. */
static void *map(const struct drm_node *n, uint32_t handle)
{
	struct drm_i915_gem_mmap old = { .handle = handle, .size = GEM_BYTES };
	struct drm_i915_gem_mmap_offset fixed = { .handle = handle,
		.flags = I915_MMAP_OFFSET_FIXED };
	void *p;

	if (node_ioctl(n->fd, DRM_IOCTL_I915_GEM_MMAP, &old) == 0)
		return (void *)(uintptr_t)old.addr_ptr;
	if (node_ioctl(n->fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &fixed) < 0)
		return NULL;
	p = mmap(NULL, GEM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, n->fd, (off_t)fixed.offset);
	return p == MAP_FAILED ? NULL : p;
}

static void free_handle(const struct drm_node *n, uint32_t handle)
{
	struct drm_gem_close c = { .handle = handle };

	node_ioctl(n->fd, DRM_IOCTL_GEM_CLOSE, &c);
}

bool gem_object_open(struct gem_object *b, const struct drm_node *n)
{
	struct drm_i915_gem_create create = { .size = GEM_BYTES };

	*b = (struct gem_object){ .map = NULL };
	if (node_ioctl(n->fd, DRM_IOCTL_I915_GEM_CREATE, &create) < 0)
		return false;
	b->handle = create.handle;
	b->map = map(n, create.handle);
	if (b->map)
		return true;
	int error = errno;
	free_handle(n, create.handle);
	errno = error;
	return false;
}

void gem_object_close(struct gem_object *b, const struct drm_node *n)
{
	if (!b->map)
		return;
	munmap(b->map, GEM_BYTES);
	free_handle(n, b->handle);
	b->map = NULL;
}

bool gem_context_open(const struct drm_node *n, uint32_t *context)
{
	struct drm_i915_gem_context_create create = { .ctx_id = 0 };

	if (node_ioctl(n->fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &create) < 0)
		return false;
	*context = create.ctx_id;
	return true;
}

void gem_context_close(const struct drm_node *n, uint32_t context)
{
	struct drm_i915_gem_context_destroy destroy = { .ctx_id = context };

	node_ioctl(n->fd, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &destroy);
}

/* Makes what one side has written visible to the other. Cards with memory of their own have no such
 * call, and need none. */
static bool set_domain(const struct drm_node *n, const struct gem_object *b, bool write)
{
	struct drm_i915_gem_set_domain d = { .handle = b->handle,
		.read_domains = I915_GEM_DOMAIN_CPU,
		.write_domain = write ? I915_GEM_DOMAIN_CPU : 0 };

	return node_ioctl(n->fd, DRM_IOCTL_I915_GEM_SET_DOMAIN, &d) == 0 || errno == ENODEV;
}

bool gem_batch_submit(const struct gem_batch *b, const struct drm_node *n, const uint32_t *commands,
	size_t n_commands)
{
	struct drm_i915_gem_relocation_entry reloc = { .target_handle = b->target.handle,
		.offset = b->relocate_at,
		.read_domains = I915_GEM_DOMAIN_INSTRUCTION,
		.write_domain = I915_GEM_DOMAIN_INSTRUCTION,
		.presumed_offset = UINT64_MAX };
	struct drm_i915_gem_exec_object2 objects[2] = {
		{ .handle = b->target.handle, .flags = EXEC_OBJECT_WRITE, .offset = GEM_TARGET_ADDRESS },
		{ .handle = b->batch.handle, .offset = GEM_BATCH_ADDRESS },
	};
	struct drm_i915_gem_execbuffer2 exec = { .buffers_ptr = (uintptr_t)objects,
		.buffer_count = 2,
		.batch_len = (uint32_t)(n_commands * sizeof(*commands)),
		.flags = I915_EXEC_RENDER,
		.rsvd1 = b->context };

	if (b->relocate) {
		objects[1].relocs_ptr = (uintptr_t)&reloc;
		objects[1].relocation_count = 1;
	} else {
		objects[0].flags |= EXEC_OBJECT_PINNED;
		objects[1].flags |= EXEC_OBJECT_PINNED;
	}
	if (!set_domain(n, &b->batch, true))
		return false;
	memcpy(b->batch.map, commands, n_commands * sizeof(*commands));
	return node_ioctl(n->fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec) == 0;
}

bool gem_batch_wait(const struct gem_batch *b, const struct drm_node *n, int64_t timeout_ns)
{
	struct drm_i915_gem_wait wait = { .bo_handle = b->target.handle, .timeout_ns = timeout_ns };

	return node_ioctl(n->fd, DRM_IOCTL_I915_GEM_WAIT, &wait) == 0 &&
		set_domain(n, &b->target, false);
}

#endif
