/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GEM objects are memfds, and a batch runs in the call that submits it, one command after the other: MI_NOOP, MI_STORE_DATA_IMM,
 * MI_STORE_REGISTER_MEM, MI_REPORT_PERF_COUNT, PIPE_CONTROL (which only waits), MI_BATCH_BUFFER_END. Commands of the render, media and copy
 * engines are stepped over: nothing is drawn or copied. Lengths and addresses by generation: PRM vol. 2a command reference, Linux
 * intel_gpu_commands.h. Anything else hangs the GPU: EIO from then on.
 *
 * Before Gen12 MI_REPORT_PERF_COUNT shows the OA unit of the stream. From Gen12 on it shows one that counts for the stream's context
 * alone: the model's load is what that context runs when i915/load_context of the tree says "own", and that of somebody else if not.
 * Words of $FAKEKERNEL_FAIL: "exec=ERRNO[@N]" (submitting), "wait=ETIME[@N]" (a batch that does not end), "drop@N" (the Nth report is
 * not written). */
#include "config.h"

#include "tests/fakekernel/gem.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backends/intel/i915/i915_uapi.h"
#include "base/mem.h"
#include "tests/fakekernel/fake.h"
#include "tests/fakekernel/registers.h"

#define MAX_OBJECTS 4096
#define PAGE 4096u
/* Programs give addresses whose upper bits repeat bit 47. */
#define ADDRESS_BITS ((UINT64_C(1) << 48) - 1)
#define CTX_ID 0x2a

enum {
	MI_NOOP = 0x00,
	MI_BATCH_END = 0x0a,
	MI_STORE_DATA = 0x20,
	MI_STORE_REGISTER = 0x24,
	MI_REPORT = 0x28
};

static struct object {
	int fd;			/* 0: free */
	int file;		/* descriptor of the node whose object it is, and its number there */
	uint32_t handle;
	size_t bytes;
	uint8_t *map;		/* the GPU's view */
	uint64_t address;	/* in the batch at hand; 0: not there */
} objects[MAX_OBJECTS];
static struct fake_oa *stream;
static uint32_t stream_context;
static bool hung;
static int file;		/* who asks */

void fake_gem_stream(struct fake_oa *s, uint32_t context)
{
	stream = s;
	stream_context = context;
}

static struct object *object(uint32_t handle)
{
	for (int i = 1; i < MAX_OBJECTS; i++)
		if (objects[i].fd && objects[i].file == file && objects[i].handle == handle)
			return &objects[i];
	return NULL;
}

/* --- objects --- */

static int create(struct drm_i915_gem_create *c)
{
	uint32_t handle = 1, place = 1;
	struct object *o;

	while (place < MAX_OBJECTS && objects[place].fd)
		place++;
	while (object(handle))
		handle++;
	if (place == MAX_OBJECTS || !c->size)
		return fake_fail(place == MAX_OBJECTS ? ENOMEM : EINVAL);
	o = &objects[place];
	o->file = file;
	o->handle = handle;
	o->bytes = (c->size + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	o->fd = memfd_create("gem", MFD_CLOEXEC);
	/* 0 means free, and a program may have closed its own */
	if (o->fd == 0) {
		o->fd = fcntl(0, F_DUPFD_CLOEXEC, 3);
		real_close(0);
	}
	if (o->fd < 0 || ftruncate(o->fd, (off_t)o->bytes) < 0)
		return fake_fail(ENOMEM);
	o->map = (uint8_t *)syscall(
		SYS_mmap, NULL, o->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, o->fd, 0L);
	c->handle = handle;
	c->size = o->bytes;
	return 0;
}

/* Copies between a program and an object. */
static int transfer(uint32_t handle, uint64_t offset, uint64_t size, uint64_t pointer, bool writes)
{
	const struct object *o = object(handle);

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
	struct object *o = object(handle);

	if (!o)
		return fake_fail(EINVAL);
	munmap(o->map, o->bytes);
	real_close(o->fd);
	*o = (struct object){ .fd = 0 };
	return 0;
}

static int map_old(struct drm_i915_gem_mmap *m)
{
	const struct object *o = object(m->handle);
	void *p;

	if (!o || m->offset + m->size > o->bytes)
		return fake_fail(o ? EINVAL : ENOENT);
	p = (void *)syscall(
		SYS_mmap, NULL, m->size, PROT_READ | PROT_WRITE, MAP_SHARED, o->fd, m->offset);
	m->addr_ptr = (uintptr_t)p;
	return p == MAP_FAILED ? -1 : 0;
}

/* Offsets are places, a page each. */
static int map_offset(struct drm_i915_gem_mmap_offset *m)
{
	const struct object *o = object(m->handle);

	if (!o)
		return fake_fail(ENOENT);
	m->offset = (uint64_t)(o - objects) * PAGE;
	return 0;
}

void *fake_gem_mmap(size_t length, int prot, off_t offset)
{
	uint64_t place = (uint64_t)offset / PAGE;
	const struct object *o = place < MAX_OBJECTS ? &objects[place] : NULL;

	if (!o || !o->fd || length > o->bytes) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	return (void *)syscall(SYS_mmap, NULL, length, prot, MAP_SHARED, o->fd, 0L);
}

/* --- batches --- */

/* n bytes of the GPU's memory at that address; NULL: nothing is there. */
static uint8_t *memory_at(uint64_t address, size_t n)
{
	address &= ADDRESS_BITS;
	for (int i = 1; i < MAX_OBJECTS; i++)
		if (objects[i].fd && objects[i].address && address >= objects[i].address &&
		    address + n <= objects[i].address + objects[i].bytes)
			return objects[i].map + (address - objects[i].address);
	return NULL;
}

/* What the unit that the command streamer sees has counted. */
static void counter_values(uint64_t *values)
{
	const struct oa_unit *u = &stream->unit;
	int64_t t = fake_model_ns();
	char who[16] = "";

	values[0] = oa_unit_timestamp(u, t);
	fake_tree_read("/i915/load_context", who, sizeof(who));
	for (int i = 1; i < u->n_counters; i++)
		values[i] = u->quantity[i] < 0 || (stream_context && strcmp(who, "own")) ? 0 :
			oa_unit_counter(u, (enum quantity)u->quantity[i], t);
}

static bool report(uint64_t address, uint32_t id, uint32_t context)
{
	struct oa_header h = { .id = id, .ctx_id = CTX_ID };
	uint64_t values[OA_MAX_COUNTERS] = { 0 };
	uint8_t *to;

	if (!stream || !stream->enabled || (stream_context && stream_context != context) ||
		fake_fails("drop"))
		return true;	/* the unit is off: the command does nothing */
	to = memory_at(address, stream->unit.c.format->bytes);
	if (!to || address % 64)
		return false;
	counter_values(values);
	h.timestamp = values[0];
	oa_encode(stream->unit.c.format, &h, values, to);
	return true;
}

static bool store(uint64_t address, uint32_t value)
{
	uint8_t *to = memory_at(address, sizeof(value));

	if (to)
		memcpy(to, &value, sizeof(value));
	return to != NULL;
}

/* The words of a command of an engine, by the type in its first three bits: 2 copies; 3 renders, where subtype 1 has one word and subtype 2,
 * media, a length of 16 bits. 0: it is none. */
static uint32_t engine_words(uint32_t w)
{
	uint32_t type = w >> 29, subtype = w >> 27 & 3;

	if (type == 3 && subtype == 1)
		return 1;
	if (type == 3 && subtype == 2)
		return (w & 0xffff) + 2;
	return type == 2 || type == 3 ? (w & 0xff) + 2 : 0;
}

/* One command; its words, 0 at the end of the batch, -1 when the GPU hangs on it. */
static int execute(const uint32_t *w, uint32_t left, uint32_t context)
{
	bool wide = fake_machine()->graphics_ver >= 8, good;
	uint32_t opcode = w[0] >> 23, words = opcode < 0x10 ? 1 : (w[0] & 0xff) + 2;

	uint64_t address;

	if (engine_words(w[0]))
		words = engine_words(w[0]);
	if (words > left)
		return -1;
	address = words > 2 ? w[1] | (wide ? (uint64_t)w[2] << 32 : 0) : 0;
	switch (opcode) {
	case MI_NOOP:
		return 1;
	case MI_BATCH_END:
		return 0;
	case MI_STORE_DATA:
		good = words == 4 && store(wide ? address : w[2], w[3]);
		break;
	case MI_STORE_REGISTER:
		good = words == (wide ? 4u : 3u) && fake_registers_open() &&
			store(wide ? w[2] | (uint64_t)w[3] << 32 : w[2],
				fake_register_read(w[1] & 0x7ffffc, false));
		break;
	case MI_REPORT:
		good = words == (wide ? 4u : 3u) &&
			report(address & ~UINT64_C(63), w[wide ? 3 : 2], context);
		break;
	default:
		good = engine_words(w[0]) > 0;
	}
	return good ? (int)words : -1;
}

static bool run(const struct object *batch, uint32_t start, uint32_t context)
{
	const uint32_t *words = (const uint32_t *)(const void *)batch->map;
	uint32_t n = (uint32_t)(batch->bytes / sizeof(*words));
	int step = 1;

	for (uint32_t at = start / 4; at < n && step > 0; at += (uint32_t)step) {
		step = execute(words + at, n - at, context);
		if (step < 0)
			fake_log("HANG at word %u: %08x\n", at, words[at]);
	}
	return step == 0;
}

/* Objects lie where the program wants them, or where we put them; relocations tell the batch. */
static bool place(const struct drm_i915_gem_execbuffer2 *e, struct drm_i915_gem_exec_object2 *list)
{
	for (int i = 1; i < MAX_OBJECTS; i++)
		objects[i].address = 0;
	for (uint32_t i = 0; i < e->buffer_count; i++) {
		struct object *o = object(list[i].handle);

		if (!o || (list[i].flags & EXEC_OBJECT_PINNED && list[i].offset % PAGE))
			return false;
		if (!(list[i].flags & EXEC_OBJECT_PINNED))
			list[i].offset = 0x10000000u + (uint64_t)(o - objects) * 0x1000000u;
		o->address = list[i].offset & ADDRESS_BITS;
	}
	return true;
}

static bool relocate(const struct drm_i915_gem_exec_object2 *b)
{
	const struct drm_i915_gem_relocation_entry *r = (const void *)(uintptr_t)b->relocs_ptr;
	struct object *o = object(b->handle);

	for (uint32_t i = 0; i < b->relocation_count; i++) {
		const struct object *to = object(r[i].target_handle);
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
	hung = !run(object(batch->handle), e->batch_start_offset, context);
	return 0;
}

static int wait_for(const struct drm_i915_gem_wait *w)
{
	int error = fake_fails("wait");

	if (!object(w->bo_handle))
		return fake_fail(ENOENT);
	return error ? fake_fail(error) : 0;
}

void fake_gem_close(int fd)
{
	file = fd;
	for (int i = 1; i < MAX_OBJECTS; i++)
		if (objects[i].fd && objects[i].file == fd)
			destroy(objects[i].handle);
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
