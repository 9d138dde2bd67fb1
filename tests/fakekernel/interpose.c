/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The C library's functions that stand between a program and the fake kernel. */
#include "config.h"

#include "tests/fakekernel/clocks.h"
#include "tests/fakekernel/fake.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define DRM_MAJOR 226
#define SYSFS 0x62656572
/* i915-perf-recorder has one for all its processes; each test gets its own. */
#define RECORDER_FIFO "/tmp/.i915-perf-record"

/* Declared here and not in headers: the C library hides them from programs, or renames them for
 * large files. */
EXPORT int open64(const char *path, int flags, ...);
EXPORT int openat64(int dir, const char *path, int flags, ...);
EXPORT int __open_2(const char *path, int flags);
EXPORT int __open64_2(const char *path, int flags);
EXPORT int __openat_2(int dir, const char *path, int flags);
EXPORT int __openat64_2(int dir, const char *path, int flags);
EXPORT int ioctl(int fd, unsigned long request, ...);
EXPORT int fcntl64(int fd, int command, ...);
EXPORT void *mmap64(void *addr, size_t length, int prot, int flags, int fd, off64_t offset);
EXPORT ssize_t __read_chk(int fd, void *buf, size_t size, size_t room);
EXPORT ssize_t __readlink_chk(const char *path, char *out, size_t size, size_t room);
EXPORT ssize_t __readlinkat_chk(int dir, const char *path, char *out, size_t size, size_t room);
EXPORT int stat64(const char *path, struct stat64 *st);
EXPORT int lstat64(const char *path, struct stat64 *st);
EXPORT int fstat64(int fd, struct stat64 *st);
EXPORT int fstatat64(int dir, const char *path, struct stat64 *st, int flags);
EXPORT FILE *fopen64(const char *path, const char *mode);
EXPORT int scandir64(const char *path, struct dirent64 ***list,
	int (*filter)(const struct dirent64 *),
	int (*compare)(const struct dirent64 **, const struct dirent64 **));
EXPORT int statfs64(const char *path, struct statfs64 *s);
EXPORT int fstatfs64(int fd, struct statfs64 *s);

const struct fake_driver *const fake_drivers[] = {
	&fake_amdgpu,
	/* before the first fakes, so that strict ones see paths first */
	&fake_ivpu_strict,
	&fake_msm_strict,
	&fake_power_strict,
	&fake_v3d_strict,
	&fake_xdna_strict,
	&fake_i915,
	&fake_proc,
	&fake_xe,
	&fake_bar,
	&fake_faux,
	&fake_kbase,
	&fake_residency,
	&fake_moving,
	&fake_panfrost,
	&fake_msm,
	&fake_v3d,
	&fake_xdna,
	&fake_perf,
	NULL,
};

static struct fake_fd fds[FAKE_MAX_FDS];

struct fake_fd *fake_fd(int fd)
{
	return fd >= 0 && fd < FAKE_MAX_FDS ? &fds[fd] : NULL;
}

/* The driver behind a descriptor, or NULL. */
static const struct fake_driver *driver_of(int fd)
{
	struct fake_fd *f = fake_fd(fd);

	return f ? f->driver : NULL;
}

const char *fake_root(void)
{
	static const char *root;

	if (!root) {
		const char *s = getenv("FAKEKERNEL_ROOT");

		root = s ? s : "";
	}
	return root;
}

void fake_log(const char *fmt, ...)
{
	const char *path = getenv("FAKEKERNEL_LOG");
	char line[1024];
	va_list ap;
	int fd, len;

	if (!path)
		return;
	va_start(ap, fmt);
	len = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	fd = (int)syscall(
		SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd >= 0 && len > 0 &&
		syscall(SYS_write, fd, line,
			len < (int)sizeof(line) ? len : (int)sizeof(line) - 1) >= 0)
		syscall(SYS_close, fd);
}

/* --- paths --- */

static bool is_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(path, folder, len) && (path[len] == '/' || !path[len]);
}

/* The fake machine is no container, whatever the real one is. */
static bool is_sign_of_container(const char *path)
{
	return !strcmp(path, "/.dockerenv") || !strcmp(path, "/run/.containerenv") ||
		!strcmp(path, "/run/systemd/container");
}

static bool is_ours(const char *path)
{
	if (is_sign_of_container(path))
		return true;
	/* Few tests are about the processor; for the others it is the real one. */
	if (!strcmp(path, "/proc/cpuinfo") && fake_tree_has(path))
		return true;
	for (const struct fake_driver *const *d = fake_drivers; *d; d++)
		for (const char *const *folder = (*d)->folders; folder && *folder; folder++)
			if (is_below(path, *folder))
				return true;
	return false;
}

/* The real machine's, where no driver names a folder below it. Of its CPUs the tree may have single files. */
static bool is_real(const char *path)
{
	static const char *const real[] = { "/sys/devices/system", "/sys/fs", "/sys/kernel" };

	if (is_below(path, "/sys/devices/system/cpu") && fake_tree_has(path))
		return false;

	for (const struct fake_driver *const *d = fake_drivers; *d; d++)
		for (const char *const *folder = (*d)->folders; folder && *folder; folder++)
			for (size_t i = 0; i < sizeof(real) / sizeof(real[0]); i++)
				if (is_below(*folder, real[i]) && is_below(path, *folder))
					return false;
	for (size_t i = 0; i < sizeof(real) / sizeof(real[0]); i++)
		if (is_below(path, real[i]))
			return true;
	return false;
}

/* Where the tree has the path; path itself when it has not. */
static const char *redirect(const char *path, char *buf)
{
	if (!*fake_root() || !path)
		return path;
	if (!strcmp(path, RECORDER_FIFO)) {
		snprintf(buf, PATH_MAX, "%s/i915/tmp/fifo", fake_root());
		return buf;
	}
	if (is_real(path) || !is_ours(path))
		return path;
	snprintf(buf, PATH_MAX, "%s%s", fake_root(), path);
	return buf;
}

/* The minor number of a device node in the tree, or -1. */
static int node_minor(const char *path)
{
	size_t len = strlen(fake_root());
	int minor;

	if (!len || !path || strncmp(path, fake_root(), len))
		return -1;
	return sscanf(path + len, "/dev/dri/card%d", &minor) == 1 ||
			sscanf(path + len, "/dev/dri/renderD%d", &minor) == 1
		? minor
		: -1;
}

static bool path_of(int fd, char *buf)
{
	char link[64];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = syscall(SYS_readlinkat, AT_FDCWD, link, buf, PATH_MAX - 1);
	if (len < 0)
		return false;
	buf[len] = '\0';
	return true;
}

/* A descriptor of this process that is opened once more, as igt does for a client of its own: the path
 * behind it. */
static const char *behind_self(const char *path, char *buf)
{
	int fd, end = 0;

	if (!path || sscanf(path, "/proc/self/fd/%d%n", &fd, &end) != 1 || path[end] ||
		!driver_of(fd) || !path_of(fd, buf))
		return path;
	return buf;
}

/* libudev opens "/" and walks from there. */
static const char *redirect_at(int dir, const char *path, char *buf)
{
	char folder[PATH_MAX];

	if (path[0] == '/' || dir == AT_FDCWD)
		return redirect(path, buf);
	if (*fake_root() && is_below(path, "sys") && path_of(dir, folder) && !strcmp(folder, "/")) {
		snprintf(buf, PATH_MAX, "%s/%s", fake_root(), path);
		return buf;
	}
	return path;
}

/* --- opening and closing --- */

/* Which of two fakes of a driver this tree has; no tree changes its mind. */
static bool is_strict_tree(void)
{
	static enum { UNKNOWN, FIRST, STRICT } which;

	if (which == UNKNOWN)
		which = *fake_root() && fake_tree_number("/strict/on", 0) ? STRICT : FIRST;
	return which == STRICT;
}

/* Whose node it is, by the links of the tree. */
static const struct fake_driver *node_driver(int minor)
{
	bool is_strict = is_strict_tree();
	char link[PATH_MAX], target[PATH_MAX];
	const char *name;
	ssize_t len;

	snprintf(link, sizeof(link), "%s/sys/dev/char/%d:%d/device/driver", fake_root(), DRM_MAJOR,
		minor);
	len = syscall(SYS_readlinkat, AT_FDCWD, link, target, sizeof(target) - 1);
	target[len > 0 ? len : 0] = '\0';
	name = strrchr(target, '/');
	for (const struct fake_driver *const *d = fake_drivers; name && *d; d++)
		if ((*d)->is_drm && (*d)->is_strict == is_strict && !strcmp((*d)->name, name + 1))
			return *d;
	return NULL;
}

const struct fake_driver *fake_node_driver(const char *path)
{
	int minor = node_minor(path);

	return minor >= 0 ? node_driver(minor) : NULL;
}

/* The whole name of a file below a folder that is open, as the program would give it: programs that look
 * at many processes or at a card's files stay in its folder. */
static const char *whole_path(int dir, const char *path, char *buf)
{
	const char *root = fake_root(), *below;
	char folder[PATH_MAX];

	if (path[0] == '/' || dir == AT_FDCWD || !path_of(dir, folder))
		return path;
	below = strncmp(folder, root, strlen(root)) ? folder : folder + strlen(root);
	if (!is_below(below, "/proc") && !is_below(below, "/sys"))
		return path;
	return snprintf(buf, PATH_MAX, "%s/%s", below, path) < PATH_MAX ? buf : path;
}

/* Files that drivers make. */
static bool opened_by_driver(const char *path, int flags, int *fd)
{
	bool is_strict = is_strict_tree();

	for (const struct fake_driver *const *d = fake_drivers; *fake_root() && path && *d; d++)
		if ((*d)->open && (!(*d)->is_strict || is_strict) && (*d)->open(path, flags, fd))
			return true;
	return false;
}

/* The card is pulled out: its folder below /sys/class/drm is no more, and its nodes answer nobody. */
static void unplug(void)
{
	char from[512], to[512];

	snprintf(from, sizeof(from), "%.400s/sys/class/drm", fake_root());
	snprintf(to, sizeof(to), "%.400s/unplugged.drm", fake_root());
	rename(from, to);
	snprintf(to, sizeof(to), "%.400s/unplugged", fake_root());
	int fd = real_open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd >= 0 && write(fd, "1\n", 2) == 2)
		real_close(fd);
}

/* The tree's file forbidden has words: paths with one of them may not be opened. */
static bool is_forbidden(const char *path)
{
	char words[256], *rest = words;

	if (!*fake_root() || !fake_tree_read("/forbidden", words, sizeof(words)))
		return false;
	for (char *word = strsep(&rest, " "); word; word = strsep(&rest, " "))
		if (*word && strstr(path, word))
			return true;
	return false;
}

/* Adreno's card may be the display's, and its GPU another device (boardtree.sh). */
#define ADRENO_STATUS "/sys/bus/platform/drivers/adreno/5000000.gpu/power/runtime_status"

/* Logs what would wake a card that runtime power management has switched off: its nodes, and what drivers
 * or the PCI core ask the hardware for. What they know by themselves wakes nobody. */
static void note_waking(const char *path, int minor)
{
	static const char *const harmless[] = { "uevent", "vendor", "device", "revision", "power/", "drm",
		"class", "driver", "hwmon", "ip_discovery/", "boot_vga", "subsystem" };
	const char *below = strstr(path, "/sys/class/drm/card"), *file;
	char state[160];
	bool is_use = true;
	int card, end = 0;

	if (!getenv("FAKEKERNEL_LOG") || !*fake_root())
		return;
	if (minor >= 0)
		snprintf(state, sizeof(state), "/sys/dev/char/226:%d/device/power/runtime_status", minor);
	else if (below && sscanf(below, "/sys/class/drm/card%d/device/%n", &card, &end) == 1 && end)
		snprintf(state, sizeof(state), "/sys/class/drm/card%d/device/power/runtime_status", card);
	else
		return;
	/* The same files of the port above the card are as harmless. */
	for (file = minor < 0 ? below + end : NULL; file && !strncmp(file, "../", 3);)
		file += 3;
	for (size_t i = 0; file && i < sizeof(harmless) / sizeof(harmless[0]); i++)
		is_use = is_use && (strncmp(file, harmless[i], strlen(harmless[i])) != 0 || strstr(file, "_input"));
	if (fake_tree_number("/autosuspend_ms", -1) >= 0)
		fake_keep_power(state, is_use, minor >= 0 ? path : file);
	else if (is_use && (fake_is_suspended(state) || (minor >= 0 && fake_is_suspended(ADRENO_STATUS))))
		fake_log("woken %s\n", minor >= 0 ? path : below);
}

/* Nodes of devices. What sysfs has is made when it is read. */
static bool is_driver_file(const char *path, int minor)
{
	size_t root = strlen(fake_root());
	const char *below = root && path && !strncmp(path, fake_root(), root) ? path + root : path;

	return minor >= 0 || (path && strstr(path, "i915_forcewake_user")) ||
		(root && path && is_below(below, "/dev") && !strstr(below, "/dev/null") && !strstr(below, "/dev/tty") &&
			!strstr(below, "/dev/shm"));
}

static int open_or_refuse(int dir, const char *path, int flags, mode_t mode)
{
	char buf[PATH_MAX];
	const char *target = redirect_at(dir, path, buf);
	char behind[PATH_MAX], whole[PATH_MAX];
	int minor = node_minor(behind_self(target, behind)), fd,
	    error = minor >= 0 ? fake_fails("node") : 0;

	if (minor >= 0 && fake_fails("vanish") == -1)
		unplug();
	if (minor >= 0 && fake_tree_number("/unplugged", 0))
		error = ENODEV;
	if (target && is_forbidden(target))
		error = EACCES;
	if (!error && is_driver_file(target, minor))
		error = fake_call("open", 0, -1, target);
	if (error) {
		errno = error;
		return -1;
	}
	if (target)
		note_waking(target, minor);
	if (*fake_root() && !(flags & O_DIRECTORY) && opened_by_driver(whole_path(dir, path, whole), flags, &fd))
		return fd;
	if (flags & O_CREAT)
		fake_look_again();
	fd = (int)syscall(SYS_openat, dir, target, flags, mode);
	if (fake_fd(fd))
		*fake_fd(fd) = (struct fake_fd){ .driver = minor >= 0 ? node_driver(minor) : NULL, .minor = minor };
	return fd;
}

/* The fake looks into files of its own that need not be there. As with the kernel, errno is of calls that
 * fail: perf reads it after it has opened something else. */
static int do_open(int dir, const char *path, int flags, mode_t mode)
{
	int before = errno;
	int fd = open_or_refuse(dir, path, flags, mode);

	if (fd >= 0)
		errno = before;
	return fd;
}

int real_open(const char *path, int flags, mode_t mode)
{
	if (flags & O_CREAT)
		fake_look_again();
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int real_close(int fd)
{
	return (int)syscall(SYS_close, fd);
}

ssize_t real_read(int fd, void *buf, size_t size)
{
	return fake_clocks_read(fd, buf, size) ? (ssize_t)sizeof(uint64_t) : syscall(SYS_read, fd, buf, size);
}

static mode_t mode_argument(int flags, va_list ap)
{
	return flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(ap, unsigned) : 0;
}

#define OPEN_BODY(dir) \
	va_list ap; \
	mode_t mode; \
	va_start(ap, flags); \
	mode = mode_argument(flags, ap); \
	va_end(ap); \
	return do_open(dir, path, flags, mode)

EXPORT int open(const char *path, int flags, ...)
{
	OPEN_BODY(AT_FDCWD);
}

int open64(const char *path, int flags, ...)
{
	OPEN_BODY(AT_FDCWD);
}

EXPORT int openat(int dir, const char *path, int flags, ...)
{
	OPEN_BODY(dir);
}

int openat64(int dir, const char *path, int flags, ...)
{
	OPEN_BODY(dir);
}

int __open_2(const char *path, int flags)
{
	return do_open(AT_FDCWD, path, flags, 0);
}

int __open64_2(const char *path, int flags)
{
	return do_open(AT_FDCWD, path, flags, 0);
}

int __openat_2(int dir, const char *path, int flags)
{
	return do_open(dir, path, flags, 0);
}

int __openat64_2(int dir, const char *path, int flags)
{
	return do_open(dir, path, flags, 0);
}

EXPORT int close(int fd)
{
	const struct fake_driver *d = driver_of(fd);
	int error = d ? fake_call("close", 0, fd, NULL) : 0;

	if (d && d->close)
		d->close(fake_fd(fd));
	if (fake_fd(fd))
		*fake_fd(fd) = (struct fake_fd){ .minor = -1 };
	fake_clocks_close(fd);
	/* As in the kernel, the descriptor is gone whatever the driver says. */
	int r = real_close(fd);
	if (!error)
		return r;
	errno = error;
	return -1;
}

/* A node behind another number; streams are not dupped by anybody, and stay with their first number. */
static int duplicated(int old, int new)
{
	const struct fake_driver *d = driver_of(old);

	if (new >= 0 && fake_fd(new))
		*fake_fd(new) = d && fake_fd(old)->minor >= 0 && !fake_fd(old)->priv ? *fake_fd(old)
					: (struct fake_fd){ .minor = -1 };
	return new;
}

EXPORT int fcntl64(int fd, int command, ...)
{
	va_list ap;

	va_start(ap, command);
	long arg = va_arg(ap, long);
	va_end(ap);
	int r = (int)syscall(SYS_fcntl, fd, command, arg);
	return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? duplicated(fd, r) : r;
}

EXPORT int fcntl(int fd, int command, ...)
{
	va_list ap;

	va_start(ap, command);
	long arg = va_arg(ap, long);
	va_end(ap);
	return fcntl64(fd, command, arg);
}

/* $FAKEKERNEL_FAIL: close_range; fds for /proc/self/fd. Drivers are not told: it is for a child
 * whose parent has the same open. */
EXPORT int close_range(unsigned first, unsigned last, int flags)
{
	int error = fake_fails("close_range");

	if (error) {
		errno = error;
		return -1;
	}
	return (int)syscall(SYS_close_range, first, last, flags);
}

EXPORT ssize_t read(int fd, void *buf, size_t size)
{
	const struct fake_driver *d = driver_of(fd);

	fake_dawdle(fd);
	if (((d && d->read) || fake_is_tree_file(fd)) && fake_call("read", 0, fd, NULL))
		return -1;
	return d && d->read ? d->read(fake_fd(fd), fd, buf, size) : real_read(fd, buf, size);
}

ssize_t __read_chk(int fd, void *buf, size_t size, size_t room)
{
	if (size > room)
		abort();
	return read(fd, buf, size);
}

int ioctl(int fd, unsigned long request, ...)
{
	const struct fake_driver *d = driver_of(fd);
	unsigned long arg;
	va_list ap;

	va_start(ap, request);
	arg = va_arg(ap, unsigned long);
	va_end(ap);
	if (d && d->ioctl && fake_call("ioctl", request, fd, NULL))
		return -1;
	return d && d->ioctl ? d->ioctl(fake_fd(fd), fd, request, arg)
			     : (int)syscall(SYS_ioctl, fd, request, arg);
}

EXPORT void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
	const struct fake_driver *d = flags & MAP_ANONYMOUS ? NULL : driver_of(fd);

	if (d && d->mmap) {
		if (fake_call("mmap", 0, fd, NULL))
			return MAP_FAILED;
		void *map = d->mmap(fake_fd(fd), fd, addr, length, prot, flags, offset);
		fake_mapped(map, fd);
		return map;
	}
	return (void *)syscall(SYS_mmap, addr, length, prot, flags, fd, offset);
}

EXPORT int munmap(void *addr, size_t length)
{
	fake_unmapped(addr);
	return (int)syscall(SYS_munmap, addr, length);
}

void *mmap64(void *addr, size_t length, int prot, int flags, int fd, off64_t offset)
{
	return mmap(addr, length, prot, flags, fd, offset);
}

int fake_text_file(const char *text, size_t len)
{
	int fd = memfd_create("fake", MFD_CLOEXEC);

	if (fd >= 0 &&
		syscall(SYS_pwrite64, fd, text, len, 0L) != (long)len) {
		real_close(fd);
		return -1;
	}
	return fd;
}

EXPORT long syscall(long number, ...)
{
	static long (*real)(long, ...);
	long args[6], result;
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		args[i] = va_arg(ap, long);
	va_end(ap);
	for (const struct fake_driver *const *d = fake_drivers; *d; d++)
		if ((*d)->syscall && *fake_root() && (*d)->syscall(number, args, &result))
			return result;
	if (!real)
		real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	return real(number, args[0], args[1], args[2], args[3], args[4], args[5]);
}

/* --- what lies in the tree --- */

/* The function of that name behind ours. */
#define REAL(type, name) ((type)dlsym(RTLD_NEXT, name))

static void make_node(struct stat *st, int minor)
{
	st->st_mode = S_IFCHR | 0660;
	st->st_rdev = makedev(DRM_MAJOR, (unsigned)minor);
	st->st_size = 0;
}

/* The minor number of the node that a link leads to, such as that of a descriptor of a process; or
 * -1. */
static int link_minor(int dir, const char *path)
{
	char target[PATH_MAX];
	ssize_t len = *fake_root() ? syscall(SYS_readlinkat, dir, path, target, sizeof(target) - 1)
				   : -1;

	target[len > 0 ? len : 0] = '\0';
	return node_minor(target);
}

static int do_stat(int dir, const char *path, struct stat *st, int flags)
{
	char buf[PATH_MAX];
	const char *target = redirect_at(dir, path, buf);
	int minor = !*path && driver_of(dir) ? fake_fd(dir)->minor : node_minor(target);
	int r = (int)syscall(SYS_newfstatat, dir, target, st, flags);

	if (r == 0 && minor < 0 && S_ISREG(st->st_mode) && !(flags & AT_SYMLINK_NOFOLLOW))
		minor = link_minor(dir, target);
	if (r == 0 && minor >= 0)
		make_node(st, minor);
	return r;
}

EXPORT int stat(const char *path, struct stat *st)
{
	return do_stat(AT_FDCWD, path, st, 0);
}

EXPORT int lstat(const char *path, struct stat *st)
{
	return do_stat(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

EXPORT int fstat(int fd, struct stat *st)
{
	return do_stat(fd, "", st, AT_EMPTY_PATH);
}

EXPORT int fstatat(int dir, const char *path, struct stat *st, int flags)
{
	return do_stat(dir, path, st, flags);
}

_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "one layout on 64-bit systems");

int stat64(const char *path, struct stat64 *st)
{
	return do_stat(AT_FDCWD, path, (struct stat *)st, 0);
}

int lstat64(const char *path, struct stat64 *st)
{
	return do_stat(AT_FDCWD, path, (struct stat *)st, AT_SYMLINK_NOFOLLOW);
}

int fstat64(int fd, struct stat64 *st)
{
	return do_stat(fd, "", (struct stat *)st, AT_EMPTY_PATH);
}

int fstatat64(int dir, const char *path, struct stat64 *st, int flags)
{
	return do_stat(dir, path, (struct stat *)st, flags);
}

EXPORT int statx(int dir, const char *path, int flags, unsigned mask, struct statx *st)
{
	char buf[PATH_MAX];
	const char *target = redirect_at(dir, path, buf);
	int minor = node_minor(target), r = (int)syscall(SYS_statx, dir, target, flags, mask, st);

	if (r == 0 && minor >= 0) {
		st->stx_mode = S_IFCHR | 0660;
		st->stx_rdev_major = DRM_MAJOR;
		st->stx_rdev_minor = (unsigned)minor;
	}
	return r;
}

EXPORT int access(const char *path, int mode)
{
	char buf[PATH_MAX];

	return (int)syscall(SYS_faccessat, AT_FDCWD, redirect(path, buf), mode);
}

EXPORT int faccessat(int dir, const char *path, int mode, int flags)
{
	char buf[PATH_MAX];

	(void)flags;
	return (int)syscall(SYS_faccessat, dir, redirect_at(dir, path, buf), mode);
}

/* Descriptors of nodes lead to /dev/dri for those who look at them below /proc. */
static ssize_t do_readlink(int dir, const char *path, char *out, size_t size)
{
	char buf[PATH_MAX], target[PATH_MAX];
	size_t root = strlen(fake_root());
	ssize_t len;

	if (!root || ((path[0] == '/' || dir == AT_FDCWD || is_below(path, "sys")) && !is_below(path, "/proc")))
		return syscall(SYS_readlinkat, dir, redirect_at(dir, path, buf), out, size);
	len = syscall(SYS_readlinkat, dir, path, target, sizeof(target) - 1);
	if (len < 0)
		return len;
	target[len] = '\0';
	/* Where the folder lies is asked of the few links to nodes alone: programs read those of all processes. */
	if (node_minor(target) < 0 || !is_below(whole_path(dir, path, buf), "/proc"))
		root = 0;
	len = (ssize_t)strlen(target + root) < (ssize_t)size ? (ssize_t)strlen(target + root)
							     : (ssize_t)size;
	memcpy(out, target + root, (size_t)len);
	return len;
}

EXPORT ssize_t readlink(const char *path, char *out, size_t size)
{
	return do_readlink(AT_FDCWD, path, out, size);
}

EXPORT ssize_t readlinkat(int dir, const char *path, char *out, size_t size)
{
	return do_readlink(dir, path, out, size);
}

/* What a libudev is built with that checks the room of buffers (_FORTIFY_SOURCE=3 of Ubuntu 24.04). */
ssize_t __readlink_chk(const char *path, char *out, size_t size, size_t room)
{
	return __readlinkat_chk(AT_FDCWD, path, out, size, room);
}

ssize_t __readlinkat_chk(int dir, const char *path, char *out, size_t size, size_t room)
{
	if (size > room)
		abort();
	return do_readlink(dir, path, out, size);
}

/* A stream on a file that a driver makes. */
static bool fopened_by_driver(const char *path, const char *mode, FILE **f)
{
	int fd;

	if (!opened_by_driver(path, *mode == 'r' ? O_RDONLY : O_RDWR, &fd))
		return false;
	*f = fd >= 0 ? fdopen(fd, mode) : NULL;
	return true;
}

EXPORT FILE *fopen(const char *path, const char *mode)
{
	char buf[PATH_MAX];
	FILE *f;

	if (*mode != 'r')
		fake_look_again();
	if (fopened_by_driver(path, mode, &f))
		return f;
	return REAL(FILE * (*)(const char *, const char *), "fopen")(redirect(path, buf), mode);
}

FILE *fopen64(const char *path, const char *mode)
{
	char buf[PATH_MAX];
	FILE *f;

	if (*mode != 'r')
		fake_look_again();
	if (fopened_by_driver(path, mode, &f))
		return f;
	return REAL(FILE * (*)(const char *, const char *), "fopen64")(redirect(path, buf), mode);
}

EXPORT DIR *opendir(const char *path)
{
	char buf[PATH_MAX];
	int error = !strcmp(path, "/proc/self/fd") ? fake_fails("fds") : 0;

	if (error) {
		errno = error;
		return NULL;
	}
	return REAL(DIR * (*)(const char *), "opendir")(redirect(path, buf));
}

EXPORT int scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
	int (*compare)(const struct dirent **, const struct dirent **))
{
	char buf[PATH_MAX];

	return REAL(int (*)(const char *, struct dirent ***, int (*)(const struct dirent *),
			    int (*)(const struct dirent **, const struct dirent **)),
		"scandir")(redirect(path, buf), list, filter, compare);
}

int scandir64(const char *path, struct dirent64 ***list, int (*filter)(const struct dirent64 *),
	int (*compare)(const struct dirent64 **, const struct dirent64 **))
{
	char buf[PATH_MAX];

	return REAL(int (*)(const char *, struct dirent64 ***, int (*)(const struct dirent64 *),
			    int (*)(const struct dirent64 **, const struct dirent64 **)),
		"scandir64")(redirect(path, buf), list, filter, compare);
}

/* A path below the tree as the program knows it. */
static char *without_root(char *path)
{
	size_t len = strlen(fake_root());

	if (path && len && !strncmp(path, fake_root(), len) && path[len] == '/')
		memmove(path, path + len, strlen(path + len) + 1);
	return path;
}

EXPORT char *realpath(const char *path, char *out)
{
	char buf[PATH_MAX];
	const char *target = redirect(path, buf);
	char *r = ((char *(*)(const char *, char *))dlvsym(RTLD_NEXT, "realpath", "GLIBC_2.3"))(
		target, out);

	return target == path ? r : without_root(r);
}

/* libudev believes in /sys only where it is a sysfs. */
static int fix_statfs(int r, struct statfs *s, const char *path)
{
	char sys[PATH_MAX];

	snprintf(sys, sizeof(sys), "%s/sys", fake_root());
	if (r == 0 && *fake_root() && is_below(path, sys))
		s->f_type = SYSFS;
	return r;
}

EXPORT int statfs(const char *path, struct statfs *s)
{
	char buf[PATH_MAX];
	const char *target = redirect(path, buf);

	return fix_statfs((int)syscall(SYS_statfs, target, s), s, target);
}

int statfs64(const char *path, struct statfs64 *s)
{
	return statfs(path, (struct statfs *)s);
}

EXPORT int fstatfs(int fd, struct statfs *s)
{
	char path[PATH_MAX] = "";

	path_of(fd, path);
	return fix_statfs((int)syscall(SYS_fstatfs, fd, s), s, path);
}

int fstatfs64(int fd, struct statfs64 *s)
{
	return fstatfs(fd, (struct statfs *)s);
}

/* igt's tools mount debugfs where they do not find it; the fake machine has what lies in the
 * tree. */
EXPORT int mount(const char *source, const char *target, const char *type, unsigned long flags,
	const void *data)
{
	return *fake_root() ? 0 : (int)syscall(SYS_mount, source, target, type, flags, data);
}

EXPORT int mkfifo(const char *path, mode_t mode)
{
	char buf[PATH_MAX];

	return (int)syscall(SYS_mknodat, AT_FDCWD, redirect(path, buf), S_IFIFO | (mode & 0777), 0);
}

EXPORT int unlink(const char *path)
{
	char buf[PATH_MAX];

	return (int)syscall(SYS_unlinkat, AT_FDCWD, redirect(path, buf), 0);
}
