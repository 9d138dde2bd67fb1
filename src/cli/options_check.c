/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks options together. It refuses whatever a command or another option would leave without
 * effect. */
#include "config.h"

#include "cli/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/intel/oa/oa_custom.h"
#include "base/mem.h"
#include "cli/option_uses.h"

/* Sets can take turns in windows that follow each other. Everything else needs one set. */
static bool check_rotate(const struct options *o, const struct device_options *d, struct err *err)
{
	/* A set may be a profile of several, which only its file tells (session/rotate.c). */
	if (d->rotate_every_ns && !d->rotate && !d->set)
		return err_set(err, ERR_USAGE, _("--rotate-every belongs to --rotate"));
	if (!d->rotate)
		return true;
	if (d->set)
		return err_set(err, ERR_USAGE,
			_("--rotate names the sets, --set asks for '%s' alone"), d->set);
	if (d->record)
		return err_set(err, ERR_USAGE,
			_("sets that take turns cannot be recorded: a recording holds what one set "
			  "has counted"));
	if (o->task != TASK_RUN && o->task != TASK_SCRIPT)
		return err_set(err, ERR_USAGE,
			_("sets take turns on the screen and in lines of output; this command "
			  "needs one set"));
	return true;
}

/* What a sweep varies cannot be fixed, and a paper says what is varied. */
static bool check_sweep(const struct options *o, struct err *err)
{
	const bool over_tpb = o->over && !strcmp(o->over, "tpb");
	const bool over_loop = o->over && !strcmp(o->over, "loop");
	const bool over_groups = !o->over || !strcmp(o->over, "groups");
	const struct {
		bool wrong;
		const char *text;
	} rules[] = {
		{ o->figures && (o->over || o->blocks || o->tpb || o->loop || o->plot),
		  N_("a paper says what is run and drawn: --over, --blocks, --tpb, --loop and "
		     "--plot have no place beside --figures") },
		{ o->figures && o->output && !strcmp(o->output, "-"),
		  N_("--figures prints its table on standard output: -o names a file") },
		{ over_groups && o->blocks,
		  N_("a sweep goes over the numbers of work-groups: --blocks has no place in it") },
		{ over_tpb && o->tpb,
		  N_("this sweep goes over the sizes of groups: --tpb has no place in it") },
		{ over_loop && o->loop,
		  N_("this sweep goes over loop counts: --loop has no place in it") },
		{ o->with.n && !o->figures && !o->plot,
		  N_("--with is drawn into pictures: --plot or --figures makes them") },
	};

	for (size_t i = 0; i < ARRAY_LEN(rules); i++)
		if (rules[i].wrong)
			return err_set(err, ERR_USAGE, "%s", _(rules[i].text));
	return true;
}

static bool check_check(const struct options *o, struct err *err)
{
	if (o->time_ns && o->level < 3)
		return err_set(err, ERR_USAGE, _("--time is the length of the long load of --level 3"));
	if (o->tap && (o->form == OUTPUT_JSON || o->form == OUTPUT_CSV))
		return err_set(err, ERR_USAGE, _("only one of --tap, -J and -c can be given"));
	return true;
}

/* Rows of text have room for what was asked by name, not for a set. */
static bool check_rows(const struct options *o, struct err *err)
{
	bool is_text = o->form == OUTPUT_TEXT || (o->form == OUTPUT_NONE && o->task != TASK_SWEEP);

	for (int i = 0; i < o->n_devices && is_text && !o->dump; i++)
		if (o->devices[i].set && o->devices[i].n_booleans == 0)
			return err_set(err, ERR_USAGE,
				_("--set chooses metrics, and lines of text have no room for them: -c, "
				  "-J and --dump have"));
	return true;
}

/* Checks what goes with a command, but not with what else was given. */
static bool check_command(const struct options *o, struct err *err)
{
	switch (o->task) {
	case TASK_STRESS:
	case TASK_CALIBRATE: return check_rows(o, err);
	case TASK_SWEEP: return check_sweep(o, err) && check_rows(o, err);
	case TASK_CHECK: return check_check(o, err);
	case TASK_COMMAND:
		return !o->all_metrics || (o->form != OUTPUT_JSON && o->form != OUTPUT_CSV) ||
			err_set(err, ERR_USAGE, _("-J and -c have all metrics without --all"));
	default: return true;
	}
}

bool options_export(const struct options *o)
{
	return o->export || o->textfile || o->trace;
}

bool options_stream(const struct options *o)
{
	for (int i = 0; i < o->n_devices; i++)
		if (o->devices[i].record && !strcmp(o->devices[i].record, "-"))
			return true;
	return false;
}

bool options_want_screen(const struct options *o)
{
	return o->task == TASK_SCRIPT ||
		(o->task == TASK_RUN && o->form == OUTPUT_NONE && isatty(STDOUT_FILENO) &&
			!options_stream(o));
}

/* Rows of two devices beside each other have room for what both of them have. */
static bool check_beside(const struct options *o, struct err *err)
{
	if (!o->profile && !o->where && !o->list_kernels && !o->dump_kernel && !o->dump_binary)
		return true;
	err_set(err, ERR_USAGE,
		_("two devices beside each other have no metrics of a set and no parts of a run"));
	return err_hint(err,
		_("--set, --counter, --profile, --where, --list and what dumps go with one -D"));
}

static bool takes_several(enum task task)
{
	return task == TASK_RUN || task == TASK_SCRIPT || task == TASK_HELP ||
		task == TASK_VERSION || task == TASK_CHECK;
}

/* Windows say which of several devices they belong to; other tasks handle one device only. */
static bool check_several(const struct options *o, struct err *err)
{
	bool is_all = options_mean_all(&o->devices[0]);

	if ((o->n_devices < 2 && !is_all) || (takes_several(o->task) && o->form != OUTPUT_GPU_TOP))
		return true;
	if (o->task == TASK_STRESS && o->n_devices == 2 && !is_all)
		return check_beside(o, err);
	if (o->form == OUTPUT_GPU_TOP)
		return err_set(err, ERR_USAGE, "%s",
			_("--intel-gpu-top-json is about one device, as intel_gpu_top is"));
	if (o->n_devices > 1)
		err_set(err, ERR_USAGE,
			_("this command is about one device, and '%s' would be a second one"),
			o->devices[1].name);
	else
		err_set(err, ERR_USAGE,
			_("this command is about one device, and -D all means several"));
	if (o->task == TASK_STRESS)
		return err_hint(err, _("stress puts two devices beside each other: -D A -D B"));
	return err_hint(err, _("the screen, -b, -J, -c and exports take several devices"));
}

struct named_output {
	const char *option, *path;
};

static bool check_output(
	const struct options *o, const struct named_output *files, int i, struct err *err)
{
	const char *option = files[i].option;
	bool has_lines = !o->output &&
		(o->task != TASK_RUN || o->form != OUTPUT_NONE || options_want_screen(o));

	if (!files[i].path || !strncmp(files[i].path, "/dev/", 5))
		return true;
	/* Lines or the screen take standard output, even where no option says this. */
	if (has_lines && !strcmp(files[i].path, "-")) {
		err_set(err, ERR_USAGE,
			_("'%s -' would write between what else goes to standard output"), option);
		if (options_want_screen(o))
			return err_hint(
				err, _("the screen needs it: %s FILE writes to a file"), option);
		return err_hint(err, _("-o FILE leaves it to %s alone"), option);
	}
	/* Two writers would break each other's lines. */
	for (int k = 0; k < i; k++) {
		if (!files[k].path || strcmp(files[i].path, files[k].path))
			continue;
		err_set(err, ERR_USAGE, _("%s and %s both write to '%s'"), files[k].option,
			option, files[i].path);
		return err_hint(err, _("give one of them another file"));
	}
	return true;
}

static bool check_outputs(const struct options *o, struct err *err)
{
	struct named_output *files = xcalloc((size_t)o->n_devices + 7, sizeof(*files));
	bool good = true, streams = false;
	int n = 0;

	files[n++] = (struct named_output){ "--output", o->output };
	/* Devices share a stream. */
	for (int i = 0; i < o->n_devices; i++) {
		bool is_stream = o->devices[i].record && !strcmp(o->devices[i].record, "-");

		if (!o->devices[i].record_each && !(is_stream && streams))
			files[n++] = (struct named_output){ "--record", o->devices[i].record };
		streams |= is_stream;
	}
	files[n++] = (struct named_output){ "--trace", o->trace };
	files[n++] = (struct named_output){ "--dump", o->dump };
	files[n++] = (struct named_output){ "--plot", o->plot };
	files[n++] = (struct named_output){ "--junit", o->junit };
	files[n++] = (struct named_output){ "--html", o->html };
	files[n++] = (struct named_output){ "--bundle", o->bundle };
	for (int i = 0; good && i < n; i++)
		good = check_output(o, files, i, err);
	free(files);
	return good;
}

static bool check_clients(const struct options *o, struct err *err)
{
	if (!o->clients)
		return true;
	if (o->form == OUTPUT_CSV)
		return err_set(err, ERR_USAGE,
			_("--clients writes lists, which do not fit into CSV; it goes with -b and "
			  "-J"));
	if (o->form == OUTPUT_GPU_TOP)
		return err_set(err, ERR_USAGE,
			_("--intel-gpu-top-json has the clients in each window without --clients"));
	bool is_served = o->export || o->textfile;
	if (o->form != OUTPUT_NONE || (!options_want_screen(o) && (is_served || !o->trace)))
		return true;
	err_set(err, ERR_USAGE,
		_("--clients adds lines to -b and -J and families to exports, and none of them was asked "
		  "for"));
	return err_hint(err, _("the screen has the processes on key 5"));
}

static bool check_events_in(const struct device_options *d, struct err *err)
{
	if (!d->events_in)
		return true;
	if (!d->n_counters) {
		err_set(err, ERR_USAGE,
			_("--eu-events-in says who counts the events of --counter, and there are none"));
		return err_hint(err, _("--counter active --counter stall, for example"));
	}
	if (d->access && !strcmp(d->access, "mmio"))
		return true;
	err_set(err, ERR_USAGE,
		_("--eu-events-in writes registers in one subslice, which only --access mmio does"));
	return err_hint(err, _("the sets dispatch, ready and waits tell subslices apart without it"));
}

/* Checks what was asked of one device. */
static bool check_device(const struct options *o, const struct device_options *d, struct err *err)
{
	if (d->n_counters && d->set && strcmp(d->set, OA_CUSTOM_SET) != 0)
		return err_set(err, ERR_USAGE, _("--counter makes the set %s, --set asks for '%s'"),
			OA_CUSTOM_SET, d->set);
	if (!check_events_in(d, err))
		return false;
	if (d->lists_contexts && o->form == OUTPUT_CSV)
		return err_set(err, ERR_USAGE,
			_("--context list writes lists, which only -b, -J and the screen have room "
			  "for"));
	if (d->lists_contexts && o->task != TASK_SCRIPT && o->task != TASK_HELP &&
		(o->task != TASK_RUN || (o->form == OUTPUT_NONE && options_export(o))))
		return err_set(err, ERR_USAGE, _("--context list belongs to windows that are shown"));
	if (d->n_booleans && d->rotate) {
		err_set(err, ERR_USAGE,
			_("--boolean asks free blocks of one set, and several take turns"));
		return err_hint(err, _("-m chooses one set"));
	}
	if (d->n_triggers && d->rotate) {
		err_set(err, ERR_USAGE,
			_("--report-every and --start-when look at signals of one set, and several "
			  "take turns"));
		return err_hint(err, _("-m chooses one set"));
	}
	if (!check_rotate(o, d, err))
		return false;
	if (d->per_report && d->speed > 0)
		return err_set(err, ERR_USAGE,
			_("--per-report goes from report to report, --speed does not apply to it"));
	if (d->name && !strcmp(d->name, "file:-") && (d->speed > 0 || d->speed_max || d->per_report))
		return err_set(err, ERR_USAGE,
			_("a stream comes as fast as it comes: --speed and --per-report do not apply"));
	return !d->overwrite || d->record || o->bundle ||
		err_set(err, ERR_USAGE, _("--overwrite belongs to --record and --bundle"));
}

bool options_check(struct options *o, struct err *err)
{
	if (o->task == TASK_RUN && o->output && o->form == OUTPUT_NONE)
		o->form = OUTPUT_TEXT;
	if (o->tour && (options_name_device(o) || (o->task == TASK_RUN && !options_want_screen(o))))
		return err_set(
			err, ERR_USAGE, _("--tour brings its own device and needs the screen"));
	if (!option_uses_check(o, err) || !check_command(o, err))
		return false;
	for (int i = 0; i < o->n_devices; i++)
		if (!check_device(o, &o->devices[i], err))
			return false;
	return check_outputs(o, err) && check_clients(o, err) && check_several(o, err);
}
