/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated GPUs of other vendors than Intel. */
#pragma once

#include <stdbool.h>

#include "backends/common/backend.h"
#include "backends/sim/model/amd_gpu.h"
#include "backends/sim/model/mali_gpu.h"
#include "backends/sim/model/nvidia_gpu.h"
#include "backends/sim/spec.h"
#include "base/err.h"

/* Fills what a simulated card says of itself on the PCI bus. */
struct sim_card {
	const char *name, *model, *platform;
	uint32_t vendor, pci_device, min_mhz, max_mhz;
};
void sim_card_device(const struct sim_card *c, struct device *d);

/* Tells whether the spec names one of these machines. */
bool sim_mali_knows(const char *spec);
bool sim_mali_device(const struct mali_machine *m, struct device *d, struct err *err);
/* Makes the device of such a spec and tries whether its load can be built. */
bool sim_mali_resolve(const char *spec, struct device *d, struct err *err);
bool sim_mali_open(
	const char *spec, const struct open_options *o, struct open_device *dev, struct err *err);
void sim_mali_help(struct strbuf *out);

/* Tells whether the spec names one of these machines. */
bool sim_nvidia_knows(const char *spec);
/* Makes the machine and the load that a spec tells. */
bool sim_nvidia_machine(
	const char *spec, struct nvidia_machine *m, struct sim_spec *s, struct err *err);
void sim_nvidia_device(const struct nvidia_machine *m, struct device *d);
/* Makes the device of such a spec and tries whether its load can be built. */
bool sim_nvidia_resolve(const char *spec, struct device *d, struct err *err);
bool sim_nvidia_open(
	const char *spec, const struct open_options *o, struct open_device *dev, struct err *err);
void sim_nvidia_help(struct strbuf *out);

/* Tells whether the spec names one of these machines. */
bool sim_amd_knows(const char *spec);
/* Makes the machine and the load that a spec tells. */
bool sim_amd_machine(
	const char *spec, struct amd_machine *m, struct sim_spec *s, struct err *err);
void sim_amd_device(const struct amd_machine *m, struct device *d);
/* Makes the device of such a spec and tries whether its load can be built. */
bool sim_amd_resolve(const char *spec, struct device *d, struct err *err);
bool sim_amd_open(
	const char *spec, const struct open_options *o, struct open_device *dev, struct err *err);
void sim_amd_help(struct strbuf *out);
