/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --report-every and --start-when ask of the triggers of the OA unit. */
#ifndef BACKENDS_INTEL_OA_OA_TRIGGER_ASK_H
#define BACKENDS_INTEL_OA_OA_TRIGGER_ASK_H

#include <stdbool.h>
#include <stddef.h>

#include "backends/intel/oa/oa_program.h"
#include "base/err.h"
#include "core/metric/metric.h"

struct intel_platform;

#define OA_TRIGGER_KEY "trigger" /* of the directives */
#define OA_REPORT_OPTION "--report-every"
#define OA_START_OPTION "--start-when"

/* Parses "N:SIGNALS", such as "1000:L3" or "1:all(L3,!L4)", as far as no device is needed; writes the
 * directive's words ("report 1000:L3" or "start 1000:L3"). */
bool oa_trigger_option(bool is_report, const char *text, char *words, size_t size, struct err *err);
/* Changes the registers of the set for each directive of the key. Refused are: hardware whose triggers
 * have no known layout, sets without signals on lanes, triggers that the set uses itself, more than two
 * report triggers, more than one start trigger, and what the gates cannot join. */
bool oa_trigger_program(struct oa_profile *p, const struct metric_set *set,
	const struct intel_platform *platform, struct err *err);

#endif
