/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the program, and from options to the job that they ask for. */
#pragma once

#include "cli/option_table.h"
#include "cli/options.h"

/* The commit of the checkout that the program was built from; empty: it was none (made by
 * src/Makemodule.am). */
extern const char rooftop_commit[];

/* Before anything is printed. */
void run_set_locale(void);
/* Opens the catalogue of the user's language for the screen. Everything else is in English. */
void run_set_language(const struct options *opt);
/* The exit status: of enum status, or the one of the command that was run. *signo: the signal that
 * ended the job, 0 when none did. */
int run(const struct options *opt, int *signo);

extern const struct command_line command_line;
