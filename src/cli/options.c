/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the command line by the table in options.h. */
#include "config.h"

#include "cli/options.h"

#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/power/power.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "ui/view.h"

enum option_id {
	OPTION_NONE,
#define X(id, name, letter, arg, group, help) OPTION_##id,
	OPTION_LIST(X)
#undef X
	OPTION_COUNT
};

const struct option_info option_table[] = {
#define X(id, name, letter, arg, group, help) { OPTION_##id, name, letter, arg, group, help },
	OPTION_LIST(X)
#undef X
	{ 0, NULL, 0, NULL, NULL, NULL }
};

const struct subcommand_info subcommand_table[] = {
#define X(id, name, args, help) { TASK_##id, name, args, help },
	SUBCOMMAND_LIST(X)
#undef X
	{ 0, NULL, NULL, NULL }
};

const struct status_info status_table[] = {
#define X(id, number, text) { number, text },
	STATUS_LIST(X)
#undef X
	{ 0, NULL }
};

#define DELAY_MIN_NS (10 * NS_PER_MS)
#define DELAY_MAX_NS (3600 * NS_PER_S)
#define TIME_MIN_NS (20 * NS_PER_MS)
#define TIME_MAX_NS (86400 * NS_PER_S)
#define RUNS_MAX 1000
#define TOUR_DEVICE "sim:hd620,load=tour"

/* An option as it was given, and where to say what is wrong with it. */
struct argument {
	const struct option_info *info;
	const char *value;
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
}

static bool parse_device(struct options *o, const struct argument *a)
{
	if (!*a->value)
		return bad_value(a, _("a name that is not empty"));
	if (a->info->id == OPTION_REPLAY)
		add_device(o, xasprintf("file:%s", a->value));
	else
		add_device(o, xstrdup(a->value));
	return true;
}

static bool parse_delay(struct options *o, const struct argument *a, bool is_ms)
{
	double v;

	if (!is_ms && strchr(a->value, ':'))
		return parse_device(o, a);
	if (!parse_double(a->value, &v) || v < 0 || v > 1e9)
		v = 0;
	v *= is_ms ? NS_PER_MS : NS_PER_S;
	if (v < (double)DELAY_MIN_NS || v > (double)DELAY_MAX_NS)
		return bad_value(a, is_ms ? _("10 to 3600000") : _("0.01 to 3600"));
	o->delay_ns = llround(v);
	return true;
}

static bool parse_speed(struct device_options *d, const struct argument *a)
{
	if (!strcmp(a->value, "max")) {
		d->speed_max = true;
		return true;
	}
	if (!parse_double(a->value, &d->speed) || d->speed < 0.01 || d->speed > 10000)
		return bad_value(a, _("0.01 to 10000, max"));
	return true;
}

/* Takes one of the words of a list that ends with NULL. */
static bool parse_word_of(const char **out, const char *const *words, const struct argument *a)
{
	struct strbuf allowed = { 0 };

	for (; *words; words++) {
		if (!strcmp(a->value, *words)) {
			*out = *words;
			strbuf_release(&allowed);
			return true;
		}
		strbuf_add_word(&allowed, ", ", *words);
	}
	bad_value(a, strbuf_str(&allowed));
	strbuf_release(&allowed);
	return false;
}

/* The kernel tells nobody which process a context's number belongs to, so that this option cannot
 * take a process. */
static bool parse_context(struct device_options *d, const struct argument *a)
{
	uint64_t v;

	if (!parse_u64_range(a->value, 0, 0x1fffff, &v))
		return bad_value(a,
			_("a number up to 0x1fffff, as i915-perf-reader shows it (no process: "
			  "reports do not name those)"));
	d->has_context = true;
	d->context = (uint32_t)v;
	return true;
}

static bool parse_duration(const struct argument *a, int64_t min_ns, int64_t max_ns,
	int64_t *out_ns, const char *allowed)
{
	if (!parse_duration_ns(a->value, out_ns) || *out_ns < min_ns || *out_ns > max_ns)
		return bad_value(a, allowed);
	return true;
}

static bool parse_form(struct options *o, enum output_form form, const struct argument *a)
{
	if (o->form != OUTPUT_NONE && o->form != form) {
		err_set(a->err, ERR_USAGE, _("only one of -b, -J and -c can be given"));
		return false;
	}
	o->form = form;
	return true;
}

static bool set_file(const char **file, const struct argument *a)
{
	if (!*a->value)
		return bad_value(a, _("a name that is not empty"));
	*file = a->value;
	return true;
}

/* Sets the file of an output that cannot go to standard output. */
static bool set_named_file(const char **file, const struct argument *a)
{
	if (!strcmp(a->value, "-"))
		return bad_value(a, _("the name of a file"));
	return set_file(file, a);
}

static bool add_file(const char ***list, int *n, const struct argument *a)
{
	*list = xreallocarray(*list, (size_t)*n + 1, sizeof(**list));
	return set_file(&(*list)[(*n)++], a);
}

static bool parse_screen(struct options *o, const struct argument *a)
{
	struct strbuf names = { 0 };
	uint64_t n;
	int screen = view_screen_by_name(a->value);

	if (parse_u64_range(a->value, 1, VIEW_SCREENS, &n))
		screen = (int)n - 1;
	if (screen >= 0) {
		o->screen = view_screen_name((enum view_screen)screen);
		return true;
	}
	for (int i = 0; i < VIEW_SCREENS; i++)
		strbuf_addf(&names, "%s%d %s", i ? ", " : "", i + 1,
			view_screen_name((enum view_screen)i));
	bad_value(a, strbuf_str(&names));
	strbuf_release(&names);
	return false;
}

static bool parse_count(const struct argument *a, uint64_t max, uint64_t *out)
{
	char allowed[64];

	if (parse_u64_range(a->value, 1, max, out))
		return true;
	snprintf(allowed, sizeof(allowed), _("a whole number from 1 to %llu"),
		(unsigned long long)max);
	return bad_value(a, allowed);
}

static bool parse_rotate(struct device_options *d, const struct argument *a)
{
	if (!strchr(a->value, ',') || strchr(a->value, ',')[1] == '\0')
		return bad_value(a, _("two or more sets with commas between them"));
	d->rotate = a->value;
	return true;
}

static bool parse_set(struct options *o, const struct argument *a)
{
	if (strchr(a->value, ','))
		return parse_rotate(target(o), a);
	if (strcmp(a->value, "list"))
		return set_file(&target(o)->set, a);
	o->task = TASK_LIST_SETS;
	return true;
}

static bool parse_counter(struct options *o, const struct argument *a)
{
	if (!strcmp(a->value, "help")) {
		o->task = TASK_LIST_EVENTS;
		return true;
	}
	if (!*a->value)
		return bad_value(a, _("INC[:COARSE[:FINE]], or help"));
	add_counter(target(o), xstrdup(a->value));
	return true;
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
static bool parse_cc(struct options *o, const struct argument *a, int part)
{
	struct device_options *d = target(o);

	if (!*a->value || strchr(a->value, ':'))
		return bad_value(a, _("one word or number; --counter help lists them"));
	if (part == 0)
		finish_cc(d);
	else if (!d->cc[0])
		return err_set(a->err, ERR_USAGE,
			_("--%s belongs to an event that --cc-i has started"), a->info->name);
	else if (d->cc[part])
		return err_set(a->err, ERR_USAGE,
			_("--%s is given twice for one event; --cc-i starts another one"),
			a->info->name);
	d->cc[part] = a->value;
	return true;
}

static bool apply(struct options *o, const struct argument *a)
{
	static const char *const ways[] = { "auto", "perf", "mmio", "rpc", NULL };
	static const char *const forms[] = { "man", "bash", "zsh", "fish", NULL };
	struct device_options *d = target(o);

	switch ((enum option_id)a->info->id) {
	case OPTION_DELAY: return parse_delay(o, a, false);
	case OPTION_DELAY_MS: return parse_delay(o, a, true);
	case OPTION_WINDOWS:
		return parse_u64_range(a->value, 1, INT64_MAX, &o->windows) ||
			bad_value(a, _("a whole number from 1"));
	case OPTION_TEXT: return parse_form(o, OUTPUT_TEXT, a);
	case OPTION_JSON: return parse_form(o, OUTPUT_JSON, a);
	case OPTION_CSV: return parse_form(o, OUTPUT_CSV, a);
	case OPTION_CLIENTS: o->clients = true; return true;
	case OPTION_OUTPUT: return set_file(&o->output, a);
	case OPTION_EXPORT: return set_file(&o->export, a);
	case OPTION_TEXTFILE: return set_file(&o->textfile, a);
	case OPTION_TRACE: return set_file(&o->trace, a);
	case OPTION_DEVICE:
	case OPTION_REPLAY: return parse_device(o, a);
	case OPTION_LIST: o->task = TASK_LIST_DEVICES; return true;
	case OPTION_SPEED: return parse_speed(d, a);
	case OPTION_PER_REPORT: d->per_report = true; return true;
	case OPTION_RECORD: return set_named_file(&d->record, a);
	case OPTION_OVERWRITE: d->overwrite = true; return true;
	case OPTION_PERIOD:
		return parse_duration(a, 1, 60 * NS_PER_S, &d->oa_period_ns,
			_("seconds above 0 up to 60, also as 500us or 5ms"));
	case OPTION_POWER: return parse_word_of(&d->power, power_ways, a);
	case OPTION_CONTEXT: return parse_context(d, a);
	case OPTION_ACCESS: return parse_word_of(&d->access, ways, a);
	case OPTION_FSROOT: return set_file(&o->fsroot, a);
	case OPTION_SET: return parse_set(o, a);
	case OPTION_EXPLAIN: o->task = TASK_EXPLAIN; return set_file(&o->explain, a);
	case OPTION_ROTATE: return parse_rotate(d, a);
	case OPTION_ROTATE_EVERY:
		return parse_duration(a, 1, DELAY_MAX_NS, &d->rotate_every_ns,
			_("seconds above 0 up to 3600, also as 500ms"));
	case OPTION_COUNTER: return parse_counter(o, a);
	case OPTION_CC_I: return parse_cc(o, a, 0);
	case OPTION_CC_C: return parse_cc(o, a, 1);
	case OPTION_CC_F: return parse_cc(o, a, 2);
	case OPTION_METRIC_FILE:
		return add_file(&o->metric_files, &o->n_metric_files, a);
	case OPTION_METRIC_XML: return add_file(&o->xml_files, &o->n_xml_files, a);
	case OPTION_CHECK: return set_file(&o->check, a);
	case OPTION_TOUR: o->tour = true; return true;
	case OPTION_NO_COLOR: o->no_color = true; return true;
	case OPTION_ASCII: o->ascii = true; return true;
	case OPTION_NO_MOUSE: o->no_mouse = true; return true;
	case OPTION_SCRIPT: o->task = TASK_SCRIPT; return set_file(&o->script, a);
	case OPTION_SCREEN: return parse_screen(o, a);
	case OPTION_CONFIG: return set_file(&o->config, a);
	case OPTION_BLOCKS: return parse_count(a, UINT32_MAX, &o->blocks);
	case OPTION_TPB: return parse_count(a, UINT32_MAX, &o->tpb);
	case OPTION_LOOP: return parse_count(a, UINT32_MAX, &o->loop);
	case OPTION_LAUNCHES: return parse_count(a, INT64_MAX, &o->launches);
	case OPTION_TIME:
		return parse_duration(a, TIME_MIN_NS, TIME_MAX_NS, &o->time_ns,
			_("0.02 to 86400 seconds, also as 500ms or 5m"));
	case OPTION_REPEAT: return parse_count(a, RUNS_MAX, &o->repeat);
	case OPTION_SMOOTHING: o->power_smoothing = true; return true;
	case OPTION_PROFILE: o->profile = true; return true;
	case OPTION_VALIDATE: o->validate = true; return true;
	case OPTION_TUNE: o->tune = true; return true;
	case OPTION_CL_DEVICE: return set_file(&o->cl_device, a);
	case OPTION_LIST_KERNELS: o->list_kernels = true; return true;
	case OPTION_DUMP_KERNEL: o->dump_kernel = true; return true;
	case OPTION_DUMP: return set_file(&o->dump, a);
	case OPTION_PLOT: return set_named_file(&o->plot, a);
	case OPTION_RESUME: o->resume = true; return true;
	case OPTION_QUIET: o->quiet = true; return true;
	case OPTION_TAP: o->tap = true; return true;
	case OPTION_TABLES: o->task = TASK_TABLES; return parse_word_of(&o->tables, forms, a);
	case OPTION_HELP: o->task = TASK_HELP; return true;
	case OPTION_VERSION: o->task = TASK_VERSION; return true;
	case OPTION_NONE:
	case OPTION_COUNT:
		break;
	}
	return false;
}

/* Makes getopt's tables from ours. letters begins with "+:". The "+" makes getopt stop at the first
 * word that is no option; without it getopt looks behind such words, too. The ":" keeps getopt
 * quiet and lets it tell a missing value from an unknown option. */
static void make_getopt(struct option *longs, char *letters)
{
	char *p = letters;

	*p++ = '+';
	*p++ = ':';
	for (const struct option_info *i = option_table; i->name; i++) {
		*longs++ = (struct option){ .name = i->name,
			.has_arg = i->arg ? required_argument : no_argument,
			.val = 1000 + i->id };
		if (i->letter) {
			*p++ = (char)i->letter;
			if (i->arg)
				*p++ = ':';
		}
	}
	*longs = (struct option){ 0 };
	*p = '\0';
}

static const struct option_info *info_of(int val)
{
	for (const struct option_info *i = option_table; i->name; i++) {
		if (val == 1000 + i->id || (i->letter && val == i->letter))
			return i;
	}
	return NULL;
}

/* Returns the option whose name has the longest beginning in common with a mistyped one; NULL when
 * not even two letters agree. */
static const struct option_info *nearest(const char *name)
{
	const struct option_info *best = NULL;
	size_t best_len = 1;

	for (const struct option_info *i = option_table; i->name; i++) {
		size_t len = 0;

		while (name[len] && name[len] == i->name[len])
			len++;
		if (len > best_len && i->help) {
			best_len = len;
			best = i;
		}
	}
	return best;
}

static const struct subcommand_info *find_subcommand(const char *name)
{
	for (const struct subcommand_info *s = subcommand_table; s->name; s++)
		if (!strcmp(s->name, name))
			return s;
	return NULL;
}

static bool bad_option(struct err *err, int c, const char *word)
{
	const struct option_info *i = info_of(optopt);
	const struct subcommand_info *s;

	if (c == ':') {
		err_set(err, ERR_USAGE, _("option '%s' needs a value"), word);
		if (!i || !i->help)
			return false;
		return err_hint(err, "--%s %s: %s", i->name, i->arg, _(i->help));
	}
	if (optopt >= 1000) {
		err_set(err, ERR_USAGE, _("option '--%s' takes no value"), i->name);
	} else if (optopt) {
		err_set(err, ERR_USAGE, _("unknown option '-%c'"), optopt);
	} else {
		i = nearest(word + strspn(word, "-"));
		err_set(err, ERR_USAGE, _("unknown option '%s'"), word);
		s = find_subcommand(word + strspn(word, "-"));
		if (s)
			return err_hint(err, _("'rooftop %s' is a command"), s->name);
		if (i)
			return err_hint(err,
				_("did you mean --%s? 'rooftop --help' lists all options"),
				i->name);
	}
	return err_hint(err, _("'rooftop --help' lists all options"));
}

static bool unknown_command(const char *name, struct err *err)
{
	struct strbuf names = { 0 };

	for (const struct subcommand_info *s = subcommand_table; s->name; s++)
		strbuf_add_word(&names, ", ", s->name);
	err_set(err, ERR_USAGE, _("unknown command '%s'"), name);
	if (access(name, F_OK) == 0)
		err_hint(err,
			_("-r FILE plays a recording, 'rooftop run -- COMMAND' measures around a "
			  "command"));
	else
		err_hint(
			err, _("commands: %s; without one the monitor starts"), strbuf_str(&names));
	strbuf_release(&names);
	return false;
}

/* Reads the options of argv, whose first word is not one. Leaves optind at the first word behind
 * them. */
static bool parse_words(struct options *o, int argc, char **argv, const char *letters,
	const struct option *longs, struct err *err)
{
	int c;

	optind = 0;	/* makes glibc start anew */
	for (;;) {
		int at = optind ? optind : 1;

		c = getopt_long(argc, argv, letters, longs, NULL);
		if (c == -1)
			return true;
		if (c == '?' || c == ':')
			return bad_option(err, c, argv[optind > at ? optind - 1 : at]);
		if (!apply(o, &(struct argument){ info_of(c), optarg, err }))
			return false;
	}
}

/* Options can stand before and behind the names of a subcommand. Those behind the command of run
 * belong to that command. */
static bool parse_line(struct options *o, int argc, char **argv, struct err *err)
{
	struct option longs[OPTION_COUNT];
	char letters[3 * OPTION_COUNT];

	make_getopt(longs, letters);
	opterr = 0;
	if (!parse_words(o, argc, argv, letters, longs, err))
		return false;
	int word = optind;
	if (word >= argc)
		return true;
	const struct subcommand_info *s = find_subcommand(argv[word]);
	if (!s)
		return unknown_command(argv[word], err);
	if (!parse_words(o, argc - word, argv + word,
		    s->task == TASK_COMMAND ? letters : letters + 1, longs, err))
		return false;
	if (o->task == TASK_RUN)
		o->task = s->task;
	else if (o->task != TASK_HELP && o->task != TASK_VERSION)
		return err_set(err, ERR_USAGE,
			_("the command '%s' cannot be combined with another job"), s->name);
	o->names = argv + word + optind;
	o->n_names = argc - word - optind;
	if (o->task == TASK_DOCTOR && o->n_names > 0)
		return err_set(err, ERR_USAGE, _("the command doctor takes no name, got '%s'"),
			o->names[0]);
	return true;
}

bool options_name_device(const struct options *o)
{
	return o->devices[0].name && !o->devices[0].by_env;
}

bool options_parse(struct options *o, int argc, char **argv, struct err *err)
{
	const char *preferred = getenv("ROOFTOP_DEVICE");

	*o = (struct options){ .task = TASK_RUN };
	if (!parse_line(o, argc, argv, err))
		return false;
	finish_cc(target(o));
	if (o->n_devices == 0)
		add_device(o, NULL);
	/* One file for several devices would hold a mixture, so each device gets its own. */
	for (int i = 0; i < o->n_devices; i++) {
		struct device_options *d = &o->devices[i];
		bool is_common = o->n_devices > 1 && d->record == o->common.record;

		d->record_each = is_common || (d->name && !strcmp(d->name, DEVICES_ALL));
	}
	if (!options_check(o, err))
		return false;
	/* Where no device is named, the tour brings its own, and ROOFTOP_DEVICE prefers one of
	 * several GPUs. */
	struct device_options *first = &o->devices[0];
	if (!first->name && o->tour) {
		first->name = xstrdup(TOUR_DEVICE);
	} else if (!first->name && preferred && *preferred) {
		first->name = xstrdup(preferred);
		first->by_env = true;
	}
	return true;
}

static void release_device(struct device_options *d)
{
	for (int i = 0; i < d->n_counters; i++)
		free(d->counters[i]);
	free(d->counters);
	free((char *)d->name);
}

void options_release(struct options *o)
{
	for (int i = 0; i < o->n_devices; i++)
		release_device(&o->devices[i]);
	release_device(&o->common);
	free(o->devices);
	free(o->metric_files);
	free(o->xml_files);
	*o = (struct options){ .task = TASK_RUN };
}

const struct option_group option_groups[] = {
	{ "run", N_("Windows") },
	{ "output", N_("Output instead of the screen") },
	{ "device", N_("Device") },
	{ "metrics", N_("Metrics") },
	{ "load", N_("Loads: the commands stress, sweep and calibrate") },
	{ "screen", N_("Screen") },
	{ "other", N_("Other") },
	{ NULL, NULL }
};

void options_help(struct strbuf *out)
{
	char head[64], letter[8];

	strbuf_addf(out, "%s\n",
		_("usage: rooftop [OPTION...]\n       rooftop COMMAND [OPTION...] [NAME...]"));
	strbuf_addf(out, "%s\n", _("Shows the hardware counters of a GPU against their roofs."));
	for (const struct option_group *g = option_groups; g->group; g++) {
		strbuf_addf(out, "\n%s:\n", _(g->title));
		for (const struct option_info *i = option_table; i->name; i++) {
			if (!i->help || strcmp(i->group, g->group))
				continue;
			/* "  -d, --delay SECS" */
			snprintf(letter, sizeof(letter), "    ");
			if (i->letter)
				snprintf(letter, sizeof(letter), "-%c, ", i->letter);
			if (i->arg)
				snprintf(head, sizeof(head), "  %s--%s %s", letter, i->name,
					i->arg);
			else
				snprintf(head, sizeof(head), "  %s--%s", letter, i->name);
			strbuf_addf(out, "%-27s  %s\n", head, _(i->help));
		}
	}
	strbuf_addf(out, "\n%s\n", _("Commands:"));
	for (const struct subcommand_info *s = subcommand_table; s->name; s++) {
		snprintf(head, sizeof(head), "  %s %s", s->name, s->args);
		strbuf_addf(out, "%-27s  %s\n", head, _(s->help));
	}
	strbuf_addf(out, "\n%s\n", _("Exit status:"));
	for (const struct status_info *s = status_table; s->text; s++)
		strbuf_addf(out, "  %d  %s\n", s->number, _(s->text));
	strbuf_addf(out, "\n%s\n", _("Keys are on the help screen (h) and in rooftop(1)."));
}
