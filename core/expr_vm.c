/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stack machine of equations: building code and running it. */
#include "config.h"

#include "core/expr_vm.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/i18n.h"
#include "base/mem.h"

static const signed char op_operands[OP_COUNT] = {
#define X(id, operands) [OP_##id] = operands,
	EXPR_OP_LIST(X)
#undef X
};

struct expr *expr_new(void)
{
	return xcalloc(1, sizeof(struct expr));
}

void expr_free(struct expr *e)
{
	if (!e)
		return;
	free(e->code);
	free(e->inputs);
	free(e);
}

int expr_op_operands(enum expr_op op)
{
	return op_operands[op];
}

bool expr_emit(struct expr *e, struct expr_code code)
{
	int depth = e->depth - op_operands[code.op] + 1;
	size_t i = 0;

	assert(e->depth >= op_operands[code.op]);
	if (depth > EXPR_MAX_STACK || e->count >= EXPR_MAX_CODE)
		return false;
	while (i < e->n_inputs && e->inputs[i] != code.input)
		i++;
	if (code.op == OP_INPUT && i == e->n_inputs) {
		e->inputs = array_grow(e->inputs, i, &e->cap_inputs, sizeof(*e->inputs));
		e->inputs[e->n_inputs++] = code.input;
	}
	e->code = array_grow(e->code, e->count, &e->cap, sizeof(*e->code));
	e->code[e->count++] = code;
	e->depth = depth;
	return true;
}

int expr_inputs(const struct expr *e, int *out, int max)
{
	for (size_t i = 0; i < e->n_inputs && (long)i < max; i++)
		out[i] = e->inputs[i];
	return (int)e->n_inputs;
}

bool expr_fail(struct err *err, const struct expr_scope *scope, const char *text, const char *at,
	const char *fmt, ...)
{
	char what[256];
	int line = scope->line;
	int column = scope->column;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	for (const char *p = text; p < at; p++) {
		column++;
		if (*p == '\n') {
			column = 1;
			line++;
		}
	}
	return err_set(err, ERR_PARSE, "%s:%d:%d: %s", scope->file, line, column, what);
}

bool expr_resolve(struct err *err, const struct expr_scope *scope, const char *text, const char *at,
	const char *name, size_t len, bool rate, struct expr_symbol *out)
{
	struct err why = { 0 };

	*out = (struct expr_symbol){ .unit = unit_one() };
	if (scope->lookup(scope->ctx, name, len, rate, out, &why))
		return true;
	expr_fail(err, scope, text, at, "%s", why.msg);
	if (why.hint[0])
		err_hint(err, "%s", why.hint);
	return false;
}

struct expr_input expr_none(enum why why)
{
	return (struct expr_input){ .d = NAN, .why = why };
}

static struct expr_input number(double d)
{
	if (!isfinite(d))
		return (struct expr_input){ .d = d, .why = WHY_OUT_OF_RANGE };
	return (struct expr_input){ .d = d };
}

static struct expr_input integer(uint64_t u)
{
	return (struct expr_input){ .u = u, .d = (double)u, .is_int = true };
}

static double to_double(const struct expr_input *x)
{
	if (x->is_int)
		return (double)x->u;
	return x->d;
}

/* Truncates. Below zero it wraps as x86-64 code does; where C and that code define no result it is
 * 0. */
static uint64_t double_to_u64(double d)
{
	if (d >= 0 && d < 0x1p64)
		return (uint64_t)d;
	if (d < 0 && d > -0x1p63)
		return (uint64_t)(int64_t)d;
	return 0;
}

static uint64_t to_u64(const struct expr_input *x)
{
	if (x->is_int)
		return x->u;
	return double_to_u64(x->d);
}

/* Equations with units use only doubles, and have no number where an operand has none. */
static struct expr_input run_plain(
	enum expr_op op, const struct expr_input *a, const struct expr_input *b)
{
	switch (op) {
	case OP_ADD:
		return number(a->d + b->d);
	case OP_SUB:
		return number(a->d - b->d);
	case OP_MUL:
		return number(a->d * b->d);
	case OP_DIV:
		if (fpclassify(b->d) == FP_ZERO)
			return (struct expr_input){ .why = WHY_DIV_ZERO };
		return number(a->d / b->d);
	case OP_MIN:
		return number(a->d < b->d ? a->d : b->d);
	default:
		return number(a->d > b->d ? a->d : b->d);
	}
}

static uint64_t run_u64(enum expr_op op, uint64_t a, uint64_t b)
{
	switch (op) {
	case OP_UADD:
	case OP_FADD:
		return a + b;
	case OP_USUB:
	case OP_FSUB:
		return a - b;
	case OP_UMUL:
	case OP_FMUL:
		return a * b;
	case OP_UDIV:
		return b ? a / b : 0;
	case OP_UMIN:
		return a < b ? a : b;
	case OP_UMAX:
		return a > b ? a : b;
	case OP_AND:
		return a & b;
	case OP_OR:
		return a | b;
	case OP_SHL:
		return b < 64 ? a << b : 0;
	default:
		return b < 64 ? a >> b : 0;
	}
}

static double run_double(enum expr_op op, double a, double b)
{
	switch (op) {
	case OP_UADD:
	case OP_FADD:
		return a + b;
	case OP_USUB:
	case OP_FSUB:
		return a - b;
	case OP_UMUL:
	case OP_FMUL:
		return a * b;
	case OP_FDIV:
		return fpclassify(b) == FP_ZERO ? 0 : a / b;
	case OP_UMIN:
	case OP_FMIN:
		return a < b ? a : b;
	default:
		return a > b ? a : b;
	}
}

/* Mixed operands compare as doubles, as in the C that Intel's generator makes of these
 * equations. */
static bool run_test(enum expr_op op, const struct expr_input *a, const struct expr_input *b)
{
	bool exact = a->is_int && b->is_int;
	double da = to_double(a);
	double db = to_double(b);
	bool less = da < db, more = da > db;

	if (exact) {
		less = a->u < b->u;
		more = a->u > b->u;
	}
	switch (op) {
	case OP_EQ:
		return !less && !more;
	case OP_NE:
		return less || more;
	case OP_GT:
		return more;
	case OP_GE:
		return !less;
	case OP_LT:
		return less;
	case OP_LE:
		return !more;
	case OP_ANDAND:
		return to_u64(a) && to_u64(b);
	default:
		return to_u64(a) || to_u64(b);
	}
}

/* Intel's typed operators. Two integers stay exact up to the result; if one operand is a double,
 * the operation is done in double. */
static struct expr_input run_typed(
	enum expr_op op, const struct expr_input *a, const struct expr_input *b)
{
	bool exact = a->is_int && b->is_int;

	switch (op) {
	case OP_UADD: case OP_USUB: case OP_UMUL: case OP_UMIN: case OP_UMAX:
		if (!exact)
			return integer(double_to_u64(run_double(op, to_double(a), to_double(b))));
		return integer(run_u64(op, a->u, b->u));
	case OP_UDIV: case OP_AND: case OP_OR: case OP_SHL: case OP_SHR:
		return integer(run_u64(op, to_u64(a), to_u64(b)));
	case OP_FADD: case OP_FSUB: case OP_FMUL:
		if (exact)
			return number((double)run_u64(op, a->u, b->u));
		return number(run_double(op, to_double(a), to_double(b)));
	case OP_FDIV: case OP_FMIN: case OP_FMAX:
		return number(run_double(op, to_double(a), to_double(b)));
	default:
		return integer(run_test(op, a, b));
	}
}

static struct expr_input run_unary(enum expr_op op, const struct expr_input *a)
{
	if (a->why != WHY_OK)
		return *a;
	switch (op) {
	case OP_NEG:
		return number(-a->d);
	case OP_NOT:
		return integer(!to_u64(a));
	case OP_TO_U64:
		return integer(to_u64(a));
	default:
		return number(to_double(a));
	}
}

static struct expr_input run_binary(
	enum expr_op op, const struct expr_input *a, const struct expr_input *b)
{
	if (a->why != WHY_OK && b->why == WHY_OK && op == OP_FIRST)
		return *b;
	if (a->why != WHY_OK || op == OP_FIRST)
		return *a;
	if (b->why != WHY_OK)
		return *b;
	if (op < OP_UADD)
		return run_plain(op, a, b);
	return run_typed(op, a, b);
}

struct expr_input expr_eval(const struct expr *e, const struct expr_input *inputs)
{
	struct expr_input stack[EXPR_MAX_STACK];
	int top = -1;

	for (const struct expr_code *c = e->code; c < e->code + e->count; c++) {
		switch (c->op) {
		case OP_NUMBER:
			stack[++top] = number(c->number);
			break;
		case OP_INTEGER:
			stack[++top] = integer(c->integer);
			break;
		case OP_INPUT:
			stack[++top] = inputs[c->input];
			/* A source may not deliver infinities either. */
			if (stack[top].why == WHY_OK && !stack[top].is_int &&
				!isfinite(stack[top].d))
				stack[top].why = WHY_OUT_OF_RANGE;
			break;
		case OP_NEG: case OP_NOT: case OP_TO_U64: case OP_TO_DOUBLE:
			stack[top] = run_unary(c->op, &stack[top]);
			break;
		default:
			top--;
			stack[top] = run_binary(c->op, &stack[top], &stack[top + 1]);
		}
	}
	if (stack[0].why != WHY_OK)
		return expr_none(stack[0].why);
	return stack[0];
}
