/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program for the machine that builds: it prints options, subcommands and keys as mdoc and as
 * shell completions, so that a build for another machine runs nothing of that machine. It needs
 * nothing but the lists in two headers, and not config.h, which describes the other machine. */
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "ui/draw/key_commands.h"

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

static const struct option_info option_rows[] = {
#define X(id, name, letter, arg, use, group, help) \
	{ 0, name, letter, arg, OPTION_##use, group, help },
	OPTION_LIST(X)
#undef X
	{ .name = NULL }
};

static const struct option_group group_rows[] = {
#define X(group, title) { group, title },
	OPTION_GROUP_LIST(X)
#undef X
	{ NULL, NULL }
};

static const struct subcommand_info subcommand_rows[] = {
#define X(id, name, args, help) { TASK_##id, name, args, help },
	SUBCOMMAND_LIST(X)
#undef X
	{ 0, NULL, NULL, NULL }
};

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

static void man_options(void)
{
	const char *last = NULL;

	put(".Sh OPTIONS\n");
	put("An option that would change nothing of what the command does is refused (status 2), and the\n"
	    "message says what it belongs to.\n"
	    "With\n.Fl -help\nand\n.Fl -version\nall others are ignored.\n");
	for (const struct option_group *g = group_rows; g->group; g++) {
		begin_list(&last, g->group, g->title, "22n");
		for (const struct option_info *i = option_rows; i->name; i++) {
			if (!i->help || strcmp(i->group, g->group))
				continue;
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
	}
	put(".El\n.Sh COMMANDS\n.Bl -tag -width 22n\n");
	for (const struct subcommand_info *s = subcommand_rows; s->name; s++) {
		printf(".It Cm %s", s->name);
		if (*s->args)
			printf(" Ar %s", s->args);
		putchar('\n');
		add_roff(s->help);
		putchar('\n');
	}
	put(".El\n");
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

/* Returns the words that may follow an option, for the shells, or "" when anything may. */
static const char *argument_words(const struct option_info *i)
{
	static const struct {
		const char *name, *words;
	} known[] = {
		{ "speed", "1 4 max" },
#define S(p, id, ui, name, keys, title, brief, help) name " "
		{ "screen", SCREEN_LIST(S, ) },
#undef S
		{ "export", "prometheus" },
		{ "counter", "help" },
		{ "cl-device", "help" },
		{ "access", "auto perf mmio rpc" },
		{ "power", "auto hwmon perf powercap sensors papi none" },
		{ "set", "list" },
		{ "device", "all sim:help file: pci: drm:" },
	};

	for (size_t k = 0; k < ARRAY_LEN(known); k++) {
		if (!strcmp(known[k].name, i->name))
			return known[k].words;
	}
	return "";
}

/* Returns the command that prints what may follow an option or a subcommand, a word in each line;
 * "" when only the words above are known. */
static const char *list_command(const char *name)
{
	static const struct {
		const char *name, *command;
	} known[] = {
		{ "set", "rooftop -m list 2>/dev/null | sed 1d | cut -d\" \" -f1" },
		{ "device", "rooftop -L 2>/dev/null | grep -v \"^no \" | cut -d\" \" -f1" },
		{ "explain", "rooftop metrics 2>/dev/null | grep \"  \\[\" | cut -d\" \" -f1" },
		{ "stress", "rooftop stress --list 2>/dev/null | sed 1d | cut -d\" \" -f1" },
		{ "sweep", "rooftop stress --list 2>/dev/null | sed 1d | cut -d\" \" -f1" },
		{ "calibrate", "printf \"%s\\n\" sp.mad sp.add dp.mad dp.add hp.mad hp.add SLM L3 DRAM" },
	};

	for (size_t k = 0; k < ARRAY_LEN(known); k++) {
		if (!strcmp(known[k].name, name))
			return known[k].command;
	}
	return "";
}

static bool takes_file(const struct option_info *i)
{
	return i->arg && (!strcmp(i->arg, "FILE") || !strcmp(i->arg, "DIR"));
}

/* Adds "-d|--delay" with sep in between. */
static void add_both(const struct option_info *i, const char *sep)
{
	if (i->letter)
		printf("-%c%s", i->letter, sep);
	printf("--%s", i->name);
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

	put("# bash completion for rooftop, made from its option table\n_rooftop()\n{\n"
	    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} "
	    "prev=${COMP_WORDS[COMP_CWORD-1]}\n\tCOMPREPLY=()\n\tcase $prev in\n");
	for (const struct option_info *i = option_rows; i->name; i++) {
		if (!i->help || !i->arg || takes_file(i))
			continue;
		put("\t");
		add_both(i, "|");
		bash_words(argument_words(i), list_command(i->name));
	}
	put("\t");
	for (const struct option_info *i = option_rows; i->name; i++) {
		if (!i->help || !takes_file(i))
			continue;
		put(sep);
		add_both(i, "|");
		sep = "|";
	}
	put(")\n\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n\t\treturn ;;\n");
	put("\tesac\n\t[[ $cur == -* ]] || case ${COMP_WORDS[1]} in\n");
	for (const struct subcommand_info *s = subcommand_rows; s->name; s++) {
		if (!*list_command(s->name))
			continue;
		printf("\t%s", s->name);
		bash_words("", list_command(s->name));
	}
	put("\tesac\n\tmapfile -t COMPREPLY < <(compgen -W '");
	for (const struct option_info *i = option_rows; i->name; i++) {
		if (!i->help)
			continue;
		add_both(i, " ");
		putchar(' ');
	}
	for (const struct subcommand_info *s = subcommand_rows; s->name; s++)
		printf("%s%s", s->name, s[1].name ? " " : "");
	put("' -- \"$cur\")\n}\ncomplete -F _rooftop rooftop\n");
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

static void zsh(void)
{
	put("#compdef rooftop\n# zsh completion for rooftop, made from its option "
	    "table\n_arguments -s \\\n");
	for (const struct option_info *i = option_rows; i->name; i++) {
		if (!i->help)
			continue;
		put(i->use == OPTION_MANY ? "\t\\*" : "\t");
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
			} else if (*list_command(i->name)) {
				put("{compadd -- ");
				add_shell(argument_words(i), true);
				printf(" $(%s)}", list_command(i->name));
			} else if (*argument_words(i)) {
				put("(");
				add_shell(argument_words(i), true);
				put(")");
			}
		}
		put("' \\\n");
	}
	put("\t'1::command:(");
	for (const struct subcommand_info *s = subcommand_rows; s->name; s++)
		printf("%s%s", s->name, s[1].name ? " " : "");
	put(")' '*::name:{case $words[1] in");
	for (const struct subcommand_info *s = subcommand_rows; s->name; s++)
		if (*list_command(s->name))
			printf(" %s) compadd -- $(%s) ;;", s->name, list_command(s->name));
	put(" esac}'\n");
}

static void fish(void)
{
	put("# fish completion for rooftop, made from its option table\ncomplete -c rooftop "
	    "-f\n");
	for (const struct option_info *i = option_rows; i->name; i++) {
		if (!i->help)
			continue;
		put("complete -c rooftop");
		if (i->letter)
			printf(" -s %c", i->letter);
		printf(" -l %s", i->name);
		if (i->arg)
			put(takes_file(i) ? " -r -F" : " -x");
		if (*list_command(i->name))
			printf(" -a '%s (%s)'", argument_words(i), list_command(i->name));
		else if (*argument_words(i))
			printf(" -a '%s'", argument_words(i));
		put(" -d '");
		add_shell(i->help, false);
		put("'\n");
	}
	for (const struct subcommand_info *s = subcommand_rows; s->name; s++) {
		printf("complete -c rooftop -n __fish_use_subcommand -a %s -d '", s->name);
		add_shell(s->help, false);
		put("'\n");
		if (*list_command(s->name))
			printf("complete -c rooftop -n \"__fish_seen_subcommand_from %s\" -a "
			       "'(%s)'\n",
				s->name, list_command(s->name));
	}
}

static void man(void)
{
	man_options();
	man_keys();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *form;
		void (*print)(void);
	} forms[] = { { "man", man }, { "bash", bash }, { "zsh", zsh }, { "fish", fish } };

	for (size_t k = 0; argc == 2 && k < ARRAY_LEN(forms); k++) {
		if (strcmp(forms[k].form, argv[1]))
			continue;
		forms[k].print();
		return fflush(stdout) || ferror(stdout) ? 1 : 0;
	}
	fprintf(stderr, "usage: man_tables man|bash|zsh|fish\n");
	return 2;
}
