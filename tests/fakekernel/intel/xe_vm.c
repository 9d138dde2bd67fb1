/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects and address spaces of the fake xe. Order of checks: Linux 6.12 drivers/gpu/drm/xe/xe_bo.c and xe_vm.c. A bound range is a
 * mapping of its own, so that it outlives the object's handle; its pages are in the program's memory as well. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/fakekernel/fake.h"
#include "tests/fakekernel/intel/intel.h"
#include "tests/fakekernel/objects.h"
#include "tests/fakekernel/intel/xe_submit.h"

#define MAX_VMS 256
#define MAX_RANGES 4096
#define MAX_SYNCS 1024
#define PAGE_MASK UINT64_C(4095)
#define ADDRESS_BITS ((UINT64_C(1) << 48) - 1)
#define GEM_CLOSE _IOW('d', 0x09, struct gem_close)

struct gem_close {
	uint32_t handle, pad;
};

enum { VM_SCRATCH_PAGE = 1, VM_LONG_RUNNING = 2, VM_FAULTS = 4 };
enum { CACHING_WB = 1, CACHING_WC = 2 };

struct range {
	int file;
	uint32_t vm;		/* 0: free */
	bool is_userptr;	/* somebody else's memory */
	uint64_t address, bytes;
	uint8_t *memory;
};

static struct vm {
	int file;
	uint32_t id;		/* 0: free */
	uint32_t flags;
} vms[MAX_VMS];
static struct range ranges[MAX_RANGES];

static struct vm *vm_of(int file, uint32_t id)
{
	for (int i = 0; id && i < MAX_VMS; i++)
		if (vms[i].id == id && vms[i].file == file)
			return &vms[i];
	return NULL;
}

bool fake_xe_has_vm(int file, uint32_t id)
{
	return vm_of(file, id) != NULL;
}

/* --- objects --- */

static int create_object(int file, struct xe_object_create *c)
{
	uint32_t places = fake_tree_number("/i915/local_memory_bytes", 0) ? 3 : 1;
	const struct fake_object *o;

	if (c->extensions || c->pad[0] || c->pad[1] || c->pad[2] || c->reserved[0] || c->reserved[1])
		return fake_fail(EINVAL);
	if (!c->placement || c->placement & ~places || c->flags & ~7u || c->handle)
		return fake_fail(EINVAL);
	if (!c->bytes || c->bytes & PAGE_MASK)
		return fake_fail(EINVAL);
	if (!c->caching || c->caching > CACHING_WC ||
		(c->placement & 2 && c->caching != CACHING_WC))
		return fake_fail(EINVAL);
	if (c->vm && !vm_of(file, c->vm))
		return fake_fail(ENOENT);
	o = fake_object_new(file, c->bytes);
	if (!o)
		return -1;
	c->handle = o->handle;
	return 0;
}

static int map_object(int file, struct xe_object_map *m)
{
	const struct fake_object *o = fake_object(file, m->handle);

	if (m->extensions || m->reserved[0] || m->reserved[1] || m->flags)
		return fake_fail(EINVAL);
	if (!o)
		return fake_fail(ENOENT);
	m->offset = fake_object_offset(o);
	return 0;
}

static int close_object(int file, const struct gem_close *c)
{
	struct fake_object *o = fake_object(file, c->handle);

	if (!o)
		return fake_fail(EINVAL);
	fake_object_free(o);
	return 0;
}

/* --- address spaces --- */

static int create_vm(int file, struct xe_vm_create *c)
{
	const uint32_t known = VM_SCRATCH_PAGE | VM_LONG_RUNNING | VM_FAULTS;
	uint32_t id = 1;

	if (c->extensions || c->reserved[0] || c->reserved[1] || c->flags & ~known ||
		(c->flags & VM_FAULTS && !(c->flags & VM_LONG_RUNNING)))
		return fake_fail(EINVAL);
	while (vm_of(file, id))
		id++;
	for (int i = 0; i < MAX_VMS; i++)
		if (!vms[i].id) {
			vms[i] = (struct vm){ .file = file, .id = id, .flags = c->flags };
			c->vm = id;
			return 0;
		}
	return fake_fail(ENOMEM);
}

static struct range *free_range(void)
{
	for (int i = 0; i < MAX_RANGES; i++)
		if (!ranges[i].vm)
			return &ranges[i];
	return NULL;
}

/* Takes from a range what lies between two addresses; its ends stay. */
static void cut(struct range *r, uint64_t first, uint64_t end)
{
	uint64_t last = r->address + r->bytes;
	struct range *right = end < last ? free_range() : NULL;

	first = first > r->address ? first : r->address;
	end = end < last ? end : last;
	if (right)
		*right = (struct range){ .file = r->file,
			.vm = r->vm,
			.is_userptr = r->is_userptr,
			.address = end,
			.bytes = last - end,
			.memory = r->memory + (end - r->address) };
	if (!r->is_userptr)
		munmap(r->memory + (first - r->address), end - first);
	r->bytes = first - r->address;
	if (!r->bytes)
		*r = (struct range){ .vm = 0 };
}

static void unbind(int file, uint32_t vm, uint64_t first, uint64_t end)
{
	for (int i = 0; i < MAX_RANGES; i++) {
		struct range *r = &ranges[i];

		if (r->vm == vm && r->file == file && first < r->address + r->bytes &&
			r->address < end)
			cut(r, first, end);
	}
}

static int destroy_vm(int file, const struct xe_destroy *d)
{
	struct vm *v = vm_of(file, d->id);

	if (d->pad || d->reserved[0] || d->reserved[1])
		return fake_fail(EINVAL);
	if (!v)
		return fake_fail(ENOENT);
	unbind(file, d->id, 0, UINT64_MAX);
	*v = (struct vm){ .id = 0 };
	return 0;
}

void fake_xe_vms_close(int file)
{
	for (int i = 0; i < MAX_VMS; i++)
		if (vms[i].id && vms[i].file == file) {
			unbind(file, vms[i].id, 0, UINT64_MAX);
			vms[i] = (struct vm){ .id = 0 };
		}
	fake_objects_close(file);
}

uint8_t *fake_xe_vm_memory(int file, uint32_t id, uint64_t address, uint64_t bytes)
{
	static uint8_t scratch[1 << 18];
	const struct vm *v = vm_of(file, id);

	address &= ADDRESS_BITS;
	for (int i = 0; v && i < MAX_RANGES; i++) {
		const struct range *r = &ranges[i];

		if (r->vm == id && r->file == file && address >= r->address &&
			address + bytes <= r->address + r->bytes)
			return !r->is_userptr ||
					fake_is_memory((uintptr_t)r->memory + (address - r->address), bytes)
				? r->memory + (address - r->address)
				: NULL;
	}
	if (!v || !(v->flags & VM_SCRATCH_PAGE) || bytes > sizeof(scratch))
		return NULL;
	return memset(scratch, 0, sizeof(scratch));
}

/* --- binds --- */

/* 0, or an errno. */
static int check_op(int file, const struct xe_bind_op *op)
{
	const struct fake_object *o = fake_object(file, op->object);
	bool maps = op->op == XE_BIND_MAP, user = op->op == XE_BIND_USERPTR;

	if (op->extensions || op->pad2 || op->reserved[0] || op->reserved[1] || op->reserved[2] ||
		op->op > XE_BIND_UNMAP_ALL)
		return EINVAL;
	if ((!op->object && maps) || (op->object && !maps && op->op != XE_BIND_UNMAP_ALL) ||
		(!op->bytes && op->op != XE_BIND_UNMAP_ALL) ||
		(op->address | op->bytes | op->offset) & PAGE_MASK)
		return EINVAL;
	if (op->object && !o)
		return ENOENT;
	if (maps && (op->bytes > o->bytes || op->offset > o->bytes - op->bytes))
		return EINVAL;
	return user && !fake_is_memory(op->offset, op->bytes) ? EFAULT : 0;
}

static int do_op(int file, uint32_t vm, const struct xe_bind_op *op)
{
	uint64_t address = op->address & ADDRESS_BITS;
	const struct fake_object *o = fake_object(file, op->object);
	struct range *r = free_range();

	if (op->op == XE_BIND_UNMAP_ALL)
		unbind(file, vm, 0, UINT64_MAX);
	else
		unbind(file, vm, address, address + op->bytes);
	if (op->op != XE_BIND_MAP && op->op != XE_BIND_USERPTR)
		return 0;
	if (!r)
		return ENOMEM;
	*r = (struct range){ .file = file,
		.vm = vm,
		.is_userptr = op->op == XE_BIND_USERPTR,
		.address = address,
		.bytes = op->bytes,
		.memory = (uint8_t *)(uintptr_t)op->offset };
	if (op->op == XE_BIND_MAP)
		r->memory = (uint8_t *)syscall(SYS_mmap, NULL, op->bytes, PROT_READ | PROT_WRITE,
			MAP_SHARED, o->fd, (long)op->offset);
	return 0;
}

static int bind_ranges(int file, const struct xe_bind *b)
{
	const struct xe_bind_op *ops =
		b->n == 1 ? &b->one : (const struct xe_bind_op *)(uintptr_t)b->several;
	int error = 0;

	if (b->extensions || b->pad || b->pad2 || b->reserved[0] || b->reserved[1])
		return fake_fail(EINVAL);
	if (b->n > 1 && !fake_is_memory(b->several, b->n * sizeof(*ops)))
		return fake_fail(EFAULT);
	for (uint32_t i = 0; i < b->n && !error; i++)
		error = check_op(file, &ops[i]);
	if (error == EINVAL)
		return fake_fail(error);
	if (!vm_of(file, b->vm) || (b->queue && !fake_xe_queue_engine(file, b->queue)))
		return fake_fail(ENOENT);
	if (!error)
		error = fake_xe_syncs_check(file, b->syncs, b->n_syncs);
	for (uint32_t i = 0; i < b->n && !error; i++)
		error = do_op(file, b->vm, &ops[i]);
	if (error)
		return fake_fail(error);
	fake_xe_syncs_signal(file, 0, b->syncs, b->n_syncs);
	return 0;
}

bool fake_xe_vm_ioctl(int file, unsigned long request, void *arg, int *result)
{
	switch (request) {
	case GEM_CLOSE:
		*result = close_object(file, arg);
		return true;
	case XE_IOCTL_OBJECT_CREATE:
		*result = create_object(file, arg);
		return true;
	case XE_IOCTL_OBJECT_MAP:
		*result = map_object(file, arg);
		return true;
	case XE_IOCTL_VM_CREATE:
		*result = create_vm(file, arg);
		return true;
	case XE_IOCTL_VM_DESTROY:
		*result = destroy_vm(file, arg);
		return true;
	case XE_IOCTL_VM_BIND:
		*result = bind_ranges(file, arg);
		return true;
	default:
		return false;
	}
}
