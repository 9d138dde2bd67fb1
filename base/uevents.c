/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads uevents from netlink as lib/kobject_uevent.c of Linux sends them. */
#include "config.h"

#include "base/uevents.h"

#include <errno.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define KERNEL_GROUP 1	/* udev sends its own messages to another group */
#define MAX_MESSAGE 8192

int uevents_open(void)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = KERNEL_GROUP };
	int fd = socket(
		AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	if (fd >= 0) {
		int error = errno;

		close(fd);
		errno = error;
	}
	return -1;
}

static bool is_one_of(const char *word, const char *const *words)
{
	for (; *words; words++)
		if (!strcmp(word, *words))
			return true;
	return false;
}

bool uevent_concerns(const char *message, size_t len, const char *const *subsystems)
{
	static const char *const actions[] = { "add", "remove", "bind", "unbind", "move", NULL };
	const char *action = "", *subsystem = "", *end = message + len;

	if (!len || message[len - 1])
		return false;
	for (const char *w = message; w < end; w += strlen(w) + 1) {
		if (!strncmp(w, "ACTION=", 7))
			action = w + 7;
		if (!strncmp(w, "SUBSYSTEM=", 10))
			subsystem = w + 10;
	}
	return is_one_of(action, actions) && is_one_of(subsystem, subsystems);
}

bool uevents_read(int fd, const char *const *subsystems)
{
	char message[MAX_MESSAGE];
	bool concerns = false;

	for (;;) {
		struct sockaddr_nl from = { 0 };
		struct iovec room = { message, sizeof(message) };
		struct msghdr m = { .msg_name = &from,
			.msg_namelen = sizeof(from),
			.msg_iov = &room,
			.msg_iovlen = 1 };
		ssize_t len = recvmsg(fd, &m, 0);

		if (len < 0 && errno == EINTR)
			continue;
		/* The kernel had no room for all: something happened, whatever it was. */
		if (len < 0 && errno == ENOBUFS) {
			concerns = true;
			continue;
		}
		if (len < 0)
			return concerns;
		/* Other programs can send to this socket, too. */
		if (from.nl_family == AF_NETLINK && from.nl_pid == 0)
			concerns |= uevent_concerns(message, (size_t)len, subsystems);
	}
}
