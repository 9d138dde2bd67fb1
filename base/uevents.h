/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's messages about devices that come and go. */
#ifndef BASE_UEVENTS_H
#define BASE_UEVENTS_H

#include <stdbool.h>
#include <stddef.h>

/* Opens a socket on which the kernel sends them; it wakes nobody while nothing happens. Returns -1
 * with errno where that is refused. Namespaces of their own users open it and get nothing. */
int uevents_open(void);
/* Reads what waits, without blocking. Returns whether a device of one of these subsystems
 * (NULL-terminated) came, went or changed its driver, or messages were lost. */
bool uevents_read(int fd, const char *const *subsystems);
/* The same of one message: words that end with zeros, of which the first is no pair of name and value.
 * A change of a device that stays what it is says nothing. */
bool uevent_concerns(const char *message, size_t len, const char *const *subsystems);

#endif
