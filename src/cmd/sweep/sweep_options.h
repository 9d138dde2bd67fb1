/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of sweep, and the command. */
#pragma once

#include "cli/options.h"
#include "cmd/load/load_options.h"
#include "session/session.h"

#define SWEEP_OPTIONS(X) \
	X("over", 0, "WHAT", ONCE, "go over groups, tpb, loop, size, stride or intensity", option_word, SWEEP(over), .words = sweep_over_words) \
	X("figures", 0, "PAPER", ONCE, "the figures and numbers of a paper, such as duarte2018; help: list them", option_file, SWEEP(figures)) \
	X("with", 0, "FILE", MANY, "draw the CSV of another sweep into the same pictures; may repeat", option_files, SWEEP(with), .reads = true) \
	X("resume", 0, NULL, ONCE, "go on with the file of -o", option_flag, SWEEP(resume))

struct sweep_options {
	const char *over;		/* of sweep_over_words */
	const char *figures;
	struct name_list with;
	bool resume;
};

/* Words of --over, in the order of enum sweep_over; NULL ends them. */
extern const char *const sweep_over_words[];
extern const struct option_table sweep_options;
extern const struct subcommand sweep_command;

#define SWEEP_WORDS "sweep", "[KERNEL...]", "kernels over work-groups, sizes or strides; CSV and pictures"
#define SWEEP_COMMANDS(X) X(SWEEP)

#define SWEEP_FORMS(X) \
	X("sweep --figures", draws_figures, KERNELS_TAKE " oa-period context" KEPT_TAKE " plot over figures with beside resume") \
	X("sweep", NULL, KERNELS_TAKE COUNTED_TAKE KEPT_TAKE " plot over with beside resume")

enum status sweep_cmd(struct session *ses, enum output_form form, int *signo);
