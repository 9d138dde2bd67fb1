/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long the fake Intel GPU slept: what the model could have slept, but for the time in which a stream of its OA unit kept it awake, as
 * i915 and xe do (Linux i915_perf.c, xe_oa.c: forcewake while a stream is open). */
#include "config.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/fakekernel/fake.h"
#include "tests/fakekernel/intel/intel.h"

static void note_ns(const char *name, uint64_t ns)
{
	char path[PATH_MAX], text[32];
	int fd, len = snprintf(text, sizeof(text), "%llu\n", (unsigned long long)ns);

	fake_tree_path(path, "/i915/", name);
	fd = real_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd >= 0 && write(fd, text, (size_t)len) != len)
		abort();
	if (fd >= 0)
		real_close(fd);
}

/* The stream that is open, where this process has it: what the two files say. */
static bool is_ours;
static uint64_t from_ns, before_ns;

/* A stream keeps the GPU awake: i915/awake_from_ns is where the sleep stood when the stream that is
 * open was opened, i915/awake_ns what streams have prevented before. */
uint64_t fake_rc6_ns(void)
{
	uint64_t ns = fake_could_sleep_ns(), lost = is_ours ? before_ns : (uint64_t)fake_tree_number("/i915/awake_ns", 0);
	int lock = is_ours ? -1 : fake_lock("oa.lock");

	if (lock >= 0)
		real_close(lock);
	else
		lost += ns - (is_ours ? from_ns : (uint64_t)fake_tree_number("/i915/awake_from_ns", (long)ns));
	return ns > lost ? ns - lost : 0;
}

void fake_keep_awake(bool begins)
{
	uint64_t ns = fake_could_sleep_ns();

	is_ours = begins;
	if (begins) {
		before_ns = (uint64_t)fake_tree_number("/i915/awake_ns", 0);
		note_ns("awake_from_ns", from_ns = ns);
	} else {
		note_ns("awake_ns",
			(uint64_t)fake_tree_number("/i915/awake_ns", 0) + ns -
				(uint64_t)fake_tree_number("/i915/awake_from_ns", (long)ns));
	}
}

/* The residency in ms of Linux i915 intel_gt_sysfs_pm.c and xe_gt_idle.c. */
static bool open_residency(const char *path, int flags, int *fd)
{
	static const char *const names[] = { "/rc6_residency_ms", "/idle_residency_ms" };
	char text[32], full[PATH_MAX];
	int len;

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		size_t n = strlen(path), m = strlen(names[i]);

		fake_tree_path(full, "", path);
		if (n < m || strcmp(path + n - m, names[i]) || (flags & O_ACCMODE) != O_RDONLY ||
			access(full, R_OK) < 0)
			continue;
		len = snprintf(text, sizeof(text), "%llu\n",
			(unsigned long long)(fake_rc6_ns() / 1000000));
		*fd = fake_text_file(text, (size_t)len);
		return true;
	}
	return false;
}

static const char *const sys_folders[] = { "/sys", NULL };

const struct fake_driver fake_residency = {
	.name = "residency",
	.folders = sys_folders,
	.open = open_residency,
};
