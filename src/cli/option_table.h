/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a table of options says, and what a command is. Each folder that has commands has such
 * tables in a header of its own; getopt, help, manual pages and completions are made of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/fsroot.h"

struct options;
struct device_options;
struct option_row;

/* An option as it was given, and where to say what is wrong with it. */
struct argument {
	const struct option_row *row;
	const char *value;		/* NULL: it takes none */
	struct options *options;
	struct device_options *device;	/* that it is about */
	void *at;			/* the member that the option sets */
	struct err *err;
};

/* Of an option that is given again the last one counts (ONCE), or it adds to those before (MANY). */
enum option_use { OPTION_ONCE, OPTION_MANY };

/* A row stands in a list as X(name, letter or 0, argument or NULL, ONCE or MANY, help, take, ...), where
 * the rest initialises members from .at on. An option without help is an old spelling: it works,
 * and no page shows it. A help that begins with "experiment" stands in the manual pages alone. */
struct option_row {
	const char *name;
	int letter;
	const char *arg;
	enum option_use use;
	const char *help;
	bool (*take)(const struct argument *a);	/* NULL: the option only names a task */
	size_t at;		/* of the member, in the struct that the table fills */
	bool of_device;		/* in struct device_options */
	int task;		/* of enum task; 0: the task stays what it is */
	int64_t min, max;	/* of numbers; of an option without an argument max is the value */
	const char *allowed;	/* says which values are good */
	const char *const *words;	/* the values of which one is taken; NULL ends them */
	const char *instead;	/* of an old spelling: the option in whose place it stands */
	bool reads;		/* at is the name of a file that has to be there */
	enum file_form writes;	/* at is the name of a file that is written */
};

/* The rows of a list, and where their values go. */
struct option_table {
	const char *name;	/* as in "rooftop help NAME" */
	const char *title;
	const struct option_row *rows;	/* an all-zero row ends them */
	size_t size;	/* of the struct that its options fill; 0: it is struct options */
	size_t at;	/* of the pointer to that struct in struct options */
};

/* What a command does for a line of options. The first form that fits is taken. */
struct subcommand_form {
	const char *name;	/* as messages name it */
	bool (*is)(const struct options *o);	/* NULL: fits always */
	/* Names of options with blanks between them; @NAME stands for all of a table. With a - in
	 * front they are taken away again. */
	const char *takes;
};

/* The name, arguments and help of a command are id_WORDS, where TASK_id is its task, and its forms
 * the list id_FORMS, whose rows are X(name, is, takes). */
struct subcommand {
	const char *name, *args, *help;
	int task;	/* of enum task */
	const struct subcommand_form *forms;	/* one whose is is NULL ends them */
	/* Checks options together, once each of them is known to have an effect, and fills in what
	 * one of them means for others; NULL: nothing is left to do */
	bool (*check)(struct options *o, struct err *err);
};

/* All tables and commands of a program, each ended by NULL. The first command is what runs where
 * none is named. */
struct command_line {
	const struct option_table *const *tables;
	const struct subcommand *const *commands;
};

/* These take the value of an option, and set the member. Strings are not copied. */
bool option_flag(const struct argument *a);	/* bool */
bool option_count(const struct argument *a);	/* uint64_t, from 1 to max */
bool option_duration(const struct argument *a);	/* int64_t in ns, from min to max */
bool option_word(const struct argument *a);	/* one of words; "help" lists them */
bool option_file(const struct argument *a);	/* const char * that is not empty */
bool option_named_file(const struct argument *a);	/* the same, and not standard output */
bool option_files(const struct argument *a);	/* struct name_list */
/* Sets "bad value" with what is allowed as the way out, and returns false. */
bool option_bad_value(const struct argument *a, const char *allowed);

/* Takes "help" as a question that words answer, and refuses what else is no value. */
bool option_answer(const struct argument *a, const char *words);
/* Makes the line ask for a task of its own. Returns false where it has another one already. */
bool option_task(const struct argument *a, int task);

/* Whether a list of struct subcommand_form takes the option of a table. */
bool option_is_taken(const char *takes, const char *table, const char *name);

/* Makes a command of its words, id_WORDS, and its forms, with the member check or NULL. */
#define OPTION_COMMAND(id, check) \
	{ id##_WORDS, TASK_##id, (const struct subcommand_form[]){ id##_FORMS(OPTION_FORM) }, check }
#define OPTION_FORM(name, is, takes) { name, is, takes },
/* Makes a row of an element of a list. */
#define OPTION_ROW(its_name, its_letter, its_arg, its_use, its_help, ...) \
	{ .name = its_name, .letter = its_letter, .arg = its_arg, .use = OPTION_##its_use, .help = its_help, .take = __VA_ARGS__ },
