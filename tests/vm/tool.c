/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a shell in a machine of tests/vm/run cannot do:
 * tool as UID [perfmon] COMMAND...: as this user, with no capability or with CAP_PERFMON alone;
 * tool spin: works for ever; tool turns N: a loop of N turns, and ends;
 * tool count CPU MS: "CYCLES INSTRUCTIONS NS" of a CPU meanwhile, by perf events of its own;
 * tool task COMMAND...: "CYCLES INSTRUCTIONS" of a command in user mode;
 * tool map FILE: whether the first page can be mapped. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PERFMON 38	/* CAP_PERFMON, Linux 5.8 */

static int die(const char *what)
{
	fprintf(stderr, "tool: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* capset(2) and PR_CAP_AMBIENT; the kernel takes everything else away when the user changes. */
static void keep_perfmon(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };

	data[PERFMON / 32].effective = 1u << PERFMON % 32;
	data[PERFMON / 32].permitted = 1u << PERFMON % 32;
	data[PERFMON / 32].inheritable = 1u << PERFMON % 32;
	if (syscall(SYS_capset, &head, data) != 0)
		die("capset");
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, PERFMON, 0, 0) != 0)
		die("ambient capabilities");
}

static int as(char **argv)
{
	int perfmon = argv[1] && !strcmp(argv[1], "perfmon");
	uid_t user = (uid_t)atoi(argv[0]);

	prctl(PR_SET_KEEPCAPS, perfmon);
	if (setgroups(0, NULL) != 0 || setresgid(user, user, user) != 0 ||
		setresuid(user, user, user) != 0)
		die("user");
	if (perfmon)
		keep_perfmon();
	execvp(argv[1 + perfmon], argv + 1 + perfmon);
	return die(argv[1 + perfmon]);
}

/* Empty turns; the compiler may not leave them out. */
static void turn(uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		__asm__ volatile("" : : : "memory");
}

static int counter(uint64_t config, pid_t pid, int cpu, int group)
{
	struct perf_event_attr a = { .type = PERF_TYPE_HARDWARE, .size = sizeof(a), .config = config };
	int fd;

	a.exclude_kernel = pid > 0;
	a.exclude_hv = pid > 0;
	a.enable_on_exec = pid > 0;
	a.disabled = 1;
	fd = (int)syscall(SYS_perf_event_open, &a, pid, cpu, group, 0);
	if (fd < 0)
		die("perf_event_open");
	return fd;
}

static uint64_t value_of(int fd)
{
	uint64_t value = 0;

	if (read(fd, &value, sizeof(value)) != (ssize_t)sizeof(value))
		die("read");
	return value;
}

static int count(int cpu, long ms)
{
	int cycles = counter(PERF_COUNT_HW_CPU_CYCLES, -1, cpu, -1);
	int instructions = counter(PERF_COUNT_HW_INSTRUCTIONS, -1, cpu, cycles);
	struct timespec a, b;

	clock_gettime(CLOCK_MONOTONIC, &a);
	ioctl(cycles, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	usleep((useconds_t)ms * 1000);
	ioctl(cycles, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("%llu %llu %lld\n", (unsigned long long)value_of(cycles),
		(unsigned long long)value_of(instructions),
		(b.tv_sec - a.tv_sec) * 1000000000LL + b.tv_nsec - a.tv_nsec);
	return 0;
}

static int task(char **argv)
{
	int go[2], cycles, instructions, status;
	char byte = 0;
	pid_t child;

	if (pipe2(go, O_CLOEXEC) != 0)
		die("pipe");
	child = fork();
	if (child == 0) {
		if (read(go[0], &byte, 1) == 1)
			execvp(argv[0], argv);
		_exit(127);
	}
	cycles = counter(PERF_COUNT_HW_CPU_CYCLES, child, -1, -1);
	instructions = counter(PERF_COUNT_HW_INSTRUCTIONS, child, -1, -1);
	if (write(go[1], &byte, 1) != 1 || waitpid(child, &status, 0) != child)
		die("child");
	printf("%llu %llu\n", (unsigned long long)value_of(cycles),
		(unsigned long long)value_of(instructions));
	return status != 0;
}

static int map(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return printf("open: %s\n", strerror(errno)) < 0;
	if (mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
		return printf("mmap: %s\n", strerror(errno)) < 0;
	return printf("mapped\n") < 0;
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";

	if (!strcmp(word, "as") && argc > 3)
		return as(argv + 2);
	if (!strcmp(word, "spin"))
		for (;;)
			turn(1000000);
	if (!strcmp(word, "turns") && argc == 3)
		return turn(strtoull(argv[2], NULL, 10)), 0;
	if (!strcmp(word, "count") && argc == 4)
		return count(atoi(argv[2]), atol(argv[3]));
	if (!strcmp(word, "task") && argc > 2)
		return task(argv + 2);
	if (!strcmp(word, "map") && argc == 3)
		return map(argv[2]);
	fprintf(stderr, "usage: tool as|spin|turns|count|task|map ...\n");
	return 2;
}
