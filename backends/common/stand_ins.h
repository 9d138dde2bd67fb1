/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources that stand for others: for one that was refused, one that comes and goes, one that is
 * read often; and what a second reading of the same thing says. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "backends/common/backend.h"

/* --- refused.c --- */

/* Copies the counters. ready() fails with the refusal, samples carry the reason. */
struct source *refused_source_open(
	const char *name, const struct counter_desc *counters, int n, const struct err *refusal);
/* Returns the reason that values have after such a refusal. */
enum why refused_why(enum err_code code);

/* --- reopening.c --- */

/* How the source is opened, and opened again. Its feed is the same each time. */
struct source_opener {
	/* NULL with err when it is refused. */
	struct source *(*open)(void *ctx, int64_t now_ns, struct err *err);
	void (*release)(void *ctx);
	/* Optional. Windows are so long from now on. True: a source that is open keeps the pace
	 * that it was opened with, so another one takes its place. */
	bool (*retime)(void *ctx, int64_t window_ns);
};

/* When there is no source yet, inner is NULL, refusal says why, and missing has the name and the
 * counters that it will have, which are copied. Takes ctx over. Reading that fails closes the inner
 * source: descriptors of a device that is gone would keep its number from the one that comes after.
 * retry() opens it again. */
struct source *reopening_source_open(const struct source_opener *opener, void *ctx,
	struct source *inner, const struct feed *missing, const struct err *refusal);
/* The source inside, or NULL. */
struct source *reopening_source_inner(struct source *s);
/* The ctx that reopening_source_open() was given. */
void *reopening_source_ctx(struct source *s);
/* Tells the source that the inner one may have another descriptor now, and its counters other
 * names. */
void reopening_source_changed(struct source *s);

/* --- looks.c --- */

/* Wraps each source of the device that asks for it (struct source, look_often): it is read several
 * times in a window of that length, and the window has the means over time of its gauges and the
 * sums of what counts up. A window too short for two looks has one, at its end. */
void open_device_look_often(struct open_device *dev, int64_t window_ns);

/* A model is asked of a window that has passed in at most so many looks: a machine may have slept for
 * months. */
#define LOOKS_BACK_MAX 3600

/* Returns when look i of n is, from 1 on: in equal parts of the window, the last one at its end. */
static inline int64_t look_time_ns(int64_t end_ns, int64_t window_ns, int64_t i, int64_t n)
{
	return end_ns - window_ns / n * (n - i);
}

/* --- second.c --- */

/* Tells whether both are there (above 0) and differ by a factor that no two means of one quantity differ by. */
bool second_differs(double a, double b);

/* Zeroed at the start. */
struct second_busy {
	int64_t agreed_ns;	/* when they agreed last */
};

/* device: the share of time in which a device worked, as its driver says, 0 to 1. users: what its
 * users say that they worked, added up, which is a part of it; NAN: they say nothing. Tells whether
 * the driver says far less than its users, and has done so for some seconds: both are means over
 * times of their own. */
bool second_busy_differs(struct second_busy *s, double device, double users, int64_t now_ns);
