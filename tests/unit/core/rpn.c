/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intel's typed reverse Polish notation: exact integers, conversions, division by zero, positions
 * of errors. */
#include "config.h"

#include "core/metric/expr.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "tests/tap.h"

static const struct { const char *name; struct expr_input in; } symbols[] = {
	/* 2^53 + 1 */
	{ "A7", { .u = UINT64_C(9007199254740993), .d = 9007199254740992.0, .is_int = true } },
	{ "A0", { .u = 10, .d = 10, .is_int = true } },
	{ "B3", { .u = 12, .d = 12, .is_int = true } },
	{ "C1", { .u = UINT64_MAX, .d = 0x1p64, .is_int = true } },
	{ "GPU_TIME", { .u = 1000, .d = 1000, .is_int = true } },
	{ "GPU_CLOCK", { .u = 0, .d = 0, .is_int = true } },
	{ "PERFCNT0", { .u = 0, .d = 0, .is_int = true } },
	{ "$Eus", { .u = 24, .d = 24, .is_int = true } },
	{ "$Float", { .d = 2.75 } },
	{ "$Minus", { .d = -3.5 } },
	{ "$Huge", { .d = 1e30 } },
	{ "$Gone", { .d = NAN, .why = WHY_NO_SOURCE } },
	{ "$Half63", { .d = 0x1p63 } },
	{ "$Tiny", { .d = -0.75 } },
};

static bool lookup(void *ctx, const char *name, size_t len, bool rate, struct expr_symbol *out,
	struct err *err)
{
	(void)ctx;
	for (size_t i = 0; i < ARRAY_LEN(symbols) && !rate; i++) {
		if (strlen(symbols[i].name) == len && !memcmp(symbols[i].name, name, len)) {
			out->index = (int)i;
			return true;
		}
	}
	return err_set(err, ERR_PARSE, "unknown name '%.*s'", (int)len, name);
}

static const struct expr_scope scope = { .lookup = lookup, .file = "x", .line = 9, .column = 4 };

static struct expr_input eval_as(const struct expr *e, enum expr_width width)
{
	struct expr_input in[ARRAY_LEN(symbols)];

	for (size_t i = 0; i < ARRAY_LEN(symbols); i++)
		in[i] = symbols[i].in;
	return expr_eval_as(e, in, width);
}

static struct expr_input eval(const struct expr *e)
{
	return eval_as(e, EXPR_64_BITS);
}

static void test_integers(void)
{
	static const struct { const char *text; uint64_t want; } rows[] = {
		{ "A 7 READ", UINT64_C(9007199254740993) },
		{ "A 7 READ 1 UADD", UINT64_C(9007199254740994) },
		{ "A 7 READ 3 UMUL", UINT64_C(27021597764222979) },
		{ "A 7 READ 2 UDIV", UINT64_C(4503599627370496) },
		{ "C 1 READ 2 UADD", 1 },
		{ "A 0 READ B 3 READ USUB", UINT64_MAX - 1 },
		{ "C 1 READ C 1 READ UMUL", 1 },
		{ "A 0 READ GPU_CLOCK 0 READ UDIV", 0 },
		{ "A 0 READ 3 UDIV", 3 },
		{ "A 0 READ B 3 READ UMIN", 10 }, { "A 0 READ B 3 READ UMAX", 12 },
		{ "0xff 0x0f AND", 15 }, { "0xf0 0x0f OR", 255 }, { "1 40 <<", UINT64_C(1) << 40 }, { "C 1 READ 63 >>", 1 },
		{ "1 64 <<", 0 }, { "1 64 >>", 0 }, { "$Eus 100 UMUL", 2400 }, { "PERFCNT 0 READ", 0 },
		{ "GPU_TIME 0 READ 1000000000 UMUL 12000000 UDIV", 83333 },
		{ "$Float 100 UMUL", 275 }, { "$Float", 2 }, { "$Float $Float UADD", 5 }, { "$Float 2 UDIV", 1 }, { "7 $Float UDIV", 3 },
		{ "$Float 2 UMIN", 2 }, { "$Float 2 UMAX", 2 },
		{ "$Minus", UINT64_C(18446744073709551613) }, { "$Huge", 0 }, { "$Half63", UINT64_C(1) << 63 }, { "$Tiny", 0 },
		/* wraps to 2^64 - 2, which is 2^64 as a double: out of range */
		{ "A 0 READ B 3 READ FSUB", 0 },
		{ "1 2 ==", 0 }, { "2 2 ==", 1 }, { "2 3 <", 1 }, { "2 3 >=", 0 }, { "3 2 UGT", 1 }, { "3 3 UGTE", 1 }, { "3 3 ULT", 0 },
		{ "3 3 ULTE", 1 }, { "3 3 <=", 1 }, { "3 2 >", 1 }, { "3 2 !=", 1 }, { "$Float 2 >", 1 }, { "C 1 READ A 7 READ UGT", 1 },
		{ "1 0 &&", 0 }, { "2 1 &&", 1 }, { "0 0 ||", 0 }, { "0 3 ||", 1 }, { "0 !", 1 }, { "5 !", 0 }, { "true", 1 }, { "false", 0 },
		{ "7 0x1 AND 1 == 7 0x2 AND 2 == &&", 1 }, { "  12\t\n ", 12 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err err = { 0 };
		struct expr *e = expr_compile_rpn(rows[i].text, &scope, false, &err);
		struct expr_input r;

		ok(e != NULL, "%s compiles (%s)", rows[i].text, err.msg);
		if (!e)
			continue;
		r = eval(e);
		ok(r.is_int && r.why == WHY_OK && r.u == rows[i].want,
			"%s is %" PRIu64 ", got %" PRIu64, rows[i].text, rows[i].want, r.u);
		is_near(r.d, (double)rows[i].want, 0, "%s as a double", rows[i].text);
		expr_free(e);
	}
}

static void test_floats(void)
{
	static const struct { const char *text; double want; } rows[] = {
		{ "A 0 READ 4 FDIV", 2.5 }, { "A 0 READ GPU_CLOCK 0 READ FDIV", 0 }, { "$Float 0 FDIV", 0 },
		{ "A 0 READ 3 UDIV 2 FDIV", 1.5 }, { "A 0 READ B 3 READ FADD", 22 },
		/* integers subtract as integers first */
		{ "A 0 READ B 3 READ FSUB", 18446744073709551614.0 },
		{ "A 0 READ $Float FSUB", 7.25 }, { "$Minus 1 FADD", -2.5 }, { "C 1 READ 2 FMUL", 18446744073709551614.0 },
		{ "$Float 4 FMUL", 11 }, { "$Float 2 FMAX", 2.75 }, { "1 2 FMAX", 2 }, { "1 2 FMIN", 1 }, { "A 7 READ", 9007199254740992.0 },
		{ "2.5 2 FMUL", 5 }, { "$Huge 1 FDIV", 1e30 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err err = { 0 };
		struct expr *e = expr_compile_rpn(rows[i].text, &scope, true, &err);
		struct expr_input r;

		ok(e != NULL, "%s compiles (%s)", rows[i].text, err.msg);
		if (!e)
			continue;
		r = eval(e);
		ok(!r.is_int && r.why == WHY_OK, "%s is a double", rows[i].text);
		is_near(r.d, rows[i].want, 0, "%s", rows[i].text);
		expr_free(e);
	}
}

/* Windows are longer than reports: what wraps in 64 bits is exact, or has no number. */
static void test_wide(void)
{
	static const struct { const char *text; bool is_float; double want; } rows[] = {
		{ "C 1 READ A 7 READ UMUL A 7 READ UDIV", false, 0x1p64 }, { "C 1 READ C 1 READ UMUL", false, NAN },
		{ "C 1 READ 1000000000 UMUL 1000000000 UDIV", false, 0x1p64 },
		{ "A 7 READ A 7 READ UMUL A 7 READ UDIV", false, 9007199254740992.0 },
		{ "A 0 READ B 3 READ USUB B 3 READ UADD", false, 10 },
		{ "A 0 READ B 3 READ USUB", false, NAN }, { "A 0 READ B 3 READ FSUB", true, -2 },
		{ "A 0 READ B 3 READ USUB 4 FDIV", true, -0.5 },
		{ "C 1 READ 2 UADD", false, NAN }, { "C 1 READ 2 UADD", true, 0x1p64 }, { "C 1 READ 2 FMUL", true, 0x1p65 },
		{ "C 1 READ C 1 READ UMUL C 1 READ UMUL", true, NAN }, { "A 7 READ A 7 READ FMUL", true, 0x1p106 },
		{ "$Minus", false, NAN }, { "$Tiny", false, 0 }, { "$Huge", false, NAN }, { "$Huge 2 UMIN", false, 2 },
		{ "$Huge 100000000000000000000.0 UMIN", true, 1e20 }, { "$Huge 1000000000 FMUL 2 UMUL", true, NAN },
		{ "1 63 << 1 63 << UMUL 0 2 USUB UMUL 0 1 USUB UDIV", true, NAN }, { "6 0 1 USUB UDIV", true, -6 },
		{ "A 0 READ GPU_CLOCK 0 READ UDIV", false, 0 }, { "7 $Float UDIV", false, 3 }, { "$Huge 2 UDIV", true, 5e29 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err err = { 0 };
		struct expr *e = expr_compile_rpn(rows[i].text, &scope, rows[i].is_float, &err);

		if (!ok(e != NULL, "%s compiles %s", rows[i].text, err.msg))
			continue;
		struct expr_input r = eval_as(e, EXPR_WIDE);
		if (isnan(rows[i].want))
			is_int(r.why, WHY_OUT_OF_RANGE, "%s has no number", rows[i].text);
		else
			is_near(r.d, rows[i].want, 1e-15 * fabs(rows[i].want), "%s", rows[i].text);
		expr_free(e);
	}
}

static void test_missing(void)
{
	struct expr *e = expr_compile_rpn("A 0 READ $Gone UADD", &scope, false, NULL);
	struct expr_input r = eval(e);

	ok(r.why == WHY_NO_SOURCE && isnan(r.d), "a missing operand gives its reason");
	expr_free(e);
	e = expr_compile_rpn("$Huge $Huge FMUL $Huge FMUL $Huge FMUL $Huge FMUL $Huge FMUL $Huge "
			     "FMUL $Huge FMUL $Huge FMUL $Huge FMUL $Huge FMUL",
		&scope, true, NULL);
	ok(eval(e).why == WHY_OUT_OF_RANGE, "an infinity is out of range");
	expr_free(e);
}

static void test_errors(void)
{
	static const struct { const char *text; const char *want; } rows[] = {
		{ "", "x:9:4: the equation leaves 0 values instead of one" },
		{ "1 2", "x:9:7: the equation leaves 2 values instead of one" },
		{ "1 UADD", "x:9:6: 'UADD' needs 2 operands, there are 1" },
		{ "!", "x:9:4: '!' needs 1 operand, there are 0" },
		{ "A 7", "x:9:6: READ is missing after 'A 7'" },
		{ "1 A 7 UADD", "x:9:8: READ is missing after 'A 7'" },
		{ "A READ", "x:9:4: 'A' is no operator, and no index follows it" },
		{ "FOO", "x:9:4: 'FOO' is no operator, and no index follows it" },
		{ "A 8 READ", "x:9:4: unknown name 'A8'" },
		{ "1 $Nobody UADD", "x:9:6: unknown name '$Nobody'" },
		{ "12z", "x:9:4: '12z' is not a number" },
		{ "99999999999999999999", "x:9:4: '99999999999999999999' is not a number" },
		{ "1\n $x", "x:10:2: unknown name '$x'" },
		{ "A 10000 READ", "x:9:4: 'A' is no operator, and no index follows it" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err err = { 0 };

		ok(!expr_compile_rpn(rows[i].text, &scope, false, &err), "'%s' is refused",
			rows[i].text);
		is_str(err.msg, rows[i].want, "message for '%s'", rows[i].text);
	}
}

static void test_deep(void)
{
	struct strbuf b = { 0 };
	struct err err = { 0 };

	for (int i = 0; i < 100000; i++)
		strbuf_add(&b, "1 ");
	for (int i = 0; i < 99999; i++)
		strbuf_add(&b, "UADD ");
	ok(!expr_compile_rpn(strbuf_str(&b), &scope, false, &err) && strstr(err.msg, "too deeply"),
		"a stack of 100000 is refused");
	strbuf_release(&b);
}

int main(void)
{
	test_integers();
	test_floats();
	test_wide();
	test_missing();
	test_errors();
	test_deep();
	return done_testing();
}
