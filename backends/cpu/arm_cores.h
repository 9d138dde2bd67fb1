/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arm's cores by the numbers of their identification register (MIDR). */
#ifndef BACKENDS_CPU_ARM_CORES_H
#define BACKENDS_CPU_ARM_CORES_H

#include <stddef.h>
#include <stdint.h>

struct cpu_family;

/* Names the processor by its cores ("4 x Cortex-A76, 4 x Cortex-A55") and returns the row that says
 * what their events mean. parts: [n] implementer << 16 | part. Cores that are not in the table are
 * named by their numbers. Never NULL. */
const struct cpu_family *arm_cores_row(const uint32_t *parts, int n, char *name, size_t size);

#endif
