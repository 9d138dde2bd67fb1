/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes windows as lines to a file or pipe. */
#ifndef CMD_TELL_BATCH_H
#define CMD_TELL_BATCH_H

#include "session/program.h"

/* Runs until -n windows were written, the data end, a signal comes (*signo is then set) or the
 * reader goes away. A reader that went away is no error. */
enum status batch_run(struct program *p, enum output_form form, int *signo);

#endif
