/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screen in a terminal. */
#pragma once

#include "session/program.h"

/* Runs until the user quits. *signo is the signal that ended it, or 0 when none did. The terminal
 * is restored on return. */
enum status monitor_run(struct program *p, bool ascii, int *signo);
