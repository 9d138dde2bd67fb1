/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buffer objects and batches of the fake i915. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tests/fakekernel/intel/intel.h"

/* ioctls of a node, open as fd, that concern objects, contexts and batches. False: not one of them. */
bool fake_gem_ioctl(int fd, unsigned long request, void *arg, int *result);
bool fake_gem_has_context(uint64_t handle);
/* How many classes of engines the part has, one engine of each. */
uint32_t fake_engine_count(void);
/* ioctls of a node that concern contexts. False: not one of them. */
bool fake_context_ioctl(unsigned long request, void *arg, int *result);
