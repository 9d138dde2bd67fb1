/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who made the processor: RAPL, its modules and their hints are of x86 alone. */
#ifndef BACKENDS_CPU_CPU_VENDOR_H
#define BACKENDS_CPU_CPU_VENDOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fsroot.h"

/* Writes the vendor_id of /proc/cpuinfo into buf: "GenuineIntel"; "" where it has none, as on Arm. */
void cpu_vendor(const struct fsroot *fs, char *buf, size_t size);
/* Whether the processor is one of x86. Without /proc/cpuinfo it is what the program was built for. */
bool cpu_is_x86(const struct fsroot *fs);
/* Whether the cores of that vendor are AMD's design, as those of Hygon are. */
bool cpu_vendor_is_amd(const char *vendor);
/* The same of this machine's vendor. */
bool cpu_is_amd(const struct fsroot *fs);
/* The physical package of a CPU (Linux Documentation/admin-guide/cputopology.rst); -1: the kernel does
 * not say. */
int cpu_package(const struct fsroot *fs, int cpu);

#endif
