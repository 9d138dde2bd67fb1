/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source "engines" of an i915 or xe card: how long each engine was busy, from the driver's
 * PMU. */
#ifndef BACKENDS_INTEL_ENGINES_H
#define BACKENDS_INTEL_ENGINES_H

#include "backends/common/backend.h"

/* Attaches the source to cards of both drivers. Where the PMU may not be read, the engines are
 * listed all the same, and say why they have no values. */
extern const struct companion engines_companion;

#endif
