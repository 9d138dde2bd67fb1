/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes names for files that nobody named. */
#include "config.h"

#include "session/default_name.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define NUMBER_MAX 99

bool default_file_name(
	const struct clock *clock, const char *stem, const char *end, char *buf, size_t size)
{
	time_t s = (time_t)(clock_wall_ns(clock) / NS_PER_S);
	char stamp[32], number[8] = "";
	struct tm tm;

	if (!localtime_r(&s, &tm) || !strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm))
		return false;
	for (int i = 2; i <= NUMBER_MAX; i++) {
		snprintf(buf, size, "%s-%s%s%s", stem, stamp, number, end);
		if (access(buf, F_OK))
			break;
		snprintf(number, sizeof(number), "-%d", i);
	}
	return true;
}
