/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects and batches of the fake i915. A batch that hangs: EIO from then on. Words of $FAKEKERNEL_FAIL: "exec=ERRNO[@N]" (submitting),
 * "wait=ETIME[@N]" (a batch that does not end). */
#include "config.h"

#include "tests/fakekernel/intel/gem.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backends/intel/i915/i915_uapi.h"
#include "base/mem.h"
#include "tests/fakekernel/fake.h"
#include "tests/fakekernel/objects.h"
#include "tests/fakekernel/streamer.h"

#define PAGE 4096u
/* Programs give addresses whose upper bits repeat bit 47. */
#define ADDRESS_BITS ((UINT64_C(1) << 48) - 1)

static bool hung;
static int file;		/* who asks */

static struct fake_object *object(uint32_t handle)
{
	return fake_object(file, handle);
}

/* --- objects --- */

static int create(struct drm_i915_gem_create *c)
{
	const struct fake_object *o = fake_object_new(file, c->size);

	if (!o)
		return -1;
	c->handle = o->handle;
	c->size = o->bytes;
	return 0;
}

/* Copies between a program and an object. */
static int transfer(uint32_t handle, uint64_t offset, uint64_t size, uint64_t pointer, bool writes)
{
	const struct fake_object *o = object(handle);

	if (!o)
		return fake_fail(ENOENT);
	if (offset > o->bytes || size > o->bytes - offset)
		return fake_fail(EINVAL);
	if (!fake_is_memory(pointer, size))
		return fake_fail(EFAULT);
	if (writes)
		memcpy(o->map + offset, (const void *)(uintptr_t)pointer, size);
	else
		memcpy((void *)(uintptr_t)pointer, o->map + offset, size);
	return 0;
}

static int pread_object(const struct drm_i915_gem_pread *p)
{
	return transfer(p->handle, p->offset, p->size, p->data_ptr, false);
}

static int pwrite_object(const struct drm_i915_gem_pwrite *p)
{
	return transfer(p->handle, p->offset, p->size, p->data_ptr, true);
}

static int destroy(uint32_t handle)
{
	struct fake_object *o = object(handle);

	if (!o)
		return fake_fail(EINVAL);
	fake_object_free(o);
	return 0;
}

static int map_old(struct drm_i915_gem_mmap *m)
{
	const struct fake_object *o = object(m->handle);
	void *p;

	if (!o || m->offset + m->size > o->bytes)
		return fake_fail(o ? EINVAL : ENOENT);
	p = (void *)syscall(
		SYS_mmap, NULL, m->size, PROT_READ | PROT_WRITE, MAP_SHARED, o->fd, m->offset);
	m->addr_ptr = (uintptr_t)p;
	return p == MAP_FAILED ? -1 : 0;
}

static int map_offset(struct drm_i915_gem_mmap_offset *m)
{
	const struct fake_object *o = object(m->handle);

	if (!o)
		return fake_fail(ENOENT);
	m->offset = fake_object_offset(o);
	return 0;
}

/* --- batches --- */

/* One address space serves all batches. */
static uint8_t *memory_at(const void *space, uint64_t address, size_t n)
{
	(void)space;
	address &= ADDRESS_BITS;
	for (struct fake_object *o = fake_object_next(NULL); o; o = fake_object_next(o))
		if (o->is_placed && address >= o->address && address + n <= o->address + o->bytes)
			return o->map + (address - o->address);
	return NULL;
}

/* Objects lie where the program wants them, or where we put them; relocations tell the batch. */
static bool place(const struct drm_i915_gem_execbuffer2 *e, struct drm_i915_gem_exec_object2 *list)
{
	for (struct fake_object *o = fake_object_next(NULL); o; o = fake_object_next(o))
		o->is_placed = false;
	for (uint32_t i = 0; i < e->buffer_count; i++) {
		struct fake_object *o = object(list[i].handle);

		if (!o || (list[i].flags & EXEC_OBJECT_PINNED && list[i].offset % PAGE))
			return false;
		if (!(list[i].flags & EXEC_OBJECT_PINNED))
			list[i].offset = 0x10000000u + fake_object_offset(o) * PAGE;
		o->is_placed = true;
		o->address = list[i].offset & ADDRESS_BITS;
	}
	return true;
}

static bool relocate(const struct drm_i915_gem_exec_object2 *b)
{
	const struct drm_i915_gem_relocation_entry *r = (const void *)(uintptr_t)b->relocs_ptr;
	struct fake_object *o = object(b->handle);

	for (uint32_t i = 0; i < b->relocation_count; i++) {
		const struct fake_object *to = object(r[i].target_handle);
		uint64_t address = to ? to->address + r[i].delta : 0;

		if (!to || r[i].offset + 8 > o->bytes)
			return false;
		memcpy(o->map + r[i].offset, &address, fake_machine()->graphics_ver >= 8 ? 8 : 4);
	}
	return true;
}

static int submit(struct drm_i915_gem_execbuffer2 *e)
{
	struct drm_i915_gem_exec_object2 *list = (void *)(uintptr_t)e->buffers_ptr;
	uint32_t context = (uint32_t)e->rsvd1;
	int error = hung ? EIO : fake_fails("exec");

	if (error)
		return fake_fail(error);
	if (e->buffer_count == 0 || e->batch_len % 8 || (context && !fake_gem_has_context(context)))
		return fake_fail(context && !fake_gem_has_context(context) ? ENOENT : EINVAL);
	const struct drm_i915_gem_exec_object2 *batch =
		&list[e->flags & I915_EXEC_BATCH_FIRST ? 0 : e->buffer_count - 1];
	if (!place(e, list) || !relocate(batch))
		return fake_fail(ENOENT);
	hung = !fake_batch_run(
		&(struct fake_batch){ .memory = memory_at, .context = context },
		object(batch->handle)->address + e->batch_start_offset);
	return 0;
}

static int wait_for(const struct drm_i915_gem_wait *w)
{
	int error = fake_fails("wait");

	if (!object(w->bo_handle))
		return fake_fail(ENOENT);
	return error ? fake_fail(error) : 0;
}

bool fake_gem_ioctl(int fd, unsigned long request, void *arg, int *result)
{
	file = fd;
	switch (request) {
	case DRM_IOCTL_I915_GEM_CREATE:
	case DRM_IOCTL_I915_GEM_CREATE_EXT:
		/* Size and handle stand in the same places; all objects are the machine's memory. */
		*result = create(arg);
		return true;
	case DRM_IOCTL_GEM_CLOSE:
		*result = destroy(((struct drm_gem_close *)arg)->handle);
		return true;
	case DRM_IOCTL_I915_GEM_MMAP:
		*result = fake_fails("mmap") ? fake_fail(EOPNOTSUPP) : map_old(arg);
		return true;
	case DRM_IOCTL_I915_GEM_MMAP_OFFSET:
		*result = map_offset(arg);
		return true;
	case DRM_IOCTL_I915_GEM_SET_DOMAIN:
		*result = object(((struct drm_i915_gem_set_domain *)arg)->handle) ? 0 : fake_fail(ENOENT);
		return true;
	case DRM_IOCTL_I915_GEM_EXECBUFFER2:
	case DRM_IOCTL_I915_GEM_EXECBUFFER2_WR:
		*result = submit(arg);
		return true;
	case DRM_IOCTL_I915_GEM_PREAD:
		*result = pread_object(arg);
		return true;
	case DRM_IOCTL_I915_GEM_PWRITE:
		*result = pwrite_object(arg);
		return true;
	case DRM_IOCTL_I915_GEM_THROTTLE:
		*result = hung ? fake_fail(EIO) : 0;
		return true;
	case DRM_IOCTL_I915_GEM_WAIT:
		*result = wait_for(arg);
		return true;
	default:
		return fake_context_ioctl(request, arg, result);
	}
}
