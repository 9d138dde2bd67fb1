/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes and checks the options of commands that put kernels on a device. */
#include "config.h"

#include "cmd/load/load_options.h"

#include <string.h>

#include "cli/options.h"
#include "cmd/load/roof_targets.h"

const char *const power_planes[] = { "package", "gpu", "duarte", NULL };

#define LOAD(member) .at = offsetof(struct load_options, member)
/* clang-format off */
const struct option_table load_options = { "load", "Loads: the commands stress, sweep, calibrate and check",
	(const struct option_row[]){ LOAD_OPTIONS(OPTION_ROW) { .name = NULL } }, sizeof(struct load_options), offsetof(struct options, load) };
/* clang-format on */

static bool is_of_two(const struct options *o)
{
	return o->n_devices > 1;
}

static bool lists_kernels(const struct options *o)
{
	return o->load->list_kernels || (o->n_names > 0 && !strcmp(o->names[0], "help"));
}

static bool dumps_kernels(const struct options *o)
{
	return o->load->dump_kernel;
}

static bool places_groups(const struct options *o)
{
	return o->load->where;
}

bool load_check_rows(struct options *o, struct err *err)
{
	bool is_text = o->form == OUTPUT_TEXT || (o->form == OUTPUT_NONE && o->task != TASK_SWEEP);

	for (int i = 0; i < o->n_devices && is_text && !o->load->dump; i++)
		if (o->devices[i].set && o->devices[i].n_wishes == 0)
			return err_set(err, ERR_USAGE,
				"--set chooses metrics, and lines of text have no room for them: -c, -J "
				"and --dump have");
	return true;
}

bool load_check_kept(const struct options *o, struct err *err)
{
	if (options_stream(o))
		return err_set(err, ERR_USAGE,
			"-w - is for the screen and for -b, -J and -c; here -w needs the name of "
			"a file");
	return !o->trace || strcmp(o->trace, "-") ||
		err_set(err, ERR_USAGE, "standard output is not for traces here: --trace FILE");
}

static bool check_stress(struct options *o, struct err *err)
{
	if (lists_kernels(o) && !o->load->list_kernels) {
		o->load->list_kernels = true;
		o->names++;
		o->n_names--;
	}
	return load_check_kept(o, err) && load_check_rows(o, err);
}

static bool check_calibrate(struct options *o, struct err *err)
{
	if (o->n_names == 1 && !strcmp(o->names[0], "help")) {
		o->task = TASK_ANSWER;
		for (const struct roof_target *t = roof_targets; t->name; t++)
			strbuf_addf(&o->answer, "%s\n", t->name);
	}
	/* It would be kept, and stand for what the device can do. */
	if (o->load->time_ns && o->load->time_ns < ROOF_RUN_NS) {
		err_set(err, ERR_USAGE, "so short a run reaches no roof: clocks need time to rise");
		return err_hint(err, "calibrate takes --time 0.3 and longer ones");
	}
	return load_check_rows(o, err);
}

const struct subcommand stress_command = OPTION_COMMAND(STRESS, check_stress);
const struct subcommand calibrate_command = OPTION_COMMAND(CALIBRATE, check_calibrate);
