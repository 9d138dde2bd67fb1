/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Infix equations: values, units, reasons for no number, positions of errors, limits. */
#include "config.h"

#include "core/metric/expr.h"

#include "base/mem.h"
#include "base/strbuf.h"
#include "tests/tap.h"

/* The world of these tests. Position in the table is the input's index. */
static const struct {
	const char *name;
	const char *unit;
	double v;
	enum why why;
	bool has_rate;
	bool constant;
} symbols[] = {
	{ "A7", "cycle", 2400, WHY_OK, true, false },
	{ "CLK", "cycle", 1000, WHY_OK, true, false },
	{ "bytes", "B", 6400, WHY_OK, true, false },
	{ "eus", "1", 24, WHY_OK, false, true },
	{ "zero", "1", 0, WHY_OK, false, false },
	{ "gone", "1", NAN, WHY_NO_SOURCE, false, false },
	{ "lost", "1", NAN, WHY_LOST, false, false },
	{ "mhz", "MHz", 300, WHY_OK, false, false },
	{ "big", "1", 1e300, WHY_OK, false, false },
	{ "inf", "1", INFINITY, WHY_OK, false, false },
	{ "a.b_c9", "1", 5, WHY_OK, false, false },
};

static const struct { const char *name; struct expr_part part; } parts[] = {
	{ "EU.active", { "A7", "parts", 10, 5 } },
	{ "both", { "A7 + CLK", "parts", 11, 5 } },
	{ "broken", { "A7 + eus", "parts", 12, 5 } },
	{ "loop", { "pool", "parts", 13, 5 } },
	{ "pool", { "1 + loop", "parts", 14, 5 } },
	{ "open", { "(A7", "parts", 15, 5 } },
	{ "speed", { "rate(bytes)", "parts", 16, 5 } },
	{ "d0", { "eus+eus", "parts", 20, 5 } }, { "d1", { "d0+d0", "parts", 21, 5 } }, { "d2", { "d1+d1+d1+d1", "parts", 22, 5 } },
	{ "d3", { "d2+d2+d2+d2", "parts", 23, 5 } }, { "d4", { "d3+d3+d3+d3", "parts", 24, 5 } },
	{ "d5", { "d4+d4+d4+d4+d4+d4+d4+d4", "parts", 25, 5 } }, { "d6", { "d5+d5+d5+d5+d5+d5+d5+d5", "parts", 26, 5 } },
};

static bool lookup(void *ctx, const char *name, size_t len, bool rate, struct expr_symbol *out,
	struct err *err)
{
	(void)ctx;
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (strlen(parts[i].name) == len && !memcmp(parts[i].name, name, len)) {
			out->part = &parts[i].part;
			return true;
		}
	}
	for (size_t i = 0; i < ARRAY_LEN(symbols); i++) {
		if (strlen(symbols[i].name) != len || memcmp(symbols[i].name, name, len) != 0)
			continue;
		if (rate && !symbols[i].has_rate && !symbols[i].constant)
			return err_set(err, ERR_PARSE, "'%s' has no rate", symbols[i].name);
		out->index = (int)i;
		out->constant = symbols[i].constant;
		return unit_parse(symbols[i].unit, strlen(symbols[i].unit), &out->unit, err);
	}
	err_set(err, ERR_PARSE, "unknown name '%.*s'", (int)len, name);
	return err_hint(err, "a hint");
}

static const struct expr_scope scope = { .lookup = lookup, .file = "f", .line = 3, .column = 7 };

static struct value eval(const struct expr *e)
{
	struct expr_input in[ARRAY_LEN(symbols)] = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(symbols); i++)
		in[i] = (struct expr_input){ .d = symbols[i].v, .why = symbols[i].why };
	struct expr_input r = expr_eval(e, in);
	if (r.why != WHY_OK)
		return value_none(r.why);
	return value_ok(r.d);
}

static void test_values(void)
{
	static const struct { const char *text; double want; const char *dims; } rows[] = {
		{ "1", 1, "1" }, { "1 + 2 * 3", 7, "1" }, { "(1 + 2) * 3", 9, "1" }, { "8 - 3 - 2", 3, "1" }, { "8 / 4 / 2", 1, "1" },
		{ "2 - -3", 5, "1" }, { "--2", 2, "1" }, { "-2 * -3", 6, "1" }, { "1.5e3", 1500, "1" }, { ".5", 0.5, "1" }, { "1e-2", 0.01, "1" },
		{ "64[B]", 64, "B" }, { "64 [B]", 64, "B" }, { "2[KiB]", 2048, "B" }, { "100[%]", 1, "1" }, { "1.05[GHz]", 1.05e9, "cycle/s" },
		{ "34.1[GB/s]", 34.1e9, "B/s" }, { "A7 / eus / CLK", 0.1, "1" }, { "A7/eus/CLK\n+\t1", 1.1, "1" },
		{ "EU.active / eus", 100, "cycle" }, { "both", 3400, "cycle" }, { "2 * both", 6800, "cycle" }, { "bytes / CLK", 6.4, "B/cycle" },
		{ "rate(bytes)", 6400, "B/s" }, { "rate(2 * bytes - bytes * eus / 4)", -25600, "B/s" }, { "rate(both)", 3400, "cycle/s" },
		{ "rate(-(A7 + CLK))", -3400, "cycle/s" }, { "speed + 1[kB/s]", 7400, "B/s" }, { "rate(bytes * (1 + 1))", 12800, "B/s" },
		{ "64[B] * rate(A7)", 153600, "cycle*B/s" }, { "min(3, 1, 2)", 1, "1" }, { "max(3, 1, 2)", 3, "1" }, { "max(-1)", -1, "1" },
		{ "rest(15, 11)", 4, "1" }, { "rest(15, 15 + 2.9)", -2.9, "1" }, { "rest(0, 0)", 0, "1" },
		{ "first(gone, 5, 6)", 5, "1" }, { "first(zero, 5)", 0, "1" }, { "first(gone, lost, 4)", 4, "1" }, { "mhz", 3e8, "cycle/s" },
		{ "mhz + 1[Hz]", 300000001, "cycle/s" }, { "a.b_c9 * 2", 10, "1" }, { "first(1 / zero, 2)", 2, "1" }, { "d2", 384, "1" },
		{ "min ( 1 , 2 )", 1, "1" }, { "3[threads] + 1", 4, "1" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err err = { 0 };
		struct unit unit = { 0 };
		struct expr *e = expr_compile(rows[i].text, &scope, &unit, &err);
		char dims[64];

		ok(e != NULL, "%s compiles (%s)", rows[i].text, err.msg);
		if (!e)
			continue;
		is_near(eval(e).v, rows[i].want, 1e-9 * fabs(rows[i].want), "value of %s",
			rows[i].text);
		is_str(unit_dims_text(&unit, dims, sizeof(dims)), rows[i].dims, "unit of %s",
			rows[i].text);
		ok(unit.scale >= 1 && unit.scale <= 1, "base units of %s", rows[i].text);
		expr_free(e);
	}
}

static void test_reasons(void)
{
	static const struct { const char *text; enum why want; } rows[] = {
		{ "1 + gone", WHY_NO_SOURCE }, { "gone + lost", WHY_NO_SOURCE }, { "lost * gone", WHY_LOST }, { "-gone", WHY_NO_SOURCE },
		{ "1 / zero", WHY_DIV_ZERO }, { "zero / zero", WHY_DIV_ZERO }, { "1 / -zero", WHY_DIV_ZERO }, { "gone / zero", WHY_NO_SOURCE },
		{ "1 / zero + gone", WHY_DIV_ZERO }, { "gone + 1 / zero", WHY_NO_SOURCE }, { "1 / (1 / zero)", WHY_DIV_ZERO },
		{ "big * big", WHY_OUT_OF_RANGE }, { "1 / (big * big)", WHY_OUT_OF_RANGE }, { "inf", WHY_OUT_OF_RANGE },
		{ "1 / inf", WHY_OUT_OF_RANGE }, { "0 * gone", WHY_NO_SOURCE }, { "min(1, gone)", WHY_NO_SOURCE },
		{ "rest(15, 36)", WHY_OUT_OF_RANGE }, { "rest(0, 1)", WHY_OUT_OF_RANGE }, { "rest(lost, 1)", WHY_LOST },
		{ "max(lost, gone)", WHY_LOST }, { "first(gone, lost)", WHY_NO_SOURCE }, { "first(gone)", WHY_NO_SOURCE },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err err = { 0 };
		struct unit unit;
		struct expr *e = expr_compile(rows[i].text, &scope, &unit, &err);
		struct value v;

		ok(e != NULL, "%s compiles (%s)", rows[i].text, err.msg);
		if (!e)
			continue;
		v = eval(e);
		is_str(why_name(v.why), why_name(rows[i].want), "reason of %s", rows[i].text);
		ok(isnan(v.v), "%s has no number", rows[i].text);
		expr_free(e);
	}
}

static void test_errors(void)
{
	static const struct { const char *text; const char *want; } rows[] = {
		{ "", "f:3:7: a number or a name is missing at the end" },
		{ "1 +", "f:3:10: a number or a name is missing at the end" },
		{ "1 + * 2", "f:3:11: a number or a name is expected here, not '*'" },
		{ "(1 + 2", "f:3:13: ')' is missing at the end" },
		{ "(1 2)", "f:3:10: ')' expected, not '2'" },
		{ "1 2", "f:3:9: an operator is expected here, not '2'" },
		{ "1)", "f:3:8: an operator is expected here, not ')'" },
		{ "3x", "f:3:8: an operator is expected here, not 'x'" },
		{ "1..2", "f:3:7: '1..2' is not a number" },
		{ "1e", "f:3:7: '1e' is not a number" },
		{ "1e999", "f:3:7: '1e999' is not a number" },
		{ "1e290[TB]", NULL },
		{ "1e300[TB*TB]", "f:3:7: the number is too large" },
		{ "64[B", "f:3:9: ']' is missing after the unit of a number" },
		{ "64[foo]", "f:3:10: unknown unit 'foo'" },
		{ "A7[B]", "f:3:9: an operator is expected here, not '['" },
		{ "1 + nobody", "f:3:11: unknown name 'nobody'" },
		{ "1 +\n  nobody", "f:4:3: unknown name 'nobody'" },
		{ "A7 + bytes", "f:3:10: the operands of '+' differ in unit: cycle and B" },
		{ "1 - A7", "f:3:9: the operands of '-' differ in unit: 1 and cycle" },
		{ "min(1, A7)", "f:3:14: the operands of min differ in unit: 1 and cycle" },
		{ "first(gone, A7)", "f:3:19: the operands of first differ in unit: 1 and cycle" },
		{ "sqrt(2)", "f:3:7: unknown function 'sqrt'" },
		{ "min()", "f:3:11: a number or a name is expected here, not ')'" },
		{ "min(1,", "f:3:13: a number or a name is missing at the end" },
		{ "rate(eus)", "f:3:7: rate() needs a cumulative counter" },
		{ "rate(5)", "f:3:7: rate() needs a cumulative counter" },
		{ "rate(mhz)", "f:3:12: 'mhz' has no rate" },
		{ "rate(rate(A7))", "f:3:12: rate() inside rate()" },
		{ "rate(speed)", "parts:16:5: rate() inside rate()" },
		{ "rate(max(A7, CLK))", "f:3:12: rate() takes sums of counters only, not max()" },
		{ "rate(A7 * CLK)", "f:3:15: rate() takes sums of counters and constant multiples of them only" },
		{ "rate(1[cycle] / A7)", "f:3:21: rate() takes sums of counters and constant multiples of them only" },
		{ "rate(A7 + 1[cycle])", "f:3:15: rate() takes sums of counters and constant multiples of them only" },
		{ "1 + broken", "parts:12:8: the operands of '+' differ in unit: cycle and 1" },
		{ "loop", "parts:14:9: a name stands for an equation that needs the name itself" },
		{ "open", "parts:15:8: ')' is missing at the end" },
		{ "d6", "the equation is too long or nested too deeply" },
		{ "1 # 2", "f:3:9: an operator is expected here, not '#'" },
		{ "rate(A7", "f:3:14: ')' is missing at the end" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err err = { 0 };
		struct unit unit;
		struct expr *e = expr_compile(rows[i].text, &scope, &unit, &err);

		if (!rows[i].want) {
			ok(e != NULL, "'%s' is good (%s)", rows[i].text, err.msg);
		} else {
			ok(!e && strstr(err.msg, rows[i].want), "'%s': %s", rows[i].text,
				rows[i].want);
			if (!strstr(err.msg, rows[i].want))
				diag("got %s", err.msg);
		}
		expr_free(e);
	}
}

static void test_hint(void)
{
	struct err err = { 0 };
	struct unit unit;

	ok(!expr_compile("nobody", &scope, &unit, &err), "an unknown name fails");
	is_str(err.hint, "a hint", "the lookup's hint is kept");
	ok(!expr_compile("nobody", &scope, &unit, NULL), "err may be NULL");
}

static void test_limits(void)
{
	static const struct {
		const char *open;
		const char *middle;
		const char *close;
		int good;
		int bad;
	} rows[] = {
		{ "(", "1", ")", 40, 100000 },
		{ "-", "1", "", 100000, 0 },
		{ "min(1,", "1", ")", 40, 100000 },
		{ "1+(", "1", ")", 40, 100000 },
		{ "1+1*(", "1", ")", 40, 100000 },
		{ "1+", "1", "", 1000, 100000 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		for (int bad = 0; bad < 2; bad++) {
			int n = bad ? rows[i].bad : rows[i].good;
			struct strbuf b = { 0 };
			struct err err = { 0 };
			struct unit unit;
			struct expr *e;

			/* So many take an emulator a second to write. */
			if (tap_share() > 16 && n > 10000)
				n /= 10;
			for (int k = 0; k < n; k++)
				strbuf_add(&b, rows[i].open);
			strbuf_add(&b, rows[i].middle);
			for (int k = 0; k < n; k++)
				strbuf_add(&b, rows[i].close);
			e = expr_compile(strbuf_str(&b), &scope, &unit, &err);
			if (n > 0 && bad)
				ok(!e && strstr(err.msg, "nested too deeply"),
					"%d times '%s' is refused", n, rows[i].open);
			else if (n > 0)
				ok(e && !isnan(eval(e).v), "%d times '%s' works (%s)", n,
					rows[i].open, err.msg);
			expr_free(e);
			strbuf_release(&b);
		}
	}
}

static void test_inputs(void)
{
	struct unit unit;
	struct expr *e = expr_compile(
		"bytes / CLK + bytes / CLK + first(A7, CLK) / A7 * 1[B] / CLK", &scope, &unit,
		NULL);
	int in[8] = { -1, -1, -1, -1 };

	ok(e != NULL, "compiles");
	if (!e)
		return;
	is_int(expr_inputs(e, in, 8), 3, "three inputs");
	ok(in[0] == 2 && in[1] == 1 && in[2] == 0 && in[3] == -1, "in order of first use");
	in[1] = -1;
	is_int(expr_inputs(e, in, 1), 3, "the number counts those that did not fit");
	is_int(in[1], -1, "and only max are written");
	expr_free(e);
	expr_free(NULL);
}

int main(void)
{
	test_values();
	test_reasons();
	test_errors();
	test_hint();
	test_limits();
	test_inputs();
	return done_testing();
}
