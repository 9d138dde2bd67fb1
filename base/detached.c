/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a child process gives up when it stays apart from rooftop. */
#include "config.h"

#include "base/helper.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

/* Used where /proc is not mounted either: it is more than rooftop ever has open, and less than a
 * limit that is as good as none. */
#define MAX_FDS 65536
#ifndef SYS_close_range
#define SYS_close_range 436	/* in headers of Linux before 5.9; the same number everywhere */
#endif

static bool close_from_to(int first, int last)
{
	/* Not every C library has a function for this call. */
	return first > last || syscall(SYS_close_range, (unsigned)first, (unsigned)last, 0) == 0;
}

static bool close_ranges(int low, int high)
{
	return close_from_to(0, low - 1) && close_from_to(low + 1, high - 1) &&
		close_from_to(high + 1, INT_MAX);
}

/* The kernel lists descriptors by number, so closing the ones that are listed skips none. */
static bool close_listed(int low, int high)
{
	DIR *folder = opendir("/proc/self/fd");
	const struct dirent *e;

	if (!folder)
		return false;
	while ((e = readdir(folder))) {
		int fd = atoi(e->d_name);

		if (isdigit((unsigned char)*e->d_name) && fd != low && fd != high && fd != dirfd(folder))
			close(fd);
	}
	closedir(folder);
	return true;
}

/* There is no close_range() before Linux 5.9 and under some filters of system calls. */
static void close_others(int a, int b)
{
	if (a > b)
		close_others(b, a);
	else if (!close_ranges(a, b) && !close_listed(a, b)) {
		for (int fd = 0; fd < MAX_FDS; fd++)
			if (fd != a && fd != b)
				close(fd);
	}
}

void detached_begin(const char *name, int fd, int other)
{
	static const int ignored[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGPIPE };

	for (size_t i = 0; i < ARRAY_LEN(ignored); i++)
		signal(ignored[i], SIG_IGN);
	setsid();
	prctl(PR_SET_NAME, name);
	close_others(fd, other < 0 ? fd : other);
}

static struct {
	pid_t *pids;
	size_t n, cap;
} left;

void detached_leave(pid_t pid)
{
	left.pids = array_grow(left.pids, left.n, &left.cap, sizeof(*left.pids));
	left.pids[left.n++] = pid;
}

void detached_reap(void)
{
	for (size_t i = left.n; i-- > 0;)
		if (waitpid(left.pids[i], NULL, WNOHANG) != 0)
			left.pids[i] = left.pids[--left.n];
}
