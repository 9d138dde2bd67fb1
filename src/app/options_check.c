/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What options mean together: what a command, or another option, would make of no effect is refused. */
#include "config.h"

#include "app/options.h"

#include <string.h>
#include <unistd.h>

#include "backends/intel/oa/oa_custom.h"
#include "base/mem.h"

/* Turns are for windows that follow each other; everything else wants one set. */
static bool check_rotate(const struct options *o, struct err *err)
{
	if (o->rotate_every_ns && !o->rotate)
		return err_set(err, ERR_USAGE, _("--rotate-every belongs to --rotate"));
	if (!o->rotate)
		return true;
	if (o->set)
		return err_set(err, ERR_USAGE, _("--rotate names the sets, --set asks for '%s' alone"), o->set);
	if (o->record)
		return err_set(err, ERR_USAGE, _("sets that take turns cannot be recorded: a recording holds what one set has counted"));
	if (o->task != TASK_RUN && o->task != TASK_SCRIPT)
		return err_set(err, ERR_USAGE, _("sets take turns on the screen and in lines of output; this command needs one set"));
	return true;
}

static bool is_load(const struct options *o)
{
	return o->task == TASK_STRESS || o->task == TASK_SWEEP || o->task == TASK_CALIBRATE;
}

/* What only loads understand must not be passed over in silence. */
static bool check_load(const struct options *o, struct err *err)
{
	bool sizes = o->blocks || o->tpb || o->loop || o->launches || o->time_ns || o->repeat || o->power_smoothing;
	bool any = sizes || o->profile || o->validate || o->tune || o->cl_device || o->quiet;

	if ((o->list_kernels || o->dump || o->dump_kernel) && o->task != TASK_STRESS)
		return err_set(err, ERR_USAGE, _("--list, --dump and --dump-kernel belong to the command stress: rooftop stress --list"));
	if (o->resume && o->task != TASK_SWEEP)
		return err_set(err, ERR_USAGE, _("--resume belongs to the command sweep"));
	if (o->plot && o->task != TASK_ROOFLINE && o->task != TASK_SWEEP && o->task != TASK_CALIBRATE)
		return err_set(err, ERR_USAGE, _("--plot belongs to the commands roofline, calibrate and sweep"));
	if (any && !is_load(o) && o->task != TASK_HELP) {
		err_set(err, ERR_USAGE, _("an option for loads was given, but no command that puts one on the device"));
		return err_hint(err, _("rooftop stress KERNEL... does; 'rooftop --help' lists all options"));
	}
	return true;
}

static bool has_export(const struct options *o)
{
	return o->export || o->textfile || o->trace;
}

#define IN(task) (1u << (task))

/* What a command would pass over in silence it refuses. */
static bool check_task(const struct options *o, struct err *err)
{
	const unsigned windows = IN(TASK_RUN) | IN(TASK_SCRIPT);
	const unsigned measured = IN(TASK_STRESS) | IN(TASK_SWEEP) | IN(TASK_CALIBRATE) | IN(TASK_ROOFLINE) | IN(TASK_COMMAND);
	const unsigned listed = IN(TASK_LIST_DEVICES) | IN(TASK_LIST_SETS) | IN(TASK_METRICS);
	const struct {
		bool given;
		unsigned tasks;
		const char *option, *where;
	} rows[] = {
		{ o->delay_ns, windows | measured, "--delay", N_("windows and commands that measure") },
		{ o->oa_period_ns, windows | measured, "--oa-period", N_("windows and commands that measure") },
		{ o->has_context, windows | measured, "--context", N_("windows and commands that measure") },
		{ o->speed > 0 || o->speed_max, windows | measured, "--speed", N_("windows and commands that measure") },
		{ o->per_report, windows | measured, "--per-report", N_("windows and commands that measure") },
		{ o->access, windows | measured | IN(TASK_DOCTOR), "--access", N_("windows, the command doctor and commands that measure") },
		{ o->power, windows | measured | IN(TASK_DOCTOR), "--power", N_("windows, the command doctor and commands that measure") },
		{ has_export(o), windows, "--export, --textfile and --trace", N_("the monitor and to -b, -J and -c") },
		{ o->record, windows, "--record", N_("the monitor and to -b, -J and -c") },
		{ o->tour, windows, "--tour", N_("the monitor") },
		{ o->screen, options_want_screen(o) ? windows : 0, "--screen", N_("the monitor") },
		{ o->clients, IN(TASK_RUN), "--clients", N_("-b and -J") },
		{ o->windows, IN(TASK_RUN) | IN(TASK_ROOFLINE), "--iterations", N_("-b, -J, -c, the monitor and the command roofline") },
		{ o->output, IN(TASK_RUN) | measured, "--output", N_("-b, -J, -c and commands that measure") },
		{ o->form == OUTPUT_JSON, IN(TASK_RUN) | measured | listed, "--json", N_("windows, lists and commands that measure") },
		{ o->form == OUTPUT_CSV, IN(TASK_RUN) | measured, "--csv", N_("windows and commands that measure") },
		{ o->check, IN(TASK_METRICS), "--check", N_("the command metrics: rooftop metrics --check FILE") },
		{ o->tap, IN(TASK_DOCTOR), "--tap", N_("the command doctor: rooftop doctor --tap") },
	};

	if (o->task == TASK_DOCTOR && (o->device || o->replay) && !o->beside && !o->tour)
		return err_set(err, ERR_USAGE, _("doctor looks at every device of this machine: --device and --replay are not for it"));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].given && !(rows[i].tasks & IN(o->task)) && o->task != TASK_HELP && o->task != TASK_VERSION)
			return err_set(err, ERR_USAGE, _("%s belongs to %s"), rows[i].option, _(rows[i].where));
	return true;
}

bool options_want_screen(const struct options *o)
{
	return o->task == TASK_SCRIPT || (o->task == TASK_RUN && o->form == OUTPUT_NONE && isatty(STDOUT_FILENO));
}

/* Two devices are for the screen, which shows which number is whose. */
static bool check_beside(const struct options *o, struct err *err)
{
	if (!o->beside || o->task == TASK_HELP || o->task == TASK_VERSION)
		return true;
	if (!options_want_screen(o)) {
		err_set(err, ERR_USAGE, _("two devices ('%s' and '%s') can be seen beside each other on the screen only"), o->device, o->beside);
		return err_hint(err, _("run rooftop once for each of them"));
	}
	if (!o->record)
		return true;
	err_set(err, ERR_USAGE, _("--record writes one file, but there are two devices ('%s' and '%s')"), o->device, o->beside);
	return err_hint(err, _("on the screen F7 records the one that has the keys"));
}

/* Two writers of one file would leave neither's lines whole; "-" is standard output, which the screen needs, too. */
static bool check_outputs(const struct options *o, struct err *err)
{
	bool has_lines = o->task != TASK_RUN || o->form != OUTPUT_NONE || options_want_screen(o);
	const char *const files[] = { o->output || !has_lines ? o->output : "-", o->record, o->trace, o->dump, o->plot };

	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		for (size_t k = 0; k < i; k++)
			if (files[i] && files[k] && !strcmp(files[i], files[k]) && strncmp(files[i], "/dev/", 5) != 0)
				return err_set(err, ERR_USAGE, _("'%s' is named for two kinds of output"), files[i]);
	return true;
}

bool options_check(struct options *o, struct err *err)
{
	if (o->task == TASK_RUN && o->output && o->form == OUTPUT_NONE)
		o->form = OUTPUT_TEXT;
	if (o->n_counters && o->set && strcmp(o->set, OA_CUSTOM_SET) != 0)
		return err_set(err, ERR_USAGE, _("--counter makes the set custom, --set asks for '%s'"), o->set);
	if (!check_rotate(o, err))
		return false;
	if (o->tour && (o->device || o->replay || (o->task == TASK_RUN && !options_want_screen(o))))
		return err_set(err, ERR_USAGE, _("--tour brings its own device and needs the screen"));
	if (o->tour)
		o->device = "sim:hd620,load=tour";
	if (o->replay && o->device) {
		err_set(err, ERR_USAGE, _("only one of --device and --replay can be given"));
		return err_hint(err, _("-D %s -D file:%s shows both beside each other"), o->device, o->replay);
	}
	if (!check_load(o, err) || !check_task(o, err) || !check_outputs(o, err))
		return false;
	if (o->per_report && o->speed > 0)
		return err_set(err, ERR_USAGE, _("--per-report goes from report to report, --speed does not apply to it"));
	if (o->overwrite && !o->record)
		return err_set(err, ERR_USAGE, _("--overwrite belongs to --record"));
	if (o->clients && o->form == OUTPUT_CSV)
		return err_set(err, ERR_USAGE, _("--clients writes lists, which do not fit into CSV; it goes with -b and -J"));
	if (o->clients && o->form == OUTPUT_NONE && (options_want_screen(o) || has_export(o))) {
		err_set(err, ERR_USAGE, _("--clients adds lines to -b and -J, and neither was asked for"));
		return err_hint(err, _("the screen has the processes on key 5"));
	}
	return check_beside(o, err);
}
