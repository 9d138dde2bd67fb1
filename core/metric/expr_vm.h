/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stack machine below both front ends of equations. Private to expr*.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "core/metric/expr.h"

#define EXPR_MAX_STACK 128	/* values at evaluation */
#define EXPR_MAX_CODE 2048	/* instructions; parts that name parts could double without end */
#define EXPR_MAX_NESTING 48	/* parentheses, calls and named parts at compilation */

/* Each operation has an id and takes that many operands. It leaves one value. */
#define EXPR_OP_LIST(X) \
	X(NUMBER, 0) X(INTEGER, 0) X(INPUT, 0) \
	X(NEG, 1) X(ADD, 2) X(SUB, 2) X(MUL, 2) X(DIV, 2) \
	X(MIN, 2) X(MAX, 2) X(FIRST, 2) X(REST, 2) \
	X(UADD, 2) X(USUB, 2) X(UMUL, 2) X(UDIV, 2) X(UMIN, 2) X(UMAX, 2) \
	X(FADD, 2) X(FSUB, 2) X(FMUL, 2) X(FDIV, 2) X(FMIN, 2) X(FMAX, 2) \
	X(AND, 2) X(OR, 2) X(SHL, 2) X(SHR, 2) X(ANDAND, 2) X(OROR, 2) X(NOT, 1) \
	X(EQ, 2) X(NE, 2) X(GT, 2) X(GE, 2) X(LT, 2) X(LE, 2) \
	X(TO_U64, 1) X(TO_DOUBLE, 1)

enum expr_op {
#define X(id, operands) OP_##id,
	EXPR_OP_LIST(X)
#undef X
	OP_COUNT
};

struct expr_code {
	enum expr_op op;
	union {
		double number;
		uint64_t integer;
		int input;
	};
};

/* depth is the number of values on the stack after the last instruction. */
struct expr {
	struct expr_code *code;
	size_t count, cap;
	int depth;
	int *inputs;
	size_t n_inputs, cap_inputs;
	int *rests_on;		/* as metric_rests_on() found it; NULL: not asked */
	int n_rests_on;
};

struct expr *expr_new(void);
/* Returns how many operands the instruction takes from the stack. */
int expr_op_operands(enum expr_op op);
/* Appends an instruction; false when the equation grows too long or its stack too deep. */
bool expr_emit(struct expr *e, struct expr_code code);
/* Sets "FILE:LINE:COLUMN: ..." for the place "at" in text; returns false. */
bool expr_fail(struct err *err, const struct expr_scope *scope, const char *text, const char *at,
	const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* Asks scope->lookup. When that refuses, this adds the position to the error. */
bool expr_resolve(struct err *err, const struct expr_scope *scope, const char *text, const char *at,
	const char *name, size_t len, bool rate, struct expr_symbol *out);
