/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The source "power" of every real device: energy of the processor's planes and of a discrete
 * GPU. */
#ifndef BACKENDS_POWER_POWER_H
#define BACKENDS_POWER_POWER_H

#include "backends/common/backend.h"

/* Names that --power takes: "auto", the routes of energy.h in their order, "none".
 * NULL-terminated. */
extern const char *const power_ways[];

#endif
