/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command diff, which has no option of its own. */
#pragma once

#include "cli/option_table.h"

extern const struct subcommand diff_command;

#define DIFF_WORDS "diff", "BEFORE AFTER", "did my change help? recordings or results of both"
#define DIFF_COMMANDS(X) X(DIFF)

#define DIFF_FORMS(X) X("diff", NULL, "delay batch json csv output overwrite set all metrics metrics-xml")
