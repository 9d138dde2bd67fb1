/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a recording plays, and how it goes on. Plain data. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct playback {
	int64_t position_ns, total_ns;	/* since the first report of the recording */
	double speed;			/* 1: as it was recorded */
	bool paused, loop, ended;
	bool damaged;			/* the recording ends where its good part does */
};
