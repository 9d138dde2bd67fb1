/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the command line by the tables of options. All words are read before the first of them is
 * taken, because help comes before mistakes, and because the command may stand behind options. */
#include "config.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "core/metric/metric_extend.h"
#include "base/near.h"
#include "base/parse.h"
#include "base/place.h"
#include "cli/options_priv.h"

#define TOUR_DEVICE "sim:hd620,load=tour"
/* What getopt returns for the first of all options. */
#define FIRST_VALUE 1000

const struct status_info status_table[] = {
#define X(id, number, text) { number, text },
	STATUS_LIST(X)
#undef X
	{ 0, NULL }
};

bool option_next(const struct command_line *words, struct option_at *at)
{
	for (;;) {
		int n = 0;

		while (common_tables[n].rows)
			n++;
		at->in = at->table < n ? &common_tables[at->table] : words->tables[at->table - n];
		if (!at->in)
			return false;
		at->option = &at->in->rows[at->row];
		if (at->option->name) {
			at->row++;
			return true;
		}
		at->table++;
		at->row = 0;
	}
}

static const struct option_row *option_by_name(const struct command_line *words, const char *name)
{
	for (struct option_at at = { 0 }; option_next(words, &at);)
		if (!strcmp(at.option->name, name))
			return at.option;
	return NULL;
}

static const struct subcommand *subcommand_by_name(
	const struct command_line *words, const char *name)
{
	for (const struct subcommand *const *c = words->commands + 1; *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}

/* What getopt wants to know, and what it has found. */
struct reader {
	struct options *options;
	int n;			/* options of all tables */
	struct option_at *all;
	struct option *longs;
	char *letters;
	bool wants_help;	/* or the version: nothing else counts */
	struct err err;		/* the first mistake */
};

/* Makes getopt's tables from ours. letters begins with "+:". The "+" makes getopt stop at the first
 * word that is no option; without it getopt looks behind such words, too. The ":" keeps getopt
 * quiet and lets it tell a missing value from an unknown option. */
static void begin_reading(struct reader *r)
{
	char *p;

	for (struct option_at at = { 0 }; option_next(r->options->words, &at);)
		r->n++;
	r->all = xcalloc((size_t)r->n, sizeof(*r->all));
	r->longs = xcalloc((size_t)r->n + 1, sizeof(*r->longs));
	p = r->letters = xcalloc(2 * (size_t)r->n + 3, 1);
	*p++ = '+';
	*p++ = ':';
	struct option_at at = { 0 };
	for (int i = 0; i < r->n && option_next(r->options->words, &at); i++) {
		r->all[i] = at;
		r->longs[i] = (struct option){ .name = at.option->name,
			.has_arg = at.option->arg ? required_argument : no_argument,
			.val = FIRST_VALUE + i };
		if (at.option->letter)
			*p++ = (char)at.option->letter;
		if (at.option->letter && at.option->arg)
			*p++ = ':';
	}
}

static const struct option_at *found(const struct reader *r, int val)
{
	for (int i = 0; i < r->n; i++)
		if (val == FIRST_VALUE + i || (val && val == r->all[i].option->letter))
			return &r->all[i];
	return NULL;
}

/* Returns the option that a mistyped or foreign name means; NULL: none comes near. */
static const struct option_row *nearest(const struct command_line *words, const char *name)
{
	/* What other programs call it: perf, top, nvidia-smi, stress-ng. */
	static const char *const others[][2] = {
		{ "delay", "interval refresh period window sample rate fps l" },
		{ "iterations", "count samples windows once loops" },
		{ "columns", "fields select query-gpu" },
		{ "csv", "format x" },
		{ "device", "gpu sim simulate demo i" },
		{ "replay", "input" },
		{ "output", "file log" },
		{ "overwrite", "force" },
		{ "time", "duration timeout t" },
		{ "clients", "pid process processes u" },
		{ "no-color", "color colour" },
		{ "blocks", "groups work-groups" },
		{ "tpb", "items work-items" },
		{ "counter", "e" },
		{ "batch", "q watch" },
		{ "export", "prometheus port listen" },
		{ "version", "v" },
	};
	struct near near;

	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (option_is_taken(others[i][1], "", name))
			return option_by_name(words, others[i][0]);
	near_begin(&near, name);
	for (struct option_at at = { 0 }; option_next(words, &at);)
		if (at.option->help)
			near_try(&near, at.option->name, at.option->name);
	return near_is_slip(&near) ? option_by_name(words, near.best[0].name) : NULL;
}

/* Whether a word can be nothing but an option: who left out a value has not named a file of that
 * name. */
static bool is_an_option(const struct reader *r, const char *word)
{
	return word[0] == '-' &&
		(word[1] == '-' || (word[1] && !word[2] && found(r, word[1])));
}

static bool bad_option(const struct reader *r, int c, const char *word, struct err *err)
{
	const struct option_at *at = found(r, optopt);
	const struct command_line *words = r->options->words;
	char name[40];

	snprintf(name, sizeof(name), "%s", word + strspn(word, "-"));
	name[strcspn(name, "=")] = '\0';
	if (c == ':') {
		err_set(err, ERR_USAGE, "option '%s' needs a value", word);
		if (!at || !at->option->help)
			return false;
		return err_hint(err, "--%s %s: %s", at->option->name, at->option->arg,
			at->option->help);
	}
	if (optopt >= FIRST_VALUE && at) {
		err_set(err, ERR_USAGE, "option '--%s' takes no value", at->option->name);
	} else {
		const char letter[] = { (char)optopt, '\0' };
		const struct option_row *row = nearest(words, optopt ? letter : name);

		err_set(err, ERR_USAGE, "unknown option '%s%s'", optopt ? "-" : "",
			optopt ? letter : word);
		if (!optopt && subcommand_by_name(words, name))
			return err_hint(err, "'rooftop %s' is a command", name);
		if (!optopt && !strncmp(name, "lang", 4))
			return err_hint(err, "LC_ALL=de_DE.UTF-8 before the command chooses a language");
		if (!optopt && option_is_taken("theme colors colours sort filter", "", name))
			return err_hint(err,
				"keys of the monitor choose that: h lists them, S has the settings, "
				"F12 keeps them");
		if (row)
			return err_hint(err,
				"did you mean --%s? 'rooftop help all' lists all options",
				row->name);
	}
	return err_hint(err, "'rooftop help all' lists all options");
}

/* Returns what is meant where a word is no command: a device, or what an option does. NULL: nothing
 * is known. */
static const char *meant_by(const char *name, char *buf, size_t size)
{
	static const char *const devices[] = {
		"card", "cpu0", "sim:", "ssh:", "pci:", "drm:", "accel"
	};
	static const char *const others[][2] = {
		{ "rooftop -L", "list devices ls show info" },
		{ "rooftop -m help", "sets" },
		{ "rooftop -w FILE", "record" },
		{ "rooftop diff", "compare" },
		{ "rooftop run -- COMMAND", "stat exec profile" },
		{ "rooftop -b", "dmon text" },
		{ "rooftop -c", "csv" },
		{ "rooftop -J", "json" },
		{ "rooftop sweep", "bench benchmark" },
		{ "rooftop check", "test verify health" },
		{ "rooftop doctor", "status permissions bundle" },
		{ "rooftop stress help", "kernels" },
		{ "rooftop explain limit", "limit why" },
		{ "rooftop -r FILE", "replay play" },
		{ "rooftop", "top watch monitor" },
		{ "rooftop --export prometheus", "export" },
		{ "rooftop --version", "version" },
		{ "rooftop --tour", "tour" },
		{ "rooftop sweep --plot FILE", "plot" },
	};
	const char *word;
	size_t len;

	for (size_t i = 0; i < ARRAY_LEN(devices); i++)
		if (!strncmp(name, devices[i], strlen(devices[i]))) {
			snprintf(buf, size, "rooftop -D %.60s", name);
			return buf;
		}
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		for (const char *words = others[i][1]; parse_word(&words, &word, &len);)
			if (near_distance(name, strlen(name), word, len) <= (strlen(name) > 4))
				return others[i][0];
	return NULL;
}

/* Returns the value of -k or -m where a word stands right behind it: such names have commas between
 * them. "" elsewhere. */
static const char *names_before(const struct options *o, const char *before)
{
	const struct given_option *g = o->n_given ? &o->given[o->n_given - 1] : NULL;
	bool is_list = g && (!strcmp(g->row->name, "columns") || !strcmp(g->row->name, "set"));

	return is_list && g->value == before ? before : "";
}

static bool unknown_command(
	const struct options *o, const char *before, const char *name, struct err *err)
{
	const struct command_line *words = o->words;
	struct strbuf names = { 0 };
	struct near near;
	char buf[80];

	near_begin(&near, name);
	near_try(&near, "help", "help");
	for (const struct subcommand *const *c = words->commands + 1; *c; c++) {
		near_try(&near, (*c)->name, (*c)->name);
		strbuf_add_word(&names, ", ", (*c)->name);
	}
	err_set(err, ERR_USAGE, "unknown command '%s'", name);
	const char *meant = meant_by(name, buf, sizeof(buf));
	if (meant)
		err_hint(err, "did you mean '%s'? 'rooftop help' has the commands", meant);
	else if (access(name, F_OK) == 0)
		err_hint(err,
			"-r FILE plays a recording, 'rooftop run -- COMMAND' measures around a "
			"command");
	else if (near_is_slip(&near))
		err_hint(err, "did you mean 'rooftop %s'? There are %s", near.best[0].name,
			strbuf_str(&names));
	else if (*names_before(o, before))
		err_hint(err, "names have commas between them: %.60s,%.60s", before, name);
	else
		err_hint(err, "commands: %s; without one the monitor starts", strbuf_str(&names));
	strbuf_release(&names);
	return false;
}

static void keep_option(struct options *o, const struct option_at *at, const char *value)
{
	o->given = xreallocarray(o->given, (size_t)o->n_given + 1, sizeof(*o->given));
	o->given[o->n_given++] = (struct given_option){ at->option, at->in, value };
}

/* Reads the options of argv, whose first word is not one. Returns the index of the first word
 * behind them. */
static int read_words(struct reader *r, int argc, char **argv, const char *letters)
{
	int c;

	optind = 0;	/* makes glibc start anew */
	for (;;) {
		int at = optind ? optind : 1;

		c = getopt_long(argc, argv, letters, r->longs, NULL);
		if (c == -1)
			return optind;
		if (c == '?' || c == ':') {
			if (r->err.code == ERR_NONE)
				bad_option(r, c, argv[optind > at ? optind - 1 : at], &r->err);
			continue;
		}
		const struct option_at *option = found(r, c);
		if (optarg && optarg == argv[optind - 1] && is_an_option(r, optarg) &&
			r->err.code == ERR_NONE) {
			optopt = c;
			bad_option(r, ':', argv[optind - 2], &r->err);
			continue;
		}
		keep_option(r->options, option, optarg);
		if (option->option->task == TASK_HELP || option->option->task == TASK_VERSION)
			r->wants_help = true;
	}
}

/* Returns how many words stand behind "--", which getopt will take away. */
static int words_behind(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			return argc - i - 1;
	return 0;
}

/* Reads the whole line. Options can stand before and behind the names of a command. Those behind
 * the command of run belong to that command. */
static bool read_line(struct reader *r, int argc, char **argv, struct err *err)
{
	struct options *o = r->options;
	int word = read_words(r, argc, argv, r->letters);

	o->command = o->words->commands[0];
	if (r->err.code != ERR_NONE && !r->wants_help) {
		*err = r->err;
		return false;
	}
	if (word < argc && !strcmp(argv[word], "help")) {
		r->wants_help = true;
		keep_option(o, found(r, 'h'), NULL);
		word += word + 1 < argc;
	}
	if (word < argc && strcmp(argv[word], "help") != 0) {
		const struct subcommand *c = subcommand_by_name(o->words, options_new_command(o, argv[word]));

		o->n_behind = words_behind(argc - word, argv + word);
		if (!c && !r->wants_help)
			return unknown_command(o, argv[word - 1], argv[word], err);
		int behind = read_words(r, argc - word, argv + word,
			c && c->task == TASK_COMMAND ? r->letters : r->letters + 1);
		o->names = argv + word + behind;
		o->n_names = argc - word - behind;
		if (c)
			o->command = c;
		else
			o->page = argv[word];
	}
	if (r->err.code == ERR_NONE || r->wants_help)
		return true;
	*err = r->err;
	return false;
}

static void *home_of(struct options *o, const struct option_table *t)
{
	return t->size ? *(void **)((char *)o + t->at) : (void *)o;
}

static bool take(struct options *o, const struct given_option *g, struct err *err)
{
	const struct option_row *row = g->row;
	struct argument a = { .row = row,
		.value = g->value,
		.options = o,
		.device = options_target(o),
		.err = err };

	a.at = (char *)(row->of_device ? (void *)a.device : home_of(o, g->table)) + row->at;
	return (!row->task || option_task(&a, row->task)) && (!row->take || row->take(&a));
}

/* Gives the line the task of its command, unless an option asks for one. */
static bool take_command(struct options *o, struct err *err)
{
	const struct subcommand *c = o->command;
	bool is_question = o->task == TASK_LIST_EVENTS || o->task == TASK_LIST_SETS ||
		o->task == TASK_LIST_DEVICES || o->task == TASK_ANSWER;

	if (o->old_name) {
		o->command = subcommand_by_name(o->words, "explain");
		o->names = &o->old_name;
		o->n_names = 1;
	}
	if (is_question || c->task == TASK_RUN)
		return true;
	if (o->task != TASK_RUN && (int)o->task != c->task) {
		err_set(err, ERR_USAGE, "the command '%s' cannot be combined with another job",
			c->name);
		return err_hint(err, "leave out '%s', or the option that asks for another job",
			c->name);
	}
	o->task = (enum task)c->task;
	if (*c->args || o->n_names == 0)
		return true;
	err_set(err, ERR_USAGE, "the command %s takes no name, got '%s'", c->name, o->names[0]);
	return err_hint(err, "-D DEVICE chooses a device; 'rooftop %s --help' has its options",
		c->name);
}

static bool parse_line(struct options *o, int argc, char **argv, struct err *err)
{
	struct reader r = { .options = o };
	bool good;

	begin_reading(&r);
	opterr = 0;
	good = read_line(&r, argc, argv, err);
	if (good && r.wants_help) {
		o->task = TASK_HELP;
		for (int i = 0; i < o->n_given; i++)
			if (o->given[i].row->task == TASK_VERSION)
				o->task = TASK_VERSION;
	}
	for (int i = 0; i < o->n_given && good && !r.wants_help; i++)
		good = take(o, &o->given[i], err);
	good = good && (r.wants_help || take_command(o, err));
	free(r.all);
	free(r.longs);
	free(r.letters);
	return good;
}

const struct device_options *options_of_all(const struct options *o)
{
	for (int i = 0; i < o->n_devices; i++)
		if (options_mean_all(&o->devices[i]))
			return &o->devices[i];
	return NULL;
}

/* Returns what ROOFTOP_DEVICE names, or NULL. A program that has rights which its user lacks
 * (AT_SECURE) takes no file from its environment. */
static const char *preferred_device(void)
{
	const char *name = getenv("ROOFTOP_DEVICE");

	if (name && (strchr(name, '/') || !strncmp(name, "file:", 5) || !strncmp(name, "drm:", 4)))
		return secure_getenv("ROOFTOP_DEVICE");
	return name;
}

/* An endpoint or a file for a collector that stands alone is about the whole machine. Beside a
 * screen, lines, a trace or a recording it is about their devices. */
static bool serves_machine(const struct options *o)
{
	return (o->export || o->textfile) && o->task == TASK_RUN && o->form == OUTPUT_NONE &&
		!o->trace && !o->tour && !o->devices[0].record && !options_want_screen(o);
}

bool options_parse(struct options *o, const struct command_line *words, int argc, char **argv,
	struct err *err)
{
	const char *preferred = preferred_device();

	*o = (struct options){ .task = TASK_RUN, .words = words };
	o->as_gpu_top = argc > 0 && !strcmp(place_last(argv[0]), "intel_gpu_top");
	for (const struct option_table *const *t = words->tables; *t; t++)
		*(void **)((char *)o + (*t)->at) = xcalloc(1, (*t)->size);
	if (!parse_line(o, argc, argv, err))
		return false;
	options_end_devices(o);
	if (o->task == TASK_HELP || o->task == TASK_VERSION || o->task == TASK_ANSWER)
		return true;
	options_tell_old(o);
	/* One file for several devices would hold a mixture, so each device gets its own. */
	for (int i = 0; i < o->n_devices; i++) {
		struct device_options *d = &o->devices[i];
		bool is_common = o->n_devices > 1 && d->record == o->common.record;

		if (d->record && !strcmp(d->record, "-"))
			continue;
		d->record_each = is_common || options_mean_all(d);
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
	} else if (!first->name && serves_machine(o)) {
		first->name = xstrdup(DEVICES_ALL);
	}
	return true;
}

static void release_device(struct device_options *d)
{
	for (int i = 0; i < d->n_counters; i++)
		free(d->counters[i]);
	free(d->counters);
	for (int i = 0; i < d->n_wishes; i++) {
		free((char *)d->wishes[i].option);
		free((char *)d->wishes[i].words);
	}
	free(d->wishes);
	free((char *)d->name);
}

void options_release(struct options *o)
{
	for (int i = 0; i < o->n_devices; i++)
		release_device(&o->devices[i]);
	release_device(&o->common);
	free(o->devices);
	for (int i = 0; i < o->n_given; i++) {
		const struct given_option *g = &o->given[i];

		if (g->row->take != option_files)
			continue;
		struct name_list *list = (void *)((char *)home_of(o, g->table) + g->row->at);
		free(list->names);
		*list = (struct name_list){ 0 };
	}
	free(o->given);
	strbuf_release(&o->answer);
	strbuf_release(&o->old);
	for (const struct option_table *const *t = o->words->tables; *t; t++)
		free(home_of(o, *t));
	*o = (struct options){ .task = TASK_RUN };
}
