/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files whose driver takes long to answer. FAKEKERNEL_SLOW="WORD MS...": a read of a file whose name has
 * WORD waits as long, asleep as a driver waits for its firmware. The log says whether the program's
 * first thread had to wait, or another one. A file "block" in the tree, "CALL REQUEST MS HOW", holds that
 * ioctl (REQUEST in hex), or CALL read with REQUEST 0, while the file is there, MS at most: HOW is soft for a
 * sleep that a signal ends, and hard for one that none does, as in a driver that waits for its hardware. */
#include "config.h"

#include "tests/fakekernel/fake.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
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

int fake_block(const char *call, unsigned long request)
{
	const struct timespec slice = { .tv_nsec = 10000000 };
	char text[128], name[32], how[16];
	unsigned long asked;
	long ms;
	sigset_t all, before;
	int ended = 0;

	if (!*fake_root() || !fake_tree_read("/block", text, sizeof(text)) ||
		sscanf(text, "%31s %lx %ld %15s", name, &asked, &ms, how) != 4 || strcmp(name, call) ||
		asked != request)
		return 0;
	fake_log("blocked %s\n", call);
	sigfillset(&all);
	if (!strcmp(how, "hard"))
		pthread_sigmask(SIG_SETMASK, &all, &before);
	for (long slept = 0; slept < ms && !ended && fake_tree_read("/block", text, sizeof(text)); slept += 10)
		ended = clock_nanosleep(CLOCK_MONOTONIC, 0, &slice, NULL);
	if (!strcmp(how, "hard"))
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ended;
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
