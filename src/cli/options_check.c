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

/* Checks say themselves which kernels run, and how. */
static bool check_check(const struct options *o, struct err *err)
{
	if (o->blocks || o->tpb || o->loop || o->launches || o->repeat || o->power_smoothing ||
		o->dump_binary || o->power_plane || o->profile || o->validate || o->tune)
		return err_set(err, ERR_USAGE,
			_("check knows its kernels and how long they run: --level, --time, "
			  "--cl-device and --quiet go with it, and no other option for loads"));
	if (o->time_ns && o->level < 3)
		return err_set(err, ERR_USAGE, _("--time is the length of the long load of --level 3"));
	if (o->tap && (o->form == OUTPUT_JSON || o->form == OUTPUT_CSV))
		return err_set(err, ERR_USAGE, _("only one of --tap, -J and -c can be given"));
	return true;
}

/* An option that only loads understand must not be ignored in silence. */
static bool check_load(const struct options *o, struct err *err)
{
	bool repeat = o->repeat && o->task != TASK_COMMAND;
	bool sizes = o->blocks || o->tpb || o->loop || o->launches || o->time_ns || repeat ||
		o->power_smoothing;
	bool any = sizes || o->dump_binary || o->power_plane || o->profile || o->validate ||
		o->tune || o->cl_device || o->quiet;

	if ((o->list_kernels || o->dump || o->dump_kernel) && o->task != TASK_STRESS)
		return err_set(err, ERR_USAGE,
			_("--list, --dump and --dump-kernel belong to the command stress: rooftop "
			  "stress --list"));
	if (o->where && o->task != TASK_STRESS)
		return err_set(err, ERR_USAGE,
			_("--where belongs to the command stress: rooftop stress KERNEL --where"));
	if (o->where &&
		(o->repeat || o->power_smoothing || o->power_plane || o->profile || o->validate ||
			o->tune || o->dump || o->launches || o->time_ns || o->list_kernels ||
			o->dump_kernel))
		return err_set(err, ERR_USAGE,
			_("--where tells where the groups of one launch run: --blocks, --tpb, --loop "
			  "and --cl-device go with it, and no other option for loads"));
	if ((o->resume || o->over || o->figures || o->with.n) && o->task != TASK_SWEEP)
		return err_set(err, ERR_USAGE,
			_("--resume, --over, --figures and --with belong to the command sweep"));
	if (o->beside && o->task != TASK_SWEEP && o->task != TASK_STRESS)
		return err_set(err, ERR_USAGE,
			_("--beside belongs to the commands stress and sweep"));
	if (o->beside && (o->list_kernels || o->dump_kernel || o->where))
		return err_set(err, ERR_USAGE,
			_("--beside goes with kernels that run for some time"));
	if (o->task == TASK_SWEEP && !check_sweep(o, err))
		return false;
	if (o->plot && o->task != TASK_ROOFLINE && o->task != TASK_SWEEP &&
		o->task != TASK_CALIBRATE)
		return err_set(err, ERR_USAGE,
			_("--plot belongs to the commands roofline, calibrate and sweep"));
	if (o->task == TASK_CHECK)
		return check_check(o, err);
	if (any && o->task != TASK_STRESS && o->task != TASK_SWEEP && o->task != TASK_CALIBRATE &&
		o->task != TASK_HELP) {
		err_set(err, ERR_USAGE,
			_("an option for loads was given, but no command that puts one on the "
			  "device"));
		return err_hint(err,
			_("rooftop stress KERNEL... does; 'rooftop --help' lists all options"));
	}
	return true;
}

#define IN(task) (1u << (task))
#define WINDOWS (IN(TASK_RUN) | IN(TASK_SCRIPT))
#define MEASURED                                                                                   \
	(IN(TASK_STRESS) | IN(TASK_SWEEP) | IN(TASK_CALIBRATE) | IN(TASK_ROOFLINE) |               \
		IN(TASK_COMMAND) | IN(TASK_CHECK))
#define LOOKED (IN(TASK_ROOFLINE) | IN(TASK_EXPLAIN_LIMIT))
#define COMPARED IN(TASK_DIFF)
#define LISTED (IN(TASK_LIST_DEVICES) | IN(TASK_LIST_SETS) | IN(TASK_METRICS))

/* An option and the tasks that use it. */
struct task_rule {
	bool given;
	unsigned tasks;
	const char *text;	/* untranslated: what is wrong elsewhere */
};

static bool check_rules(
	const struct options *o, const struct task_rule *rules, size_t n, struct err *err)
{
	if (o->task == TASK_HELP || o->task == TASK_VERSION)
		return true;
	for (size_t i = 0; i < n; i++)
		if (rules[i].given && !(rules[i].tasks & IN(o->task)))
			return err_set(err, ERR_USAGE, "%s", _(rules[i].text));
	return true;
}

/* A command refuses options that it would ignore. */
static bool check_task(const struct options *o, struct err *err)
{
	const struct task_rule rules[] = {
		{ o->delay_ns, WINDOWS | MEASURED | LOOKED | COMPARED,
			N_("--delay belongs to windows and commands that measure") },
		{ o->export, WINDOWS, N_("--export belongs to the monitor and to -b, -J and -c") },
		{ o->textfile, WINDOWS,
			N_("--textfile belongs to the monitor and to -b, -J and -c") },
		{ o->trace, WINDOWS, N_("--trace belongs to the monitor and to -b, -J and -c") },
		{ o->tour, WINDOWS, N_("--tour belongs to the monitor") },
		{ o->screen, options_want_screen(o) ? WINDOWS : 0,
			N_("--screen belongs to the monitor") },
		{ o->clients, IN(TASK_RUN), N_("--clients belongs to -b and -J") },
		{ o->windows, IN(TASK_RUN) | LOOKED,
			N_("--iterations belongs to -b, -J, -c, the monitor and the commands "
			   "roofline and explain-limit") },
		{ o->output, IN(TASK_RUN) | MEASURED | LOOKED | COMPARED,
			N_("--output belongs to -b, -J, -c and commands that measure") },
		{ o->form == OUTPUT_JSON, IN(TASK_RUN) | MEASURED | LISTED | LOOKED | COMPARED,
			N_("--json belongs to windows, lists and commands that measure") },
		{ o->form == OUTPUT_CSV, IN(TASK_RUN) | MEASURED | COMPARED,
			N_("--csv belongs to windows and commands that measure") },
		{ o->form == OUTPUT_GPU_TOP, IN(TASK_RUN),
			N_("--intel-gpu-top-json belongs to windows: it is a form of output as -J "
			   "is") },
		{ o->check, IN(TASK_METRICS),
			N_("--check belongs to the command metrics: rooftop metrics --check "
			   "FILE") },
		{ o->task_alone, IN(TASK_COMMAND),
			N_("--task belongs to the command run: rooftop run --task -- CMD") },
		{ o->markers, IN(TASK_COMMAND), N_("--markers belongs to the command run") },
		{ o->all_metrics, IN(TASK_COMMAND) | COMPARED,
			N_("--all belongs to the commands run and diff") },
		{ o->tap, IN(TASK_DOCTOR) | IN(TASK_CHECK),
			N_("--tap belongs to the commands doctor and check: rooftop doctor --tap") },
		{ o->level || o->against || o->junit || o->html, IN(TASK_CHECK),
			N_("--level, --against, --junit and --html belong to the command check") },
	};

	if (o->task == TASK_DOCTOR && options_name_device(o) && !o->tour)
		return err_set(err, ERR_USAGE,
			_("doctor looks at every device of this machine: --device and --replay are "
			  "not for it"));
	if (o->task == TASK_DIFF && options_name_device(o)) {
		err_set(err, ERR_USAGE, _("diff compares files: --device and --replay are not for it"));
		return err_hint(err, _("rooftop diff BEFORE AFTER"));
	}
	return check_rules(o, rules, ARRAY_LEN(rules), err);
}

/* With --task no device is open and there are no windows. */
static bool check_task_alone(const struct options *o, struct err *err)
{
	const struct device_options *d = &o->devices[0];
	const struct {
		bool given;
		const char *name;
	} others[] = { { o->delay_ns, "--delay" }, { o->markers, "--markers" }, { o->all_metrics, "--all" }, { o->repeat, "--repeat" },
		{ d->oa_period_ns, "--oa-period" }, { d->has_context, "--context" },
		{ d->access, "--access" }, { d->power, "--power" }, { d->speed > 0, "--speed" },
		{ d->speed_max, "--speed" }, { d->per_report, "--per-report" },
		{ d->rotate, "--rotate" } };

	for (size_t i = 0; o->task_alone && i < ARRAY_LEN(others); i++)
		if (others[i].given)
			return err_set(err, ERR_USAGE,
				_("--task counts events of the processor from a command's start to its "
				  "end: %s does not apply to it"),
				others[i].name);
	return true;
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
	bool one = o->profile || o->dump || o->where || o->list_kernels || o->dump_kernel ||
		o->dump_binary;

	for (int i = 0; i < o->n_devices; i++)
		one = one || o->devices[i].set || o->devices[i].n_counters;
	if (!one)
		return true;
	err_set(err, ERR_USAGE,
		_("two devices beside each other have no metrics of a set and no parts of a run"));
	return err_hint(err,
		_("--set, --counter, --profile, --where, --list and what dumps go with one -D"));
}

/* Windows say which of several devices they belong to; other tasks handle one device only. */
static bool check_several(const struct options *o, struct err *err)
{
	bool is_all = o->devices[0].name && !strcmp(o->devices[0].name, DEVICES_ALL);

	if ((o->n_devices < 2 && !is_all) ||
		(((WINDOWS | IN(TASK_HELP) | IN(TASK_VERSION) | IN(TASK_CHECK)) & IN(o->task)) &&
			o->form != OUTPUT_GPU_TOP))
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
	struct named_output *files = xcalloc((size_t)o->n_devices + 6, sizeof(*files));
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
	for (int i = 0; good && i < n; i++)
		good = check_output(o, files, i, err);
	free(files);
	return good;
}

static bool check_clients(const struct options *o, struct err *err)
{
	if (o->gpu_top_classes && o->form != OUTPUT_GPU_TOP)
		return err_set(err, ERR_USAGE,
			_("--intel-gpu-top-classes goes with --intel-gpu-top-json"));
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

/* Checks what was asked of one device. */
static bool check_device(const struct options *o, const struct device_options *d, struct err *err)
{
	const struct task_rule rules[] = {
		{ d->oa_period_ns, WINDOWS | MEASURED,
			N_("--oa-period belongs to windows and commands that measure") },
		{ d->has_context, WINDOWS | MEASURED,
			N_("--context belongs to windows and commands that measure") },
		{ d->lists_contexts, WINDOWS, N_("--context list belongs to windows") },
		{ d->speed > 0 || d->speed_max, WINDOWS | MEASURED,
			N_("--speed belongs to windows and commands that measure") },
		{ d->per_report, WINDOWS | MEASURED,
			N_("--per-report belongs to windows and commands that measure") },
		{ d->access, WINDOWS | MEASURED | IN(TASK_DOCTOR),
			N_("--access belongs to windows, the command doctor and commands that "
			   "measure") },
		{ d->power, WINDOWS | MEASURED | IN(TASK_DOCTOR),
			N_("--power belongs to windows, the command doctor and commands that "
			   "measure") },
		{ d->n_booleans, WINDOWS | MEASURED | IN(TASK_METRICS) | IN(TASK_EXPLAIN) |
				IN(TASK_ROOFLINE) | IN(TASK_EXPLAIN_LIMIT),
			N_("--boolean belongs to windows, commands that measure, the command "
			   "metrics and --explain") },
		{ d->n_triggers, WINDOWS,
			N_("--report-every and --start-when belong to the monitor and to -b, -J "
			   "and -c") },
		{ d->record, WINDOWS, N_("--record belongs to the monitor and to -b, -J and -c") },
	};

	if (d->n_counters && d->set && strcmp(d->set, OA_CUSTOM_SET) != 0)
		return err_set(err, ERR_USAGE, _("--counter makes the set %s, --set asks for '%s'"),
			OA_CUSTOM_SET, d->set);
	if (d->lists_contexts && (o->form == OUTPUT_CSV || o->form == OUTPUT_GPU_TOP))
		return err_set(err, ERR_USAGE,
			_("--context list writes lists, which only -b, -J and the screen have room "
			  "for"));
	if (d->has_context && o->form == OUTPUT_GPU_TOP)
		return err_set(err, ERR_USAGE,
			_("nothing that --intel-gpu-top-json prints is counted by context, so "
			  "--context cannot choose one"));
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
	if (!check_rotate(o, d, err) || !check_rules(o, rules, ARRAY_LEN(rules), err))
		return false;
	if (d->per_report && d->speed > 0)
		return err_set(err, ERR_USAGE,
			_("--per-report goes from report to report, --speed does not apply to it"));
	if (d->name && !strcmp(d->name, "file:-") && (d->speed > 0 || d->speed_max || d->per_report))
		return err_set(err, ERR_USAGE,
			_("a stream comes as fast as it comes: --speed and --per-report do not apply"));
	return !d->overwrite || d->record ||
		err_set(err, ERR_USAGE, _("--overwrite belongs to --record"));
}

bool options_check(struct options *o, struct err *err)
{
	if (o->task == TASK_RUN && o->output && o->form == OUTPUT_NONE)
		o->form = OUTPUT_TEXT;
	if (o->tour && (options_name_device(o) || (o->task == TASK_RUN && !options_want_screen(o))))
		return err_set(
			err, ERR_USAGE, _("--tour brings its own device and needs the screen"));
	if (!check_load(o, err) || !check_task(o, err) || !check_task_alone(o, err))
		return false;
	for (int i = 0; i < o->n_devices; i++)
		if (!check_device(o, &o->devices[i], err))
			return false;
	return check_outputs(o, err) && check_clients(o, err) && check_several(o, err);
}
