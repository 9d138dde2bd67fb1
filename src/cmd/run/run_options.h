/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of run, and the command. */
#pragma once

#include <stdbool.h>

#include "cli/option_table.h"

#define RUN_OPTIONS(X) \
	X("task", 0, NULL, ONCE, "count the command and its children alone, in user mode; needs no permission", option_flag, RUN(task_alone)) \
	X("need-counters", 0, NULL, ONCE, "do not run the command where no counter can be read: status 3", option_flag, RUN(need_counters)) \
	X("kernels", 0, NULL, ONCE, "which kernels the command runs, and what each takes (OpenCL)", option_flag, RUN(kernels)) \
	X("markers", 0, "FIFO", ONCE, "phases of the command, which writes their names to this FIFO, or signal: by SIGUSR1", option_named_file, RUN(markers))

struct run_options {
	bool task_alone;	/* count the command alone */
	bool need_counters;
	const char *markers;
	bool kernels;
};

struct options;

/* Whether the line names a recording of a run, and no command. */
bool run_is_replayed(const struct options *o);

extern const struct option_table run_options;
extern const struct subcommand run_command;

#define COMMAND_WORDS "run", "[--] CMD [ARG...]", "counters, power and time around a command"
#define RUN_COMMANDS(X) X(COMMAND)

#define COMMAND_FORMS(X) \
	X("run --task", counts_alone, "batch json csv output overwrite device fsroot counter task need-counters") \
	X("run of a recording", run_is_replayed, "batch json csv output overwrite device replay fsroot set all kernels metrics metrics-xml") \
	X("run", NULL, "record trace delay batch json csv output overwrite device oa-period context access power fsroot set counter boolean all kernels markers need-counters metrics metrics-xml repeat")
