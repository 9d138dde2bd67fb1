/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the value of an option that was found on the command line. */
#ifndef CLI_OPTIONS_TAKE_H
#define CLI_OPTIONS_TAKE_H

#include "cli/options.h"

/* Does what an option stands for; value is NULL where it takes none. */
bool options_take(struct options *o, const struct option_info *info, const char *value,
	struct err *err);
/* Has to be called behind the last option: completes the event that --cc-i has started, and adds a
 * device without a name where none was given. */
void options_end_devices(struct options *o);

#endif
