/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command calibrate: measures roofs and keeps them for the device. */
#ifndef CMD_LOAD_CALIBRATE_H
#define CMD_LOAD_CALIBRATE_H

#include "session/session.h"

/* Runs the command. *signo is the signal that ended it, or 0; what was measured until then is
 * kept, of a simulated device only with --keep. */
enum status calibrate_cmd(struct session *ses, enum output_form form, int *signo);

#endif
