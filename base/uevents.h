/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's messages about devices that come and go, and about GPUs that were reset. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum uevent_kind {
	UEVENT_OTHER,		/* nothing of these */
	UEVENT_CHANGED,		/* a device came, went or got another driver */
	UEVENT_ERROR,		/* the GPU has an error, and may be reset (i915) */
	UEVENT_RESET,		/* it was reset: whatever was programmed is lost (i915, amdgpu) */
	UEVENT_WEDGED,		/* its driver has given it up */
};

struct uevent {
	enum uevent_kind kind;
	char card[32];		/* of a GPU: "card0" */
	char recovery[64];	/* what brings one back that was given up: "rebind,bus-reset" */
};

/* Opens a socket on which the kernel sends them; it wakes nobody while nothing happens. Returns -1
 * with errno where that is refused. Namespaces of their own users open it and get nothing. */
int uevents_open(void);
/* Reads up to the next message that is no UEVENT_OTHER of one of these subsystems (NULL-terminated),
 * without blocking; lost messages are a change. Returns false when nothing more waits. */
bool uevents_next(int fd, const char *const *subsystems, struct uevent *out);
/* What one message says: words that end with zeros, of which the first is no pair of name and
 * value. A change of a device that stays what it is says nothing. Of GPUs: Linux
 * i915/gt/intel_reset.c (ERROR, RESET) and drm_drv.c, drm_dev_wedged_event() (WEDGED). */
struct uevent uevent_of(const char *message, size_t len, const char *const *subsystems);
