/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock of a real Mali GPU: from its driver's fdinfo, or from devfreq. */
#ifndef BACKENDS_MALI_CLOCK_FILES_H
#define BACKENDS_MALI_CLOCK_FILES_H

#include "backends/mali/clock_source.h"
#include "base/fsroot.h"

/* folder: the device's in sysfs, "/sys/class/drm/card0/device". card: of a DRM driver whose fdinfo
 * is to be asked first, or NULL. NULL with err when nobody tells the clock. *max_hz: the highest
 * one, 0 unknown. */
struct mali_clock_reader *mali_clock_files_open(const struct fsroot *fs, const char *folder,
	const char *card, uint64_t *max_hz, struct err *err);

#endif
