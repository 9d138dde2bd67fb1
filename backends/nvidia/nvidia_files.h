/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sysfs and proc tell of NVIDIA's GPUs without their library. Nothing here wakes one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/fsroot.h"

/* Whether runtime power management has switched the GPU at that PCI address off. */
bool nvidia_is_asleep(const struct fsroot *fs, const char *address);
/* Whether it may do so (power/control is "auto", as on notebooks). */
bool nvidia_may_sleep(const struct fsroot *fs, const char *address);
/* What the driver's file of a GPU tells; empty texts are unknown. */
struct nvidia_information {
	char model[96], uuid[64];
};

/* Returns false when there is no such file. A GPU that sleeps is not asked. */
bool nvidia_information(
	const struct fsroot *fs, const char *address, struct nvidia_information *out);
/* The version of the driver that is loaded, "550.163.01". */
bool nvidia_driver_version(const struct fsroot *fs, char *buf, size_t size);
/* Whether the library seems to be installed: in a tree of files it is its file, else one that the
 * loader's cache or a usual folder has. Loads nothing. */
bool nvidia_has_library(const struct fsroot *fs);
/* The library's file: in a tree of files (--fsroot) the one of that tree, else the name that the
 * system's loader knows. */
void nvidia_library(const struct fsroot *fs, char *buf, size_t size);
