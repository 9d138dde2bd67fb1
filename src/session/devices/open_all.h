/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a session for each device of the command line. */
#ifndef SESSION_DEVICES_OPEN_ALL_H
#define SESSION_DEVICES_OPEN_ALL_H

#include "session/program.h"

struct open_all {
	bool may_simulate;	/* as devices_choose() has it */
	bool may_repeat;	/* a device of this machine may be open twice */
	/* a session whose windows do not wait (--speed max, --per-report) gets a clock of its
	 * own */
	bool may_hurry;
	/* a device of this machine runs in the machine's time, also when the program's clock is
	 * virtual (scripts); those that follow do, too */
	bool may_be_real;
};

/* Looks up all names before it opens the first device. The program then has a session for each
 * device. Returns false with err when one cannot be opened. Devices that -D all stands for are left
 * out with a message, as long as one of them can be opened. */
bool open_all(struct program *p, const struct open_all *how, struct err *err);
/* Opens those of the devices that -D all stands for that are not open: they came, or can be opened
 * now. What cannot be opened has a message. The program then has further sessions at the end. */
void open_all_new(struct program *p);

#endif
