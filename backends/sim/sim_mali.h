/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated Bifrost GPUs: "g72,load=overdraw". */
#ifndef BACKENDS_SIM_SIM_MALI_H
#define BACKENDS_SIM_SIM_MALI_H

#include "backends/backend.h"

/* What sim.c does for the machines of this kind. */
bool sim_mali_knows(const char *spec);
bool sim_mali_probe(struct device_list *out, struct err *err);
bool sim_mali_resolve(const char *spec, struct device_list *out, struct err *err);
bool sim_mali_open(
	const char *spec, const struct open_options *o, struct open_device *dev, struct err *err);
void sim_mali_help(struct strbuf *out);

#endif
