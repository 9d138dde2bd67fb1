/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runtime power management of a fake card: each use starts its delay anew, and after that it sleeps, which shows when somebody asks. */
#include "config.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "tests/fakekernel/fake.h"
#include "tests/fakekernel/intel/intel.h"

bool fake_is_suspended(const char *status_file)
{
	char status[16];

	return fake_tree_read(status_file, status, sizeof(status)) && !strcmp(status, "suspended");
}

void fake_keep_power(const char *state, bool is_use, const char *file)
{
	static int64_t used_ns;
	struct timespec t;
	char path[PATH_MAX];
	bool slept = fake_is_suspended(state), sleeps;

	clock_gettime(CLOCK_MONOTONIC, &t);
	int64_t now_ns = t.tv_sec * NS_PER_S + t.tv_nsec;
	if (is_use || !used_ns)
		used_ns = now_ns;
	sleeps = !is_use && (slept || now_ns - used_ns > fake_tree_number("/autosuspend_ms", 0) * NS_PER_MS);
	if (is_use)
		fake_log("%s %s\n", slept ? "woken" : "used", file);
	else if (sleeps && !slept)
		fake_log("sleeps\n");
	if (sleeps == slept)
		return;
	fake_tree_path(path, state, "");
	int fd = real_open(path, O_WRONLY | O_TRUNC | O_CLOEXEC, 0);
	if (fd < 0 || dprintf(fd, "%s\n", sleeps ? "suspended" : "active") < 0)
		abort();
	real_close(fd);
}
