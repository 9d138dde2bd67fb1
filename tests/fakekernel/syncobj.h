/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DRM's synchronisation objects, as far as drivers need them whose work is done when it is submitted. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

bool fake_syncobj_exists(int file, uint32_t handle);
/* Whether it has a fence, and a timeline has come to that point: all fences of ours are signalled. */
bool fake_syncobj_is_signaled(int file, uint32_t handle, uint64_t point);
/* The work that the object stands for is done; point is that of a timeline, or 0. */
void fake_syncobj_signal(int file, uint32_t handle, uint64_t point);
/* The node is closed. */
void fake_syncobjs_close(int file);
/* ioctls of a node that concern them. False: not one of them. */
bool fake_syncobj_ioctl(int file, unsigned long request, void *arg, int *result);
