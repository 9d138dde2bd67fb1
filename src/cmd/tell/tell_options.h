/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands that tell what is there and what it means, and their options. */
#pragma once

#include "cli/option_table.h"

#define TELL_OPTIONS(X) \
	X("check", 0, "FILE", ONCE, "metrics: look for mistakes in a metric file", option_file, TELL(check), .reads = true) \
	X("bundle", 0, "FILE", ONCE, "doctor: pack what was read, and five seconds, for whoever develops rooftop", option_named_file, TELL(bundle), .writes = FILE_FORM_NEW)

struct tell_options {
	const char *check, *bundle;
};

extern const struct option_table tell_options;
extern const struct subcommand explain_command, metrics_command, roofline_command, doctor_command;

#define EXPLAIN_WORDS "explain", "NAME...|limit", "what a metric or a counter means; limit: what limits the device, and how that is known"
#define METRICS_WORDS "metrics", "[NAME...]", "list the metrics of a set with units and equations"
#define ROOFLINE_WORDS "roofline", "", "roofs of the device and where it is under them"
#define DOCTOR_WORDS "doctor", "", "what can be read here, and what stops the rest"
#define TELL_COMMANDS(X) X(EXPLAIN) X(METRICS) X(ROOFLINE) X(DOCTOR)

#define LOOKED_TAKE "@windows batch json output overwrite device replay speed per-report oa-period context access power fsroot set metrics metrics-xml config"

#define EXPLAIN_FORMS(X) \
	X("explain limit", explains_limit, LOOKED_TAKE) \
	X("explain", NULL, "device replay fsroot set counter boolean metrics metrics-xml config explain")

#define METRICS_FORMS(X) \
	X("metrics --check", finds_mistakes, "check") \
	X("metrics", NULL, "json device replay fsroot set counter boolean metrics metrics-xml config")

#define ROOFLINE_FORMS(X) X("roofline", NULL, LOOKED_TAKE " csv plot")

#define DOCTOR_FORMS(X) \
	X("doctor --bundle", packs_bundle, "@windows overwrite access power fsroot set bundle") \
	X("doctor", NULL, "access power fsroot set tap")
