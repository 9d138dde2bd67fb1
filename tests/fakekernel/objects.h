/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buffer objects of the fake Intel drivers. Each belongs to one open file of a node. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct fake_object {
	int fd;			/* a memfd; 0: free */
	int file;		/* descriptor of the node whose object it is, and its number there */
	uint32_t handle;
	size_t bytes;
	uint8_t *map;		/* the GPU's view */
	bool is_placed;		/* in i915's batch at hand, at that address */
	uint64_t address;
};

/* NULL with errno when there is no room or no size. */
struct fake_object *fake_object_new(int file, uint64_t bytes);
/* NULL: the file has no such object. */
struct fake_object *fake_object(int file, uint32_t handle);
/* Those that exist, in turn: NULL begins, NULL ends. */
struct fake_object *fake_object_next(const struct fake_object *before);
void fake_object_free(struct fake_object *o);
/* The node is closed: its objects are no more. */
void fake_objects_close(int file);
/* What an ioctl gives for mmap() of the node, and that mmap(). */
uint64_t fake_object_offset(const struct fake_object *o);
void *fake_object_mmap(size_t length, int prot, off_t offset);
