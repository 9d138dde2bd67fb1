/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the power sensors of boards measure, by the names that firmware and boards give them. */
#ifndef BACKENDS_POWER_RAIL_NAMES_H
#define BACKENDS_POWER_RAIL_NAMES_H

#include <stdbool.h>

#include "backends/power/energy.h"

/* Whether a chip of that name (file name of a folder in /sys/class/hwmon) measures parts of the
 * machine, and not a card, a battery or a power supply. */
bool rail_chip_is_known(const char *chip);
/* Returns the name of the rail that a sensor without one is on, or NULL. boards: the words of the
 * device tree's file "compatible", with a NUL behind each; device: the sensor's I2C device,
 * "0-0040". */
const char *rail_name_at(const char *boards, size_t size, const char *device);
/* Returns the plane of a rail of that chip; ENERGY_PLANES where its name tells none. An empty name
 * is that of a sensor without a label. */
enum energy_plane rail_plane(const char *chip, const char *name);

#endif
