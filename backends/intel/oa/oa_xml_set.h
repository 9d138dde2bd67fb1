/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One metric set as its XML describes it, and how it becomes a metric set of ours. The header is
 * private to oa_xml*.c. */
#ifndef BACKENDS_INTEL_OA_OA_XML_SET_H
#define BACKENDS_INTEL_OA_OA_XML_SET_H

#include "backends/intel/oa/oa_profile.h"
#include "backends/intel/oa/oa_xml_vars.h"
#include "core/metric/metric.h"

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
/* Reports counters whose equation is older than a correction that is known, each correction once: told
 * has a bit for each. */
void xml_check_corrections(const struct xml_set *x, struct xml_problems *problems, uint32_t *told);
/* Begins the equations of metrics that xml_add_cells() has made. */
#define XML_CELLS_EQUATION "each of "
/* Makes counters of the same kind in different subslices the cells of metrics, which stand behind
 * all others. metric_of: [n_counters] metrics of the counters, or -1. */
void xml_add_cells(struct metric_set *set, const struct xml_set *x, const int *metric_of);
/* Builds the set. Never returns NULL: what is wrong is reported and left out. */
struct metric_set *xml_set_build(const struct xml_set *x, struct xml_problems *problems);

#endif
