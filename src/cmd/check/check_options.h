/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of check, and the command. */
#pragma once

#include <stdint.h>

#include "cli/option_table.h"

#define CHECK_OPTIONS(X) \
	X("level", 0, "N", ONCE, "1: idle, 2: also each roof and all results, 3: also a long load", option_count, CHECK(level), .max = 3) \
	X("against", 0, "FILE", ONCE, "compare with the CSV of another machine of this kind", option_file, CHECK(against), .reads = true) \
	X("junit", 0, "FILE", ONCE, "the results as JUnit XML, for CI systems", option_named_file, CHECK(junit), .writes = FILE_FORM_XML) \
	X("html", 0, "FILE", ONCE, "the report as one page to mail", option_named_file, CHECK(html), .writes = FILE_FORM_HTML)

struct check_options {
	uint64_t level;		/* 1 to 3; 0: not given */
	const char *against, *junit, *html;
};

extern const struct option_table check_options;
extern const struct subcommand check_command;

#define CHECK_WORDS "check", "[DEVICE...]", "is this GPU all right? value, expectation, verdict"
#define CHECK_COMMANDS(X) X(CHECK)

#define CHECK_FORMS(X) \
	X("check", NULL, "batch json csv output overwrite device access power fsroot time cl-device @check quiet tap")
