/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leaves sources of a simulated device away: "hd620,load=send,without=power". */
#ifndef BACKENDS_SIM_SIM_WITHOUT_H
#define BACKENDS_SIM_SIM_WITHOUT_H

#include "base/err.h"
#include "backends/common/backend.h"

#define SIM_WITHOUT_MAX 8

/* Feeds that are left away. Plain data. */
struct sim_without {
	char names[SIM_WITHOUT_MAX][16];
	int n;
};

/* Takes the words "without=SOURCE" out of a spec; rest has room for all of it. False: err. */
bool sim_without_take(
	const char *spec, char *rest, size_t size, struct sim_without *out, struct err *err);
/* Closes the sources that are named; the first one, whose windows are the device's, stays and says that it
 * is closed to this user. False with err when a name is none of its sources. */
bool sim_without_apply(const struct sim_without *w, struct open_device *dev, struct err *err);

#endif
