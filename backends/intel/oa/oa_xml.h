/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Imports Intel's public metric sets (oa-*.xml, plain or gzip) as metric sets. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "backends/intel/oa/oa_profile.h"
#include "base/err.h"
#include "core/metric/metric.h"
#include "core/value/device.h"

/* Adds every set of the file whose chipset is read. Metric names are the symbol names in
 * snake_case. Register blocks become "block" directives with their test ("NOA $SliceMask 1 AND"),
 * which "registers" directives follow ("NOA 9888 104F00E0"), and the guid becomes a "guid"
 * directive. Sets hold what any device may have. Returns false when the XML itself is broken; err
 * names the file and line. */
bool oa_xml_load(struct metric_lib *lib, const char *path, metric_problem_fn *problem, void *ctx,
	struct err *err);
/* Does the same from memory (already decompressed), for tests and fuzzing. Messages use name. */
bool oa_xml_load_text(struct metric_lib *lib, const char *name, const char *text, size_t len,
	metric_problem_fn *problem, void *ctx, struct err *err);
/* Fits an imported set to a device whose topology is known, and does nothing to other sets or with
 * other devices: counters that the device lacks get no number, and with hide they are not shown
 * either. Others may read them still. */
void oa_xml_fit(struct metric_set *set, const struct device *dev, bool hide);
/* Turns "GtiReadThroughput" into "gti_read_throughput", "Fpu0Active" into "fpu0_active", "L3Misses"
 * into "l3_misses". Returns buf. */
const char *oa_xml_snake_case(const char *symbol, char *buf, size_t size);

/* One metric set as its XML describes it, and how it becomes a metric set of ours. What follows is
 * private to oa_xml*.c. */

/* The variables of Intel's equations, and the tests that say which devices a counter or a block of
 * registers is for. */

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

#define XML_MAX_COUNTERS 4096	/* of a set; Intel's largest has 104 */
#define XML_MAX_REGS 4096	/* of a set */

/* The struct owns its strings; those that may be missing are NULL. */
struct xml_counter {
	char *symbol, *label, *text, *unit, *semantic, *hw_unit;
	char *equation, *max, *availability;
	bool is_float;
	struct xml_place at, equation_at, max_at, availability_at;
};

/* A block of registers of one kind: count of the set's regs, from first on. */
struct xml_block {
	enum oa_reg_kind kind;
	char *availability;
	struct xml_place availability_at;
	size_t first, count;
};

struct xml_set {
	char *symbol, *label, *chipset, *guid;
	struct xml_place at;
	struct xml_counter *counters;
	size_t n_counters, cap_counters;
	struct xml_block *blocks;
	size_t n_blocks, cap_blocks;
	struct oa_reg *regs;
	size_t n_regs, cap_regs;
};

/* The receiver of what an import left out; later problems than the first few are only counted. */
struct xml_problems {
	metric_problem_fn *fn;
	void *ctx;
	int count;
	const char *file;
};

/* Reports a problem. Returns false. */
bool xml_problem(struct xml_problems *p, const struct xml_place *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Reports an error that is there already. Returns false. */
bool xml_problem_err(struct xml_problems *p, const struct err *err);

void xml_set_release(struct xml_set *x);
/* Reports counters whose equation is older than a correction that is known, each correction once:
 * told has a bit for each. */
void xml_check_corrections(const struct xml_set *x, struct xml_problems *problems, uint32_t *told);
/* Begins the equations of metrics that xml_add_cells() has made. */
#define XML_CELLS_EQUATION "each of "
/* Makes counters of the same kind in different subslices the cells of metrics, which stand behind
 * all others. metric_of: [n_counters] metrics of the counters, or -1. */
void xml_add_cells(struct metric_set *set, const struct xml_set *x, const int *metric_of);
/* Builds the set. Never returns NULL: what is wrong is reported and left out. */
struct metric_set *xml_set_build(const struct xml_set *x, struct xml_problems *problems);
