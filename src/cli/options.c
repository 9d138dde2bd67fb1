/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the command line by the table in options.h. */
#include "config.h"

#include "cli/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options_take.h"
#include "base/mem.h"
#include "base/strbuf.h"

const struct option_info option_table[] = {
#define X(id, name, letter, arg, use, group, help) { OPTION_##id, name, letter, arg, OPTION_##use, group, help },
	OPTION_LIST(X)
#undef X
	{ .name = NULL }
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

#define TOUR_DEVICE "sim:hd620,load=tour"

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
		if (!options_take(o, info_of(c), optarg, err))
			return false;
	}
}

/* Tells whether a task is the answer to a question about options, which every command has. */
static bool answers_only(enum task task)
{
	return task == TASK_HELP || task == TASK_VERSION || task == TASK_LIST_EVENTS ||
		task == TASK_LIST_SETS;
}

/* Returns how many words stand behind "--", which getopt will take away. */
static int words_behind(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			return argc - i - 1;
	return 0;
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
	if (s->task == TASK_DIFF)
		o->n_behind = words_behind(argc - word, argv + word);
	if (!parse_words(o, argc - word, argv + word,
		    s->task == TASK_COMMAND ? letters : letters + 1, longs, err))
		return false;
	if (o->task == TASK_RUN)
		o->task = s->task;
	else if (!answers_only(o->task))
		return err_set(err, ERR_USAGE,
			_("the command '%s' cannot be combined with another job"), s->name);
	o->names = argv + word + optind;
	o->n_names = argc - word - optind;
	if ((o->task == TASK_DOCTOR || o->task == TASK_EXPLAIN_LIMIT) && o->n_names > 0)
		return err_set(err, ERR_USAGE, _("the command %s takes no name, got '%s'"),
			s->name, o->names[0]);
	return true;
}

bool options_mean_all(const struct device_options *d)
{
	return d->name && !strcmp(d->name, DEVICES_ALL);
}

const struct device_options *options_of_all(const struct options *o)
{
	for (int i = 0; i < o->n_devices; i++)
		if (options_mean_all(&o->devices[i]))
			return &o->devices[i];
	return NULL;
}

bool options_name_device(const struct options *o)
{
	return o->devices[0].name && !o->devices[0].by_env;
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

bool options_parse(struct options *o, int argc, char **argv, struct err *err)
{
	const char *preferred = preferred_device();

	*o = (struct options){ .task = TASK_RUN };
	if (!parse_line(o, argc, argv, err))
		return false;
	options_end_devices(o);
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
	for (int i = 0; i < d->n_booleans; i++)
		free(d->booleans[i]);
	free(d->booleans);
	for (int i = 0; i < d->n_triggers; i++)
		free(d->triggers[i]);
	free(d->triggers);
	free((char *)d->name);
}

void options_release(struct options *o)
{
	for (int i = 0; i < o->n_devices; i++)
		release_device(&o->devices[i]);
	release_device(&o->common);
	free(o->devices);
	free(o->metric_files.names);
	free(o->with.names);
	free(o->xml_files.names);
	*o = (struct options){ .task = TASK_RUN };
}

static const struct option_group option_groups[] = {
#define X(group, title) { group, title },
	OPTION_GROUP_LIST(X)
#undef X
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
