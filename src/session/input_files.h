/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that the command line names: one that is of no use ends the program before it starts,
 * unless the screen will show that. */
#ifndef SESSION_INPUT_FILES_H
#define SESSION_INPUT_FILES_H

#include <stdbool.h>

#include "cli/options.h"

/* Whether the files are of use that the command line names: --config, --metrics and --metrics-xml
 * can be read, and --metrics has no mistake; --fsroot is a folder; --plot has a place. True without
 * a look where nothing is read from them, where the screen shows what is wrong, and for pipes,
 * which can be read once only. The error is the first mistake; its hint says how many there are. */
bool input_files_check(const struct options *o, struct err *err);

#endif
