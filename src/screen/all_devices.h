/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes one line for each device: those that are open, with what limits them, and all others. */
#ifndef SCREEN_ALL_DEVICES_H
#define SCREEN_ALL_DEVICES_H

#include "session/session.h"
#include "ui/frame/view.h"

/* A zero-initialised struct is an empty list. */
struct all_devices {
	struct device_line *line;	/* heap, [n] */
	int *entry;			/* heap, [n] of the program's list of devices */
	struct session **session;	/* heap, [n] the open device, NULL */
	int n;
	size_t cap;
};

/* Fills the lines: open devices as they were named or found, then the others. No value changes the
 * order. shown is the session of the half that asks. */
void all_devices_update(struct all_devices *a, const struct session *shown);
void all_devices_release(struct all_devices *a);

#endif
