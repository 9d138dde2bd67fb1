/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command stress with two devices: what each kernel reaches on both, beside each other. */
#ifndef CMD_LOAD_STRESS_PAIR_H
#define CMD_LOAD_STRESS_PAIR_H

#include "session/session.h"

/* Runs the kernels of the command line on the first device of the options, then on the second, and
 * writes a row for each kernel. *signo is the signal that ended it, or 0. Returns STATUS_CHECK when
 * a result was wrong. */
enum status stress_pair_cmd(struct session *ses, enum output_form form, int *signo);

#endif
