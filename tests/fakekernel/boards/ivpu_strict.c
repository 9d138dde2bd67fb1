/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The strict fake of ivpu (tests/fakekernel/strict.h): Linux drivers/accel/ivpu/ivpu_sysfs.c. Its numbers
 * are files of the PCI device; which of them there are depends on the kernel and is up to the tree. The
 * clock is 0 while the device sleeps, and reading no file wakes it. Busy time goes on while a job runs.
 *
 * Of the tree: strict/npu (PERIOD_MS BUSY_MS: jobs, as one after the other), strict/npu_mhz,
 * strict/npu_bytes, power/runtime_status of the device. */
#include "config.h"

#include "tests/fakekernel/strict.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Jobs run in the first part of each period. */
static uint64_t busy_us(void)
{
	uint64_t t = (strict_now_ns() - strict_begin_ns()) / 1000, into;
	unsigned long period_ms = 1000, busy_ms = 0;
	FILE *f = strict_file("npu");

	if (f) {
		if (fscanf(f, "%lu %lu", &period_ms, &busy_ms) != 2)
			period_ms = 1000;
		fclose(f);
	}
	into = t % (period_ms * 1000);
	return t / (period_ms * 1000) * busy_ms * 1000 + (into < busy_ms * 1000 ? into : busy_ms * 1000);
}

static bool is_active(const char *device)
{
	char path[256], status[16] = "";

	snprintf(path, sizeof(path), "%.200s/power/runtime_status", device);
	return fake_tree_read(path, status, sizeof(status)) && !strcmp(status, "active");
}

static uint64_t mhz_of(const char *device)
{
	return is_active(device) ? (uint64_t)fake_tree_number("/strict/npu_mhz", 0) : 0;
}

/* Files that the tree has, and only those. The device is the folder of the file, or the one above freq/. */
static bool on_open(const char *path, int flags, int *fd)
{
	static const char *const names[] = { "/npu_busy_time_us", "/npu_memory_utilization",
		"/npu_current_frequency_mhz", "/freq/current_freq" };
	char device[256], there[8], text[32];
	uint64_t value;
	size_t i = 0, len = strlen(path), n;

	if ((flags & O_ACCMODE) != O_RDONLY || strncmp(path, "/sys/", 5) || len >= sizeof(device) ||
		!fake_tree_read("/strict/npu", text, sizeof(text)))
		return false;
	while (i < sizeof(names) / sizeof(names[0]) &&
		(len < strlen(names[i]) || strcmp(path + len - strlen(names[i]), names[i])))
		i++;
	if (i == sizeof(names) / sizeof(names[0]) || !fake_tree_read(path, there, sizeof(there)))
		return false;
	snprintf(device, sizeof(device), "%.*s", (int)(len - strlen(names[i])), path);
	fake_log("ivpu read %s\n", names[i]);
	if (i == 0)
		value = busy_us();
	else if (i == 1)
		value = (uint64_t)fake_tree_number("/strict/npu_bytes", 0);
	else
		value = mhz_of(device);
	n = (size_t)snprintf(text, sizeof(text), "%" PRIu64 "\n", value);
	*fd = fake_text_file(text, n);
	return true;
}

static const char *const folders[] = { "/sys", "/dev/accel", NULL };
const struct fake_driver fake_ivpu_strict = { .name = "intel_vpu",
	.folders = folders,
	.is_strict = true,
	.open = on_open };
