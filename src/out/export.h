/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What leaves the program beside its screen or lines: an OpenMetrics endpoint, a file for
 * node_exporter, a trace. */
#ifndef OUT_EXPORT_H
#define OUT_EXPORT_H

#include <stdbool.h>

#include "session/program.h"
#include "base/err.h"
#include "base/loop.h"

/* Opens what the options ask for. On failure nothing stays open. */
bool export_open(struct program *p, struct err *err);
/* Where the endpoint listens, for people; NULL: there is none. */
const char *export_url(const struct program *p);
/* Serves from this loop. */
void export_start(struct program *p, struct loop *loop);
/* After each tick of a session; is_new: a window is complete. False with err: something can no
 * longer be written, and is closed. */
bool export_service(struct session *ses, bool is_new, struct err *err);
/* Before a session is closed: what it has begun ends there. */
void export_leave(struct session *ses);
bool export_close(struct program *p, struct err *err);

#endif
