/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens files that the user names as input, by one rule for files, pipes and devices. */
#include "config.h"

#include "base/fsroot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

/* A pipe that has not ended by then is taken for one that never does. */
#define PIPE_NS (10 * NS_PER_S)
/* The largest file that anybody reads is Intel's XML, of 64 MB. */
#define PIPE_MAX_BYTES (64 << 20)
#define PIPES_MAX 8

/* A pipe tells what it has once, and its content is asked for by several readers: the check of the
 * command line, and each device. What it told therefore stays in memory until the program ends. */
static struct {
	char *path;
	int fd;
} pipes[PIPES_MAX];
static int n_pipes;

/* Waits for bytes, and copies them. */
static bool copy_some(int from, int to, int64_t until_ns, uint64_t *bytes, bool *ended)
{
	struct pollfd p = { .fd = from, .events = POLLIN };
	int64_t left_ns = until_ns - clock_machine_ns();
	char buf[65536];

	if (left_ns <= 0 || *bytes > PIPE_MAX_BYTES) {
		errno = left_ns <= 0 ? ETIMEDOUT : EFBIG;
		return false;
	}
	if (poll(&p, 1, (int)(left_ns / NS_PER_MS) + 1) <= 0)
		return true;
	ssize_t n = read(from, buf, sizeof(buf));
	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	*ended = n == 0;
	*bytes += (uint64_t)n;
	for (ssize_t done = 0, w; done < n; done += w) {
		w = write(to, buf + done, (size_t)(n - done));
		if (w < 0)
			return false;
	}
	return true;
}

static bool copy_pipe(const char *path, int from, int to, struct err *err)
{
	int64_t until_ns = clock_machine_ns() + PIPE_NS;
	uint64_t bytes = 0;
	bool good = true, ended = false;

	while (good && !ended)
		good = copy_some(from, to, until_ns, &bytes, &ended);
	if (!good && errno == ETIMEDOUT)
		return err_set(err, ERR_PARSE, "the pipe '%s' has not ended after %d seconds",
			path, (int)(PIPE_NS / NS_PER_S));
	if (!good && errno == EFBIG)
		return err_set(err, ERR_PARSE, "the pipe '%s' is longer than %d MB", path,
			PIPE_MAX_BYTES >> 20);
	if (!good)
		return err_sys(err, "cannot read '%s'", path);
	return bytes > 0 || err_set(err, ERR_PARSE, "the pipe '%s' is empty", path);
}

/* Returns a descriptor of what the pipe has told, and closes the pipe. */
static int keep_pipe(const char *path, int from, struct err *err)
{
	int to = -1;

	if (n_pipes == PIPES_MAX)
		err_set(err, ERR_USAGE, "'%s' is one pipe too many", path);
	else
		to = memfd_create("rooftop-pipe", MFD_CLOEXEC);
	if (to < 0 && n_pipes < PIPES_MAX)
		err_sys(err, "cannot read '%s'", path);
	bool good = to >= 0 && copy_pipe(path, from, to, err);
	close(from);
	if (good) {
		pipes[n_pipes].path = xstrdup(path);
		pipes[n_pipes++].fd = to;
	} else {
		if (to >= 0)
			close(to);
		to = -1;
	}
	return to;
}

/* Each reader begins at the start and closes its own descriptor. */
static int pipe_again(const char *path, int fd, struct err *err)
{
	int again = fcntl(fd, F_DUPFD_CLOEXEC, 3);

	if (again < 0 || lseek(again, 0, SEEK_SET) < 0)
		err_sys(err, "cannot read '%s'", path);
	return again;
}

int file_open_input(const char *path, struct err *err)
{
	struct stat st;

	for (int i = 0; i < n_pipes; i++)
		if (!strcmp(pipes[i].path, path))
			return pipe_again(path, pipes[i].fd, err);
	/* O_NONBLOCK: a file such as /proc/kmsg, which waits for news, fails instead of waiting. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st) < 0) {
		bool is_missing = errno == ENOENT;

		err_sys(err, "cannot open '%s'", path);
		if (is_missing)
			err_hint(err, "a name without / at its start is one of this folder; ls shows what a folder has");
		goto fail;
	}
	if (S_ISFIFO(st.st_mode)) {
		fd = keep_pipe(path, fd, err);
		return fd < 0 ? fd : pipe_again(path, fd, err);
	}
	if (S_ISREG(st.st_mode) || (S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3)))
		return fd;
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		err_sys(err, "cannot read '%s'", path);
	} else {
		err_set(err, ERR_PARSE, "'%s' is neither a file nor a pipe", path);
		err_hint(err, "copy what it has into a file first");
	}
fail:
	if (fd >= 0)
		close(fd);
	return -1;
}
