/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes names for files that the user did not name. */
#ifndef SESSION_DEFAULT_NAME_H
#define SESSION_DEFAULT_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/clock.h"

/* Makes "STEM-20261121-140322END" from local time. A number is added where such a file exists
 * already, because two may begin in one second. Returns false when the time has no such form. */
bool default_file_name(
	const struct clock *clock, const char *stem, const char *end, char *buf, size_t size);

#endif
