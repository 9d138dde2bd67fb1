/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells where an NPU is in sysfs, and whether it is there and awake. */
#include "config.h"

#include "backends/npu/npu_sources.h"

#include <stdio.h>
#include <string.h>

#include "base/fsroot.h"

#define ACCEL_CLASS "/sys/class/accel"

void npu_folder(const char *id, char *path, size_t size)
{
	snprintf(path, size, ACCEL_CLASS "/%.31s/device", id);
}

bool npu_is_asleep(const struct fsroot *fs, const char *id)
{
	char path[96], status[32];

	snprintf(path, sizeof(path), ACCEL_CLASS "/%.31s/device/power/runtime_status", id);
	return fsroot_read_line(fs, path, status, sizeof(status), NULL) &&
		!strncmp(status, "suspend", strlen("suspend"));
}

bool npu_is_gone(const struct fsroot *fs, const char *id, struct err *err)
{
	char path[96];

	snprintf(path, sizeof(path), ACCEL_CLASS "/%.31s/device/driver", id);
	if (fsroot_exists(fs, path))
		return false;
	err_set(err, ERR_NO_DEVICE, "%s is gone: pulled out, or its driver was unloaded", id);
	err_hint(err, "%s", "it is looked for every few seconds");
	return true;
}
