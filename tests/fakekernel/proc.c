/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes on the fake machine: their capabilities, and what the fdinfo files of DRM nodes say.
 *
 * A process may see counters as $FAKEKERNEL_PERFMON says, so its status file says the same. The time that a process' file spent on the
 * GPU is that of the model times its part, in thousandths, which stands in the tree's file clients/NAME, NAME as ps shows it. Each look
 * at one is a line "looked NAME" of the log. The processes of $FAKEKERNEL_OTHERS, " NUMBER NUMBER ... ", are none of this machine: those that
 * were there before the test. Where it is set no other user's are, either. */
#include "config.h"

#include "tests/fakekernel/fake.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CAP_PERFMON_BIT 38

static int make_status(void)
{
	const char *perfmon = getenv("FAKEKERNEL_PERFMON");

	if (perfmon && !strcmp(perfmon, "real"))
		return real_open("/proc/self/status", O_RDONLY | O_CLOEXEC, 0);
	unsigned long long caps = perfmon && !strcmp(perfmon, "0") ? 0 : 1ULL << CAP_PERFMON_BIT;
	char text[128];
	int len = snprintf(text, sizeof(text),
		"Name:\tprogram\nCapPrm:\t%016llx\nCapEff:\t%016llx\n", caps, caps);

	return fake_text_file(text, (size_t)len);
}

/* The part of the GPU's time that a process has, in thousandths. */
static long part_of(int pid)
{
	char path[PATH_MAX], name[32] = "", file[64];
	long part = -1;
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	fd = real_open(path, O_RDONLY | O_CLOEXEC, 0);
	len = fd >= 0 ? real_read(fd, name, sizeof(name) - 1) : 0;
	if (fd >= 0)
		real_close(fd);
	name[len > 0 ? strcspn(name, "\n") : 0] = '\0';
	snprintf(file, sizeof(file), "/clients/%s", name);
	if (*name)
		part = fake_tree_number(file, -1);
	if (part < 0)
		return 0;
	fake_log("looked %s\n", name);
	return part;
}

/* The driver of the node behind a descriptor of a process, or NULL. */
static const struct fake_driver *driver_behind(int pid, int fd)
{
	char link[64], target[PATH_MAX];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/%d/fd/%d", pid, fd);
	len = syscall(SYS_readlinkat, AT_FDCWD, link, target, sizeof(target) - 1);
	target[len > 0 ? len : 0] = '\0';
	return fake_node_driver(target);
}

/* How many descriptors of this process a driver of that name has: its nodes and streams hold the
 * module. */
static int references_of(const char *name)
{
	int n = 0;

	for (int i = 0; i < FAKE_MAX_FDS; i++) {
		const struct fake_fd *f = fake_fd(i);

		n += f->driver && !strcmp(f->driver->name, name);
	}
	return n;
}

/* Linux kernel/module/procfs.c: name, bytes, references, who uses it, state, address. */
static int make_modules(void)
{
	char text[256];
	int len = snprintf(text, sizeof(text),
		"i915 3735552 %d - Live 0x0000000000000000\nxe 3035136 %d - Live "
		"0x0000000000000000\n",
		references_of("i915"), references_of("xe"));

	return fake_text_file(text, (size_t)len);
}

static bool on_open(const char *path, int flags, int *fd)
{
	const struct fake_driver *driver;
	char text[2048];
	int pid, number;
	size_t len;

	if ((flags & O_ACCMODE) != O_RDONLY || strncmp(path, "/proc/", 6))
		return false;
	if (!strcmp(path, "/proc/self/status")) {
		*fd = make_status();
		return true;
	}
	if (!strcmp(path, "/proc/modules") && *fake_root()) {
		*fd = make_modules();
		return true;
	}
	if (sscanf(path, "/proc/self/fdinfo/%d", &number) == 1)
		pid = getpid();
	else if (sscanf(path, "/proc/%d/fdinfo/%d", &pid, &number) != 2)
		return false;
	driver = driver_behind(pid, number);
	if (!driver || !driver->fdinfo)
		return false;
	len = driver->fdinfo(
		(uint64_t)pid * FAKE_MAX_FDS + (uint64_t)number, part_of(pid), text, sizeof(text));
	*fd = fake_text_file(text, len);
	return true;
}

static bool is_other(int fd, const struct dirent64 *e, const char *others)
{
	char word[24];
	struct statx st = { .stx_uid = geteuid() };

	if (e->d_type != DT_DIR || !isdigit((unsigned char)*e->d_name))
		return false;
	snprintf(word, sizeof(word), " %.20s ", e->d_name);
	if (strstr(others, word))
		return true;
	syscall(SYS_statx, fd, e->d_name, AT_SYMLINK_NOFOLLOW, STATX_UID, &st);
	return geteuid() != 0 && st.stx_uid != geteuid();
}

/* What getdents64() gives, without others. Nothing is the end of a folder. */
static ssize_t list_folder(int fd, char *buf, size_t size, const char *others)
{
	ssize_t used = 0, n;

	do {
		n = getdents64(fd, buf, size);
		for (ssize_t at = 0; at < n;) {
			const struct dirent64 *e = (const struct dirent64 *)(buf + at);
			uint16_t bytes = e->d_reclen;

			at += bytes;
			if (is_other(fd, e, others))
				continue;
			memmove(buf + used, e, bytes);
			used += bytes;
		}
	} while (n > 0 && !used);
	return n > 0 ? used : n;
}

static bool on_syscall(long number, const long args[6], long *result)
{
	const char *others = number == SYS_getdents64 ? getenv("FAKEKERNEL_OTHERS") : NULL;

	if (!others)
		return false;
	*result = list_folder((int)args[0], (char *)args[1], (size_t)args[2], others);
	return true;
}

static const char *const folders[] = { "/proc/sys/kernel/osrelease", "/proc/sys/kernel/version",
	NULL };

const struct fake_driver fake_proc = {
	.name = "proc",
	.folders = folders,
	.open = on_open,
	.syscall = on_syscall,
};
