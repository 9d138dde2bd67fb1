/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the list of devices in step with the cards of the machine. */
#ifndef SESSION_DEVICES_DEVICE_CHANGES_H
#define SESSION_DEVICES_DEVICE_CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/loop.h"

struct program;

/* Keeps which cards there are, before they are looked up for the first time: what comes meanwhile
 * is then found as a change. */
void device_changes_begin(struct program *p);
/* Who hears of it when the kernel tells that a device came, went or got another driver. */
struct device_listener {
	struct program *program;
	struct loop *loop;
	void (*told)(void *ctx);	/* calls device_changes_told() */
	void *ctx;
	int fd;				/* -1: the kernel tells nothing */
};

/* Whether a session has a card of this machine, which may be reset. */
bool device_changes_have_card(const struct program *p);
/* Listens where that is allowed; nobody does for a replayed tree, which is of another machine. What
 * the kernel tells of the GPU of a session goes to that session: after a reset its streams are
 * opened again. The listener must live as long as the loop, and stop before that ends. */
void device_changes_listen(struct device_listener *l);
void device_changes_stop_listening(struct device_listener *l);
/* The kernel tells of a card: looks at once, and again a moment later, because udev gives the
 * rights to the new node only then. */
void device_changes_told(struct program *p, int64_t now_ns);
/* Looks every two seconds, or every two minutes where the kernel tells of changes, which cards
 * /sys/class/drm has, and takes them anew when these, or their drivers, are others; at_once: now,
 * whatever it has. Cards that are gone leave the list, but for those that are open. Counts
 * program.device_changes. Entries of the list may move. */
void device_changes_follow(struct program *p, int64_t now_ns, bool at_once);

#endif
