/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps what a command counts that has no screen: the recording of -w, and the trace of --trace. */
#ifndef OUT_EXPORT_KEEP_H
#define OUT_EXPORT_KEEP_H

#include "session/session.h"
#include "base/loop.h"

/* A zero-initialised struct keeps nothing. */
struct keeper {
	struct session *session;
	bool failed;	/* err says why; what has not failed goes on */
	struct err err;
};

/* Begins what the options ask for. Returns false (ERR_NO_DEVICE) where no device is open. */
bool keeper_begin(struct keeper *k, struct session *ses, struct loop *loop, struct err *err);
/* Has to be called after each tick; is_new: a window is complete. A failure is told at once, and
 * the command goes on. */
void keeper_tick(struct keeper *k, bool is_new);
/* Ends it all. Returns good, unless something could not be kept: then false, and err says why. */
bool keeper_end(struct keeper *k, bool good, struct err *err);

#endif
