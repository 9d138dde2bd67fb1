/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the program. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "cli/option_table.h"

extern const struct command_line command_line;

#endif
