/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that the command line names: outside the screen, which shows problems, one that is of no use ends the program before it starts. */
#ifndef APP_NAMED_H
#define APP_NAMED_H

#include <stdbool.h>

#include "app/options.h"

/* Whether --config, --metrics and --metrics-xml name files that can be read and, with --metrics, have no mistake, --fsroot a folder, and
 * --plot a place that can be written to, which would show when all is measured. True also where
 * nothing is read from them, and where the screen shows what is wrong. The error is the first mistake; the hint says how many there are. */
bool named_files_check(const struct options *o, struct err *err);

#endif
