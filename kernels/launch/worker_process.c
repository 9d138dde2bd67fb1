/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starting, watching and ending the worker's process. */
#include "config.h"

#include "kernels/launch/worker_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/helper.h"

#define KILL_WAIT_MS 1000

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Where the child gets the ends from: above the numbers that it will have, so that no dup2 of
 * theirs overwrites another. */
static int move_up(int fd)
{
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, SPAWN_FILES);

	close(fd);
	return moved;
}

/* How many processes the kernel has ended because memory ran out; 0 where it does not say. */
static uint64_t count_oom_kills(void)
{
	static const char key[] = "\noom_kill ";
	char *text = file_read_all("/proc/vmstat", 1 << 20, NULL, NULL);
	const char *line = text ? strstr(text, key) : NULL;
	uint64_t n = 0;

	if (line)
		n = strtoull(line + strlen(key), NULL, 10);
	free(text);
	return n;
}

bool child_ran_out_of_memory(const struct child *c, int status)
{
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL &&
		count_oom_kills() > c->oom_kills;
}

bool child_start(struct child *c, const char *const argv[], struct err *err)
{
	int sockets[2] = { -1, -1 }, errors[2] = { -1, -1 };
	struct child made = CHILD_NONE;
	struct spawn how;
	bool good = false;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) < 0 ||
		pipe2(errors, O_CLOEXEC) < 0) {
		err_sys(err, "cannot make the channels to the worker");
		goto out;
	}
	sockets[1] = move_up(sockets[1]);
	errors[1] = move_up(errors[1]);
	if (sockets[1] < 0 || errors[1] < 0) {
		err_sys(err, "cannot make the channels to the worker");
		goto out;
	}
	made.oom_kills = count_oom_kills();
	how = (struct spawn){ .fd = { SPAWN_NULL, SPAWN_NULL, errors[1], sockets[1] },
		.own_group = true };
	sigfillset(&how.defaults);
	errno = spawn_program(&how, argv[0], (char *const *)argv, &made.pid);
	if (errno) {
		err_sys(err, "cannot start '%.200s'", argv[0]);
		goto out;
	}
	fcntl(sockets[0], F_SETFL, O_NONBLOCK);
	fcntl(errors[0], F_SETFL, O_NONBLOCK);
	made.pidfd = (int)syscall(SYS_pidfd_open, made.pid, 0);
	made.socket = sockets[0];
	made.errors = errors[0];
	sockets[0] = errors[0] = -1;
	*c = made;
	good = true;
out:
	for (int i = 0; i < 2; i++) {
		close_fd(&sockets[i]);
		close_fd(&errors[i]);
	}
	return good;
}

bool child_reap(struct child *c, int *status)
{
	struct rusage used = { 0 };
	pid_t got;

	if (!c->pid)
		return false;
	do {
		got = wait4(c->pid, status, WNOHANG, &used);
	} while (got < 0 && errno == EINTR);
	if (got == 0)
		return false;
	if (got < 0)
		*status = 0;	/* somebody else has reaped it */
	c->peak_bytes = (uint64_t)used.ru_maxrss * 1024;
	c->pid = 0;
	close_fd(&c->pidfd);
	return true;
}

void child_signal(const struct child *c, int signo)
{
	if (c->pid)
		kill(-c->pid, signo);
}

void child_end(struct child *c)
{
	int status;

	close_fd(&c->socket);
	close_fd(&c->errors);
	if (!child_reap(c, &status) && c->pid) {
		struct pollfd p = { .fd = c->pidfd, .events = POLLIN };

		child_signal(c, SIGKILL);
		/* One that a driver holds in the kernel is left to init rather than waited for. */
		if (c->pidfd >= 0)
			poll(&p, 1, KILL_WAIT_MS);
		else
			usleep(KILL_WAIT_MS * 1000);
		child_reap(c, &status);
	}
	close_fd(&c->pidfd);
	c->pid = 0;
}
