/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the devices of the command line to open sessions. */
#ifndef SESSION_OPEN_ALL_H
#define SESSION_OPEN_ALL_H

#include "session/program.h"

struct open_all {
	bool may_simulate;	/* as devices_choose() has it */
	bool may_repeat;	/* a device of this machine may be open twice */
	/* a session whose windows do not wait (--speed max, --per-report) gets a clock of its
	 * own */
	bool may_hurry;
	int most;		/* so many are opened; the others stay closed. 0: all */
};

/* Looks all names up before it opens the first device. The program then has a session for each
 * device. False with err when one cannot be opened; those that -D all stands for are left out with
 * a message, as long as there is one that can. */
bool open_all(struct program *p, const struct open_all *how, struct err *err);

#endif
