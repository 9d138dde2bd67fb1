/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who uses a DRM device: the fdinfo files of all processes. */
#ifndef BACKENDS_CARD_FDINFO_H
#define BACKENDS_CARD_FDINFO_H

#include "backends/common/backend.h"

/* The clients of the device; never NULL. What is under /proc is looked at by the first scan.
 * Processes without a file of a DRM device are looked into again only every few scans, the more
 * rarely the longer they have none. */
struct client_source *fdinfo_open(const struct device *d, const struct fsroot *fs);

#endif
