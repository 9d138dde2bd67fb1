/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares a number with a second one of the same quantity, to find the one that has another unit or does not move. */
#ifndef BACKENDS_COMMON_SECOND_H
#define BACKENDS_COMMON_SECOND_H

#include <stdbool.h>
#include <stdint.h>

/* Tells whether both are there (above 0) and differ by a factor that no two means of one quantity differ by. */
bool second_differs(double a, double b);

/* Zeroed at the start. */
struct second_busy {
	int64_t agreed_ns;	/* when they agreed last */
};

/* device: the share of time in which a device worked, as its driver says, 0 to 1. users: what its users say that they
 * worked, added up, which is a part of it; NAN: they say nothing. Tells whether the driver says far less than its users, and
 * has done so for some seconds: both are means over times of their own. */
bool second_busy_differs(struct second_busy *s, double device, double users, int64_t now_ns);

#endif
