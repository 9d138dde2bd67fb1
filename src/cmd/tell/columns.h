/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the metrics that --columns names. */
#ifndef CMD_TELL_COLUMNS_H
#define CMD_TELL_COLUMNS_H

#include "out/lines/writer.h"
#include "session/session.h"

/* Gives the runs of all devices their metrics. A word that no device has is an error, which names
 * the sets that have it, else the metrics that come nearest. */
bool columns_show(const struct program *p, struct writer_run *runs, int n, struct err *err);

#endif
