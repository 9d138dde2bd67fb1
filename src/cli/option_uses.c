/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says what a line of options asks for, and refuses those that its job would ignore. Each form of a
 * command lists the options that it takes, and what stands in no list is refused everywhere, so
 * that none can be accepted without effect. */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "cli/options_priv.h"

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

/* Asked once, since standard output stays what it is. */
bool options_on_terminal(void)
{
	static int answer = -1;

	if (answer < 0)
		answer = isatty(STDOUT_FILENO);
	return answer;
}

bool options_want_screen(const struct options *o)
{
	return o->task == TASK_SCRIPT ||
		(o->task == TASK_RUN && o->form == OUTPUT_NONE && options_on_terminal() &&
			!options_stream(o));
}

bool options_mean_all(const struct device_options *d)
{
	return d->name && !strcmp(d->name, DEVICES_ALL);
}

bool options_name_device(const struct options *o)
{
	return o->devices[0].name && !o->devices[0].by_env;
}

bool option_is_taken(const char *takes, const char *table, const char *name)
{
	bool is_taken = false;
	const char *word;
	size_t len;

	while (parse_word(&takes, &word, &len)) {
		bool adds = *word != '-';

		if (!adds) {
			word++;
			len--;
		}
		const char *what = *word == '@' ? table : name;
		if (*word == '@') {
			word++;
			len--;
		}
		if (strlen(what) == len && !memcmp(what, word, len))
			is_taken = adds;
	}
	return is_taken;
}

static bool form_takes(const struct subcommand_form *f, const struct given_option *g)
{
	return option_is_taken(f->takes, g->table->name,
		g->row->instead ? g->row->instead : g->row->name);
}

/* Returns what the line comes to: a form of its command, or of the questions that each has. */
static const struct subcommand_form *form_of(const struct options *o)
{
	const struct subcommand *c = o->command;

	if (o->task == TASK_LIST_DEVICES || o->task == TASK_LIST_SETS ||
		o->task == TASK_LIST_EVENTS)
		c = o->words->commands[0];
	const struct subcommand_form *f = c->forms;
	while (f->is && !f->is(o))
		f++;
	return f;
}

/* Adds the forms of a command that take the option, or the command alone where its last form does,
 * which is what it does unasked. Returns whether any does. */
static bool add_takers(
	const struct subcommand *c, const struct given_option *g, struct strbuf *list)
{
	const struct subcommand_form *f = c->forms;
	int n_takers = 0;

	while (f->is)
		f++;
	if (c->name && form_takes(f, g)) {
		strbuf_add_word(list, ", ", c->name);
		return true;
	}
	f = c->forms;
	do {
		if (!form_takes(f, g))
			continue;
		strbuf_add_word(list, ", ", f->name);
		n_takers++;
	} while ((f++)->is);
	return n_takers > 0;
}

static bool refuse(const struct options *o, const struct given_option *g,
	const struct subcommand_form *job, struct err *err)
{
	const struct subcommand *const *commands = o->words->commands, *taker = NULL;
	struct strbuf list = { 0 };
	bool names_job = o->command != commands[0] || o->form != OUTPUT_NONE ||
		o->task != TASK_RUN || options_export(o);
	int n = 0;

	for (const struct subcommand *const *c = commands; *c; c++)
		if (add_takers(*c, g, &list)) {
			n++;
			taker = *c;
		}
	/* Who named no command meant another one: nobody has asked for what runs without. */
	if (names_job)
		err_set(err, ERR_USAGE, "--%s has no effect with %s", g->row->name, job->name);
	else
		err_set(err, ERR_USAGE, "--%s belongs to %s", g->row->name, strbuf_str(&list));
	if (!names_job && n > 1)
		err_hint(err, "'rooftop COMMAND --help' has the options of each command");
	else if (!names_job && taker->name)
		err_hint(err, "such as 'rooftop %s --%s%s%s'", taker->name, g->row->name,
			g->value ? " " : "", text_or(g->value, ""));
	else if (!names_job)
		err_hint(err, "standard output is no terminal, so that lines of text are written");
	else if (n == 1 && !taker->name && o->command != taker)
		err_hint(err, "--%s belongs to %s without a command", g->row->name,
			strbuf_str(&list));
	else if (!strcmp(g->row->name, "iterations") &&
		option_is_taken(job->takes, "load", "repeat"))
		err_hint(err, "--repeat N is how often here; --%s belongs to %s", g->row->name,
			strbuf_str(&list));
	else if (!strcmp(g->row->name, "time") && option_is_taken(job->takes, "windows", "iterations"))
		err_hint(err, "-n N ends after N windows; --time belongs to %s",
			strbuf_str(&list));
	else
		err_hint(err, "--%s belongs to %s", g->row->name, strbuf_str(&list));
	strbuf_release(&list);
	return false;
}

/* A list of sets or events is asked for by the option that otherwise chooses one of them. */
static bool is_question(const struct options *o, const struct given_option *g)
{
	const struct device_options *d = &o->devices[0];
	const char *name = g->row->name;

	/* The form of the lines does not matter to who asks for columns. */
	if (o->columns && !strcmp(o->columns, "help") &&
		(!strcmp(name, "csv") || !strcmp(name, "json") || !strcmp(name, "batch") ||
			!strcmp(name, "iterations") || !strcmp(name, "delay")))
		return true;
	return (!strcmp(name, "columns") && !strcmp(g->value, "help")) ||
		(!strcmp(name, "set") && o->task == TASK_LIST_SETS && !d->set && !d->rotate) ||
		(!strcmp(name, "counter") && o->task == TASK_LIST_EVENTS && d->n_counters == 0);
}

bool option_uses_check(const struct options *o, struct err *err)
{
	const struct subcommand_form *job = form_of(o);

	for (int i = 0; i < o->n_given; i++)
		if (!form_takes(job, &o->given[i]) && !is_question(o, &o->given[i]))
			return refuse(o, &o->given[i], job, err);
	return true;
}
