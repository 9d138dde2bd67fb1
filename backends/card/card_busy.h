/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How busy a card is as its clients tell: the sum over the processes that may be seen. */
#ifndef BACKENDS_CARD_CARD_BUSY_H
#define BACKENDS_CARD_CARD_BUSY_H

#include "backends/common/backend.h"

/* Returns the source "clients", whose counters are nanoseconds of work by class of engines, and makes
 * dev->clients a source that shares its scans. The device has to be filled before, since its name and
 * driver tell which files of /proc belong to it. */
struct source *card_busy_open(struct open_device *dev, const struct open_options *o);
/* busy: that source. Tells whether its clients did anything in the last window, as far as they can be
 * seen. */
bool card_busy_works(const struct source *busy);
/* busy: that source. Gives the share of the last window that its clients used of the busiest engine, and when that
 * window ended; NAN: unknown. */
double card_busy_share(const struct source *busy, int64_t *ended_ns);
/* busy: that source. While is_around(ctx) says so, somebody computes of whom clients tell nothing,
 * and the counter of computing has no number. ctx has to live as long as the device's sources. */
void card_busy_around(struct source *busy, bool (*is_around)(const void *ctx), const void *ctx);

#endif
