/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Equations are compiled once. Two front ends share one machine: infix with units and "no number"
 * reasons (our metric files), and the typed reverse Polish notation of Intel's XML metric sets
 * (uint64 and double, x/0 = 0). */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "core/value/unit.h"
#include "core/value/value.h"

struct expr;	/* opaque, heap, immutable after compiling */

/* One input at evaluation. u is the exact integer, and d is the same as a double (or the only form
 * when is_int is false). */
struct expr_input {
	uint64_t u;
	double d;
	bool is_int;
	enum why why;
};

/* An equation that stands for a name; its errors point to its own place. */
struct expr_part {
	const char *text, *file;
	int line, column;
};

/* What a name means; the caller zeroes it before the lookup. index is the position in the inputs
 * array at evaluation. unit is the unit of d. constant says that it is the same in every window,
 * so that it may scale a counter inside rate(). When part is not NULL, the name stands for this
 * equation, which is compiled in place; the other members are then not used, and part must stay
 * valid while compiling. */
struct expr_symbol {
	int index;
	struct unit unit;
	bool constant;
	const struct expr_part *part;
};

/* Resolves a name; rate is true inside rate(...), where the symbol must deliver its value per
 * second. Returns false with err set (message without position) when the name is unknown or has no
 * rate. */
typedef bool expr_lookup_fn(void *ctx, const char *name, size_t len, bool rate,
	struct expr_symbol *out, struct err *err);

struct expr_scope {
	expr_lookup_fn *lookup;
	void *ctx;
	const char *file;	/* for messages: "FILE:LINE:COLUMN: what" */
	int line;		/* of the first character of the text */
	int column;		/* 1-based */
};

/* Infix: + - * / unary -, parentheses, numbers with an optional unit in brackets (64[B]), names
 * [A-Za-z_][A-Za-z0-9_.]*, functions min(a,...) max(a,...) first(a,...) (the first that is a
 * number) rest(whole, parts) (value_rest()) rate(sum) most(metric) (the largest of its cells;
 * lookup gets "most(metric)"). Units: operands of + - min max first must have the same dimensions;
 * the result's unit is written to *unit (scale always 1: evaluation is in base units). Arithmetic
 * on a missing operand gives that operand's reason; x/0 gives WHY_DIV_ZERO. NULL with err
 * ("FILE:LINE:COL: ...") on failure. */
struct expr *expr_compile(
	const char *text, const struct expr_scope *scope, struct unit *unit, struct err *err);

/* Compiles Intel's RPN, whose words are separated by blanks. Integers are exact; FADD FSUB FMUL of
 * two integers are done in integers and then converted; FDIV is double; UDIV FDIV by zero give 0;
 * U-ops on a double compute in double and truncate. lookup gets names as "A7", "GPU_TIME",
 * "GPU_CLOCK", "PERFCNT0" (from "A 7 READ") and "$Name". is_float is the declared type of the
 * result; false converts it to uint64. Availability tests (AND OR == > >= < <= && || !) use it
 * too. */
struct expr *expr_compile_rpn(
	const char *text, const struct expr_scope *scope, bool is_float, struct err *err);

void expr_free(struct expr *e);

/* Returns an input that has no number, with the reason. */
struct expr_input expr_none(enum why why);
/* Evaluates the equation over inputs (the array that the symbols index). It never allocates. The
 * result of an RPN equation can be an exact integer (is_int). */
struct expr_input expr_eval(const struct expr *e, const struct expr_input *inputs);
/* As above, and chooses how wide the integers of an RPN equation are. In EXPR_64_BITS they wrap, as
 * in Intel's own programs, whose equations are made for a single report. EXPR_WIDE, which
 * expr_eval() uses, has room for the sums of hours; what does not fit even so, or ends below zero,
 * has no number (WHY_OUT_OF_RANGE). */
enum expr_width { EXPR_WIDE, EXPR_64_BITS };
struct expr_input expr_eval_as(
	const struct expr *e, const struct expr_input *inputs, enum expr_width width);
/* Whether it takes the least of several values: then it tells what something could be at most, and
 * not what it was. */
bool expr_takes_least(const struct expr *e);
/* Returns with which power of the window's length the value grows where each input grows as degree_of()
 * says: bytes with the first, a rate and a share not at all. EXPR_NO_DEGREE: with none. */
#define EXPR_NO_DEGREE INT_MIN
typedef int expr_degree_fn(void *ctx, int input);
int expr_degree(const struct expr *e, expr_degree_fn *degree_of, void *ctx);
/* Writes the indices of the inputs that the equation reads, each once, in order of first use. At
 * most max are written; returns how many there are. */
int expr_inputs(const struct expr *e, int *out, int max);
