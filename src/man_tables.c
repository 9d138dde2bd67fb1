/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program for the machine that builds: it prints options, commands and keys as mdoc and as
 * shell completions, so that a build for another machine runs nothing of that machine. It needs
 * nothing but the lists in headers, and not config.h, which describes the other machine. */
#include <stdio.h>
#include <string.h>

#include "cli/common_options.h"
#include "cli/options.h"
#include "cmd/check/check_options.h"
#include "cmd/diff/diff_options.h"
#include "cmd/load/load_options.h"
#include "cmd/run/run_options.h"
#include "cmd/sweep/sweep_options.h"
#include "cmd/tell/tell_options.h"
#include "core/snapshot/verdict_types.h"
#include "core/value/value.h"
#include "ui/draw/key_commands.h"

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

struct row {
	const char *name;
	int letter;
	const char *arg;
	enum option_use use;
	const char *help;
};

struct table {
	const char *name, *title;
	const struct row *rows;
	bool is_common;
};

#define ROW(name, letter, arg, use, help, ...) { name, letter, arg, OPTION_##use, help },
#define TABLE(list, its_name, title) { its_name, title, (const struct row[]){ list(ROW) { .name = NULL } }, true },
#define OF_COMMANDS(list, its_name) { its_name, NULL, (const struct row[]){ list(ROW) { .name = NULL } }, false },
static const struct table tables[] = { COMMON_TABLES(TABLE)
	OF_COMMANDS(LOAD_OPTIONS, "load")
	OF_COMMANDS(SWEEP_OPTIONS, "sweep")
	OF_COMMANDS(RUN_OPTIONS, "run")
	OF_COMMANDS(CHECK_OPTIONS, "check")
	OF_COMMANDS(TELL_OPTIONS, "tell") };

/* What each form takes, one after the other; NULL ends them. */
struct verb {
	const char *name, *args, *help;
	const char *const *takes;
};

#define TAKES(name, is, takes) takes,
#define VERB(id) { id##_WORDS, (const char *const[]){ id##_FORMS(TAKES) NULL } },
static const struct verb verbs[] = { { "live", "", "", (const char *const[]){ LIVE_FORMS(TAKES) NULL } },
	RUN_COMMANDS(VERB) DIFF_COMMANDS(VERB) LOAD_COMMANDS(VERB) SWEEP_COMMANDS(VERB)
	CHECK_COMMANDS(VERB) TELL_COMMANDS(VERB) };

/* Whether a list of names of options has one; the program has the same in cli/option_uses.c. */
static bool has(const char *list, const char *table, const char *name)
{
	char copy[1024];
	bool is_in = false;

	snprintf(copy, sizeof(copy), "%s", list);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
		bool adds = *word != '-';

		word += !adds;
		if (!strcmp(*word == '@' ? table : name, word + (*word == '@')))
			is_in = adds;
	}
	return is_in;
}

static bool is_experiment(const struct row *i)
{
	return !strncmp(i->help, "experiment", 10);
}

static bool takes(const struct verb *v, const struct table *t, const struct row *i)
{
	if (!i->help)
		return false;
	for (const char *const *form = v->takes; *form; form++)
		if (has(*form, t->name, i->name))
			return true;
	return !strcmp(t->name, "other");
}

/* Runs through all rows that have a help: t and i begin with NULL. */
static bool next(const struct table **t, const struct row **i)
{
	*i = *i ? *i + 1 : (*t = tables)->rows;
	while (!(*i)->name || !(*i)->help) {
		if ((*i)->name) {
			++*i;
			continue;
		}
		if (++*t == tables + ARRAY_LEN(tables))
			return false;
		*i = (*t)->rows;
	}
	return true;
}

#define EACH_ROW(t, i) \
	const struct table *t = NULL; \
	for (const struct row *i = NULL; next(&t, &i);)

static const struct command_info command_rows[] = {
#define X(id, name, keys, group, help) { CMD_##id, name, keys, group, help },
	COMMAND_LIST(X)
#undef X
};

static void put(const char *s)
{
	fputs(s, stdout);
}

/* Adds text for mdoc. No word may be taken for a macro or a delimiter, and no backslash for an
 * escape. */
static void add_roff(const char *s)
{
	if (*s == '.' || *s == '\'')
		put("\\&");
	for (const char *start = s; *s; s++) {
		if (s > start && s[-1] == ' ' && strchr(".,:;()[]?!|", *s) &&
			(s[1] == ' ' || !s[1]))
			put("\\&");
		if (*s == '\\')
			put("\\e");
		else if (*s == '-')
			put("\\-");
		else
			putchar(*s);
	}
}

/* Begins a list with its own title where a new group begins. */
static void begin_list(const char **last, const char *group, const char *title, const char *width)
{
	if (*last && !strcmp(*last, group))
		return;
	printf("%s.Ss %s\n.Bl -tag -width %s\n", *last ? ".El\n" : "", title, width);
	*last = group;
}

static void man_option(const struct row *i)
{
	put(".It");
	if (i->letter)
		printf(" Fl %c ,", i->letter);
	printf(" Fl -%s", i->name);
	if (i->arg)
		printf(" Ar %s", i->arg);
	putchar('\n');
	add_roff(i->help);
	putchar('\n');
}

static void man_options(void)
{
	const char *last = NULL;

	put(".Sh OPTIONS\n");
	put("An option that would change nothing of what the command does is refused (status 2), and the\n"
	    "message says what it belongs to.\n"
	    "With\n.Fl -help\nand\n.Fl -version\nall others are ignored.\n"
	    "Where an option takes one of several words,\n.Cm help\nlists them.\n");
	for (size_t k = 0; k < ARRAY_LEN(tables) && tables[k].is_common; k++) {
		begin_list(&last, tables[k].name, tables[k].title, "22n");
		for (const struct row *i = tables[k].rows; i->name; i++)
			if (i->help)
				man_option(i);
	}
	put(".El\n.Sh COMMANDS\n.Bl -tag -width 22n\n");
	for (const struct verb *v = verbs + 1; v < verbs + ARRAY_LEN(verbs); v++) {
		printf(".It Cm %s", v->name);
		if (*v->args)
			printf(" Ar %s", v->args);
		putchar('\n');
		add_roff(v->help);
		printf("; see\n.Xr rooftop-%s 1\n", v->name);
	}
	put(".El\n");
}

/* The options of a command: its own in full, the names of the common ones. */
static void man_page(const struct verb *v)
{
	bool is_own = false;
	const char *gap = "";

	put(".Sh OPTIONS\n");
	EACH_ROW(t, i) {
		if (t->is_common || !takes(v, t, i))
			continue;
		if (!is_own)
			put(".Bl -tag -width 22n\n");
		is_own = true;
		man_option(i);
	}
	put(is_own ? ".El\n.Pp\nIt also takes " : "It takes ");
	put("the common options\n");
	EACH_ROW(u, k) {
		if (!u->is_common || !takes(v, u, k))
			continue;
		printf("%s", gap);
		if (k->letter)
			printf(".Fl %c", k->letter);
		else
			printf(".Fl -%s", k->name);
		gap = " ,\n";
	}
	put(" ,\nwhich are in\n.Xr rooftop 1 .\n");
}

/* Returns the title of a group of keys. */
static const char *keys_title(const char *group)
{
	static const struct {
		const char *group, *title;
	} known[] = {
		{ "screen", "Screens, boxes and rows" },
		{ "display", "Display and time" },
		{ "data", "Data" },
		{ "find", "Finding and sorting" },
		{ "load", "Loads and processes" },
		{ "device", "Devices" },
		{ "leave", "Files and leaving" },
	};

	for (size_t k = 0; k < ARRAY_LEN(known); k++)
		if (!strcmp(known[k].group, group))
			return known[k].title;
	return group;
}

static void man_keys(void)
{
	const char *group = NULL;

	put(".Sh KEYS\nThe name in parentheses is the command's.\n"
	    "A key has the same meaning on all screens.\n");
	for (size_t i = 0; i < ARRAY_LEN(command_rows); i++) {
		const struct command_info *c = &command_rows[i];

		if (!*c->keys)
			continue;
		begin_list(&group, c->group, keys_title(c->group), "14n");
		/* A bracket alone would count as punctuation. */
		put(".It \\&");
		add_roff(c->keys);
		putchar('\n');
		add_roff(c->help);
		printf(" (%s)\n", c->name);
	}
	put(".El\n");
}

/* What may follow an option or a command: words, and a command that prints one in each line. */
struct follows {
	const char *name, *words, *command;
};

static const struct follows *follows(const char *name)
{
	static const struct follows known[] = {
		{ "speed", "1 4 max", "" },
		{ "export", "prometheus", "" },
		{ "counter", "help", "" },
		{ "cl-device", "help", "" },
		{ "context", "help", "" },
		{ "set", "help", "rooftop -m help 2>/dev/null | sed 1d | cut -d\" \" -f1" },
		{ "device", "all help sim:help file: pci: drm:",
			"rooftop -D help 2>/dev/null | grep -v \"^no \" | cut -d\" \" -f1" },
		{ "access", "", "rooftop --access help" },
		{ "power", "", "rooftop --power help" },
		{ "over", "", "rooftop --over help" },
		{ "power-plane", "", "rooftop --power-plane help" },
		{ "screen", "", "rooftop --screen help | cut -d\" \" -f2" },
		{ "explain", "", "printf \"%s\\n\" limit; rooftop explain help 2>/dev/null" },
		{ "metrics", "", "rooftop explain help 2>/dev/null" },
		{ "stress", "", "rooftop stress help 2>/dev/null | sed 1d | cut -d\" \" -f1" },
		{ "sweep", "", "rooftop stress help 2>/dev/null | sed 1d | cut -d\" \" -f1" },
		{ "calibrate", "", "rooftop calibrate help" },
		{ "", "", "" },
	};
	const struct follows *f = known;

	while (*f->name && strcmp(f->name, name))
		f++;
	return f;
}

static bool takes_file(const struct row *i)
{
	return i->arg && (!strcmp(i->arg, "FILE") || !strcmp(i->arg, "DIR"));
}

/* An option and a command can have one name, and only the option is meant. */
static const char *list_of(const struct row *i)
{
	return takes_file(i) ? "" : follows(i->name)->command;
}

/* Adds "-d|--delay" with sep in between. */
static void add_both(const struct row *i, const char *sep)
{
	if (i->letter)
		printf("-%c%s", i->letter, sep);
	printf("--%s", i->name);
}

static void add_verbs(const char *sep)
{
	for (size_t k = 1; k < ARRAY_LEN(verbs); k++)
		printf("%s%s", verbs[k].name, sep);
	put("help");
}

static void bash_words(const char *words, const char *command)
{
	printf(")\n\t\tmapfile -t COMPREPLY < <(compgen -W \"%s", words);
	if (*command)
		printf(" $(%s)", command);
	put("\" -- \"$cur\")\n\t\treturn ;;\n");
}

static void bash(void)
{
	const char *sep = "";

	put("# bash completion for rooftop, made from its tables of options\n_rooftop()\n{\n"
	    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=live word\n"
	    "\tCOMPREPLY=()\n\tcase $prev in\n");
	EACH_ROW(t, i) {
		if (!i->arg || takes_file(i))
			continue;
		put("\t");
		add_both(i, "|");
		bash_words(follows(i->name)->words, list_of(i));
	}
	put("\t");
	EACH_ROW(u, k) {
		if (!takes_file(k))
			continue;
		put(sep);
		add_both(k, "|");
		sep = "|";
	}
	put(")\n\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n\t\treturn ;;\n\tesac\n");
	put("\tfor word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n\t\tcase $word in ");
	add_verbs("|");
	put(") command=$word; break ;; esac\n\tdone\n\t[[ $cur == -* ]] || case $command in\n");
	for (size_t k = 1; k < ARRAY_LEN(verbs); k++) {
		if (!*follows(verbs[k].name)->command)
			continue;
		printf("\t%s", verbs[k].name);
		bash_words("", follows(verbs[k].name)->command);
	}
	put("\thelp)\n\t\tmapfile -t COMPREPLY < <(compgen -W \"");
	add_verbs(" ");
	put(" live output export all\" -- \"$cur\")\n\t\treturn ;;\n");
	put("\tesac\n\tcase $command in\n");
	for (const struct verb *v = verbs; v < verbs + ARRAY_LEN(verbs); v++) {
		printf("\t%s) word='", v->name);
		EACH_ROW(w, n) {
			if (!takes(v, w, n) || is_experiment(n))
				continue;
			add_both(n, " ");
			putchar(' ');
		}
		if (v == verbs)
			add_verbs(" ");
		put("' ;;\n");
	}
	put("\tesac\n\tmapfile -t COMPREPLY < <(compgen -W \"$word\" -- \"$cur\")\n}\n"
	    "complete -F _rooftop rooftop\n");
}

/* Adds text inside single quotes and brackets of zsh and fish. */
static void add_shell(const char *s, bool zsh)
{
	for (; *s; s++) {
		if (*s == '\'')
			put(zsh ? "'\\''" : "\\'");
		else if (zsh && strchr("[]:", *s))
			printf("\\%c", *s);
		else
			putchar(*s);
	}
}

static void zsh_option(const struct row *i)
{
	put(i->use == OPTION_MANY ? "\t\t\\*" : "\t\t");
	if (i->letter)
		printf("{-%c,--%s}", i->letter, i->name);
	else
		printf("--%s", i->name);
	put("'[");
	add_shell(i->help, true);
	put("]");
	if (i->arg) {
		printf(":%s:", i->arg);
		if (takes_file(i)) {
			put("_files");
		} else if (*list_of(i)) {
			put("{compadd -- ");
			add_shell(follows(i->name)->words, true);
			printf(" $(%s)}", list_of(i));
		} else if (*follows(i->name)->words) {
			put("(");
			add_shell(follows(i->name)->words, true);
			put(")");
		}
	}
	put("' \\\n");
}

static void zsh(void)
{
	put("#compdef rooftop\n# zsh completion for rooftop, made from its tables of options\n"
	    "local command=live word\nfor word in ${words[2,CURRENT-1]}; do\n\tcase $word in ");
	add_verbs("|");
	put(") command=$word; break ;; esac\ndone\ncase $command in\n");
	for (const struct verb *v = verbs; v < verbs + ARRAY_LEN(verbs); v++) {
		printf("%s)\n\t_arguments -s \\\n", v->name);
		EACH_ROW(t, i) {
			if (takes(v, t, i) && !is_experiment(i))
				zsh_option(i);
		}
		put("\t\t'1::command:(");
		add_verbs(" ");
		/* What stands behind the command of run is that command's line. */
		if (!strcmp(v->name, "run"))
			put(")' '*::command:_normal' ;;\n");
		else if (*follows(v->name)->command)
			printf(")' '*:name:{compadd -- $(%s)}' ;;\n", follows(v->name)->command);
		else
			put(")' '*:name:_files' ;;\n");
	}
	put("help) compadd live output export all ");
	add_verbs(" ");
	put(" ;;\nesac\n");
}

static void fish(void)
{
	put("# fish completion for rooftop, made from its tables of options\ncomplete -c rooftop -f\n"
	    "# Says whether the line has one of these commands; live: it has none.\n"
	    "function __rooftop_is\n\tset -l command live\n"
	    "\tfor word in (commandline -opc)[2..-1]\n\t\tif contains -- $word ");
	add_verbs(" ");
	put("\n\t\t\tset command $word\n\t\t\tbreak\n\t\tend\n\tend\n\tcontains -- $command $argv\nend\n");
	EACH_ROW(t, i) {
		if (is_experiment(i))
			continue;
		put("complete -c rooftop -n '__rooftop_is");
		for (const struct verb *v = verbs; v < verbs + ARRAY_LEN(verbs); v++)
			if (takes(v, t, i))
				printf(" %s", v->name);
		put("'");
		if (i->letter)
			printf(" -s %c", i->letter);
		printf(" -l %s", i->name);
		if (i->arg)
			put(takes_file(i) ? " -r -F" : " -x");
		if (*list_of(i))
			printf(" -a '%s (%s)'", follows(i->name)->words, list_of(i));
		else if (*follows(i->name)->words)
			printf(" -a '%s'", follows(i->name)->words);
		put(" -d '");
		add_shell(i->help, false);
		put("'\n");
	}
	for (size_t k = 1; k < ARRAY_LEN(verbs); k++) {
		printf("complete -c rooftop -n '__rooftop_is live' -a %s -d '", verbs[k].name);
		add_shell(verbs[k].help, false);
		put("'\n");
		if (*follows(verbs[k].name)->command)
			printf("complete -c rooftop -n '__rooftop_is %s' -a '(%s)'\n",
				verbs[k].name, follows(verbs[k].name)->command);
	}
	put("complete -c rooftop -n '__rooftop_is live' -a help -d 'pages of help'\n");
	put("complete -c rooftop -n '__rooftop_is help' -a 'live output export all ");
	add_verbs(" ");
	put("'\n");
}

static void man_item(const char *name, const char *text)
{
	printf(".It Li %s\n", name);
	add_roff(text);
	putchar('\n');
}

/* Each part stands where the page has a line as the one that begins it. */
static void man_lists(void)
{
	put("@KINDS@\n");
#define X(id, name, headline) man_item(name, headline);
	VERDICT_KIND_LIST(X)
#undef X
	put("@REASONS@\n");
#define X(id, name, brief, text) \
	if (*(text)) \
		man_item(name, text);
	WHY_LIST(X)
#undef X
	put("@STATUSES@\n");
#define X(id, number, text) man_item(#number, text);
	STATUS_LIST(X)
#undef X
}

static void man(void)
{
	man_options();
	man_keys();
	man_lists();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *form;
		void (*print)(void);
	} forms[] = { { "man/rooftop.1", man }, { "bash", bash }, { "zsh", zsh }, { "fish", fish } };
	const char *form = argc == 2 ? argv[1] : "";
	bool is_known = false;
	char page[64];

	for (size_t k = 0; k < ARRAY_LEN(forms); k++) {
		if (strcmp(forms[k].form, form))
			continue;
		forms[k].print();
		is_known = true;
	}
	for (const struct verb *v = verbs + 1; v < verbs + ARRAY_LEN(verbs); v++) {
		snprintf(page, sizeof(page), "man/rooftop-%s.1", v->name);
		if (strcmp(page, form))
			continue;
		man_page(v);
		is_known = true;
	}
	if (is_known)
		return fflush(stdout) || ferror(stdout) ? 1 : 0;
	fprintf(stderr, "usage: man_tables man/PAGE.1|bash|zsh|fish\n");
	return 2;
}
