/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Infix equations with units, compiled by recursive descent into the stack machine. */
#include "config.h"

#include "core/metric/expr.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/minmax.h"
#include "base/parse.h"
#include "core/metric/expr_vm.h"

/* What has been compiled so far of one subexpression. linear means that it holds a counter, so
 * inside rate() it must not be multiplied by another one. */
struct operand {
	struct unit unit;
	bool linear;
};

/* One text being read: the equation itself, or a named part of it (then outer is the text that
 * names the part). */
struct infix {
	const struct expr_scope *scope;
	const struct expr_part *part;
	struct infix *outer;
	struct expr *e;
	struct err *err;
	const char *text, *p;
	int nesting;
	bool in_rate;
};

static bool parse_sum(struct infix *x, struct operand *out);

#define fail(x, at, ...) expr_fail((x)->err, (x)->scope, (x)->text, (at), __VA_ARGS__)

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static char peek(struct infix *x)
{
	while (*x->p == ' ' || *x->p == '\t' || *x->p == '\n' || *x->p == '\r')
		x->p++;
	return *x->p;
}

static bool accept(struct infix *x, char c)
{
	if (peek(x) != c)
		return false;
	x->p++;
	return true;
}

static bool expect(struct infix *x, char c)
{
	if (accept(x, c))
		return true;
	if (!*x->p)
		return fail(x, x->p, "'%c' is missing at the end", c);
	return fail(x, x->p, "'%c' expected, not '%c'", c, *x->p);
}

static bool emit(struct infix *x, const char *at, struct expr_code code)
{
	return expr_emit(x->e, code) ||
		fail(x, at, "the equation is too long or nested too deeply");
}

static bool enter(struct infix *x, const char *at)
{
	if (x->nesting >= EXPR_MAX_NESTING)
		return fail(x, at, "the equation is too long or nested too deeply");
	x->nesting++;
	return true;
}

static bool same_unit(struct infix *x, const char *at, const char *what, const struct operand *a,
	const struct operand *b)
{
	char left[64], right[64];

	if (unit_same_dims(&a->unit, &b->unit))
		return true;
	return fail(x, at, "the operands of %s differ in unit: %s and %s", what,
		unit_dims_text(&a->unit, left, sizeof(left)),
		unit_dims_text(&b->unit, right, sizeof(right)));
}

/* "64", "1.5e3", and with a unit "64[B]". */
static bool parse_number(struct infix *x, struct operand *out)
{
	const char *start = x->p;
	const char *p = start;
	char digits[64];
	const char *close;
	double v;

	while (is_digit(*p) || *p == '.' || ((*p == 'e' || *p == 'E') && p > start) ||
	       ((*p == '+' || *p == '-') && p > start && (p[-1] == 'e' || p[-1] == 'E')))
		p++;
	if ((size_t)(p - start) >= sizeof(digits))
		return fail(x, start, "the number is too long");
	memcpy(digits, start, (size_t)(p - start));
	digits[p - start] = '\0';
	if (!parse_double(digits, &v))
		return fail(x, start, "'%s' is not a number", digits);
	x->p = p;
	out->unit = unit_one();
	out->linear = false;
	if (accept(x, '[')) {
		struct err why = { 0 };

		close = strchr(x->p, ']');
		if (!close)
			return fail(x, x->p - 1, "']' is missing after the unit of a number");
		if (!unit_parse(x->p, (size_t)(close - x->p), &out->unit, &why))
			return fail(x, x->p, "%s", why.msg);
		x->p = close + 1;
		v *= out->unit.scale;
		out->unit.scale = 1;
	}
	if (!isfinite(v))
		return fail(x, start, "the number is too large");
	return emit(x, start, (struct expr_code){ .op = OP_NUMBER, .number = v });
}

/* min(a, ...), max(a, ...), first(a, ...) are compiled as a fold, so that the stack does not grow
 * with the arguments. */
static bool parse_fold(
	struct infix *x, const char *at, enum expr_op op, const char *name, struct operand *out)
{
	struct operand next;

	if (x->in_rate)
		return fail(x, at, "rate() takes sums of counters only, not %s()", name);
	if (!enter(x, at) || !parse_sum(x, out))
		return false;
	while (accept(x, ',')) {
		const char *arg = (peek(x), x->p);

		if (!parse_sum(x, &next) || !same_unit(x, arg, name, out, &next) ||
			!emit(x, arg, (struct expr_code){ .op = op }))
			return false;
		out->linear = out->linear || next.linear;
	}
	x->nesting--;
	return expect(x, ')');
}

static bool parse_rate(struct infix *x, const char *at, struct operand *out)
{
	static const struct unit second = { .scale = 1, .exp = { [UNIT_SECOND] = 1 } };

	if (x->in_rate)
		return fail(x, at, "rate() inside rate()");
	if (!enter(x, at))
		return false;
	x->in_rate = true;
	if (!parse_sum(x, out))
		return false;
	if (!out->linear)
		return fail(x, at, "rate() needs a cumulative counter");
	x->in_rate = false;
	x->nesting--;
	out->unit = unit_div(out->unit, second);
	return expect(x, ')');
}

static bool parse_whole(struct infix *x, struct operand *out)
{
	if (!parse_sum(x, out))
		return false;
	if (*x->p)
		return fail(x, x->p, "an operator is expected here, not '%c'", *x->p);
	return true;
}

/* A name that stands for another equation: that code is compiled in place, and its errors point to
 * its own text. */
static bool parse_part(
	struct infix *x, const char *at, const struct expr_part *part, struct operand *out)
{
	struct expr_scope scope = *x->scope;
	struct infix inner = *x;

	for (const struct infix *o = x; o; o = o->outer) {
		if (o->part == part)
			return fail(x, at,
				"a name stands for an equation that needs the name itself");
	}
	scope.file = part->file;
	scope.line = part->line;
	scope.column = part->column;
	inner.scope = &scope;
	inner.part = part;
	inner.outer = x;
	inner.text = inner.p = part->text;
	return enter(&inner, inner.p) && parse_whole(&inner, out);
}

static bool parse_symbol(struct infix *x, const char *at, size_t len, struct operand *out)
{
	struct expr_symbol sym;

	if (!expr_resolve(x->err, x->scope, x->text, at, at, len, x->in_rate, &sym))
		return false;
	if (sym.part)
		return parse_part(x, at, sym.part, out);
	if (!emit(x, at, (struct expr_code){ .op = OP_INPUT, .input = sym.index }))
		return false;
	out->unit = sym.unit;
	out->linear = !sym.constant;
	if (out->unit.scale < 1 || out->unit.scale > 1) {
		if (!emit(x, at,
			    (struct expr_code){ .op = OP_NUMBER, .number = out->unit.scale }) ||
			!emit(x, at, (struct expr_code){ .op = OP_MUL }))
			return false;
		out->unit.scale = 1;
	}
	return true;
}

/* The largest value among the cells of a metric: "most(core_active)". The lookup gets the whole
 * word, because only it knows what a metric of a map is. */
static bool parse_most(struct infix *x, const char *at, struct operand *out)
{
	if (x->in_rate)
		return fail(x, at, "rate() takes sums of counters only, not %s()", "most");
	while (is_name_start(*x->p) || is_digit(*x->p) || *x->p == '.')
		x->p++;
	if (*x->p != ')')
		return fail(x, at, "most() takes the name of one metric, without blanks");
	x->p++;
	return parse_symbol(x, at, (size_t)(x->p - at), out);
}

static bool parse_name(struct infix *x, struct operand *out)
{
	static const struct { const char *name; enum expr_op op; } folds[] = {
		{ "min", OP_MIN }, { "max", OP_MAX }, { "first", OP_FIRST },
		{ "rest", OP_REST },
	};
	const char *at = x->p;

	while (is_name_start(*x->p) || is_digit(*x->p) || *x->p == '.')
		x->p++;
	size_t len = (size_t)(x->p - at);
	if (peek(x) != '(')
		return parse_symbol(x, at, len, out);
	x->p++;
	if (len == 4 && !memcmp(at, "rate", 4))
		return parse_rate(x, at, out);
	if (len == 4 && !memcmp(at, "most", 4) && x->p == at + 5)
		return parse_most(x, at, out);
	for (size_t i = 0; i < ARRAY_LEN(folds); i++) {
		if (strlen(folds[i].name) == len && !memcmp(at, folds[i].name, len))
			return parse_fold(x, at, folds[i].op, folds[i].name, out);
	}
	return fail(x, at, "unknown function '%.*s'", (int)min_u64(len, 60), at);
}

static bool parse_primary(struct infix *x, struct operand *out)
{
	char c = peek(x);

	if (is_digit(c) || c == '.')
		return parse_number(x, out);
	if (is_name_start(c))
		return parse_name(x, out);
	if (c == '(') {
		if (!enter(x, x->p))
			return false;
		x->p++;
		if (!parse_sum(x, out))
			return false;
		x->nesting--;
		return expect(x, ')');
	}
	if (!c)
		return fail(x, x->p, "a number or a name is missing at the end");
	return fail(x, x->p, "a number or a name is expected here, not '%c'", c);
}

static bool parse_factor(struct infix *x, struct operand *out)
{
	const char *at = (peek(x), x->p);
	bool negative = false;

	while (accept(x, '-'))
		negative = !negative;
	if (!parse_primary(x, out))
		return false;
	return !negative || emit(x, at, (struct expr_code){ .op = OP_NEG });
}

static bool parse_product(struct infix *x, struct operand *out)
{
	struct operand next;
	char c;

	if (!parse_factor(x, out))
		return false;
	while ((c = peek(x)) == '*' || c == '/') {
		const char *at = x->p++;

		if (!parse_factor(x, &next))
			return false;
		if (x->in_rate && next.linear && (c == '/' || out->linear))
			return fail(x, at,
				"rate() takes sums of counters and constant multiples of them "
				"only");
		if (c == '*')
			out->unit = unit_mul(out->unit, next.unit);
		else
			out->unit = unit_div(out->unit, next.unit);
		out->linear = out->linear || next.linear;
		if (!emit(x, at, (struct expr_code){ .op = c == '*' ? OP_MUL : OP_DIV }))
			return false;
	}
	return true;
}

static bool parse_sum(struct infix *x, struct operand *out)
{
	struct operand next;
	char c;

	if (!parse_product(x, out))
		return false;
	while ((c = peek(x)) == '+' || c == '-') {
		const char *at = x->p++;

		if (!parse_product(x, &next) ||
			!same_unit(x, at, c == '+' ? "'+'" : "'-'", out, &next))
			return false;
		if (x->in_rate && out->linear != next.linear)
			return fail(x, at,
				"rate() takes sums of counters and constant multiples of them "
				"only");
		if (!emit(x, at, (struct expr_code){ .op = c == '+' ? OP_ADD : OP_SUB }))
			return false;
	}
	return true;
}

struct expr *expr_compile(
	const char *text, const struct expr_scope *scope, struct unit *unit, struct err *err)
{
	struct expr *e = expr_new();
	struct infix x = { .scope = scope, .e = e, .err = err, .text = text, .p = text };
	struct operand out;

	if (!parse_whole(&x, &out)) {
		expr_free(e);
		return NULL;
	}
	*unit = out.unit;
	return e;
}
