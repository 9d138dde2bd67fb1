/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of files that nobody named. */
#ifndef SESSION_DEFAULT_NAME_H
#define SESSION_DEFAULT_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/clock.h"

/* "STEM-20261121-140322END" in local time, with a number behind it where such a file is there
 * already: two may be begun in one second. False: the time has no such form. */
bool default_file_name(
	const struct clock *clock, const char *stem, const char *end, char *buf, size_t size);

#endif
