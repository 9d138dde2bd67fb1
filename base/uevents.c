/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads uevents from netlink as lib/kobject_uevent.c of Linux sends them. */
#include "config.h"

#include "base/uevents.h"

#include <errno.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"

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

/* What the words of a message say, as far as we listen to them; "" for those that are not there. */
struct words {
	const char *action, *subsystem, *path, *error, *wedged;
};

static bool read_words(struct words *w, const char *message, size_t len)
{
	const struct {
		const char *name, **to;
	} known[] = { { "ACTION=", &w->action }, { "SUBSYSTEM=", &w->subsystem },
		{ "DEVPATH=", &w->path }, { "ERROR=", &w->error }, { "WEDGED=", &w->wedged } };

	*w = (struct words){ "", "", "", "", "" };
	if (!len || message[len - 1])
		return false;
	for (const char *word = message; word < message + len; word += strlen(word) + 1)
		for (size_t i = 0; i < ARRAY_LEN(known); i++)
			if (!strncmp(word, known[i].name, strlen(known[i].name)))
				*known[i].to = word + strlen(known[i].name);
	return true;
}

/* amdgpu says after each reset that nothing has to be done (DRM_WEDGE_RECOVERY_NONE). i915 says
 * ERROR=1 and RESET=1 before one, and ERROR=0 after it. */
static enum uevent_kind kind_of_change(const struct words *w)
{
	if (*w->wedged && strcmp(w->wedged, "none") != 0)
		return UEVENT_WEDGED;
	if (*w->wedged || !strcmp(w->error, "0"))
		return UEVENT_RESET;
	return *w->error ? UEVENT_ERROR : UEVENT_OTHER;
}

struct uevent uevent_of(const char *message, size_t len, const char *const *subsystems)
{
	static const char *const actions[] = { "add", "remove", "bind", "unbind", "move", NULL };
	struct uevent e = { .kind = UEVENT_OTHER };
	struct words w;

	if (!read_words(&w, message, len) || !is_one_of(w.subsystem, subsystems))
		return e;
	if (is_one_of(w.action, actions))
		e.kind = UEVENT_CHANGED;
	else if (!strcmp(w.action, "change"))
		e.kind = kind_of_change(&w);
	const char *name = strrchr(w.path, '/');
	snprintf(e.card, sizeof(e.card), "%.31s", name ? name + 1 : "");
	snprintf(e.recovery, sizeof(e.recovery), "%.63s", w.wedged);
	return e;
}

bool uevents_next(int fd, const char *const *subsystems, struct uevent *out)
{
	char message[MAX_MESSAGE];

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
		*out = (struct uevent){ .kind = UEVENT_CHANGED };
		if (len < 0)
			return errno == ENOBUFS;
		/* Other programs can send to this socket, too. */
		if (from.nl_family != AF_NETLINK || from.nl_pid != 0)
			continue;
		*out = uevent_of(message, (size_t)len, subsystems);
		if (out->kind != UEVENT_OTHER)
			return true;
	}
}
