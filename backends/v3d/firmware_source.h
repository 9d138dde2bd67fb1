/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the firmware of a Raspberry Pi tells of its chip: clock of the GPU, temperature, and why
 * clocks are held down. */
#ifndef BACKENDS_V3D_FIRMWARE_SOURCE_H
#define BACKENDS_V3D_FIRMWARE_SOURCE_H

#include "backends/common/backend.h"

/* Appends a source, and the highest clock as a constant, where the firmware answers; else a source
 * of what the kernel tells: temperature, and the alarm of the supply. Appends the checks of
 * both. */
void v3d_firmware_open(struct open_device *dev, const struct open_options *o);

#endif
