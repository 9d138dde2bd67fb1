/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that read a command line know of each other. */
#pragma once

#include "cli/options.h"

/* Returns what a device option is for: the last -D, or every device when there was none yet. */
struct device_options *options_target(struct options *o);
/* Has to be called behind the last option: completes the event that --cc-i has started, and adds a
 * device without a name where none was given. */
void options_end_devices(struct options *o);
/* Refuses (ERR_USAGE) an option that the job of the line would ignore; the message names it, and
 * what it belongs to. */
bool option_uses_check(const struct options *o, struct err *err);
/* Refuses options that make no sense together or with the task. Fills in what one option means for
 * others. */
bool options_check(struct options *o, struct err *err);
/* Writes down which options of the line are old spellings, and what takes their place. */
void options_tell_old(struct options *o);
/* Returns the name of today for a command; the old one is kept for options_tell_old(). */
const char *options_new_command(struct options *o, char *name);

/* Runs through all rows of all tables: at begins with { 0 }. Returns false behind the last one. */
struct option_at {
	int table, row;
	const struct option_table *in;
	const struct option_row *option;
};
bool option_next(const struct command_line *words, struct option_at *at);
