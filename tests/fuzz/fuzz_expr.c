/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes as an equation. First byte: 'r' Intel's notation with an integer result,
 * 'f' with a float, else infix. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/metric/expr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct expr_input inputs[] = {
	{ .u = 7, .d = 7, .is_int = true }, { .u = UINT64_MAX, .d = 0x1p64, .is_int = true }, { .d = 0.5 }, { .d = -1e300 }, { .d = 0 },
	{ .d = NAN, .why = WHY_LOST }, { .d = INFINITY }, { .u = 0, .d = 0, .is_int = true },
};

static const struct expr_part part = { .text = "a + p", .file = "part", .line = 1, .column = 1 };

/* Every name is known, by its first letter. */
static bool lookup(void *ctx, const char *name, size_t len, bool rate, struct expr_symbol *out,
	struct err *err)
{
	(void)ctx;
	if (len == 0)
		abort();
	if (rate && name[0] == 'x')
		return err_set(err, ERR_PARSE, "no rate");
	if (name[0] == 'p')
		out->part = &part;
	out->index = (unsigned char)name[0] % (int)ARRAY_LEN(inputs);
	out->constant = name[0] == 'c';
	out->unit.exp[UNIT_BYTE] = name[0] == 'B';
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xstrndup(size ? (const char *)data + 1 : "", size ? size - 1 : 0);
	struct expr_scope scope = { .lookup = lookup, .file = "fuzz", .line = 1, .column = 1 };
	struct err err = { 0 };
	struct unit unit;
	struct expr *e;
	int used[4];

	if (size && (data[0] == 'r' || data[0] == 'f'))
		e = expr_compile_rpn(text, &scope, data[0] == 'f', &err);
	else
		e = expr_compile(text, &scope, &unit, &err);
	if (e) {
		struct expr_input v = expr_eval(e, inputs);

		if ((v.why == WHY_OK) != (isfinite(v.d) != 0) || expr_inputs(e, used, 4) < 0)
			abort();
	} else if (!err.msg[0]) {
		abort();
	}
	expr_free(e);
	free(text);
	return 0;
}
