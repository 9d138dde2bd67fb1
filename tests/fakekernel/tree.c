/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fake kernel looks into files of its tree. */
#include "config.h"

#include "tests/fakekernel/clocks.h"
#include "tests/fakekernel/fake.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Atomic uint64_t looks;

void fake_look_again(void)
{
	looks++;
}

/* A number that says a path and the tick of the kernel's clock (FNV-1a). */
static uint64_t path_now(const char *path)
{
	struct timespec t = { 0 };
	uint64_t n = UINT64_C(0xcbf29ce484222325);

	fake_tick(&t);
	n ^= (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec + (looks << 40);
	for (; *path; path++)
		n = (n ^ (uint8_t)*path) * UINT64_C(0x100000001b3);
	return n;
}

/* A descriptor, or -1. */
static int open_in_tree(const char *path)
{
	static _Atomic uint64_t absent[512];
	uint64_t now = path_now(path);
	_Atomic uint64_t *place = &absent[now % (sizeof(absent) / sizeof(absent[0]))];
	char full[PATH_MAX];
	int fd;

	if (*place == now)
		return -1;
	snprintf(full, sizeof(full), "%s%s", fake_root(), path);
	fd = real_open(full, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0 && errno == ENOENT)
		*place = now;
	return fd;
}

bool fake_tree_has(const char *path)
{
	int fd = open_in_tree(path);

	if (fd >= 0)
		real_close(fd);
	return fd >= 0;
}

bool fake_tree_read(const char *path, char *buf, size_t size)
{
	int fd = open_in_tree(path);
	ssize_t len;

	if (fd < 0)
		return false;
	len = real_read(fd, buf, size - 1);
	real_close(fd);
	buf[len > 0 ? len : 0] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return len > 0;
}

long fake_tree_number(const char *path, long otherwise)
{
	char buf[64];

	return fake_tree_read(path, buf, sizeof(buf)) ? strtol(buf, NULL, 0) : otherwise;
}
