/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says what diff takes. */
#include "config.h"

#include "cmd/diff/diff_options.h"

#include "cli/options.h"

const struct subcommand diff_command = OPTION_COMMAND(DIFF, NULL);
