/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Submission to the fake xe: layouts of Linux include/uapi/drm/xe_drm.h that rooftop does not need, because it submits nothing. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>

#include "backends/intel/xe/xe_uapi.h"

struct xe_object_create {
	uint64_t extensions, bytes;
	uint32_t placement, flags, vm, handle;
	uint16_t caching, pad[3];
	uint64_t reserved[2];
};

struct xe_object_map {
	uint64_t extensions;
	uint32_t handle, flags;
	uint64_t offset, reserved[2];
};

struct xe_vm_create {
	uint64_t extensions;
	uint32_t flags, vm;
	uint64_t reserved[2];
};

/* A VM, or a queue. */
struct xe_destroy {
	uint32_t id, pad;
	uint64_t reserved[2];
};

enum xe_bind_op_kind { XE_BIND_MAP, XE_BIND_UNMAP, XE_BIND_USERPTR, XE_BIND_UNMAP_ALL, XE_BIND_PREFETCH };

struct xe_bind_op {
	uint64_t extensions;
	uint32_t object;
	uint16_t pat_index, pad;
	uint64_t offset;	/* in the object, or the program's memory */
	uint64_t bytes, address;
	uint32_t op, flags, prefetch_region, pad2;
	uint64_t reserved[3];
};

struct xe_bind {
	uint64_t extensions;
	uint32_t vm, queue, pad, n;
	union {
		struct xe_bind_op one;
		uint64_t several;
	};
	uint32_t pad2, n_syncs;
	uint64_t syncs, reserved[2];
};

enum xe_sync_kind { XE_SYNC_OBJECT, XE_SYNC_TIMELINE, XE_SYNC_USER_FENCE };
#define XE_SYNC_SIGNALS 1u

struct xe_sync {
	uint64_t extensions;
	uint32_t type, flags;
	union {
		uint32_t handle;
		uint64_t address;
	};
	uint64_t point, reserved[2];
};

struct xe_queue_create {
	uint64_t extensions;
	uint16_t width, n_placements;
	uint32_t vm, flags, id;
	uint64_t instances, reserved[2];
};

struct xe_queue_property {
	uint64_t extensions;
	uint32_t id, property;
	uint64_t value, reserved[2];
};

struct xe_exec {
	uint64_t extensions;
	uint32_t queue, n_syncs;
	uint64_t syncs, address;
	uint16_t n_batches, pad[3];
	uint64_t reserved[2];
};

struct xe_wait {
	uint64_t extensions, address;
	uint16_t op, flags;
	uint32_t pad;
	uint64_t value, mask;
	int64_t timeout_ns;
	uint32_t queue, pad2;
	uint64_t reserved[2];
};

#define XE_IOCTL_OBJECT_CREATE _IOWR('d', 0x41, struct xe_object_create)
#define XE_IOCTL_OBJECT_MAP _IOWR('d', 0x42, struct xe_object_map)
#define XE_IOCTL_VM_CREATE _IOWR('d', 0x43, struct xe_vm_create)
#define XE_IOCTL_VM_DESTROY _IOW('d', 0x44, struct xe_destroy)
#define XE_IOCTL_VM_BIND _IOW('d', 0x45, struct xe_bind)
#define XE_IOCTL_QUEUE_CREATE _IOWR('d', 0x46, struct xe_queue_create)
#define XE_IOCTL_QUEUE_DESTROY _IOW('d', 0x47, struct xe_destroy)
#define XE_IOCTL_QUEUE_PROPERTY _IOWR('d', 0x48, struct xe_queue_property)
#define XE_IOCTL_EXEC _IOW('d', 0x49, struct xe_exec)
#define XE_IOCTL_WAIT _IOWR('d', 0x4a, struct xe_wait)

_Static_assert(sizeof(struct xe_object_create) == 56 && sizeof(struct xe_object_map) == 40 &&
		sizeof(struct xe_vm_create) == 32 && sizeof(struct xe_destroy) == 24,
	"objects and VMs");
_Static_assert(sizeof(struct xe_bind_op) == 80 && sizeof(struct xe_bind) == 136, "binds");
_Static_assert(sizeof(struct xe_queue_create) == 48 && sizeof(struct xe_exec) == 56 &&
		sizeof(struct xe_sync) == 48 && sizeof(struct xe_wait) == 72,
	"queues and fences");

/* xe_vm.c: ioctls of a node, open as that descriptor. False: not one of them. */
bool fake_xe_vm_ioctl(int file, unsigned long request, void *arg, int *result);
bool fake_xe_has_vm(int file, uint32_t id);
/* So many bytes of a VM's memory at an address; NULL: the GPU would fault. */
uint8_t *fake_xe_vm_memory(int file, uint32_t id, uint64_t address, uint64_t bytes);
void fake_xe_vms_close(int file);

/* xe_exec.c: the same of queues and waiting. */
bool fake_xe_exec_ioctl(int file, unsigned long request, void *arg, int *result);
/* The engine of a queue; NULL: the file has no such queue. */
const struct xe_engine_instance *fake_xe_queue_engine(int file, uint64_t id);
void fake_xe_queues_close(int file);
/* The fences of a request are as they should be: 0, or an errno. vm 0: user fences lie in the
 * program's memory, otherwise in that of the VM. */
int fake_xe_syncs_check(int file, uint64_t syncs, uint64_t n);
/* The work is done. */
void fake_xe_syncs_signal(int file, uint32_t vm, uint64_t syncs, uint64_t n);
