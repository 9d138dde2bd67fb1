/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of /proc that a tree may have of its own (otherwise they are the machine's), and files that
 * count: a file F beside a file .F.moves "START PER_SECOND RANGE UPDATE_US" reads as START plus
 * what has come since .F.moves was written, modulo RANGE, changing every UPDATE_US. Energy in
 * powercap and hwmon is made of these. "after US FIRST THEN" reads as a word until so long has passed since the program
 * looked at such a file first, and as another one from then on: however slowly a busy machine starts it. /proc/.stat.moves "CPUS BUSY": so many processors that work so much of
 * each second. */
#include "config.h"

#include "tests/fakekernel/fake.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The file that tells how path moves; path is as programs name it. */
static bool description(const char *path, char *buf, size_t size)
{
	const char *name = strrchr(path, '/');

	return name &&
		snprintf(buf, size, "%.*s/.%s.moves", (int)(name - path), path, name + 1) <
		(int)size;
}

static double age_us(const char *tree_path)
{
	char full[PATH_MAX + 256];
	struct timespec now;
	struct stat st;

	snprintf(full, sizeof(full), "%s%s", fake_root(), tree_path);
	clock_gettime(CLOCK_REALTIME, &now);
	if (syscall(SYS_newfstatat, AT_FDCWD, full, &st, 0) != 0)
		return 0;
	return (double)(now.tv_sec - st.st_mtim.tv_sec) * 1e6 +
		(double)(now.tv_nsec - st.st_mtim.tv_nsec) / 1e3;
}

static double watched_us(void)
{
	static double begin_us;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	double now_us = (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
	if (begin_us <= 0)
		begin_us = now_us;
	return now_us - begin_us;
}

/* What time was spent on, in ticks of 10 ms. */
static bool open_stat(int *fd)
{
	char moves[64], text[1024];
	int cpus, len = 0;
	double busy;

	if (!fake_tree_read("/proc/.stat.moves", moves, sizeof(moves)) || sscanf(moves, "%d %lf", &cpus, &busy) != 2)
		return false;
	uint64_t all = (uint64_t)(age_us("/proc/.stat.moves") / 1e4) + 1000;
	uint64_t used = (uint64_t)(busy * (double)all);

	for (int cpu = -1; cpu < cpus && len < (int)sizeof(text) - 100; cpu++) {
		uint64_t n = cpu < 0 ? (uint64_t)cpus : 1;

		len += snprintf(text + len, sizeof(text) - (size_t)len, cpu < 0 ? "cpu " : "cpu%d", cpu);
		len += snprintf(text + len, sizeof(text) - (size_t)len, " %" PRIu64 " 0 0 %" PRIu64 " 0 0 0 0 0 0\n", n * used,
			n * (all - used));
	}
	*fd = fake_text_file(text, (size_t)len);
	return true;
}

/* Of the tree where it has one. */
static bool open_own(const char *path, int flags, int *fd)
{
	static const char *const files[] = { "/proc/cpuinfo", "/proc/stat" };
	char full[PATH_MAX];

	if (strcmp(path, "/proc/stat") == 0 && open_stat(fd))
		return true;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (strcmp(path, files[i]) != 0)
			continue;
		snprintf(full, sizeof(full), "%s%s", fake_root(), path);
		*fd = real_open(full, flags, 0);
		return *fd >= 0;
	}
	return false;
}

/* A process without privileges may read what everybody may, even if root runs the test. */
static bool may_read(const char *path)
{
	const char *perfmon = getenv("FAKEKERNEL_PERFMON");
	char full[PATH_MAX + 256];
	struct stat st;

	if (!perfmon || strcmp(perfmon, "0") != 0)
		return true;
	snprintf(full, sizeof(full), "%s%s", fake_root(), path);
	return syscall(SYS_newfstatat, AT_FDCWD, full, &st, 0) == 0 && st.st_mode & S_IROTH;
}

static bool on_open(const char *path, int flags, int *fd)
{
	char moves[PATH_MAX], text[128], words[2][32];
	uint64_t start, range;
	double per_s, update_us, until_us;
	int len;

	if (open_own(path, flags, fd))
		return true;
	if (strncmp(path, "/sys/", 5) != 0 || (flags & O_ACCMODE) != O_RDONLY ||
		!description(path, moves, sizeof(moves)))
		return false;
	if (!fake_tree_read(moves, text, sizeof(text)))
		return false;
	if (sscanf(text, "after %lf %31s %31s", &until_us, words[0], words[1]) == 3) {
		len = snprintf(text, sizeof(text), "%s\n", words[watched_us() >= until_us]);
		*fd = fake_text_file(text, (size_t)len);
		return true;
	}
	if (sscanf(text, "%" SCNu64 " %lf %" SCNu64 " %lf", &start, &per_s, &range,
			&update_us) != 4)
		return false;
	if (!may_read(path)) {
		errno = EACCES;
		*fd = -1;
		return true;
	}
	fake_dawdle_at(path);
	start += (uint64_t)(per_s * (double)(uint64_t)(age_us(moves) / update_us) * update_us /
		1e6);
	len = snprintf(text, sizeof(text), "%" PRIu64 "\n", range ? start % range : start);
	*fd = fake_text_file(text, (size_t)len);
	return true;
}

static const char *const folders[] = { "/sys", "/sys/fs/resctrl", NULL };

const struct fake_driver fake_moving = {
	.name = "moving",
	.folders = folders,
	.open = on_open,
};
