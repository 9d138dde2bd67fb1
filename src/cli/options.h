/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the user asked for on the command line. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "cli/option_table.h"

/* Exit statuses. A program that dies by a signal has none of these. id, number, meaning */
#define STATUS_LIST(X) \
	X(GOOD, 0, "good") \
	X(FAILURE, 1, "failure while running") \
	X(USAGE, 2, "wrong usage") \
	X(NO_DEVICE, 3, "no usable device, or nothing of it that check could compare") \
	X(NO_PERMISSION, 4, "a device is there, but no permission to read its counters") \
	X(CHECK, 5, "a check failed")

enum status {
#define X(id, number, text) STATUS_##id = number,
	STATUS_LIST(X)
#undef X
};

enum task {
	TASK_RUN,		/* monitor or batch */
	TASK_STRESS,
	TASK_COMMAND,
	TASK_DIFF,
	TASK_ROOFLINE,
	TASK_EXPLAIN_LIMIT,
	TASK_CALIBRATE,
	TASK_CHECK,
	TASK_SWEEP,
	TASK_METRICS,
	TASK_DOCTOR,
	TASK_LIST_DEVICES,
	TASK_LIST_SETS,
	TASK_LIST_EVENTS,
	TASK_EXPLAIN,
	TASK_SCRIPT,
	TASK_ANSWER,		/* what is in answer */
	TASK_HELP,
	TASK_VERSION,
};

enum output_form { OUTPUT_NONE, OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_CSV, OUTPUT_GPU_TOP };

/* -D all means every usable device of this machine. */
#define DEVICES_ALL "all"

/* What -D and the options behind it say for one device. NULL and 0 mean that an option was not
 * given. Strings point into argv unless their comment says that they are on the heap. */
struct device_options {
	/* the argument of -D, on the heap in options; NULL: whatever is there */
	const char *name;
	bool by_env;			/* named by ROOFTOP_DEVICE, not by an option */
	double speed;
	bool speed_max, per_report;
	const char *record;
	bool record_each;		/* several devices share record: FILE.DEVICE */
	int64_t oa_period_ns;
	const char *access;
	bool lists_contexts;
	bool has_context;
	uint32_t context;
	const char *power, *set;
	const char *rotate;		/* names with commas between them */
	int64_t rotate_every_ns;	/* 0: after each window */
	char **counters;		/* "INC:COARSE:FINE", heap, their strings too */
	int n_counters;
	const char *events_in;		/* "0.3": the subslice that counts them; NULL: all */
	struct metric_wish *wishes;	/* heap, their strings too */
	int n_wishes;
	const char *cc[3];		/* parts of the event that is being put together */
};

/* Names in the order in which they were given. */
struct name_list {
	const char **names;		/* heap */
	int n;
};

/* An option of the line. */
struct given_option {
	const struct option_row *row;
	const struct option_table *table;
	const char *value;
};

struct load_options;	/* cmd/load/load_options.h */
struct sweep_options;	/* cmd/sweep/sweep_options.h */
struct run_options;	/* cmd/run/run_options.h */
struct check_options;	/* cmd/check/check_options.h */
struct tell_options;	/* cmd/tell/tell_options.h */

/* What the user asked for. Strings point into argv; NULL and 0 mean not given. */
struct options {
	const struct command_line *words;	/* that the program knows */
	const struct subcommand *command;		/* that was named, else the first */
	enum task task;
	struct given_option *given;		/* heap; in their order */
	int n_given;
	enum output_form form;
	int64_t delay_ns;
	uint64_t windows;
	bool as_gpu_top;		/* started by the name intel_gpu_top */
	bool clients, gpu_top_classes, all_metrics, tap, overwrite;
	bool units;
	const char *columns;		/* words for metrics, with commas between */
	const char *output, *export, *textfile, *trace, *plot;
	/* A device option that stands before the first -D applies to every device, because each
	 * device begins as a copy of common. Behind a -D it applies to that device alone. */
	struct device_options common;
	struct device_options *devices;	/* heap; after parsing at least one */
	int n_devices;
	const char *fsroot;
	struct name_list metric_files, xml_files;
	bool tour, no_color, ascii, no_mouse;
	const char *script, *config;
	const char *screen;		/* a name of view_screen_name() */
	char **names;			/* what follows the command, in argv */
	int n_names;
	int n_behind;			/* of diff: how many of the names stand behind "--" */
	const char *page;		/* that help is asked for and that is no command */
	char *old_name;			/* what names points to when --explain gave it */
	struct strbuf answer;		/* to a question about an option, of TASK_ANSWER */
	struct strbuf old;		/* lines: spellings that go away, and what to write */
	/* The options of commands, heap; after options_parse() none is NULL. */
	struct load_options *load;
	struct sweep_options *sweep;
	struct run_options *run;
	struct check_options *check;
	struct tell_options *tell;
};

struct status_info {
	int number;
	const char *text;
};

/* Ends with an all-zero row. */
extern const struct status_info status_table[];
/* The monitor and what else runs without a command, and the tables that belong to no command. */
extern const struct subcommand live_command;
extern const struct option_table common_tables[];	/* one without rows ends them */

/* Parses the command line. Returns false (code ERR_USAGE) with what is allowed in the hint. */
bool options_parse(struct options *o, const struct command_line *words, int argc, char **argv,
	struct err *err);
void options_release(struct options *o);
/* Says whether -D or -r names a device; ROOFTOP_DEVICE does not count. */
bool options_name_device(const struct options *o);
/* Says whether a task may be about several devices. */
bool options_take_several(enum task task);
/* Says whether these options are about every usable device of the machine. */
bool options_mean_all(const struct device_options *d);
/* Returns the first of the device options that do so, NULL when none does. */
const struct device_options *options_of_all(const struct options *o);
/* Says whether standard output is a terminal. */
bool options_on_terminal(void);
/* Says whether the options and standard output lead to the screen. */
bool options_want_screen(const struct options *o);
/* Says whether windows go as a stream to standard output. */
bool options_stream(const struct options *o);
/* Says whether windows are exported or traced, wherever else they are shown. */
bool options_export(const struct options *o);
/* Says whether a given option is not given again behind. */
bool option_last_given(const struct options *o, int i);
/* Returns the form of the file that an option writes. */
enum file_form option_file_form(const struct options *o, const struct option_row *row);
/* Adds the page that --help or help asks for. Returns false where there is none of that name. */
bool options_help(const struct options *o, struct strbuf *out, struct err *err);
