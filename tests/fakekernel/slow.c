/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files whose driver takes long to answer. FAKEKERNEL_SLOW="WORD MS...": a read of a file whose name has
 * WORD waits as long, asleep as a driver waits for its firmware. The log says whether the program's
 * first thread had to wait, or another one. */
#include "config.h"

#include "tests/fakekernel/fake.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void fake_dawdle_at(const char *path)
{
	const char *wish = getenv("FAKEKERNEL_SLOW");
	char word[64];
	long ms;
	int end = 0;

	for (; wish && sscanf(wish, "%63s %ld%n", word, &ms, &end) == 2; wish += end) {
		if (!strstr(path, word))
			continue;
		fake_log("slow %s %s\n", syscall(SYS_gettid) == syscall(SYS_getpid) ? "first" : "other",
			strrchr(path, '/') + 1);
		const struct timespec t = { ms / 1000, ms % 1000 * 1000000 };
		nanosleep(&t, NULL);
		return;
	}
}

void fake_dawdle(int fd)
{
	char link[64], path[PATH_MAX];

	if (!getenv("FAKEKERNEL_SLOW"))
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t len = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof(path) - 1);
	path[len > 0 ? len : 0] = '\0';
	fake_dawdle_at(path);
}
