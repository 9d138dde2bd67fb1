/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes means of gauges that say only what is so at a moment. */
#ifndef BACKENDS_COMMON_LOOKS_H
#define BACKENDS_COMMON_LOOKS_H

#include "backends/common/backend.h"

/* Wraps each source of the device that asks for it (struct source, look_often): it is read several times in a window
 * of that length, and the window has the means over time of its gauges and the sums of what counts up. A window too
 * short for two looks has one, at its end. */
void open_device_look_often(struct open_device *dev, int64_t window_ns);

#endif
