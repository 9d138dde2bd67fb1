/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the two drivers tell. Nothing is asked more often than once a second, and nobody who sleeps. */
#pragma once

#include "backends/common/backend.h"

/* The folder of an NPU in sysfs, for "accel0": its device. */
void npu_folder(const char *id, char *path, size_t size);
/* Tells whether runtime power management has switched it off. */
bool npu_is_asleep(const struct fsroot *fs, const char *id);
/* Tells whether it is no longer there, or no driver has it; then err says so. */
bool npu_is_gone(const struct fsroot *fs, const char *id, struct err *err);
/* Files of ivpu: busy time, clock, memory. NULL with err when it has none of them. */
struct source *ivpu_open(struct device *d, const struct open_options *o, struct err *err);
/* Answers of amdxdna: columns, clocks, power, commands. NULL with err when the node cannot be
 * opened or answers nothing; an NPU that sleeps is asked when it has woken up, and err says so. */
struct source *xdna_open(struct device *d, const struct open_options *o, struct err *err);
