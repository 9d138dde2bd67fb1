/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variables of Intel's equations, and the tests that say which devices a counter or a block of
 * registers is for. */
#ifndef BACKENDS_INTEL_OA_OA_XML_VARS_H
#define BACKENDS_INTEL_OA_OA_XML_VARS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "core/value/device.h"

struct xml_place {
	int line, column;
};

#define XML_VARIABLES 31
/* Return the number of the device variable "$Name", -1 when it is none, and the constant of ours
 * that a variable stands for. */
int xml_variable(const char *name, size_t len);
const char *xml_variable_constant(int variable);
/* Returns false with err when an availability test makes no sense. */
bool xml_test_check(
	const char *test, const char *file, const struct xml_place *at, struct err *err);
/* Says whether a device passes a test that was checked. A test of what is not known of the device
 * counts as passed. */
bool xml_test_passes(const char *test, const struct device *dev);

#endif
