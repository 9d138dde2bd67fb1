/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a test wants of all calls into drivers. The file "calls" of the tree says it, in one line:
 *
 * told: the log has a line "call CALL REQUEST FILE" for each.
 * block CALL REQUEST HOW FILE: calls of that kind are held (REQUEST in hex, 0 for those that are no ioctl; FILE is a part of the name, or *)
 * while the line stands there: HOW is soft for a sleep that a signal ends, and hard for one that none does, as in a driver that waits
 * for its hardware. The log says "blocked CALL PROCESS THREAD", and "interrupted CALL" when a signal has ended it.
 * fail CALL REQUEST ERRNO FROM TO FILE: the calls of that kind from the FROMth to the TOth of a process fail so.
 * every N CALL ERRNO FILE: each Nth call of that kind fails so. poll is one, too. The log says "unkind: CALL".
 * faults SEED PER_MILLE: so many calls fail, with the errors that the kernel has for their kind; some are followed by a reset of the GPU, and
 * for some turns the card falls off the bus (unplugged). All of it follows from the seed and from what the program does. */
#include "config.h"

#include "tests/fakekernel/fake.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAX_MAPS 64
#define RESET_PER_MILLE 4
#define GONE_PER_MILLE 2
#define MOST_GONE_CALLS 60

static struct {
	void *address;
	char path[128];
} maps[MAX_MAPS];

/* --- failures that a test names --- */

static int errno_by_name(const char *name, size_t len)
{
	static const struct {
		const char *name;
		int value;
	} names[] = { { "E2BIG", E2BIG }, { "EACCES", EACCES }, { "EAGAIN", EAGAIN }, { "EBUSY", EBUSY }, { "EFAULT", EFAULT },
		{ "EHWPOISON", EHWPOISON }, { "EINTR", EINTR }, { "EINVAL", EINVAL }, { "EIO", EIO },
		{ "EMFILE", EMFILE }, { "ENODATA", ENODATA }, { "ENODEV", ENODEV }, { "ENOENT", ENOENT },
		{ "ENOMEM", ENOMEM }, { "ENOSPC", ENOSPC }, { "ENOSYS", ENOSYS }, { "ENOTSUPP", 524 },
		{ "ENOTTY", ENOTTY }, { "ENXIO", ENXIO }, { "EOPNOTSUPP", EOPNOTSUPP }, { "EPERM", EPERM },
		{ "EREMOTEIO", EREMOTEIO }, { "ETIME", ETIME }, { "ETIMEDOUT", ETIMEDOUT } };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i].name) == len && !strncmp(names[i].name, name, len))
			return names[i].value;
	return -1;	/* "lost" and "buffer" have none */
}

int fake_fails(const char *point)
{
	static struct {
		char name[16];
		int calls;
	} counts[32];
	const char *word = getenv("FAKEKERNEL_FAIL");
	size_t len = strlen(point);
	int i = 0;

	while (i < 31 && counts[i].name[0] && strcmp(counts[i].name, point))
		i++;
	snprintf(counts[i].name, sizeof(counts[i].name), "%s", point);
	counts[i].calls++;
	for (; word && *word; word += strcspn(word, " ") + (word[strcspn(word, " ")] == ' ')) {
		const char *at = word + strcspn(word, "@ ");
		int from = *at == '@' ? atoi(at + 1) : 1, to = INT_MAX;

		if (strncmp(word, point, len) || !strchr("=@ ", word[len]))
			continue;
		if (*at == '@' && at[1 + strspn(at + 1, "0123456789")] == '-')
			to = atoi(at + 2 + strspn(at + 1, "0123456789"));
		if (word[len] == '=')
			return counts[i].calls >= from && counts[i].calls <= to
				? errno_by_name(word + len + 1, (size_t)(at - word) - len - 1)
				: 0;
		return counts[i].calls == from ? -1 : 0;
	}
	return 0;
}

/* --- faults --- */

static uint64_t state;		/* of xorshift64; 0: not begun */
static unsigned gone_calls;	/* how many more find the card gone */

static uint64_t next_random(uint64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % n;
}

static void write_tree(const char *file, long number)
{
	char path[PATH_MAX], text[32];

	snprintf(path, sizeof(path), "%s/%s", fake_root(), file);
	int fd = real_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644),
	    len = snprintf(text, sizeof(text), "%ld\n", number);
	if (fd >= 0 && syscall(SYS_write, fd, text, len) == len)
		real_close(fd);
}

/* What each call may say: open(2), read(2), mmap(2), close(2), perf_event_open(2); ioctls of i915_perf.c, xe_oa.c, and drm_ioctl.c, which
 * answers ENODEV once a card is unplugged. */
static int error_of(const char *call)
{
	static const struct {
		const char *call;
		int errors[8], n;
	} kinds[] = {
		{ "open", { ENODEV, EACCES, EMFILE, EBUSY, EIO, ENOMEM }, 6 },
		{ "read", { EINTR, EIO, EAGAIN, ENODEV, ENOMEM, EBUSY }, 6 },
		{ "ioctl", { EINTR, ENODEV, EIO, ENOMEM, EBUSY, EINVAL, EACCES, ETIME }, 8 },
		{ "mmap", { ENOMEM, ENODEV, EACCES, EAGAIN }, 4 },
		{ "close", { EIO, EINTR }, 2 },
		{ "poll", { EINTR }, 1 },
		{ "perf_event_open", { EMFILE, EBUSY, ENOSPC, EACCES, ENODEV, EINVAL }, 6 },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].call, call))
			return kinds[i].errors[next_random((uint64_t)kinds[i].n)];
	return 0;
}

static bool is_meant(const char *path, const char *file)
{
	return !strcmp(file, "*") || strstr(path, file);
}

static int fails(const char *line, const char *call, unsigned long request, const char *path)
{
	static unsigned made;
	char wanted[32], name[16], file[128];
	unsigned long asked;
	unsigned from, to;

	if (sscanf(line, "fail %31s %lx %15s %u %u %127s", wanted, &asked, name, &from, &to, file) != 6 ||
		strcmp(wanted, call) != 0 || (asked && asked != request) || !is_meant(path, file))
		return 0;
	made++;
	if (made < from || made > to)
		return 0;
	fake_log("failed: %s %lx %s\n", call, request, path);
	return errno_by_name(name, strlen(name));
}

static int every(const char *line, const char *call, const char *path)
{
	static unsigned made;
	char wanted[32], name[16], file[128];
	unsigned n;

	if (sscanf(line, "every %u %31s %15s %127s", &n, wanted, name, file) != 4 || strcmp(wanted, call) != 0 ||
		!is_meant(path, file) || ++made % n)
		return 0;
	fake_log("unkind: %s\n", call);
	return errno_by_name(name, strlen(name));
}

static int fault(const char *line, const char *call, const char *path)
{
	unsigned long seed, per_mille;
	int error = 0;

	if (sscanf(line, "faults %lu %lu", &seed, &per_mille) != 2)
		return 0;
	if (!state)
		state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
	if (gone_calls && --gone_calls == 0)
		write_tree("unplugged", 0);
	if (next_random(1000) < RESET_PER_MILLE) {
		fake_log("fault: reset\n");
		write_tree("gt_resets", fake_tree_number("/gt_resets", 0) + 1);
	}
	if (!gone_calls && next_random(1000) < GONE_PER_MILLE) {
		gone_calls = 1 + (unsigned)next_random(MOST_GONE_CALLS);
		fake_log("fault: gone for %u calls\n", gone_calls);
		write_tree("unplugged", 1);
	}
	if (next_random(1000) < per_mille)
		error = error_of(call);
	if (error)
		fake_log("fault: %s of %s: %s\n", call, path, strerror(error));
	return error;
}

/* --- blocks --- */

/* EINTR where a signal ends it. */
static int block(const char *line, const char *call, unsigned long request, const char *path)
{
	const struct timespec slice = { .tv_nsec = 10000000 };
	char wanted[32], how[16], file[128], now[256];
	unsigned long asked;
	sigset_t all, before;
	int ended = 0;

	if (sscanf(line, "block %31s %lx %15s %127s", wanted, &asked, how, file) != 4 || strcmp(wanted, call) != 0 ||
		asked != request || !is_meant(path, file))
		return 0;
	sigfillset(&all);
	if (!strcmp(how, "hard"))
		pthread_sigmask(SIG_SETMASK, &all, &before);
	fake_log("blocked %s %ld %ld\n", call, syscall(SYS_getpid), syscall(SYS_gettid));
	while (!ended && fake_tree_read("/calls", now, sizeof(now)) && !strcmp(now, line))
		ended = clock_nanosleep(CLOCK_MONOTONIC, 0, &slice, NULL);
	if (!strcmp(how, "hard"))
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (ended)
		fake_log("interrupted %s\n", call);
	return ended;
}

/* --- the calls --- */

/* The name of an open file. Returns true when it is one of the tree, whose folder is left out. */
static bool name_of(int fd, char *buf, size_t size)
{
	char link[64];
	size_t root = strlen(fake_root());

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t len = syscall(SYS_readlinkat, AT_FDCWD, link, buf, size - 1);
	buf[len > 0 ? len : 0] = '\0';
	if (!root || strncmp(buf, fake_root(), root) != 0)
		return false;
	memmove(buf, buf + root, strlen(buf + root) + 1);
	return true;
}

int fake_call(const char *call, unsigned long request, int fd, const char *path)
{
	int before = errno, error;
	char line[256], name[PATH_MAX];
	size_t root = strlen(fake_root());

	if (!root || !fake_tree_read("/calls", line, sizeof(line))) {
		errno = before;
		return 0;
	}
	if (!path)
		name_of(fd, name, sizeof(name));
	else
		snprintf(name, sizeof(name), "%s", path + (strncmp(path, fake_root(), root) ? 0 : root));
	if (!strncmp(name, "socket:", 7))	/* uevents.c: no driver's */
		return 0;
	if (!strcmp(line, "told"))
		fake_log("call %s %lx %s\n", call, request, name);
	error = block(line, call, request, name);
	if (!error)
		error = fails(line, call, request, name);
	if (!error)
		error = every(line, call, name);
	if (!error)
		error = fault(line, call, name);
	errno = error ? error : before;
	return error;
}

bool fake_is_tree_file(int fd)
{
	char name[PATH_MAX];
	int before = errno;
	bool is_asked = *fake_root() && fake_tree_has("/calls");

	errno = before;
	return is_asked && name_of(fd, name, sizeof(name)) && !strncmp(name, "/sys/", 5);
}

void fake_mapped(void *address, int fd)
{
	for (size_t i = 0; i < MAX_MAPS && address != MAP_FAILED; i++)
		if (!maps[i].address || maps[i].address == address) {
			maps[i].address = address;
			name_of(fd, maps[i].path, sizeof(maps[i].path));
			return;
		}
}

void fake_unmapped(const void *address)
{
	for (size_t i = 0; i < MAX_MAPS; i++)
		if (maps[i].address && maps[i].address == address) {
			fake_call("munmap", 0, -1, maps[i].path);
			maps[i].address = NULL;
		}
}
