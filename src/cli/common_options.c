/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the options that belong to no command of their own. */
#include "config.h"

#include "cli/common_options.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "backends/common/counter_family.h"
#include "backends/power/energy.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "cli/options_priv.h"
#include "ui/frame/view.h"

#define DELAY_MIN_NS (10 * NS_PER_MS)
#define DELAY_MAX_NS (3600 * NS_PER_S)

/* Adds a string, which the list owns from now on. */
static void add_string(char ***list, int *n, char *s)
{
	*list = xreallocarray(*list, (size_t)*n + 1, sizeof(**list));
	(*list)[(*n)++] = s;
}

static void add_wish(struct device_options *d, const char *option, const char *words)
{
	d->wishes = xreallocarray(d->wishes, (size_t)d->n_wishes + 1, sizeof(*d->wishes));
	d->wishes[d->n_wishes++] =
		(struct metric_wish){ .option = xstrdup(option), .words = xstrdup(words) };
}

static void finish_cc(struct device_options *d)
{
	for (int i = 1; i < 3; i++)
		if (!d->cc[i])
			d->cc[i] = "";
	if (d->cc[0])
		add_string(&d->counters, &d->n_counters,
			xasprintf("%s:%s:%s", d->cc[0], d->cc[1], d->cc[2]));
	memset(d->cc, 0, sizeof(d->cc));
}

struct device_options *options_target(struct options *o)
{
	return o->n_devices ? &o->devices[o->n_devices - 1] : &o->common;
}

/* The device owns name from now on. */
static bool add_device(struct options *o, char *name)
{
	const struct device_options *c = &o->common;

	finish_cc(options_target(o));
	o->devices = xreallocarray(o->devices, (size_t)o->n_devices + 1, sizeof(*o->devices));
	struct device_options *d = &o->devices[o->n_devices++];
	*d = *c;
	d->name = name;
	d->counters = NULL;
	d->n_counters = 0;
	for (int i = 0; i < c->n_counters; i++)
		add_string(&d->counters, &d->n_counters, xstrdup(c->counters[i]));
	d->wishes = NULL;
	d->n_wishes = 0;
	for (int i = 0; i < c->n_wishes; i++)
		add_wish(d, c->wishes[i].option, c->wishes[i].words);
	return true;
}

void options_end_devices(struct options *o)
{
	finish_cc(options_target(o));
	if (o->n_devices == 0)
		add_device(o, NULL);
}

static bool take_device(const struct argument *a)
{
	if (!*a->value)
		return option_bad_value(a, "a name that is not empty");
	if (!strcmp(a->value, "help"))
		return option_task(a, TASK_LIST_DEVICES);
	return add_device(a->options, xstrdup(a->value));
}

static bool take_replay(const struct argument *a)
{
	if (!*a->value)
		return option_bad_value(a, "a name that is not empty");
	return add_device(a->options, xasprintf("file:%s", a->value));
}

/* intel_gpu_top has -s for milliseconds and -d for a device, which has a colon in its name. */
static bool take_delay(const struct argument *a)
{
	bool is_ms = a->row->instead;
	int64_t ns = 0;
	double v;

	if (!is_ms && strchr(a->value, ':'))
		return take_device(a);
	if (parse_double(a->value, &v) && v >= 0 && v <= 1e9)
		ns = llround(v * (is_ms ? NS_PER_MS : NS_PER_S));
	else if (!is_ms)
		parse_duration_ns(a->value, &ns);
	if (ns < DELAY_MIN_NS || ns > DELAY_MAX_NS)
		return option_bad_value(a, a->row->allowed);
	a->options->delay_ns = ns;
	return true;
}

static bool take_speed(const struct argument *a)
{
	double *speed = &a->device->speed;

	a->device->speed_max = !strcmp(a->value, "max");
	return a->device->speed_max ||
		(parse_double(a->value, speed) && *speed >= 0.01 && *speed <= 10000) ||
		option_answer(a, "0.01 to 10000, max");
}

/* The kernel tells nobody which process a context's number belongs to, so that this option cannot
 * take a process. */
static bool take_context(const struct argument *a)
{
	uint64_t v;

	if (!strcmp(a->value, "help") || !strcmp(a->value, "list"))
		return a->device->lists_contexts = true;
	if (!parse_u64_range(a->value, 0, 0x7fffff, &v))
		return option_bad_value(a,
			"a number up to 0x7fffff, as --context help shows it (no process: reports "
			"do not name those)");
	a->device->has_context = true;
	a->device->context = (uint32_t)v;
	return true;
}

static bool take_export(const struct argument *a)
{
	if (!strcmp(a->value, "help"))
		return option_answer(a,
			"prometheus, prometheus:PORT, prometheus:HOST:PORT, prometheus:unix:PATH");
	return option_file(a);
}

static bool take_form(const struct argument *a)
{
	enum output_form *form = a->at, wanted = (enum output_form)a->row->max;

	if (wanted == OUTPUT_JSON && a->options->as_gpu_top)
		wanted = OUTPUT_GPU_TOP;
	if (*form != OUTPUT_NONE && *form != wanted)
		return err_set(a->err, ERR_USAGE,
			"only one of -b, -J, -c and --intel-gpu-top-json can be given");
	*form = wanted;
	return true;
}

static bool take_screen(const struct argument *a)
{
	struct strbuf names = { 0 };
	int screen = view_screen_by_name(a->value);

	for (int i = 0; i < VIEW_SCREENS; i++) {
		char digit = view_screen_digit((enum view_screen)i);

		if (a->value[0] == digit && !a->value[1])
			screen = i;
		strbuf_addf(&names, "%s%c %s", i ? ", " : "", digit,
			view_screen_name((enum view_screen)i));
	}
	if (screen >= 0)
		a->options->screen = view_screen_name((enum view_screen)screen);
	bool good = screen >= 0 || option_answer(a, strbuf_str(&names));
	strbuf_release(&names);
	return good;
}

static bool take_rotate(const struct argument *a)
{
	if (!strchr(a->value, ',') || strchr(a->value, ',')[1] == '\0')
		return option_bad_value(a, "two or more sets with commas between them");
	a->device->rotate = a->value;
	return true;
}

static bool take_set(const struct argument *a)
{
	struct argument one = *a;

	if (strchr(a->value, ','))
		return take_rotate(a);
	if (!strcmp(a->value, "list") || !strcmp(a->value, "help"))
		return option_task(a, TASK_LIST_SETS);
	one.at = &a->device->set;
	return option_file(&one);
}

static bool take_explain(const struct argument *a)
{
	a->options->old_name = (char *)a->value;
	return option_file(&(struct argument){ .row = a->row,
		.value = a->value,
		.at = &a->options->old_name,
		.err = a->err });
}

static bool take_columns(const struct argument *a)
{
	const char *words = a->value;
	char word[64];

	while (parse_until(&words, ',', word, sizeof(word)))
		continue;
	if (!*a->value || *words || words[-1] == ',')
		return option_bad_value(a, "names of metrics with commas between them, or help");
	a->options->columns = a->value;
	if (strcmp(a->value, "help") != 0)
		return true;
	a->options->old_name = (char *)a->value;
	return option_task(a, TASK_EXPLAIN);
}

static bool take_counter(const struct argument *a)
{
	if (!*a->value)
		return option_bad_value(a, "INC[:COARSE[:FINE]], an event of the processor, or help");
	if (!strcmp(a->value, "help"))
		return option_task(a, TASK_LIST_EVENTS);
	add_string(&a->device->counters, &a->device->n_counters, xstrdup(a->value));
	return true;
}

/* Turns the value of an option that is about counters into words. */
static bool take_words(const struct argument *a, char *words, size_t size)
{
	struct err why = { 0 };

	if (counter_words(a->row->name, a->value, words, size, &why))
		return true;
	err_set(a->err, ERR_USAGE, "bad value '%s' for --%s: %s", a->value, a->row->name, why.msg);
	return err_hint(a->err, "%s", why.hint);
}

static bool take_events_in(const struct argument *a)
{
	char words[256];

	a->device->events_in = a->value;
	return take_words(a, words, sizeof(words));
}

static bool take_wish(const struct argument *a)
{
	size_t name_len = strcspn(a->value, "=(");
	char words[256], option[32];

	if (!take_words(a, words, sizeof(words)))
		return false;
	snprintf(option, sizeof(option), "--%s", a->row->name);
	for (int i = 0; i < a->device->n_wishes && a->value[name_len] == '='; i++)
		if (!strcmp(a->device->wishes[i].option, option) &&
			!strncmp(a->device->wishes[i].words, a->value, name_len))
			return err_set(a->err, ERR_USAGE, "%s asks %.*s twice", option,
				(int)name_len, a->value);
	add_wish(a->device, option, words);
	return true;
}

/* The tool of H. Duarte's thesis (2018) has these options, which give one event in three parts
 * (table 3.1). */
static bool take_cc(const struct argument *a)
{
	const char **part = a->at, **first = a->device->cc;

	if (!*a->value || strchr(a->value, ':'))
		return option_bad_value(a, "one word or number; --counter help lists them");
	if (part == first)
		finish_cc(a->device);
	else if (!*first)
		return err_set(a->err, ERR_USAGE,
			"--%s belongs to an event that --cc-i has started", a->row->name);
	else if (*part)
		return err_set(a->err, ERR_USAGE,
			"--%s is given twice for one event; --cc-i starts another one",
			a->row->name);
	*part = a->value;
	return true;
}

static const char *const access_ways[] = { "auto", "perf", "mmio", "rpc", NULL };

#define OF_ALL(member) .at = offsetof(struct options, member)
#define OF_DEVICE(member) .at = offsetof(struct device_options, member), .of_device = true

#define X(list, table_name, table_title) \
	{ .name = table_name, .title = table_title, .rows = (const struct option_row[]){ list(OPTION_ROW) { .name = NULL } } },
const struct option_table common_tables[] = { COMMON_TABLES(X) { .name = NULL } };
#undef X

static bool is_monitor(const struct options *o)
{
	return o->task != TASK_SCRIPT && options_want_screen(o);
}

static bool is_script(const struct options *o)
{
	return o->task == TASK_SCRIPT;
}

static bool is_gpu_top(const struct options *o)
{
	return o->form == OUTPUT_GPU_TOP;
}

static bool is_export(const struct options *o)
{
	return o->form == OUTPUT_NONE && (options_export(o) || options_stream(o));
}

static bool asks_for_devices(const struct options *o)
{
	return o->task == TASK_LIST_DEVICES;
}

static bool asks_for_sets(const struct options *o)
{
	return o->task == TASK_LIST_SETS;
}

static bool asks_for_events(const struct options *o)
{
	return o->task == TASK_LIST_EVENTS;
}

const struct subcommand live_command = { .task = TASK_RUN,
	.forms = (const struct subcommand_form[]){
#define X(name, is, takes) { name, is, takes },
		LIVE_FORMS(X)
#undef X
	} };
