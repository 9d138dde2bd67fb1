/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source "memory" of an i915 or xe card: how much memory of its own it has, and how much of
 * that is taken. */
#ifndef BACKENDS_INTEL_LOCAL_MEMORY_H
#define BACKENDS_INTEL_LOCAL_MEMORY_H

#include "backends/common/backend.h"

/* Attaches the source to cards of both drivers; where there is no local memory its gauges say
 * so. */
extern const struct companion local_memory_companion;

#endif
