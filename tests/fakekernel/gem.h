/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buffer objects and batches of the fake i915. */
#ifndef TESTS_FAKEKERNEL_GEM_H
#define TESTS_FAKEKERNEL_GEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tests/fakekernel/intel.h"

/* ioctls of a node, open as fd, that concern objects, contexts and batches. False: not one of them. */
bool fake_gem_ioctl(int fd, unsigned long request, void *arg, int *result);
/* The node is closed: its objects are no more. */
void fake_gem_close(int fd);
/* A mapping of the node at an offset that an ioctl gave. */
void *fake_gem_mmap(size_t length, int prot, off_t offset);
bool fake_gem_has_context(uint64_t handle);
/* How many classes of engines the part has, one engine of each. */
uint32_t fake_engine_count(void);
/* ioctls of a node that concern contexts. False: not one of them. */
bool fake_context_ioctl(unsigned long request, void *arg, int *result);
/* The stream of this process, whose programming reports are made with; context 0: of the whole GPU.
 * NULL: none any more. */
void fake_gem_stream(struct fake_oa *s, uint32_t context);

#endif
