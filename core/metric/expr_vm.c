/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stack machine of equations: building code and running it. */
#include "config.h"

#include "core/metric/expr_vm.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/value/int128.h"

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
	free(e->rests_on);
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

bool expr_takes_least(const struct expr *e)
{
	for (size_t i = 0; i < e->count; i++) {
		if (e->code[i].op == OP_MIN)
			return true;
	}
	return false;
}

/* Zero is none of anything, and so of each degree. */
#define DEGREE_OF_ZERO (EXPR_NO_DEGREE + 1)

static int same_degree(int a, int b)
{
	if (a == DEGREE_OF_ZERO)
		return b;
	return b == DEGREE_OF_ZERO || a == b ? a : EXPR_NO_DEGREE;
}

static int degree_of_op(enum expr_op op, int a, int b)
{
	bool known = a > DEGREE_OF_ZERO && b > DEGREE_OF_ZERO;

	switch (op) {
	case OP_ADD: case OP_SUB: case OP_MIN: case OP_MAX: case OP_FIRST: case OP_REST:
	case OP_UADD: case OP_USUB: case OP_UMIN: case OP_UMAX:
	case OP_FADD: case OP_FSUB: case OP_FMIN: case OP_FMAX: return same_degree(a, b);
	case OP_MUL: case OP_UMUL: case OP_FMUL: return known ? a + b : EXPR_NO_DEGREE;
	case OP_DIV: case OP_UDIV: case OP_FDIV: return known ? a - b : EXPR_NO_DEGREE;
	case OP_SHL: case OP_SHR: return a;
	default: return 0;	/* yes or no */
	}
}

int expr_degree(const struct expr *e, expr_degree_fn *degree_of, void *ctx)
{
	int stack[EXPR_MAX_STACK], n = 0;

	for (size_t i = 0; i < e->count; i++) {
		const struct expr_code *c = &e->code[i];

		if (c->op == OP_INPUT)
			stack[n++] = degree_of(ctx, c->input);
		else if (c->op == OP_NUMBER)
			stack[n++] = c->number == 0 ? DEGREE_OF_ZERO : 0;
		else if (c->op == OP_INTEGER)
			stack[n++] = c->integer == 0 ? DEGREE_OF_ZERO : 0;
		else if (op_operands[c->op] == 2) {
			n--;
			stack[n - 1] = degree_of_op(c->op, stack[n - 1], stack[n]);
		} else if (c->op == OP_NOT)
			stack[n - 1] = 0;
	}
	return n > 0 && stack[n - 1] != DEGREE_OF_ZERO ? stack[n - 1] : EXPR_NO_DEGREE;
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

/* A cell is a value on the stack: an exact integer, or a double. A product of two sums of an hour
 * has up to 110 bits. Intel's own programs evaluate single reports in uint64, which wraps. */
struct cell {
	struct int128 i;
	double d;
	bool is_int;
	enum why why;
};

static struct cell none(enum why why)
{
	return (struct cell){ .d = NAN, .why = why };
}

static struct cell number(double d)
{
	if (!isfinite(d))
		return (struct cell){ .d = d, .why = WHY_OUT_OF_RANGE };
	return (struct cell){ .d = d };
}

static struct cell integer(struct int128 i)
{
	return (struct cell){ .i = i, .is_int = true };
}

static struct cell count(uint64_t n)
{
	return integer(int128_u64(n));
}

static double to_double(const struct cell *x)
{
	if (x->is_int)
		return int128_to_double(x->i);
	return x->d;
}

/* Truncates. In 64 bits a number below zero wraps as x86-64 code does; where C and that code define
 * no result it is 0. */
static struct cell truncated(enum expr_width width, double d)
{
	if (width == EXPR_WIDE && d > -0x1p126 && d < 0x1p126)
		return integer(int128_from_double(d));
	if (width == EXPR_WIDE)
		return none(WHY_OUT_OF_RANGE);
	if (d >= 0 && d < 0x1p64)
		return count((uint64_t)d);
	if (d < 0 && d > -0x1p63)
		return count((uint64_t)(int64_t)d);
	return count(0);
}

static struct cell to_integer(enum expr_width width, const struct cell *x)
{
	if (x->is_int)
		return *x;
	return truncated(width, x->d);
}

/* Returns the result of a whole equation; below zero or beyond uint64 it is no count. */
static struct cell to_count(enum expr_width width, const struct cell *x)
{
	struct cell c = to_integer(width, x);

	if (c.why == WHY_OK && !int128_is_u64(c.i))
		return none(WHY_OUT_OF_RANGE);
	return c;
}

static bool is_true(const struct cell *x)
{
	return x->is_int ? (x->i.hi | (int64_t)x->i.lo) != 0 : fabs(x->d) >= 1;
}

/* Equations with units use only doubles, and have no number where an operand has none. */
static struct cell run_plain(enum expr_op op, const struct cell *a, const struct cell *b)
{
	struct value v;

	switch (op) {
	case OP_ADD:
		return number(a->d + b->d);
	case OP_SUB:
		return number(a->d - b->d);
	case OP_MUL:
		return number(a->d * b->d);
	case OP_DIV:
		if (fpclassify(b->d) == FP_ZERO)
			return (struct cell){ .why = WHY_DIV_ZERO };
		return number(a->d / b->d);
	case OP_MIN:
		return number(a->d < b->d ? a->d : b->d);
	case OP_REST:
		v = value_rest(a->d, b->d);
		return v.why == WHY_OK ? number(v.v) : none(v.why);
	default:
		return number(a->d > b->d ? a->d : b->d);
	}
}

/* Sums, differences and products that do not fit give false. */
static bool add_up(enum expr_op op, struct int128 a, struct int128 b, struct int128 *out)
{
	switch (op) {
	case OP_UADD: case OP_FADD:
		return int128_add(a, b, out);
	case OP_USUB: case OP_FSUB:
		return int128_sub(a, b, out);
	default:
		return int128_mul(a, b, out);
	}
}

static uint64_t add_up_u64(enum expr_op op, uint64_t a, uint64_t b)
{
	switch (op) {
	case OP_UADD: case OP_FADD:
		return a + b;
	case OP_USUB: case OP_FSUB:
		return a - b;
	default:
		return a * b;
	}
}

/* Shifts by as many bits as 64 bits have. */
static uint64_t shifted(enum expr_op op, uint64_t a, struct int128 by)
{
	if (!int128_is_u64(by) || by.lo >= 64)
		return 0;
	return op == OP_SHL ? a << by.lo : a >> by.lo;
}

/* An equation of Intel that divides by nothing has 0. */
static struct cell divided(struct int128 a, struct int128 b)
{
	struct int128 out;

	if ((b.hi | (int64_t)b.lo) == 0)
		return count(0);
	return int128_div(a, b, &out) ? integer(out) : none(WHY_OUT_OF_RANGE);
}

static struct cell run_integers(
	enum expr_width width, enum expr_op op, struct int128 a, struct int128 b)
{
	struct int128 out;

	switch (op) {
	case OP_UADD: case OP_USUB: case OP_UMUL: case OP_FADD: case OP_FSUB: case OP_FMUL:
		if (width == EXPR_64_BITS)
			return count(add_up_u64(op, a.lo, b.lo));
		return add_up(op, a, b, &out) ? integer(out) : none(WHY_OUT_OF_RANGE);
	case OP_UDIV:
		return divided(a, b);
	case OP_UMIN:
		return integer(int128_compare(a, b) < 0 ? a : b);
	case OP_UMAX:
		return integer(int128_compare(a, b) > 0 ? a : b);
	case OP_AND:
		return integer(int128_and(a, b));
	case OP_OR:
		return integer(int128_or(a, b));
	default:
		return count(shifted(op, a.lo, b));
	}
}

static double run_double(enum expr_op op, double a, double b)
{
	switch (op) {
	case OP_UADD: case OP_FADD:
		return a + b;
	case OP_USUB: case OP_FSUB:
		return a - b;
	case OP_UMUL: case OP_FMUL:
		return a * b;
	case OP_FDIV:
		return fpclassify(b) == FP_ZERO ? 0 : a / b;
	case OP_UMIN: case OP_FMIN:
		return a < b ? a : b;
	default:
		return a > b ? a : b;
	}
}

/* Mixed operands compare as doubles, as in the C that Intel's generator makes of these
 * equations. */
static bool run_test(enum expr_op op, const struct cell *a, const struct cell *b)
{
	bool exact = a->is_int && b->is_int;
	double da = to_double(a);
	double db = to_double(b);
	bool less = da < db, more = da > db;

	if (exact) {
		less = int128_compare(a->i, b->i) < 0;
		more = int128_compare(a->i, b->i) > 0;
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
		return is_true(a) && is_true(b);
	default:
		return is_true(a) || is_true(b);
	}
}

/* Intel's typed operators. Two integers stay exact up to the result; if one operand is a double,
 * the operation is done in double. */
static struct cell run_typed(
	enum expr_width width, enum expr_op op, const struct cell *a, const struct cell *b)
{
	bool exact = a->is_int && b->is_int;

	switch (op) {
	case OP_UADD: case OP_USUB: case OP_UMUL: case OP_UMIN: case OP_UMAX:
		if (!exact)
			return truncated(width, run_double(op, to_double(a), to_double(b)));
		return run_integers(width, op, a->i, b->i);
	case OP_UDIV: case OP_AND: case OP_OR: case OP_SHL: case OP_SHR: {
		struct cell ia = to_integer(width, a), ib = to_integer(width, b);

		if (ia.why != WHY_OK || ib.why != WHY_OK)
			return none(WHY_OUT_OF_RANGE);
		return run_integers(width, op, ia.i, ib.i);
	}
	case OP_FADD: case OP_FSUB: case OP_FMUL:
		if (exact) {
			struct cell c = run_integers(width, op, a->i, b->i);

			return c.why == WHY_OK ? number(int128_to_double(c.i)) : c;
		}
		return number(run_double(op, to_double(a), to_double(b)));
	case OP_FDIV: case OP_FMIN: case OP_FMAX:
		return number(run_double(op, to_double(a), to_double(b)));
	default:
		return count(run_test(op, a, b));
	}
}

static struct cell run_unary(enum expr_width width, enum expr_op op, const struct cell *a)
{
	if (a->why != WHY_OK)
		return *a;
	switch (op) {
	case OP_NEG:
		return number(-a->d);
	case OP_NOT:
		return count(!is_true(a));
	case OP_TO_U64:
		return to_count(width, a);
	default:
		return number(to_double(a));
	}
}

static struct cell run_binary(
	enum expr_width width, enum expr_op op, const struct cell *a, const struct cell *b)
{
	if (a->why != WHY_OK && b->why == WHY_OK && op == OP_FIRST)
		return *b;
	if (a->why != WHY_OK || op == OP_FIRST)
		return *a;
	if (b->why != WHY_OK)
		return *b;
	if (op < OP_UADD)
		return run_plain(op, a, b);
	return run_typed(width, op, a, b);
}

static struct cell from_input(const struct expr_input *in)
{
	struct cell c = {
		.i = int128_u64(in->u), .d = in->d, .is_int = in->is_int, .why = in->why
	};

	/* A source may not deliver infinities either. */
	if (c.why == WHY_OK && !c.is_int && !isfinite(c.d))
		c.why = WHY_OUT_OF_RANGE;
	return c;
}

struct expr_input expr_eval_as(
	const struct expr *e, const struct expr_input *inputs, enum expr_width width)
{
	struct cell stack[EXPR_MAX_STACK];
	int top = -1;

	for (const struct expr_code *c = e->code; c < e->code + e->count; c++) {
		switch (c->op) {
		case OP_NUMBER:
			stack[++top] = number(c->number);
			break;
		case OP_INTEGER:
			stack[++top] = count(c->integer);
			break;
		case OP_INPUT:
			stack[++top] = from_input(&inputs[c->input]);
			break;
		case OP_NEG: case OP_NOT: case OP_TO_U64: case OP_TO_DOUBLE:
			stack[top] = run_unary(width, c->op, &stack[top]);
			break;
		default:
			top--;
			stack[top] = run_binary(width, c->op, &stack[top], &stack[top + 1]);
		}
	}
	if (stack[0].why != WHY_OK)
		return expr_none(stack[0].why);
	return (struct expr_input){ .u = stack[0].i.lo,
		.d = to_double(&stack[0]),
		.is_int = stack[0].is_int };
}

struct expr_input expr_eval(const struct expr *e, const struct expr_input *inputs)
{
	return expr_eval_as(e, inputs, EXPR_WIDE);
}
