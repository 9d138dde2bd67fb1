/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variables of Intel's equations: which of our constants they are, and their values in
 * availability tests. */
#include "config.h"

#include "backends/intel/oa/oa_xml.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/minmax.h"
#include "core/metric/expr.h"

/* The last column gives an exact value: masks do not fit into a double. */
enum exact { NOT_EXACT, SLICE_MASK, SUBSLICE_MASK, SKU_REVISION, QUERY_MODE };

/* From igt lib/i915/perf.c, where both Xe core masks are the slice mask, which does not fit their
 * names. A variable that no device of ours has a constant for gives "unknown constant" in values.
 * We read streams, so that query mode is 0. */
static const struct variable {
	const char *name, *constant;
	enum exact exact;
} variables[XML_VARIABLES] = {
	{ "$EuCoresTotalCount", "eu_count", NOT_EXACT },
	{ "$VectorEngineTotalCount", "eu_count", NOT_EXACT },
	{ "$EuSlicesTotalCount", "slice_count", NOT_EXACT },
	{ "$SliceTotalCount", "slice_count", NOT_EXACT },
	{ "$EuSubslicesTotalCount", "subslice_count", NOT_EXACT },
	{ "$EuDualSubslicesTotalCount", "subslice_count", NOT_EXACT },
	{ "$XeCoreTotalCount", "subslice_count", NOT_EXACT },
	{ "$EuThreadsCount", "threads_per_eu", NOT_EXACT },
	{ "$VectorEngineThreadsCount", "threads_per_eu", NOT_EXACT },
	{ "$GpuTimestampFrequency", "timestamp_hz", NOT_EXACT },
	{ "$GpuMinFrequency", "min_clock_hz", NOT_EXACT },
	{ "$GpuMaxFrequency", "max_clock_hz", NOT_EXACT },
	{ "$SliceMask", "slice_mask", SLICE_MASK },
	{ "$GtSliceMask", "slice_mask", SLICE_MASK },
	{ "$SubsliceMask", "subslice_mask", SUBSLICE_MASK },
	{ "$DualSubsliceMask", "subslice_mask", SUBSLICE_MASK },
	{ "$GtDualSubsliceMask", "subslice_mask", SUBSLICE_MASK },
	{ "$XeCoreMask", "subslice_mask", SUBSLICE_MASK },
	{ "$GtXeCoreMask", "subslice_mask", SUBSLICE_MASK },
	{ "$SkuRevisionId", "sku_revision_id", SKU_REVISION },
	{ "$QueryMode", "query_mode", QUERY_MODE },
	{ "$EuDualSubslicesSlice0123Count", "subslice_count_slice0123", NOT_EXACT },
	{ "$L3BankTotalCount", "l3_bank_count", NOT_EXACT },
	{ "$L3NodeTotalCount", "l3_node_count", NOT_EXACT },
	{ "$SqidiTotalCount", "sqidi_count", NOT_EXACT },
	{ "$ComputeEngineTotalCount", "compute_engine_count", NOT_EXACT },
	{ "$CopyEngineTotalCount", "copy_engine_count", NOT_EXACT },
	{ "$GeometryPipeTotalCount", "geometry_pipe_count", NOT_EXACT },
	{ "$ColorPipeTotalCount", "color_pipe_count", NOT_EXACT },
	{ "$DepthPipeTotalCount", "depth_pipe_count", NOT_EXACT },
	{ "$VectorEnginePerXeCoreCount", "eu_per_subslice", NOT_EXACT },
};

static const struct variable *find_variable(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(variables); i++)
		if (strlen(variables[i].name) == len && !memcmp(variables[i].name, name, len))
			return &variables[i];
	return NULL;
}

int xml_variable(const char *name, size_t len)
{
	const struct variable *v = find_variable(name, len);

	return v ? (int)(v - variables) : -1;
}

const char *xml_variable_constant(int variable)
{
	return variables[variable].constant;
}

/* One test. Its variables get their values while it is compiled. */
#define MAX_TEST_INPUTS 16

struct test {
	const struct device *dev;	/* NULL: the names are only checked */
	struct expr_input inputs[MAX_TEST_INPUTS];
	int n;
};

static uint64_t bit(uint64_t mask, int n)
{
	return n >= 0 && n < 64 ? mask >> n & 1 : 0;
}

/* Files that name slices this way are for parts with four Xe cores in a slice, which the kernel
 * reports as one slice that has all of them. */
#define XE_CORES_PER_SLICE 4

static uint64_t slice_bits(const struct topology *t, int slice)
{
	if (slice >= 64 / XE_CORES_PER_SLICE)
		return 0;
	return t->subslice_mask >> (slice * XE_CORES_PER_SLICE) & ((1u << XE_CORES_PER_SLICE) - 1);
}

/* Takes names like "$GtSlice1", "$GtSlice1XeCore3", "$GtSlice0DualSubslice2", "$GtXeCore5". */
static bool unit_is_present(const struct topology *t, const char *name, uint64_t *out)
{
	unsigned slice, unit;
	int end = 0;

	if ((sscanf(name, "$GtSlice%2uXeCore%2u%n", &slice, &unit, &end) == 2 ||
		    sscanf(name, "$GtSlice%2uDualSubslice%2u%n", &slice, &unit, &end) == 2) &&
		end && !name[end])
		*out = bit(slice_bits(t, (int)slice), (int)unit);
	else if (sscanf(name, "$GtSlice%2u%n", &slice, &end) == 1 && end && !name[end])
		*out = slice_bits(t, (int)slice) != 0;
	else if (sscanf(name, "$GtXeCore%2u%n", &unit, &end) == 1 && end && !name[end])
		*out = bit(t->subslice_mask, (int)unit);
	else
		return false;
	return true;
}

static bool variable_value(const struct device *dev, const char *name, size_t len, uint64_t *out)
{
	static const struct device none;
	const struct variable *v = find_variable(name, len);

	if (!dev && v) {
		*out = 0;
		return true;
	}
	if (!dev)
		dev = &none;
	const struct device_const *c = v ? device_const(dev, v->constant) : NULL;
	char copy[64];

	switch (v ? v->exact : NOT_EXACT) {
	case SLICE_MASK: *out = dev->topology.slice_mask; return true;
	case SUBSLICE_MASK: *out = dev->topology.subslice_mask; return true;
	case SKU_REVISION: *out = dev->pci_revision; return true;
	case QUERY_MODE: *out = 0; return true;
	default: break;
	}
	if (c && c->v >= 0 && c->v < 0x1p63) {
		*out = (uint64_t)c->v;
		return true;
	}
	if (len >= sizeof(copy))
		return false;
	memcpy(copy, name, len);
	copy[len] = '\0';
	return unit_is_present(&dev->topology, copy, out);
}

static bool lookup(void *ctx, const char *name, size_t len, bool rate, struct expr_symbol *out,
	struct err *err)
{
	struct test *t = ctx;
	uint64_t v;

	(void)rate;
	if (name[0] != '$' || !variable_value(t->dev, name, len, &v))
		return err_set(
			err, ERR_PARSE, "unknown name '%.*s'", (int)min_u64(len, 60), name);
	if (t->n >= MAX_TEST_INPUTS)
		return err_set(err, ERR_PARSE, "too many variables in one test");
	t->inputs[t->n] = (struct expr_input){ .u = v, .d = (double)v, .is_int = true };
	out->index = t->n++;
	out->unit = unit_one();
	return true;
}

static struct expr *compile(const char *text, struct test *t, const char *file,
	const struct xml_place *at, struct err *err)
{
	struct expr_scope scope = {
		.lookup = lookup, .ctx = t, .file = file, .line = at->line, .column = at->column
	};

	return expr_compile_rpn(text, &scope, false, err);
}

bool xml_test_check(
	const char *text, const char *file, const struct xml_place *at, struct err *err)
{
	struct test t = { .dev = NULL };
	struct expr *e = compile(text, &t, file, at, err);

	expr_free(e);
	return e != NULL;
}

bool xml_test_passes(const char *text, const struct device *dev)
{
	struct test t = { .dev = dev };
	struct expr *e = compile(text, &t, "", &(struct xml_place){ 1, 1 }, NULL);
	bool passes = !e || expr_eval(e, t.inputs).u != 0;

	expr_free(e);
	return passes;
}
