/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the pages of help. */
#include "config.h"

#include <string.h>

#include "base/near.h"
#include "cli/options_priv.h"

static const char first_page[] =
	"usage: rooftop [OPTION...]\n"
	"       rooftop COMMAND [OPTION...] [NAME...]\n"
	"Shows what a GPU does, what limits it, and how far it is from its roofs.\n"
	"\n"
	"What people do with it:\n"
	"  rooftop                      watch the GPU of this machine (h: keys, q: end)\n"
	"  rooftop --tour               learn to read the screen, on a simulated GPU\n"
	"  rooftop explain limit        what limits the GPU now, and how that is known\n"
	"  rooftop run -- ./program     counters, power and time around a program\n"
	"  rooftop -w A                 record; rooftop -r A plays it, on any machine\n"
	"  rooftop diff A B             did my change help?\n"
	"  rooftop -c -n 60 -o FILE     a minute of windows as CSV; -J: JSON\n"
	"  rooftop stress mix.sp.ai-4   run a kernel, see what it reaches\n"
	"  rooftop check                is this GPU all right?\n"
	"  rooftop --export prometheus  serve the metrics of all devices\n"
	"\n"
	"Options of most commands:\n";

/* What the first page shows of the common options, on 80 columns. */
#define SHORT_HEAD 26
#define SHORT_MAX (80 - SHORT_HEAD - 2)
#define FIRST_OPTIONS "device set delay iterations columns json csv output record replay"

static bool is_experiment(const struct option_row *row)
{
	return !strncmp(row->help, "experiment", 10);
}

/* Adds a line of help. Where it is short, of a long text that is a list only what comes first. */
static void add_line(struct strbuf *out, const char *head, const char *text, bool is_short)
{
	int len = (int)strlen(text);

	for (int i = len; is_short && i > 0 && len > SHORT_MAX; i--)
		if (text[i] == ';' && i <= SHORT_MAX)
			len = i;
	strbuf_addf(out, "%-*s  %.*s\n", is_short ? SHORT_HEAD : 27, head, len, text);
}

static void add_option(struct strbuf *out, const struct option_row *row, bool is_short)
{
	struct strbuf head = { 0 };

	/* "  -d, --delay SECS" */
	if (row->letter)
		strbuf_addf(&head, "  -%c, --%s", row->letter, row->name);
	else
		strbuf_addf(&head, "      --%s", row->name);
	if (row->arg)
		strbuf_addf(&head, " %s", row->arg);
	add_line(out, strbuf_str(&head), row->help, is_short);
	strbuf_release(&head);
}

static void add_table(struct strbuf *out, const struct option_table *t)
{
	strbuf_addf(out, "\n%s:\n", t->title);
	for (const struct option_row *row = t->rows; row->name; row++)
		if (row->help && !is_experiment(row))
			add_option(out, row, false);
}

static void add_commands(struct strbuf *out, const struct command_line *words)
{
	strbuf_add(out, "\nCommands:\n");
	for (const struct subcommand *const *c = words->commands + 1; *c; c++) {
		struct strbuf head = { 0 };

		strbuf_addf(&head, "  %s %s", (*c)->name, (*c)->args);
		add_line(out, strbuf_str(&head), (*c)->help, true);
		strbuf_release(&head);
	}
}

static bool command_takes(
	const struct subcommand *c, const struct option_table *t, const struct option_row *row)
{
	const struct subcommand_form *f = c->forms;

	do {
		if (option_is_taken(f->takes, t->name, row->name))
			return true;
	} while ((f++)->is);
	return false;
}

/* Adds the options of a command: those of the tables of commands in full, the common ones in one
 * line. */
static void add_command(struct strbuf *out, const struct command_line *words, const struct subcommand *c)
{
	struct strbuf common = { 0 };
	bool is_common = true;

	strbuf_addf(out, "usage: rooftop %s [OPTION...]%s%s\n%s\n", c->name, *c->args ? " " : "",
		c->args, c->help);
	for (struct option_at at = { 0 }; option_next(words, &at);) {
		const char *name = at.option->name;

		if (!at.option->help || is_experiment(at.option) ||
			!command_takes(c, at.in, at.option))
			continue;
		if (!at.in->size && at.option->letter)
			strbuf_addf(&common, "%s-%c", common.len ? ", " : "", at.option->letter);
		else if (!at.in->size)
			strbuf_addf(&common, "%s--%s", common.len ? ", " : "", name);
		if (!at.in->size)
			continue;
		if (is_common)
			strbuf_add(out, "\n");
		is_common = false;
		add_option(out, at.option, false);
	}
	strbuf_addf(out, "\nCommon options: %s\n'rooftop help all' has them, rooftop-%s(1) tells more.\n",
		strbuf_str(&common), c->name);
	strbuf_release(&common);
}

static void add_first(struct strbuf *out, const struct command_line *words)
{
	strbuf_add(out, first_page);
	for (struct option_at at = { 0 }; option_next(words, &at);)
		if (option_is_taken(FIRST_OPTIONS, at.in->name, at.option->name))
			add_option(out, at.option, true);
	add_commands(out, words);
	strbuf_add(out, "rooftop COMMAND --help has more; so has rooftop help live|output|export|all.\n");
}

static void add_all(struct strbuf *out, const struct command_line *words)
{
	strbuf_add(out, "All options of rooftop. One that would change nothing of what is done is refused.\n");
	for (const struct option_table *t = common_tables; t->rows; t++)
		add_table(out, t);
	for (const struct option_table *const *t = words->tables; *t; t++)
		add_table(out, *t);
	add_commands(out, words);
	strbuf_add(out, "\nExit status:\n");
	for (const struct status_info *s = status_table; s->text; s++)
		strbuf_addf(out, "  %d  %s\n", s->number, s->text);
	strbuf_add(out, "\nKeys: h on the screen, or rooftop(1). Formats: rooftop-output(5).\n");
}

static bool unknown_page(const struct options *o, struct err *err)
{
	struct strbuf names = { 0 };
	struct near near;

	near_begin(&near, o->page);
	for (const struct option_table *t = common_tables; t->rows; t++) {
		near_try(&near, t->name, t->name);
		strbuf_addf(&names, ", %s", t->name);
	}
	for (const struct subcommand *const *c = o->words->commands + 1; *c; c++) {
		near_try(&near, (*c)->name, (*c)->name);
		strbuf_addf(&names, ", %s", (*c)->name);
	}
	err_set(err, ERR_USAGE, "no page of help is named '%s'", o->page);
	if (near_is_slip(&near))
		err_hint(err, "did you mean 'rooftop help %s'?", near.best[0].name);
	else
		err_hint(err, "pages: all%s", strbuf_str(&names));
	strbuf_release(&names);
	return false;
}

bool options_help(const struct options *o, struct strbuf *out, struct err *err)
{
	const struct command_line *words = o->words;

	if (!o->page && o->command == words->commands[0]) {
		add_first(out, words);
		return true;
	}
	if (!o->page) {
		add_command(out, words, o->command);
		return true;
	}
	if (!strcmp(o->page, "all")) {
		add_all(out, words);
		return true;
	}
	for (const struct option_table *t = common_tables; t->rows; t++) {
		if (strcmp(o->page, t->name) != 0)
			continue;
		/* The monitor also takes what other pages are about. */
		for (int i = 0; !strcmp(t->name, "live") && &common_tables[i] != t; i++)
			add_table(out, &common_tables[i]);
		add_table(out, t);
		return true;
	}
	return unknown_page(o, err);
}
