/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An LD_PRELOAD object that makes system calls and allocations of a program fail, at one call or now and then.
 *
 * $FAULTS: words "CALL:WHAT:N" (the Nth call), "CALL:WHAT:N+" (from the Nth on) or "CALL:WHAT:/N" (each Nth). CALL: malloc, read, write, open,
 * poll, mmap, ioctl, fork, socket (also accept and socketpair), spawn, rename, clock. WHAT: a number of errno; "short" (read and write: one byte); for clock "back" and "ahead" (CLOCK_REALTIME jumps
 * by a day, each call, in turns with the truth). $FAULTS_COUNT: a file that gets the number of calls of each kind at the end, and how many
 * bytes were allocated when it was most ("most"). */
#include "config.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum call {
	MALLOC,
	READ,
	WRITE,
	OPEN,
	POLL,
	MMAP,
	IOCTL,
	FORK,
	SOCKET,
	SPAWN,
	RENAME,
	CLOCK,
	CALLS
};

static const char *const names[CALLS] = { "malloc", "read", "write", "open", "poll", "mmap",
	"ioctl", "fork", "socket", "spawn", "rename", "clock" };

enum { SHORT = -1, BACK = -2, AHEAD = -3 };

static struct {
	int what;		/* 0: nothing fails; errno, or one of the above */
	unsigned long from, every;
	bool on;		/* from that one on */
	unsigned long calls;
} faults[CALLS];
static bool ready;
static size_t held, most;

EXPORT int ioctl(int fd, unsigned long request, ...);
EXPORT void *__libc_malloc(size_t size);
EXPORT void *__libc_calloc(size_t n, size_t size);
EXPORT void *__libc_realloc(void *p, size_t size);
EXPORT void __libc_free(void *p);
EXPORT int open64(const char *path, int flags, ...);
EXPORT int openat64(int dir, const char *path, int flags, ...);
EXPORT void *mmap64(void *addr, size_t length, int prot, int flags, int fd, off64_t offset);

static void parse(const char *word)
{
	for (int c = 0; c < CALLS; c++) {
		size_t len = strlen(names[c]);
		const char *what = word + len + 1, *n;

		if (strncmp(word, names[c], len) || word[len] != ':' || !(n = strchr(what, ':')))
			continue;
		n++;
		faults[c].what = !strncmp(what, "short", 5) ? SHORT
			: !strncmp(what, "back", 4)	    ? BACK
			: !strncmp(what, "ahead", 5)	    ? AHEAD
							    : atoi(what);
		if (*n == '/')
			faults[c].every = strtoul(n + 1, NULL, 10);
		else
			faults[c].from = strtoul(n, NULL, 10);
		faults[c].on = *n != '/' && n[strspn(n, "0123456789")] == '+';
	}
}

__attribute__((constructor)) static void begin(void)
{
	for (const char *s = getenv("FAULTS"); s && *s; s += strcspn(s, " "), s += *s == ' ')
		parse(s);
	ready = true;
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("FAULTS_COUNT");
	char line[512];
	int len = 0, fd;

	ready = false;
	if (!path)
		return;
	for (int c = 0; c < CALLS; c++)
		len += snprintf(line + len, sizeof(line) - (size_t)len, "%s %lu\n", names[c],
			faults[c].calls);
	len += snprintf(line + len, sizeof(line) - (size_t)len, "most %zu\n", most);
	fd = (int)syscall(
		SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd >= 0 && syscall(SYS_write, fd, line, len) >= 0)
		syscall(SYS_close, fd);
}

/* What is to happen to this call: 0 nothing. */
static int fault(enum call c)
{
	unsigned long n;

	if (!ready)
		return 0;
	n = ++faults[c].calls;
	if (faults[c].every	       ? n % faults[c].every == 0
			: faults[c].on ? n >= faults[c].from
				       : n == faults[c].from)
		return faults[c].what;
	return 0;
}

/* errno and -1. */
static int fails(int error)
{
	errno = error;
	return -1;
}

static void *hold(void *p)
{
	held += malloc_usable_size(p);
	most = held > most ? held : most;
	return p;
}

EXPORT void *malloc(size_t size)
{
	return fault(MALLOC) ? (fails(ENOMEM), NULL) : hold(__libc_malloc(size));
}

EXPORT void *calloc(size_t n, size_t size)
{
	return fault(MALLOC) ? (fails(ENOMEM), NULL) : hold(__libc_calloc(n, size));
}

EXPORT void *realloc(void *p, size_t size)
{
	size_t before = malloc_usable_size(p);
	void *q;

	if (fault(MALLOC))
		return fails(ENOMEM), NULL;
	q = hold(__libc_realloc(p, size));
	held -= q || !size ? before : 0;
	return q;
}

EXPORT void free(void *p)
{
	held -= malloc_usable_size(p);
	__libc_free(p);
}

/* The next one of that name: a fake kernel's, or the C library's. */
static void *next_of(void **known, const char *name)
{
	if (!*known)
		*known = dlsym(RTLD_NEXT, name);
	return *known;
}

#define NEXT(name) \
	static void *known; \
	__typeof__(&(name)) next = (__typeof__(&(name)))next_of(&known, #name)

EXPORT ssize_t read(int fd, void *buf, size_t size)
{
	NEXT(read);
	int f = fault(READ);

	return f > 0 ? fails(f) : next(fd, buf, f == SHORT && size > 1 ? 1 : size);
}

EXPORT ssize_t write(int fd, const void *buf, size_t size)
{
	NEXT(write);
	int f = fault(WRITE);

	return f > 0 ? fails(f) : next(fd, buf, f == SHORT && size > 1 ? 1 : size);
}

#define MODE(mode) \
	va_list ap; \
	mode_t mode; \
	va_start(ap, flags); \
	mode = flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(ap, unsigned) : 0; \
	va_end(ap)

EXPORT int open(const char *path, int flags, ...)
{
	NEXT(open);
	int f = fault(OPEN);

	MODE(mode);
	return f > 0 ? fails(f) : next(path, flags, mode);
}

EXPORT int open64(const char *path, int flags, ...)
{
	NEXT(open64);
	int f = fault(OPEN);

	MODE(mode);
	return f > 0 ? fails(f) : next(path, flags, mode);
}

EXPORT int openat(int dir, const char *path, int flags, ...)
{
	NEXT(openat);
	int f = fault(OPEN);

	MODE(mode);
	return f > 0 ? fails(f) : next(dir, path, flags, mode);
}

EXPORT int openat64(int dir, const char *path, int flags, ...)
{
	NEXT(openat64);
	int f = fault(OPEN);

	MODE(mode);
	return f > 0 ? fails(f) : next(dir, path, flags, mode);
}

EXPORT FILE *fopen(const char *path, const char *mode)
{
	NEXT(fopen);
	int f = fault(OPEN);

	return f > 0 ? (fails(f), NULL) : next(path, mode);
}

EXPORT int poll(struct pollfd *fds, nfds_t n, int timeout)
{
	NEXT(poll);
	int f = fault(POLL);

	return f > 0 ? fails(f) : next(fds, n, timeout);
}

EXPORT void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
	NEXT(mmap);
	int f = fault(MMAP);

	return f > 0 ? (fails(f), MAP_FAILED) : next(addr, length, prot, flags, fd, offset);
}

EXPORT void *mmap64(void *addr, size_t length, int prot, int flags, int fd, off64_t offset)
{
	NEXT(mmap64);
	int f = fault(MMAP);

	return f > 0 ? (fails(f), MAP_FAILED) : next(addr, length, prot, flags, fd, offset);
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	NEXT(ioctl);
	int f = fault(IOCTL);
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	return f > 0 ? fails(f) : next(fd, request, arg);
}

EXPORT pid_t fork(void)
{
	NEXT(fork);
	int f = fault(FORK);

	return f > 0 ? fails(f) : next();
}

EXPORT int socket(int family, int type, int protocol)
{
	NEXT(socket);
	int f = fault(SOCKET);

	return f > 0 ? fails(f) : next(family, type, protocol);
}

EXPORT int socketpair(int family, int type, int protocol, int fds[2])
{
	NEXT(socketpair);
	int f = fault(SOCKET);

	return f > 0 ? fails(f) : next(family, type, protocol, fds);
}

EXPORT int accept4(int fd, __SOCKADDR_ARG address, socklen_t *len, int flags)
{
	NEXT(accept4);
	int f = fault(SOCKET);

	return f > 0 ? fails(f) : next(fd, address, len, flags);
}

EXPORT int rename(const char *from, const char *to)
{
	NEXT(rename);
	int f = fault(RENAME);

	return f > 0 ? fails(f) : next(from, to);
}

/* It returns its error. */
EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
	NEXT(posix_spawn);
	int f = fault(SPAWN);

	return f > 0 ? f : next(pid, path, actions, attr, argv, envp);
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *t)
{
	int f = clock == CLOCK_REALTIME ? fault(CLOCK) : 0,
	    r = (int)syscall(SYS_clock_gettime, clock, t);

	if (r == 0 && f)
		t->tv_sec += f == BACK ? -86400 : 86400;
	return r;
}
