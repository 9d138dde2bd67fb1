/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the list of devices in step with the cards of the machine. */
#ifndef SESSION_DEVICE_CHANGES_H
#define SESSION_DEVICE_CHANGES_H

#include <stdbool.h>
#include <stdint.h>

struct program;

/* Looks every two seconds which cards /sys/class/drm has, and takes them anew when these, or their
 * drivers, are others; at_once: now, whatever it has. Cards that are gone leave the list, but for
 * those that are open. Counts program.device_changes. Entries of the list may move. */
void device_changes_follow(struct program *p, int64_t now_ns, bool at_once);

#endif
