/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated GPUs as a backend: the model's counters as OA, power and clock sources, with flaws on
 * request. */
#ifndef BACKENDS_SIM_SIM_H
#define BACKENDS_SIM_SIM_H

#include "backends/backend.h"

extern const struct backend sim_backend;
/* A simulated device of that spec, ready to be opened. */
void sim_add_entry(const struct device *d, const char *spec, struct device_list *out);

#endif
