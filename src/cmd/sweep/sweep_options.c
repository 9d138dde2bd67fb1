/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes and checks the options of sweep. */
#include "config.h"

#include "cmd/sweep/sweep_options.h"

#include <fnmatch.h>
#include <string.h>

#include "base/mem.h"

const char *const sweep_over_words[] = { "groups", "tpb", "loop", "size", "stride", "intensity", NULL };

#define SWEEP(member) .at = offsetof(struct sweep_options, member)
/* clang-format off */
const struct option_table sweep_options = { "sweep", "The command sweep",
	(const struct option_row[]){ SWEEP_OPTIONS(OPTION_ROW) { .name = NULL } }, sizeof(struct sweep_options), offsetof(struct options, sweep) };
/* clang-format on */

static bool draws_figures(const struct options *o)
{
	return o->sweep->figures;
}

/* What a sweep varies cannot be fixed, and a paper says what is varied. */
static bool check_sweep(struct options *o, struct err *err)
{
	const struct load_options *l = o->load;
	const struct sweep_options *s = o->sweep;
	const bool over_tpb = s->over && !strcmp(s->over, "tpb");
	const bool over_loop = s->over && !strcmp(s->over, "loop");
	const bool over_groups = !s->over || !strcmp(s->over, "groups");
	const struct {
		bool wrong;
		const char *text;
	} rules[] = {
		{ s->figures && (s->over || l->blocks || l->tpb || l->loop || o->plot),
		  "a paper says what is run and drawn: --over, --blocks, --tpb, --loop and --plot "
		  "have no place beside --figures" },
		{ s->figures && o->output && !strcmp(o->output, "-"),
		  "--figures prints its table on standard output: -o names a file" },
		{ (s->figures || o->plot) && o->output &&
			  !fnmatch("*.svg", o->output, 0),
		  "pictures get names that end in .svg: -o needs another one for the rows" },
		{ over_groups && l->blocks,
		  "a sweep goes over the numbers of work-groups: --blocks has no place in it" },
		{ over_tpb && l->tpb,
		  "this sweep goes over the sizes of groups: --tpb has no place in it" },
		{ over_loop && l->loop,
		  "this sweep goes over loop counts: --loop has no place in it" },
		{ s->with.n && !s->figures && !o->plot,
		  "--with is drawn into pictures: --plot or --figures makes them" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rules); i++)
		if (rules[i].wrong)
			return err_set(err, ERR_USAGE, "%s", rules[i].text);
	/* Its kernels are those of stress. */
	if (o->n_names > 0 && !strcmp(o->names[0], "help")) {
		o->task = TASK_STRESS;
		o->load->list_kernels = true;
		o->names++;
		o->n_names--;
	}
	return load_check_kept(o, err) && load_check_rows(o, err);
}

const struct subcommand sweep_command = OPTION_COMMAND(SWEEP, check_sweep);
