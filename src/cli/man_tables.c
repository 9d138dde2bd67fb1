/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints options, subcommands and keys as mdoc and as shell completions. */
#include "config.h"

#include "cli/man_tables.h"

#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "base/mem.h"
#include "core/command.h"

/* Adds text for mdoc. No word may be taken for a macro or a delimiter, and no backslash for an
 * escape. */
static void add_roff(struct strbuf *out, const char *s)
{
	if (*s == '.' || *s == '\'')
		strbuf_add(out, "\\&");
	for (const char *start = s; *s; s++) {
		if (s > start && s[-1] == ' ' && strchr(".,:;()[]?!|", *s) &&
			(s[1] == ' ' || !s[1]))
			strbuf_add(out, "\\&");
		if (*s == '\\')
			strbuf_add(out, "\\e");
		else if (*s == '-')
			strbuf_add(out, "\\-");
		else
			strbuf_addc(out, *s);
	}
}

/* Begins a list with its own title where a new group begins. */
static void begin_list(struct strbuf *out, const char **last, const char *group, const char *title,
	const char *width)
{
	if (*last && !strcmp(*last, group))
		return;
	strbuf_addf(out, "%s.Ss %s\n.Bl -tag -width %s\n", *last ? ".El\n" : "", title, width);
	*last = group;
}

static void man_options(struct strbuf *out)
{
	const char *last = NULL;

	strbuf_add(out, ".Sh OPTIONS\n");
	for (const struct option_group *g = option_groups; g->group; g++) {
		begin_list(out, &last, g->group, g->title, "22n");
		for (const struct option_info *i = option_table; i->name; i++) {
			if (!i->help || strcmp(i->group, g->group))
				continue;
			strbuf_add(out, ".It");
			if (i->letter)
				strbuf_addf(out, " Fl %c ,", i->letter);
			strbuf_addf(out, " Fl -%s", i->name);
			if (i->arg)
				strbuf_addf(out, " Ar %s", i->arg);
			strbuf_addc(out, '\n');
			add_roff(out, i->help);
			strbuf_addc(out, '\n');
		}
	}
	strbuf_add(out, ".El\n.Sh COMMANDS\n.Bl -tag -width 22n\n");
	for (const struct subcommand_info *s = subcommand_table; s->name; s++) {
		strbuf_addf(out, ".It Cm %s", s->name);
		if (*s->args)
			strbuf_addf(out, " Ar %s", s->args);
		strbuf_addc(out, '\n');
		add_roff(out, s->help);
		strbuf_addc(out, '\n');
	}
	strbuf_add(out, ".El\n");
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

static void man_keys(struct strbuf *out)
{
	const char *group = NULL;

	strbuf_add(out, ".Sh KEYS\nThe name in parentheses is the command's.\n"
		"A key has the same meaning on all screens.\n");
	for (int i = 0; i < CMD_COUNT - 1; i++) {
		const struct command_info *c = &command_table[i];

		if (!*c->keys)
			continue;
		begin_list(out, &group, c->group, keys_title(c->group), "14n");
		/* A bracket alone would count as punctuation. */
		strbuf_add(out, ".It \\&");
		add_roff(out, c->keys);
		strbuf_addc(out, '\n');
		add_roff(out, c->help);
		strbuf_addf(out, " (%s)\n", c->name);
	}
	strbuf_add(out, ".El\n");
}

/* Returns the words that may follow an option, for the shells, or "" when anything may. */
static const char *argument_words(const struct option_info *i)
{
	static const struct {
		const char *name, *words;
	} known[] = {
		{ "speed", "1 4 max" },
		{ "screen", "overview map roofline stress processes devices log counters all-devices" },
		{ "export", "prometheus" },
		{ "counter", "help" },
		{ "cl-device", "help" },
		{ "access", "auto perf mmio rpc" },
		{ "power", "auto hwmon perf powercap papi none" },
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
		{ "calibrate", "echo sp.mad sp.add dp.mad dp.add hp.mad hp.add SLM L3 DRAM" },
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
static void add_both(struct strbuf *out, const struct option_info *i, const char *sep)
{
	if (i->letter)
		strbuf_addf(out, "-%c%s", i->letter, sep);
	strbuf_addf(out, "--%s", i->name);
}

static void bash_words(struct strbuf *out, const char *words, const char *command)
{
	strbuf_addf(out, ")\n\t\tmapfile -t COMPREPLY < <(compgen -W \"%s", words);
	if (*command)
		strbuf_addf(out, " $(%s)", command);
	strbuf_add(out, "\" -- \"$cur\")\n\t\treturn ;;\n");
}

static void bash(struct strbuf *out)
{
	const char *sep = "";

	strbuf_add(out,
		"# bash completion for rooftop, made from its option table\n_rooftop()\n{\n"
		"\tlocal cur=${COMP_WORDS[COMP_CWORD]} "
		"prev=${COMP_WORDS[COMP_CWORD-1]}\n\tCOMPREPLY=()\n\tcase $prev in\n");
	for (const struct option_info *i = option_table; i->name; i++) {
		if (!i->help || !i->arg || takes_file(i))
			continue;
		strbuf_add(out, "\t");
		add_both(out, i, "|");
		bash_words(out, argument_words(i), list_command(i->name));
	}
	strbuf_add(out, "\t");
	for (const struct option_info *i = option_table; i->name; i++) {
		if (!i->help || !takes_file(i))
			continue;
		strbuf_add(out, sep);
		add_both(out, i, "|");
		sep = "|";
	}
	strbuf_add(out, ")\n\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n\t\treturn ;;\n");
	strbuf_add(out, "\tesac\n\t[[ $cur == -* ]] || case ${COMP_WORDS[1]} in\n");
	for (const struct subcommand_info *s = subcommand_table; s->name; s++) {
		if (!*list_command(s->name))
			continue;
		strbuf_addf(out, "\t%s", s->name);
		bash_words(out, "", list_command(s->name));
	}
	strbuf_add(out, "\tesac\n\tmapfile -t COMPREPLY < <(compgen -W '");
	for (const struct option_info *i = option_table; i->name; i++) {
		if (!i->help)
			continue;
		add_both(out, i, " ");
		strbuf_addc(out, ' ');
	}
	for (const struct subcommand_info *s = subcommand_table; s->name; s++)
		strbuf_addf(out, "%s%s", s->name, s[1].name ? " " : "");
	strbuf_add(out, "' -- \"$cur\")\n}\ncomplete -F _rooftop rooftop\n");
}

/* Adds text inside single quotes and brackets of zsh and fish. */
static void add_shell(struct strbuf *out, const char *s, bool zsh)
{
	for (; *s; s++) {
		if (*s == '\'')
			strbuf_add(out, zsh ? "'\\''" : "\\'");
		else if (zsh && strchr("[]:", *s))
			strbuf_addf(out, "\\%c", *s);
		else
			strbuf_addc(out, *s);
	}
}

static void zsh(struct strbuf *out)
{
	strbuf_add(out,
		"#compdef rooftop\n# zsh completion for rooftop, made from its option "
		"table\n_arguments -s \\\n");
	for (const struct option_info *i = option_table; i->name; i++) {
		if (!i->help)
			continue;
		strbuf_add(out, i->use == OPTION_MANY ? "\t\\*" : "\t");
		if (i->letter)
			strbuf_addf(out, "{-%c,--%s}", i->letter, i->name);
		else
			strbuf_addf(out, "--%s", i->name);
		strbuf_add(out, "'[");
		add_shell(out, i->help, true);
		strbuf_add(out, "]");
		if (i->arg) {
			strbuf_addf(out, ":%s:", i->arg);
			if (takes_file(i)) {
				strbuf_add(out, "_files");
			} else if (*list_command(i->name)) {
				strbuf_addf(out, "{compadd -- %s $(%s)}", argument_words(i),
					list_command(i->name));
			} else if (*argument_words(i)) {
				strbuf_add(out, "(");
				add_shell(out, argument_words(i), true);
				strbuf_add(out, ")");
			}
		}
		strbuf_add(out, "' \\\n");
	}
	strbuf_add(out, "\t'1::command:(");
	for (const struct subcommand_info *s = subcommand_table; s->name; s++)
		strbuf_addf(out, "%s%s", s->name, s[1].name ? " " : "");
	strbuf_add(out, ")' '*::name:{case $words[1] in");
	for (const struct subcommand_info *s = subcommand_table; s->name; s++)
		if (*list_command(s->name))
			strbuf_addf(out, " %s) compadd -- $(%s) ;;", s->name, list_command(s->name));
	strbuf_add(out, " esac}'\n");
}

static void fish(struct strbuf *out)
{
	strbuf_add(out,
		"# fish completion for rooftop, made from its option table\ncomplete -c rooftop "
		"-f\n");
	for (const struct option_info *i = option_table; i->name; i++) {
		if (!i->help)
			continue;
		strbuf_add(out, "complete -c rooftop");
		if (i->letter)
			strbuf_addf(out, " -s %c", i->letter);
		strbuf_addf(out, " -l %s", i->name);
		if (i->arg)
			strbuf_add(out, takes_file(i) ? " -r -F" : " -x");
		if (*list_command(i->name))
			strbuf_addf(out, " -a '%s (%s)'", argument_words(i), list_command(i->name));
		else if (*argument_words(i))
			strbuf_addf(out, " -a '%s'", argument_words(i));
		strbuf_add(out, " -d '");
		add_shell(out, i->help, false);
		strbuf_add(out, "'\n");
	}
	for (const struct subcommand_info *s = subcommand_table; s->name; s++) {
		strbuf_addf(
			out, "complete -c rooftop -n __fish_use_subcommand -a %s -d '", s->name);
		add_shell(out, s->help, false);
		strbuf_add(out, "'\n");
		if (*list_command(s->name))
			strbuf_addf(out,
				"complete -c rooftop -n \"__fish_seen_subcommand_from %s\" -a '(%s)'\n",
				s->name, list_command(s->name));
	}
}

void man_tables(struct strbuf *out, const char *form)
{
	if (!strcmp(form, "bash")) {
		bash(out);
	} else if (!strcmp(form, "zsh")) {
		zsh(out);
	} else if (!strcmp(form, "fish")) {
		fish(out);
	} else {
		man_options(out);
		man_keys(out);
	}
}
