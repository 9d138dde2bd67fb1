/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the fakes of boards share. */
#pragma once

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <time.h>

#include "tests/fakekernel/fake.h"

/* Sets errno and returns -1. */
static inline int board_fail(int error)
{
	errno = error;
	return -1;
}

/* CLOCK_MONOTONIC in seconds. */
static inline double board_now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Opens a file of the tree, "/v3d/counters"; NULL when it is not there. */
static inline FILE *board_file(const char *path)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", fake_root(), path);
	return fopen(full, "r");
}
