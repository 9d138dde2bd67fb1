/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sysfs and proc tell of NVIDIA's GPUs without their library. Nothing here wakes one. */
#ifndef BACKENDS_NVIDIA_NVIDIA_FILES_H
#define BACKENDS_NVIDIA_NVIDIA_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fsroot.h"

/* Whether runtime power management has switched the GPU at that PCI address off. */
bool nvidia_is_asleep(const struct fsroot *fs, const char *address);
/* Whether it may do so (power/control is "auto", as on notebooks). */
bool nvidia_may_sleep(const struct fsroot *fs, const char *address);
/* The model's name, and the number of its node /dev/nvidiaN (-1: unknown), as the driver's file tells;
 * false when there is none. A GPU that sleeps is not asked. */
bool nvidia_information(
	const struct fsroot *fs, const char *address, char *model, size_t size, int *node);
/* The library's file: in a tree of files (--fsroot) the one of that tree, else the name that the system's
 * loader knows. */
void nvidia_library(const struct fsroot *fs, char *buf, size_t size);

#endif
