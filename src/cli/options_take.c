/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says what each option does: the member that it sets, and the function that takes its value. */
#include "config.h"

#include "cli/options_take.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "backends/intel/oa/oa_ask.h"
#include "backends/intel/oa/oa_custom.h"
#include "backends/intel/oa/oa_trigger_ask.h"
#include "backends/power/power.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "ui/frame/view.h"

#define DELAY_MIN_NS (10 * NS_PER_MS)
#define DELAY_MAX_NS (3600 * NS_PER_S)
#define TIME_MIN_NS (20 * NS_PER_MS)
#define TIME_MAX_NS (86400 * NS_PER_S)
#define RUNS_MAX 1000

struct argument;

/* What giving an option does. */
struct setting {
	bool (*take)(const struct argument *a);	/* NULL: the option only names a task */
	size_t at;		/* the member of struct options, or of struct device_options */
	bool of_device;
	enum task task;		/* TASK_RUN: the task stays what it is */
	int64_t min, max;	/* of numbers; of an option without an argument max is the value */
	const char *allowed;	/* says which values are good, untranslated */
	const char *const *words;	/* the values of which one is taken; NULL ends them */
};

/* An option as it was given, and where to say what is wrong with it. */
struct argument {
	const struct option_info *info;
	const struct setting *setting;
	const char *value;
	struct options *options;
	struct device_options *device;
	void *at;		/* the member that the option sets */
	struct err *err;
};

static bool bad_value(const struct argument *a, const char *allowed)
{
	err_set(a->err, ERR_USAGE, _("bad value '%s' for --%s"), a->value, a->info->name);
	return err_hint(a->err, _("allowed: %s"), allowed);
}

static void finish_cc(struct device_options *d);

/* A device option is for the last -D, or for every device when there was none yet. */
static struct device_options *target(struct options *o)
{
	return o->n_devices ? &o->devices[o->n_devices - 1] : &o->common;
}

static void add_counter(struct device_options *d, char *event)
{
	d->counters = xreallocarray(d->counters, (size_t)d->n_counters + 1, sizeof(*d->counters));
	d->counters[d->n_counters++] = event;
}

static void add_boolean(struct device_options *d, char *words)
{
	d->booleans = xreallocarray(d->booleans, (size_t)d->n_booleans + 1, sizeof(*d->booleans));
	d->booleans[d->n_booleans++] = words;
}

static void add_trigger(struct device_options *d, char *words)
{
	d->triggers = xreallocarray(d->triggers, (size_t)d->n_triggers + 1, sizeof(*d->triggers));
	d->triggers[d->n_triggers++] = words;
}

/* The device owns name from now on. */
static void add_device(struct options *o, char *name)
{
	finish_cc(target(o));
	o->devices = xreallocarray(o->devices, (size_t)o->n_devices + 1, sizeof(*o->devices));
	struct device_options *d = &o->devices[o->n_devices++];
	*d = o->common;
	d->name = name;
	d->counters = NULL;
	d->n_counters = 0;
	for (int i = 0; i < o->common.n_counters; i++)
		add_counter(d, xstrdup(o->common.counters[i]));
	d->booleans = NULL;
	d->n_booleans = 0;
	for (int i = 0; i < o->common.n_booleans; i++)
		add_boolean(d, xstrdup(o->common.booleans[i]));
	d->triggers = NULL;
	d->n_triggers = 0;
	for (int i = 0; i < o->common.n_triggers; i++)
		add_trigger(d, xstrdup(o->common.triggers[i]));
}

static bool take_device(const struct argument *a)
{
	if (!*a->value)
		return bad_value(a, _("a name that is not empty"));
	if (a->info->id == OPTION_REPLAY)
		add_device(a->options, xasprintf("file:%s", a->value));
	else
		add_device(a->options, xstrdup(a->value));
	return true;
}

static bool take_delay(const struct argument *a)
{
	double unit_ns = a->info->id == OPTION_DELAY_MS ? NS_PER_MS : NS_PER_S, v;

	if (a->info->id == OPTION_DELAY && strchr(a->value, ':'))
		return take_device(a);
	if (!parse_double(a->value, &v) || v < 0 || v > 1e9)
		v = 0;
	v *= unit_ns;
	if (v < (double)DELAY_MIN_NS || v > (double)DELAY_MAX_NS)
		return bad_value(a, _(a->setting->allowed));
	a->options->delay_ns = llround(v);
	return true;
}

static bool take_speed(const struct argument *a)
{
	double *speed = &a->device->speed;

	a->device->speed_max = !strcmp(a->value, "max");
	if (!a->device->speed_max &&
		(!parse_double(a->value, speed) || *speed < 0.01 || *speed > 10000))
		return bad_value(a, _("0.01 to 10000, max"));
	return true;
}

static bool take_word(const struct argument *a)
{
	struct strbuf allowed = { 0 };
	const char **out = a->at;

	*out = NULL;
	for (const char *const *word = a->setting->words; *word; word++) {
		if (!strcmp(a->value, *word))
			*out = *word;
		strbuf_add_word(&allowed, ", ", *word);
	}
	if (!*out)
		bad_value(a, strbuf_str(&allowed));
	strbuf_release(&allowed);
	return *out;
}

/* The kernel tells nobody which process a context's number belongs to, so that this option cannot
 * take a process. */
static bool take_context(const struct argument *a)
{
	uint64_t v;

	if (!strcmp(a->value, "list"))
		return a->device->lists_contexts = true;
	if (!parse_u64_range(a->value, 0, 0x7fffff, &v))
		return bad_value(a,
			_("a number up to 0x7fffff, as --context list shows it (no process: "
			  "reports do not name those)"));
	a->device->has_context = true;
	a->device->context = (uint32_t)v;
	return true;
}

static bool take_duration(const struct argument *a)
{
	int64_t *out_ns = a->at;

	if (!parse_duration_ns(a->value, out_ns) || *out_ns < a->setting->min ||
		*out_ns > a->setting->max)
		return bad_value(a, _(a->setting->allowed));
	return true;
}

static bool take_form(const struct argument *a)
{
	enum output_form *form = a->at, wanted = (enum output_form)a->setting->max;

	if (*form != OUTPUT_NONE && *form != wanted)
		return err_set(a->err, ERR_USAGE,
			_("only one of -b, -J, -c and --intel-gpu-top-json can be given"));
	*form = wanted;
	return true;
}

static bool take_flag(const struct argument *a)
{
	*(bool *)a->at = true;
	return true;
}

static bool set_file(const char **file, const struct argument *a)
{
	if (!*a->value)
		return bad_value(a, _("a name that is not empty"));
	*file = a->value;
	return true;
}

static bool take_file(const struct argument *a)
{
	return set_file(a->at, a);
}

/* Takes the file of an output that cannot go to standard output. */
static bool take_named_file(const struct argument *a)
{
	if (!strcmp(a->value, "-"))
		return bad_value(a, _("the name of a file"));
	return take_file(a);
}

static bool take_files(const struct argument *a)
{
	struct name_list *l = a->at;

	l->names = xreallocarray(l->names, (size_t)l->n + 1, sizeof(*l->names));
	return set_file(&l->names[l->n++], a);
}

static bool take_screen(const struct argument *a)
{
	struct strbuf names = { 0 };
	int screen = view_screen_by_name(a->value);

	for (int i = 0; i < VIEW_SCREENS; i++)
		if (a->value[0] == view_screen_digit((enum view_screen)i) && !a->value[1])
			screen = i;
	if (screen >= 0) {
		a->options->screen = view_screen_name((enum view_screen)screen);
		return true;
	}
	for (int i = 0; i < VIEW_SCREENS; i++)
		strbuf_addf(&names, "%s%c %s", i ? ", " : "",
			view_screen_digit((enum view_screen)i),
			view_screen_name((enum view_screen)i));
	bad_value(a, strbuf_str(&names));
	strbuf_release(&names);
	return false;
}

static bool take_count(const struct argument *a)
{
	uint64_t max = (uint64_t)a->setting->max;
	char allowed[64];

	if (parse_u64_range(a->value, 1, max, a->at))
		return true;
	if (a->setting->allowed)
		return bad_value(a, _(a->setting->allowed));
	snprintf(allowed, sizeof(allowed), _("a whole number from 1 to %llu"),
		(unsigned long long)max);
	return bad_value(a, allowed);
}

/* A line has one job. Help and version come before whatever else was asked for. */
static bool takes_over(struct options *o, enum task task)
{
	bool is_help = task == TASK_HELP || task == TASK_VERSION;

	if (o->task == TASK_HELP || o->task == TASK_VERSION)
		return true;
	if (o->task != TASK_RUN && o->task != task && !is_help)
		return false;
	o->task = task;
	return true;
}

static bool start_task(const struct argument *a, enum task task)
{
	return takes_over(a->options, task) ||
		err_set(a->err, ERR_USAGE,
			_("--%s asks for a job of its own, and the line has another one"),
			a->info->name);
}

static bool take_rotate(const struct argument *a)
{
	if (!strchr(a->value, ',') || strchr(a->value, ',')[1] == '\0')
		return bad_value(a, _("two or more sets with commas between them"));
	a->device->rotate = a->value;
	return true;
}

static bool take_set(const struct argument *a)
{
	if (strchr(a->value, ','))
		return take_rotate(a);
	if (strcmp(a->value, "list"))
		return set_file(&a->device->set, a);
	return start_task(a, TASK_LIST_SETS);
}

static bool take_counter(const struct argument *a)
{
	if (!*a->value)
		return bad_value(a, _("INC[:COARSE[:FINE]], an event of the processor, or help"));
	if (!strcmp(a->value, "help"))
		return start_task(a, TASK_LIST_EVENTS);
	add_counter(a->device, xstrdup(a->value));
	return true;
}

static bool take_events_in(const struct argument *a)
{
	uint32_t slice, subslice;

	if (!oa_custom_place(a->value, &slice, &subslice))
		return bad_value(a, _("SLICE.SUBSLICE, such as 0.3; 'rooftop -L' tells how many there are"));
	a->device->events_in = a->value;
	return true;
}

static bool take_boolean(const struct argument *a)
{
	char words[256];
	struct err why = { 0 };

	if (!oa_ask_option(a->value, words, sizeof(words), &why)) {
		err_set(a->err, ERR_USAGE, _("bad value '%s' for --%s: %s"), a->value,
			a->info->name, why.msg);
		if (*why.hint)
			return err_hint(a->err, "%s", why.hint);
		return err_hint(a->err, _("allowed: %s"),
			_("Bn=[!]any(SIGNAL,...), all(...), at_least(1,...) as any, at_least(as many as "
			  "signals,...) as all, number(...) >= N; a "
			  "signal is [!]B0 to B7, L0 to L15 or a metric"));
	}
	for (int i = 0; i < a->device->n_booleans; i++)
		if (a->device->booleans[i][1] == words[1])
			return err_set(a->err, ERR_USAGE, _("--%s asks %.2s twice"), a->info->name,
				words);
	add_boolean(a->device, xstrdup(words));
	return true;
}

static bool take_trigger(const struct argument *a)
{
	bool is_report = a->info->id == OPTION_REPORT_EVERY;
	char words[256];
	struct err why = { 0 };

	if (oa_trigger_option(is_report, a->value, words, sizeof(words), &why)) {
		add_trigger(a->device, xstrdup(words));
		return true;
	}
	err_set(a->err, ERR_USAGE, _("bad value '%s' for --%s: %s"), a->value, a->info->name,
		why.msg);
	return err_hint(a->err, _("allowed: %s"),
		_("N:SIGNAL, N:any(SIGNAL,...), N:all(...); N is 1 to 65535 clocks, a signal is "
		  "[!]L0 to L15 or a metric"));
}

static void finish_cc(struct device_options *d)
{
	for (int i = 1; i < 3; i++)
		if (!d->cc[i])
			d->cc[i] = "";
	if (d->cc[0])
		add_counter(d, xasprintf("%s:%s:%s", d->cc[0], d->cc[1], d->cc[2]));
	memset(d->cc, 0, sizeof(d->cc));
}

/* The tool of H. Duarte's thesis (2018) has these options, which give one event in three parts
 * (table 3.1). */
static bool take_cc(const struct argument *a)
{
	const char **part = a->at, **first = a->device->cc;

	if (!*a->value || strchr(a->value, ':'))
		return bad_value(a, _("one word or number; --counter help lists them"));
	if (part == first)
		finish_cc(a->device);
	else if (!*first)
		return err_set(a->err, ERR_USAGE,
			_("--%s belongs to an event that --cc-i has started"), a->info->name);
	else if (*part)
		return err_set(a->err, ERR_USAGE,
			_("--%s is given twice for one event; --cc-i starts another one"),
			a->info->name);
	*part = a->value;
	return true;
}

static const char *const access_ways[] = { "auto", "perf", "mmio", "rpc", NULL };
const char *const sweep_over_words[] = { "groups", "tpb", "loop", "size", "stride", "intensity", NULL };
const char *const power_planes[] = { "package", "gpu", "duarte", NULL };

#define OF_ALL(member) .at = offsetof(struct options, member)
#define OF_DEVICE(member) .at = offsetof(struct device_options, member), .of_device = true

/* clang-format off */
static const struct setting settings[OPTION_COUNT] = {
	[OPTION_DELAY] = { take_delay, .allowed = N_("0.01 to 3600") },
	[OPTION_DELAY_MS] = { take_delay, .allowed = N_("10 to 3600000") },
	[OPTION_WINDOWS] = { take_count, OF_ALL(windows), .max = INT64_MAX, .allowed = N_("a whole number from 1") },
	[OPTION_TEXT] = { take_form, OF_ALL(form), .max = OUTPUT_TEXT },
	[OPTION_JSON] = { take_form, OF_ALL(form), .max = OUTPUT_JSON },
	[OPTION_CSV] = { take_form, OF_ALL(form), .max = OUTPUT_CSV },
	[OPTION_GPU_TOP] = { take_form, OF_ALL(form), .max = OUTPUT_GPU_TOP },
	[OPTION_GPU_TOP_CLASSES] = { take_flag, OF_ALL(gpu_top_classes) },
	[OPTION_CLIENTS] = { take_flag, OF_ALL(clients) },
	[OPTION_OUTPUT] = { take_file, OF_ALL(output) },
	[OPTION_EXPORT] = { take_file, OF_ALL(export) },
	[OPTION_TEXTFILE] = { take_file, OF_ALL(textfile) },
	[OPTION_TRACE] = { take_file, OF_ALL(trace) },
	[OPTION_DEVICE] = { .take = take_device },
	[OPTION_REPLAY] = { .take = take_device },
	[OPTION_LIST] = { .task = TASK_LIST_DEVICES },
	[OPTION_SPEED] = { .take = take_speed },
	[OPTION_PER_REPORT] = { take_flag, OF_DEVICE(per_report) },
	[OPTION_RECORD] = { take_file, OF_DEVICE(record) },
	[OPTION_OVERWRITE] = { take_flag, OF_DEVICE(overwrite) },
	[OPTION_PERIOD] = { take_duration, OF_DEVICE(oa_period_ns), .min = 1, .max = 60 * NS_PER_S,
		.allowed = N_("seconds above 0 up to 60, also as 500us or 5ms") },
	[OPTION_POWER] = { take_word, OF_DEVICE(power), .words = power_ways },
	[OPTION_CONTEXT] = { .take = take_context },
	[OPTION_ACCESS] = { take_word, OF_DEVICE(access), .words = access_ways },
	[OPTION_FSROOT] = { take_file, OF_ALL(fsroot) },
	[OPTION_SET] = { .take = take_set },
	[OPTION_EXPLAIN] = { take_file, OF_ALL(explain), .task = TASK_EXPLAIN },
	[OPTION_ROTATE] = { .take = take_rotate },
	[OPTION_ROTATE_EVERY] = { take_duration, OF_DEVICE(rotate_every_ns), .min = 1, .max = DELAY_MAX_NS,
		.allowed = N_("seconds above 0 up to 3600, also as 500ms") },
	[OPTION_COUNTER] = { .take = take_counter },
	[OPTION_EVENTS_IN] = { .take = take_events_in },
	[OPTION_BOOLEAN] = { .take = take_boolean },
	[OPTION_REPORT_EVERY] = { .take = take_trigger },
	[OPTION_START_WHEN] = { .take = take_trigger },
	[OPTION_TASK] = { take_flag, OF_ALL(task_alone) },
	[OPTION_ALL_METRICS] = { take_flag, OF_ALL(all_metrics) },
	[OPTION_MARKERS] = { take_named_file, OF_ALL(markers) },
	[OPTION_CC_I] = { take_cc, OF_DEVICE(cc[0]) },
	[OPTION_CC_C] = { take_cc, OF_DEVICE(cc[1]) },
	[OPTION_CC_F] = { take_cc, OF_DEVICE(cc[2]) },
	[OPTION_METRIC_FILE] = { take_files, OF_ALL(metric_files) },
	[OPTION_METRIC_XML] = { take_files, OF_ALL(xml_files) },
	[OPTION_CHECK] = { take_file, OF_ALL(check) },
	[OPTION_TOUR] = { take_flag, OF_ALL(tour) },
	[OPTION_NO_COLOR] = { take_flag, OF_ALL(no_color) },
	[OPTION_ASCII] = { take_flag, OF_ALL(ascii) },
	[OPTION_NO_MOUSE] = { take_flag, OF_ALL(no_mouse) },
	[OPTION_SCRIPT] = { take_file, OF_ALL(script), .task = TASK_SCRIPT },
	[OPTION_SCREEN] = { .take = take_screen },
	[OPTION_CONFIG] = { take_file, OF_ALL(config) },
	[OPTION_BLOCKS] = { take_count, OF_ALL(blocks), .max = UINT32_MAX },
	[OPTION_TPB] = { take_count, OF_ALL(tpb), .max = UINT32_MAX },
	[OPTION_LOOP] = { take_count, OF_ALL(loop), .max = UINT32_MAX },
	[OPTION_LAUNCHES] = { take_count, OF_ALL(launches), .max = INT64_MAX },
	[OPTION_TIME] = { take_duration, OF_ALL(time_ns), .min = TIME_MIN_NS, .max = TIME_MAX_NS,
		.allowed = N_("0.02 to 86400 seconds, also as 500ms or 5m") },
	[OPTION_REPEAT] = { take_count, OF_ALL(repeat), .max = RUNS_MAX },
	[OPTION_SMOOTHING] = { take_flag, OF_ALL(power_smoothing) },
	[OPTION_PLANE] = { take_word, OF_ALL(power_plane), .words = power_planes },
	[OPTION_PROFILE] = { take_flag, OF_ALL(profile) },
	[OPTION_VALIDATE] = { take_flag, OF_ALL(validate) },
	[OPTION_WHERE] = { take_flag, OF_ALL(where) },
	[OPTION_TUNE] = { take_flag, OF_ALL(tune) },
	[OPTION_CL_DEVICE] = { take_file, OF_ALL(cl_device) },
	[OPTION_LIST_KERNELS] = { take_flag, OF_ALL(list_kernels) },
	[OPTION_DUMP_KERNEL] = { take_flag, OF_ALL(dump_kernel) },
	[OPTION_DUMP_BINARY] = { take_named_file, OF_ALL(dump_binary) },
	[OPTION_DUMP] = { take_file, OF_ALL(dump) },
	[OPTION_PLOT] = { take_named_file, OF_ALL(plot) },
	[OPTION_OVER] = { take_word, OF_ALL(over), .words = sweep_over_words },
	[OPTION_FIGURES] = { take_file, OF_ALL(figures) },
	[OPTION_WITH] = { take_files, OF_ALL(with) },
	[OPTION_BESIDE] = { take_file, OF_ALL(beside) },
	[OPTION_RESUME] = { take_flag, OF_ALL(resume) },
	[OPTION_LEVEL] = { take_count, OF_ALL(level), .max = 3 },
	[OPTION_AGAINST] = { take_file, OF_ALL(against) },
	[OPTION_JUNIT] = { take_named_file, OF_ALL(junit) },
	[OPTION_HTML] = { take_named_file, OF_ALL(html) },
	[OPTION_BUNDLE] = { take_named_file, OF_ALL(bundle) },
	[OPTION_QUIET] = { take_flag, OF_ALL(quiet) },
	[OPTION_TAP] = { take_flag, OF_ALL(tap) },
	[OPTION_HELP] = { .task = TASK_HELP },
	[OPTION_VERSION] = { .task = TASK_VERSION },
};
/* clang-format on */

bool options_take(struct options *o, const struct option_info *info, const char *value,
	struct err *err)
{
	const struct setting *s = &settings[info->id];
	struct argument a = { info, s, value, o, target(o), (char *)o + s->at, err };

	assert(s->take || s->task);
	if (s->of_device)
		a.at = (char *)a.device + s->at;
	if (s->task && !start_task(&a, s->task))
		return false;
	o->given[info->id] = true;
	return !s->take || s->take(&a);
}

void options_end_devices(struct options *o)
{
	finish_cc(target(o));
	if (o->n_devices == 0)
		add_device(o, NULL);
}
