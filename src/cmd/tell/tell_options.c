/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes and checks the options of commands that tell what is there. */
#include "config.h"

#include "cmd/tell/tell_options.h"

#include <string.h>

#include "cli/options.h"

#define TELL(member) .at = offsetof(struct tell_options, member)
/* clang-format off */
const struct option_table tell_options = { "tell", "The commands metrics and doctor",
	(const struct option_row[]){ TELL_OPTIONS(OPTION_ROW) { .name = NULL } }, sizeof(struct tell_options), offsetof(struct options, tell) };
/* clang-format on */

static bool explains_limit(const struct options *o)
{
	return o->n_names == 1 && !strcmp(o->names[0], "limit");
}

static bool finds_mistakes(const struct options *o)
{
	return o->tell->check;
}

static bool packs_bundle(const struct options *o)
{
	return o->tell->bundle;
}

static bool check_explain(struct options *o, struct err *err)
{
	if (explains_limit(o))
		o->task = TASK_EXPLAIN_LIMIT;
	if (o->n_names > 0)
		return true;
	err_set(err, ERR_USAGE, "nothing is named that could be explained");
	return err_hint(err, "a metric or a counter ('rooftop explain help' lists them), or limit");
}

static bool check_metrics(struct options *o, struct err *err)
{
	(void)err;
	if (o->n_names == 1 && !strcmp(o->names[0], "help"))
		o->task = TASK_EXPLAIN;
	return true;
}

const struct subcommand explain_command = OPTION_COMMAND(EXPLAIN, check_explain);
const struct subcommand metrics_command = OPTION_COMMAND(METRICS, check_metrics);
const struct subcommand roofline_command = OPTION_COMMAND(ROOFLINE, NULL);
const struct subcommand doctor_command = OPTION_COMMAND(DOCTOR, NULL);
