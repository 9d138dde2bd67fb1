/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that are watched: how one is named, and that a process which is forked off meanwhile goes on by itself. */
#include "config.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/call_watch.h"
#include "base/ending.h"
#include "tests/tap.h"

#define HANGS_S 300

static char said[512];
static sem_t is_said, goes_on;

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 }, NULL);
}

/* The watcher holds its lock meanwhile, long enough for a fork. */
static void say(const char *line)
{
	snprintf(said, sizeof(said), "%.*s", (int)strcspn(line, "0123456789"), line);
	sem_post(&is_said);
	pause_ms(300);
}

static void call(const char *name, const char *path)
{
	call_begin(name, path, -1);
	sem_wait(&goes_on);
	call_end();
}

static const struct {
	const char *path, *want;
} rows[] = {
	{ "/dev/dri/renderD", "waiting for open on /dev/dri/renderD for " },
	{ "", "waiting for open for " },
};

static void *calls_of_first_thread(void *arg)
{
	(void)arg;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		call("open", rows[i].path);
	return NULL;
}

static int status_of(pid_t pid)
{
	int status = 0;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* The calls are a thread's that is no more than that, so that the test can fork while the watcher speaks. */
static void test_call(const char *path, const char *want)
{
	while (sem_trywait(&is_said) == 0)
		;
	sem_wait(&is_said);
	pid_t pid = fork();
	if (pid == 0) {
		alarm(HANGS_S);
		call_begin("close", path, -1);
		call_end();
		_exit(7);
	}
	int status = status_of(pid);
	is_str(said, want, "a call on '%s' is named", path);
	is_int(status, 7,
		"  ... and a process that is forked off while it is can make calls");
	sem_post(&goes_on);
}

/* A poll() that does not return though a timer is ready, as a driver among its files keeps it. */
static void *held_poll(void *arg)
{
	struct pollfd fds[] = { { .fd = eventfd(1, EFD_CLOEXEC) }, { .fd = *(int *)arg, .events = POLLIN } };

	call_poll(fds, 1, 2, 1000 * HANGS_S);
	close(fds[0].fd);
	return NULL;
}

static void test_held_poll(void)
{
	int driver = eventfd(0, EFD_CLOEXEC);
	pthread_t thread;

	while (sem_trywait(&is_said) == 0)
		;
	pthread_create(&thread, NULL, held_poll, &driver);
	sem_wait(&is_said);
	is_str(said, "waiting for poll for ", "a poll() that a driver holds is named by itself");
	eventfd_write(driver, 1);
	/* Between two of them nothing is held, however long that takes. */
	pause_ms(1500);
	pthread_join(thread, NULL);
	close(driver);
}

/* Reads and writes a byte at a place of a file's memory that is not there any more. */
static int read_behind_end(bool by_driver)
{
	int fd = memfd_create("card", MFD_CLOEXEC);
	pid_t pid = ftruncate(fd, 1 << 20) == 0 ? fork() : -1;

	if (pid == 0) {
		alarm(HANGS_S);
		driver_watch_faults();
		volatile unsigned char *map = driver_map(fd, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
		if (!map || ftruncate(fd, 0) != 0)
			_exit(1);
		if (!by_driver)
			driver_unmapped((const void *)(uintptr_t)map);
		map[5000] = 3;
		_exit(map[5000] == 3 && map[5001] == 0xff && map[1000] == 0xff ? 7 : 2);
	}
	close(fd);
	return status_of(pid);
}

/* Whoever sends the signal means the program, whatever memory there is. */
static int is_sent_sigbus(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		driver_watch_faults();
		kill(getpid(), SIGBUS);
		_exit(3);
	}
	return status_of(pid);
}

/* A process that was forked off while the watcher rests has other files by the numbers of the watcher's. Returns what was
 * written to them. */
static long written_by_fork(void)
{
	int fds[2] = { -1, -1 };
	char bytes[64];
	pid_t pid = pipe(fds) == 0 ? fork() : -1;

	if (pid == 0) {
		alarm(HANGS_S);
		call_begin("open", "", -1);
		call_end();
		pause_ms(300);
		pid = fork();
		for (int fd = 0; pid == 0 && fd < 32; fd++)
			if (fd != fds[1])
				dup2(fds[1], fd);
		if (pid == 0) {
			call_begin("close", "", -1);
			call_end();
			_exit(7);
		}
		_exit(status_of(pid));
	}
	close(fds[1]);
	int status = status_of(pid);
	ssize_t n = read(fds[0], bytes, sizeof(bytes));
	close(fds[0]);
	return status == 7 ? n : -1;
}

/* Who has passed a signal on, as "run" does, waits for its command as long as that takes. */
static pid_t waits_behind_signal(void)
{
	struct pollfd nothing = { .fd = eventfd(0, EFD_CLOEXEC), .events = POLLIN };
	pid_t pid = fork();

	if (pid == 0) {
		signal(SIGTERM, SIG_DFL);
		call_begin("open", "", -1);
		call_end();
		ending_take(SIGTERM);
		_exit(call_poll(&nothing, 1, 1, 2000) == 0 ? 7 : 1);
	}
	close(nothing.fd);
	return pid;
}

int main(void)
{
	pthread_t thread;
	pid_t waits = waits_behind_signal();

	/* What ends a program by default is asked: a sanitizer has a handler of its own there. */
	signal(SIGBUS, SIG_DFL);
	is_int(is_sent_sigbus(), -SIGBUS, "SIGBUS that somebody sends ends the program");
	is_int(written_by_fork(), 0, "calls of a process that was forked off write nothing to its files");

	is_int(read_behind_end(true), 7, "memory of a driver that is taken away reads as all ones");
	is_int(read_behind_end(false), -SIGBUS, "  ... and what is no driver's ends the program as ever");

	sem_init(&is_said, 0, 0);
	sem_init(&goes_on, 0, 0);
	call_watch_terminal(say, NULL);
	pthread_create(&thread, NULL, calls_of_first_thread, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		test_call(rows[i].path, rows[i].want);
	pthread_join(thread, NULL);
	test_held_poll();
	call_watch_terminal(NULL, NULL);
	is_int(status_of(waits), 7, "a signal that was passed on cuts no wait short");
	return done_testing();
}
