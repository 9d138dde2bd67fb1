/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a device and waits for some windows, for commands that print a single state. */
#ifndef CMD_TELL_WINDOW_WAIT_H
#define CMD_TELL_WINDOW_WAIT_H

#include "session/session.h"

/* Opens the device of the options. The clock of a simulated or recorded one becomes virtual. */
bool window_wait_open(struct session *ses, struct err *err);
/* Waits until as many windows as --iterations says are complete (at least one), or the data end.
 * Returns the last one, or NULL when there is none. */
const struct snapshot *window_wait_last(struct session *ses);

#endif
