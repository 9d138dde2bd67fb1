/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes and checks the options of run. */
#include "config.h"

#include "cmd/run/run_options.h"

#include <string.h>

#include "cli/options.h"
#include "cmd/load/load_options.h"

#define RUN(member) .at = offsetof(struct run_options, member)
/* clang-format off */
const struct option_table run_options = { "run", "The command run",
	(const struct option_row[]){ RUN_OPTIONS(OPTION_ROW) { .name = NULL } }, sizeof(struct run_options), offsetof(struct options, run) };
/* clang-format on */

static bool counts_alone(const struct options *o)
{
	return o->run->task_alone;
}

bool run_is_replayed(const struct options *o)
{
	const char *name = o->devices[0].name;

	return name && !strncmp(name, "file:", 5);
}

static bool check_run(struct options *o, struct err *err)
{
	if (!load_check_kept(o, err))
		return false;
	if (run_is_replayed(o) && o->n_names > 0) {
		err_set(err, ERR_USAGE, "-r reports the run of a recording, in which '%s' cannot run",
			o->names[0]);
		return err_hint(err, "leave out -r FILE, or the command");
	}
	if (!o->all_metrics || (o->form != OUTPUT_JSON && o->form != OUTPUT_CSV))
		return true;
	return err_set(err, ERR_USAGE, "-J and -c have all metrics without --all");
}

const struct subcommand run_command = OPTION_COMMAND(COMMAND, check_run);
