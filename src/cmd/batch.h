/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows as lines in a file or pipe. */
#ifndef CMD_BATCH_H
#define CMD_BATCH_H

#include "session/program.h"

/* Runs until -n windows, the end of the data, a signal (then *signo is set) or a reader that went
 * away (quietly good). */
enum status batch_run(struct program *p, enum output_form form, int *signo);

#endif
