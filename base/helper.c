/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts helper programs, reads their lines, and ends them. */
#include "config.h"

#include "base/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define END_WAIT_MS 200		/* a killed process that does not hang is gone sooner */
#define END_TURN_MS 1

extern char **environ;

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* No signal is blocked, because our loop blocks some. */
int spawn_program(const struct spawn *how, const char *file, char *const argv[], pid_t *pid)
{
	short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none;

	sigemptyset(&none);
	posix_spawn_file_actions_init(&files);
	for (int i = 0; i < SPAWN_FILES; i++)
		if (how->fd[i] == SPAWN_NULL)
			posix_spawn_file_actions_addopen(
				&files, i, "/dev/null", i ? O_WRONLY : O_RDONLY, 0);
		else if (how->fd[i] != SPAWN_SAME)
			posix_spawn_file_actions_adddup2(&files, how->fd[i], i);
	posix_spawnattr_init(&attr);
	if (how->own_group)
		flags |= POSIX_SPAWN_SETPGROUP;
	posix_spawnattr_setflags(&attr, flags);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &how->defaults);
	int result = posix_spawnp(pid, file, &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return result;
}

bool helper_open(struct helper *h, struct err *err)
{
	int output[2];

	*h = (struct helper){ .output = -1, .write_end = -1, .input = -1, .error = -1 };
	if (pipe2(output, O_CLOEXEC) != 0)
		return err_sys(err, "cannot make a pipe");
	fcntl(output[0], F_SETFL, O_NONBLOCK);
	h->output = output[0];
	h->write_end = output[1];
	return true;
}

static void program_path(const char *program, char *buf, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", buf, size - 1);

	buf[len > 0 ? len : 0] = '\0';
	char *slash = strrchr(buf, '/');
	if (slash && (size_t)(slash - buf) + strlen(program) + 2 <= size) {
		snprintf(slash + 1, size - (size_t)(slash + 1 - buf), "%s", program);
		if (access(buf, X_OK) == 0)
			return;
	}
	snprintf(buf, size, "%s/%s", PKGLIBEXECDIR, program);
}

bool helper_start(struct helper *h, char *const argv[], struct err *err)
{
	int input[2] = { -1, -1 }, error[2] = { -1, -1 }, result = 0;
	char path[PATH_MAX];
	struct spawn how;

	program_path(argv[0], path, sizeof(path));
	if (pipe2(input, O_CLOEXEC) != 0 || pipe2(error, O_CLOEXEC) != 0)
		result = errno;
	how = (struct spawn){ .fd = { input[0], h->write_end, error[1], SPAWN_SAME },
		.own_group = true };
	if (!result)
		result = spawn_program(&how, path, argv, &h->pid);
	close_fd(&h->write_end);
	close_fd(&input[0]);
	close_fd(&error[1]);
	h->input = input[1];
	fcntl(h->input, F_SETFL, O_NONBLOCK);
	h->error = error[0];
	if (h->error >= 0)
		fcntl(h->error, F_SETFL, O_NONBLOCK);
	if (!result)
		return true;
	h->pid = 0;
	err_set(err, ERR_SYS, "cannot start '%s': %s", path, strerror(result));
	return err_hint(err, "%s", "install the whole of rooftop");
}

/* Keeps the last line of what it says to standard error. */
static void drain_error(struct helper *h)
{
	char buf[512];
	ssize_t n;

	while (h->error >= 0 && (n = read(h->error, buf, sizeof(buf) - 1)) > 0) {
		char *end = buf + n, *start = buf, *newline;

		while (end > buf && (end[-1] == '\n' || end[-1] == '\r'))
			end--;
		*end = '\0';
		newline = strrchr(buf, '\n');
		if (newline)
			start = newline + 1;
		if (*start)
			snprintf(h->said, sizeof(h->said), "%.150s", start);
	}
}

bool helper_lines(struct helper *h, void (*take)(void *ctx, const char *line), void *ctx)
{
	for (;;) {
		drain_error(h);
		ssize_t n = read(h->output, h->line + h->len, sizeof(h->line) - 1 - h->len);
		char *newline;

		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return true;
		if (n <= 0)
			break;
		h->len += (size_t)n;
		h->line[h->len] = '\0';
		while ((newline = memchr(h->line, '\n', h->len))) {
			*newline = '\0';
			take(ctx, h->line);
			h->len -= (size_t)(newline + 1 - h->line);
			memmove(h->line, newline + 1, h->len + 1);
		}
		if (h->len == sizeof(h->line) - 1)
			h->len = 0;
	}
	drain_error(h);
	return false;
}

void helper_set_period(struct helper *h, int period_ms)
{
	if (h->input >= 0)
		dprintf(h->input, "%d\n", period_ms);
}

/* Helpers only read, so nothing is lost by ending them at once. */
static void end_process(pid_t pid)
{
	const struct timespec turn = { .tv_nsec = END_TURN_MS * NS_PER_MS };

	kill(pid, SIGKILL);
	for (int i = 0; i < END_WAIT_MS / END_TURN_MS; i++) {
		if (waitpid(pid, NULL, WNOHANG) != 0)
			return;
		nanosleep(&turn, NULL);
	}
	detached_leave(pid);
}

void helper_close(struct helper *h)
{
	detached_reap();
	close_fd(&h->input);
	close_fd(&h->error);
	close_fd(&h->write_end);
	close_fd(&h->output);
	if (h->pid > 0)
		end_process(h->pid);
	h->pid = 0;
	h->len = 0;
}
