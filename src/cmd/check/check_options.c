/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes and checks the options of check. */
#include "config.h"

#include "cmd/check/check_options.h"

#include <string.h>

#include "cli/options.h"
#include "cmd/load/load_options.h"

#define CHECK(member) .at = offsetof(struct check_options, member)
/* clang-format off */
const struct option_table check_options = { "check", "The command check",
	(const struct option_row[]){ CHECK_OPTIONS(OPTION_ROW) { .name = NULL } }, sizeof(struct check_options), offsetof(struct options, check) };
/* clang-format on */

static bool check_check(struct options *o, struct err *err)
{
	if (o->n_names == 1 && !strcmp(o->names[0], "help"))
		o->task = TASK_LIST_DEVICES;
	if (o->load->time_ns && o->check->level < 3) {
		err_set(err, ERR_USAGE,
			"--time is the length of the long load, which only --level 3 has");
		return err_hint(err, "rooftop check --level 3 --time SECS, or leave --time out");
	}
	if (o->tap && (o->form == OUTPUT_JSON || o->form == OUTPUT_CSV))
		return err_set(err, ERR_USAGE, "only one of --tap, -J and -c can be given");
	return true;
}

const struct subcommand check_command = OPTION_COMMAND(CHECK, check_check);
