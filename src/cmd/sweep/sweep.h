/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command sweep runs kernels over numbers of work-groups, as the figures of H. Duarte's thesis
 * do (2018, chapter 4). */
#ifndef CMD_SWEEP_SWEEP_H
#define CMD_SWEEP_SWEEP_H

#include "session/session.h"

enum status sweep_cmd(struct session *ses, enum output_form form, int *signo);

#endif
