/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's messages about devices: where the tree has a folder "uevents", a program's netlink socket for them is a socket there, named
 * by its process, and what a test sends to it comes from the kernel; what begins with "!" comes from another program. Without the folder
 * the kernel sends nothing: what happens to the devices of the real machine is no event of the fake one. Word of $FAKEKERNEL_FAIL: "uevents=EPERM" (no such socket). */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/fakekernel/fake.h"
#include "tests/fakekernel/intel/intel.h"

#define EXPORT __attribute__((visibility("default")))
#define SOMEBODY 4711	/* a process */

static const struct fake_driver fake_uevents = { .name = "uevents" };

static bool is_ours(int fd)
{
	return fake_fd(fd) && fake_fd(fd)->driver == &fake_uevents;
}

/* Gives the socket its name in that folder of the tree, where a test finds it. */
static bool name_socket(int fd, const char *folder)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	snprintf(address.sun_path, sizeof(address.sun_path), "%.80s/%d", folder, (int)getpid());
	unlink(address.sun_path);
	return syscall(SYS_bind, fd, &address, sizeof(address)) == 0;
}

/* To a socket without a name nobody can send. */
static int open_socket(int type)
{
	char folder[PATH_MAX];
	int fd = (int)syscall(
		SYS_socket, AF_UNIX, SOCK_DGRAM | (type & (SOCK_CLOEXEC | SOCK_NONBLOCK)), 0);

	if (fd < 0 || !fake_fd(fd))
		return fake_fail(ENOBUFS);
	fake_tree_path(folder, "/uevents", "");
	if (access(folder, F_OK) == 0 && !name_socket(fd, folder)) {
		real_close(fd);
		return fake_fail(ENOBUFS);
	}
	*fake_fd(fd) = (struct fake_fd){ .driver = &fake_uevents, .minor = -1 };
	return fd;
}

EXPORT int socket(int domain, int type, int protocol)
{
	if (*fake_root() && domain == AF_NETLINK && protocol == NETLINK_KOBJECT_UEVENT) {
		int error = fake_fails("uevents");

		return error ? fake_fail(error) : open_socket(type);
	}
	return (int)syscall(SYS_socket, domain, type, protocol);
}

EXPORT int bind(int fd, const struct sockaddr *address, socklen_t len)
{
	return is_ours(fd) ? 0 : (int)syscall(SYS_bind, fd, address, len);
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
	struct msghdr plain = *m;
	struct sockaddr_nl from = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	ssize_t len;

	if (!is_ours(fd))
		return syscall(SYS_recvmsg, fd, m, flags);
	plain.msg_name = NULL;
	plain.msg_namelen = 0;
	len = syscall(SYS_recvmsg, fd, &plain, flags);
	m->msg_flags = plain.msg_flags;
	if (len > 0 && *(const char *)m->msg_iov[0].iov_base == '!')
		from.nl_pid = SOMEBODY;
	if (len >= 0 && m->msg_name && m->msg_namelen >= sizeof(from))
		memcpy(m->msg_name, &from, sizeof(from));
	return len;
}
