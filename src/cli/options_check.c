/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What options mean together: what a command, or another option, would make of no effect is
 * refused. */
#include "config.h"

#include "cli/options.h"

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
		return err_set(err, ERR_USAGE,
			_("--rotate names the sets, --set asks for '%s' alone"), o->set);
	if (o->record)
		return err_set(err, ERR_USAGE,
			_("sets that take turns cannot be recorded: a recording holds what one set "
			  "has counted"));
	if (o->task != TASK_RUN && o->task != TASK_SCRIPT)
		return err_set(err, ERR_USAGE,
			_("sets take turns on the screen and in lines of output; this command "
			  "needs one set"));
	return true;
}

static bool is_load(const struct options *o)
{
	return o->task == TASK_STRESS || o->task == TASK_SWEEP || o->task == TASK_CALIBRATE;
}

/* What only loads understand must not be passed over in silence. */
static bool check_load(const struct options *o, struct err *err)
{
	bool sizes = o->blocks || o->tpb || o->loop || o->launches || o->time_ns || o->repeat ||
		o->power_smoothing;
	bool any = sizes || o->profile || o->validate || o->tune || o->cl_device || o->quiet;

	if ((o->list_kernels || o->dump || o->dump_kernel) && o->task != TASK_STRESS)
		return err_set(err, ERR_USAGE,
			_("--list, --dump and --dump-kernel belong to the command stress: rooftop "
			  "stress --list"));
	if (o->resume && o->task != TASK_SWEEP)
		return err_set(err, ERR_USAGE, _("--resume belongs to the command sweep"));
	if (o->plot && o->task != TASK_ROOFLINE && o->task != TASK_SWEEP &&
		o->task != TASK_CALIBRATE)
		return err_set(err, ERR_USAGE,
			_("--plot belongs to the commands roofline, calibrate and sweep"));
	if (any && !is_load(o) && o->task != TASK_HELP) {
		err_set(err, ERR_USAGE,
			_("an option for loads was given, but no command that puts one on the "
			  "device"));
		return err_hint(err,
			_("rooftop stress KERNEL... does; 'rooftop --help' lists all options"));
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
	const unsigned measured = IN(TASK_STRESS) | IN(TASK_SWEEP) | IN(TASK_CALIBRATE) |
		IN(TASK_ROOFLINE) | IN(TASK_COMMAND);
	const unsigned listed = IN(TASK_LIST_DEVICES) | IN(TASK_LIST_SETS) | IN(TASK_METRICS);
	const struct {
		bool given;
		unsigned tasks;
		const char *text;
	} rows[] = {
		{ o->delay_ns, windows | measured,
			N_("--delay belongs to windows and commands that measure") },
		{ o->oa_period_ns, windows | measured,
			N_("--oa-period belongs to windows and commands that measure") },
		{ o->has_context, windows | measured,
			N_("--context belongs to windows and commands that measure") },
		{ o->speed > 0 || o->speed_max, windows | measured,
			N_("--speed belongs to windows and commands that measure") },
		{ o->per_report, windows | measured,
			N_("--per-report belongs to windows and commands that measure") },
		{ o->access, windows | measured | IN(TASK_DOCTOR),
			N_("--access belongs to windows, the command doctor and commands that "
			   "measure") },
		{ o->power, windows | measured | IN(TASK_DOCTOR),
			N_("--power belongs to windows, the command doctor and commands that "
			   "measure") },
		{ o->export, windows, N_("--export belongs to the monitor and to -b, -J and -c") },
		{ o->textfile, windows,
			N_("--textfile belongs to the monitor and to -b, -J and -c") },
		{ o->trace, windows, N_("--trace belongs to the monitor and to -b, -J and -c") },
		{ o->record, windows, N_("--record belongs to the monitor and to -b, -J and -c") },
		{ o->tour, windows, N_("--tour belongs to the monitor") },
		{ o->screen, options_want_screen(o) ? windows : 0,
			N_("--screen belongs to the monitor") },
		{ o->clients, IN(TASK_RUN), N_("--clients belongs to -b and -J") },
		{ o->windows, IN(TASK_RUN) | IN(TASK_ROOFLINE),
			N_("--iterations belongs to -b, -J, -c, the monitor and the command "
			   "roofline") },
		{ o->output, IN(TASK_RUN) | measured,
			N_("--output belongs to -b, -J, -c and commands that measure") },
		{ o->form == OUTPUT_JSON, IN(TASK_RUN) | measured | listed,
			N_("--json belongs to windows, lists and commands that measure") },
		{ o->form == OUTPUT_CSV, IN(TASK_RUN) | measured,
			N_("--csv belongs to windows and commands that measure") },
		{ o->check, IN(TASK_METRICS),
			N_("--check belongs to the command metrics: rooftop metrics --check "
			   "FILE") },
		{ o->tap, IN(TASK_DOCTOR),
			N_("--tap belongs to the command doctor: rooftop doctor --tap") },
	};

	if (o->task == TASK_DOCTOR && (o->device || o->replay) && !o->tour)
		return err_set(err, ERR_USAGE,
			_("doctor looks at every device of this machine: --device and --replay are "
			  "not for it"));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].given && !(rows[i].tasks & IN(o->task)) && o->task != TASK_HELP &&
			o->task != TASK_VERSION)
			return err_set(err, ERR_USAGE, "%s", _(rows[i].text));
	return true;
}

bool options_want_screen(const struct options *o)
{
	return o->task == TASK_SCRIPT ||
		(o->task == TASK_RUN && o->form == OUTPUT_NONE && isatty(STDOUT_FILENO));
}

/* Two devices are for the screen, which shows which number is whose. */
static bool check_beside(const struct options *o, struct err *err)
{
	if (!o->beside || o->task == TASK_HELP || o->task == TASK_VERSION)
		return true;
	if (!options_want_screen(o)) {
		err_set(err, ERR_USAGE,
			_("two devices ('%s' and '%s') can be seen beside each other on the screen "
			  "only"),
			o->device, o->beside);
		return err_hint(err, _("run rooftop once for each of them"));
	}
	if (!o->record)
		return true;
	err_set(err, ERR_USAGE,
		_("--record writes one file, but there are two devices ('%s' and '%s')"), o->device,
		o->beside);
	return err_hint(err, _("on the screen F7 records the one that has the keys"));
}

/* Two writers of one file would leave neither's lines whole. */
static bool two_writers(const char *option, const char *other, const char *path, struct err *err)
{
	err_set(err, ERR_USAGE, _("%s and %s both write to '%s'"), other, option, path);
	return err_hint(err, _("give one of them another file"));
}

/* Standard output has lines, or the screen, also where no option says so. */
static bool output_is_taken(const struct options *o, const char *option, struct err *err)
{
	err_set(err, ERR_USAGE, _("'%s -' would write between what else goes to standard output"),
		option);
	if (options_want_screen(o))
		return err_hint(err, _("the screen needs it: %s FILE writes to a file"), option);
	return err_hint(err, _("-o FILE leaves it to %s alone"), option);
}

static bool check_outputs(const struct options *o, struct err *err)
{
	bool has_lines = !o->output &&
		(o->task != TASK_RUN || o->form != OUTPUT_NONE || options_want_screen(o));
	const struct {
		const char *option, *path;
	} files[] = {
		{ "--output", o->output }, { "--record", o->record }, { "--trace", o->trace }, { "--dump", o->dump }, { "--plot", o->plot },
	};

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		if (!files[i].path || !strncmp(files[i].path, "/dev/", 5))
			continue;
		if (has_lines && !strcmp(files[i].path, "-"))
			return output_is_taken(o, files[i].option, err);
		for (size_t k = 0; k < i; k++)
			if (files[k].path && !strcmp(files[i].path, files[k].path))
				return two_writers(
					files[i].option, files[k].option, files[i].path, err);
	}
	return true;
}

bool options_check(struct options *o, struct err *err)
{
	if (o->task == TASK_RUN && o->output && o->form == OUTPUT_NONE)
		o->form = OUTPUT_TEXT;
	if (o->n_counters && o->set && strcmp(o->set, OA_CUSTOM_SET) != 0)
		return err_set(err, ERR_USAGE, _("--counter makes the set %s, --set asks for '%s'"),
			OA_CUSTOM_SET, o->set);
	if (!check_rotate(o, err))
		return false;
	if (o->tour && (o->device || o->replay || (o->task == TASK_RUN && !options_want_screen(o))))
		return err_set(
			err, ERR_USAGE, _("--tour brings its own device and needs the screen"));
	if (o->tour)
		o->device = "sim:hd620,load=tour";
	if (o->replay && o->device) {
		err_set(err, ERR_USAGE, _("only one of --device and --replay can be given"));
		return err_hint(err, _("-D %s -D file:%s shows both beside each other"), o->device,
			o->replay);
	}
	if (!check_load(o, err) || !check_task(o, err) || !check_outputs(o, err))
		return false;
	if (o->per_report && o->speed > 0)
		return err_set(err, ERR_USAGE,
			_("--per-report goes from report to report, --speed does not apply to it"));
	if (o->overwrite && !o->record)
		return err_set(err, ERR_USAGE, _("--overwrite belongs to --record"));
	if (o->clients && o->form == OUTPUT_CSV)
		return err_set(err, ERR_USAGE,
			_("--clients writes lists, which do not fit into CSV; it goes with -b and "
			  "-J"));
	if (o->clients && o->form == OUTPUT_NONE && (options_want_screen(o) || has_export(o))) {
		err_set(err, ERR_USAGE,
			_("--clients adds lines to -b and -J, and neither was asked for"));
		return err_hint(err, _("the screen has the processes on key 5"));
	}
	return check_beside(o, err);
}
