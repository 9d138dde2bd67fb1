/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Offers simulated GPUs as a backend: the model's counters are OA, power and clock sources, with
 * flaws on request. */
#ifndef BACKENDS_SIM_SIM_H
#define BACKENDS_SIM_SIM_H

#include "backends/common/backend.h"

extern const struct backend sim_backend;

#endif
