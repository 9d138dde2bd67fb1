/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the commands of the program and the tables of their options, in the order of the help. */
#include "config.h"

#include "tasks.h"

#include "cmd/check/check_options.h"
#include "cmd/diff/diff_options.h"
#include "cmd/load/load_options.h"
#include "cmd/run/run_options.h"
#include "cmd/sweep/sweep_options.h"
#include "cmd/tell/tell_options.h"
#include "cli/options.h"

static const struct option_table *const tables[] = {
	&load_options, &sweep_options, &run_options, &check_options, &tell_options, NULL
};

static const struct subcommand *const commands[] = { &live_command, &run_command, &diff_command,
	&stress_command, &sweep_command, &calibrate_command, &check_command, &explain_command,
	&metrics_command, &roofline_command, &doctor_command, NULL };

const struct command_line command_line = { tables, commands };
