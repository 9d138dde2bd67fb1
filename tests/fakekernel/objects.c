/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects are memfds, so that mappings of several processes and the GPU's view are the same memory. */
#include "config.h"

#include "tests/fakekernel/objects.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/fakekernel/fake.h"
#include "tests/fakekernel/intel/intel.h"

#define MAX_OBJECTS 4096
#define PAGE 4096u

static struct fake_object objects[MAX_OBJECTS];

struct fake_object *fake_object(int file, uint32_t handle)
{
	for (int i = 1; i < MAX_OBJECTS; i++)
		if (objects[i].fd && objects[i].file == file && objects[i].handle == handle)
			return &objects[i];
	return NULL;
}

struct fake_object *fake_object_next(const struct fake_object *before)
{
	for (long i = before ? before - objects + 1 : 1; i < MAX_OBJECTS; i++)
		if (objects[i].fd)
			return &objects[i];
	return NULL;
}

struct fake_object *fake_object_new(int file, uint64_t bytes)
{
	uint32_t handle = 1, place = 1;
	struct fake_object *o;

	while (place < MAX_OBJECTS && objects[place].fd)
		place++;
	while (fake_object(file, handle))
		handle++;
	if (place == MAX_OBJECTS || !bytes) {
		errno = bytes ? ENOMEM : EINVAL;
		return NULL;
	}
	o = &objects[place];
	o->bytes = (bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	o->fd = memfd_create("gem", MFD_CLOEXEC);
	/* 0 means free, and a program may have closed its own */
	if (o->fd == 0) {
		o->fd = fcntl(0, F_DUPFD_CLOEXEC, 3);
		real_close(0);
	}
	if (o->fd < 0 || ftruncate(o->fd, (off_t)o->bytes) < 0) {
		if (o->fd > 0)
			real_close(o->fd);
		*o = (struct fake_object){ .fd = 0 };
		errno = ENOMEM;
		return NULL;
	}
	o->file = file;
	o->handle = handle;
	o->map = (uint8_t *)syscall(
		SYS_mmap, NULL, o->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, o->fd, 0L);
	return o;
}

void fake_object_free(struct fake_object *o)
{
	munmap(o->map, o->bytes);
	real_close(o->fd);
	*o = (struct fake_object){ .fd = 0 };
}

void fake_objects_close(int file)
{
	for (int i = 1; i < MAX_OBJECTS; i++)
		if (objects[i].fd && objects[i].file == file)
			fake_object_free(&objects[i]);
}

/* Offsets are places, a page each. */
uint64_t fake_object_offset(const struct fake_object *o)
{
	return (uint64_t)(o - objects) * PAGE;
}

void *fake_object_mmap(size_t length, int prot, off_t offset)
{
	uint64_t place = (uint64_t)offset / PAGE;
	const struct fake_object *o = place < MAX_OBJECTS ? &objects[place] : NULL;

	if (!o || !o->fd || length > o->bytes) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	return (void *)syscall(SYS_mmap, NULL, length, prot, MAP_SHARED, o->fd, 0L);
}
