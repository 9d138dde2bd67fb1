/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the files that the command line names. A useless file ends the program before it starts,
 * unless the screen will show the problem. */
#pragma once

#include <stdbool.h>

#include "cli/options.h"

/* Says whether the files of the command line are of use: --config, --metrics and --metrics-xml can
 * be read, and --metrics has no mistake; --fsroot is a folder; --plot has a place. It returns true
 * without a look where nothing is read from them. Where the screen shows what is wrong with a file
 * of metrics, only --config and what may keep us waiting are looked at. The error is the first
 * mistake, and its hint says how many there are. */
bool input_files_check(const struct options *o, struct err *err);
/* Refuses (ERR_USAGE) to write a file that is being played: its bytes would be lost before they are
 * read. NULL and what is not there yet are good. */
bool input_files_spare(const struct options *o, const char *path, struct err *err);
