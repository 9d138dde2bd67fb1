/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reverse Polish equations of Intel's metric sets, compiled into the stack machine. */
#include "config.h"

#include "core/metric/expr.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/minmax.h"
#include "base/parse.h"
#include "core/metric/expr_vm.h"

static const struct {
	const char *word;
	enum expr_op op;
} operators[] = {
	{ "UADD", OP_UADD }, { "USUB", OP_USUB }, { "UMUL", OP_UMUL }, { "UDIV", OP_UDIV }, { "UMIN", OP_UMIN }, { "UMAX", OP_UMAX },
	{ "FADD", OP_FADD }, { "FSUB", OP_FSUB }, { "FMUL", OP_FMUL }, { "FDIV", OP_FDIV }, { "FMIN", OP_FMIN }, { "FMAX", OP_FMAX },
	{ "AND", OP_AND }, { "OR", OP_OR }, { "&&", OP_ANDAND }, { "||", OP_OROR }, { "!", OP_NOT }, { "<<", OP_SHL }, { ">>", OP_SHR },
	{ "==", OP_EQ }, { "!=", OP_NE }, { ">", OP_GT }, { ">=", OP_GE }, { "<", OP_LT }, { "<=", OP_LE },
	{ "UGT", OP_GT }, { "UGTE", OP_GE }, { "ULT", OP_LT }, { "ULTE", OP_LE },
};

struct rpn {
	const struct expr_scope *scope;
	struct expr *e;
	struct err *err;
	const char *text;
	const char *p;		/* behind the current word */
};

struct word {
	const char *s;
	size_t len;
};

#define fail(r, at, ...) expr_fail((r)->err, (r)->scope, (r)->text, (at), __VA_ARGS__)

/* For "%.*s" in messages. */
static int clipped(const struct word *w)
{
	return (int)min_u64(w->len, 60);
}

static bool is_word(const struct word *w, const char *s)
{
	return strlen(s) == w->len && !memcmp(s, w->s, w->len);
}

static bool copy_word(const struct word *w, char *buf, size_t size)
{
	if (w->len >= size)
		return false;
	memcpy(buf, w->s, w->len);
	buf[w->len] = '\0';
	return true;
}

static bool emit(struct rpn *r, const char *at, struct expr_code code)
{
	return expr_emit(r->e, code) ||
		fail(r, at, "the equation is too long or nested too deeply");
}

static bool add_literal(struct rpn *r, const struct word *w)
{
	char digits[64];
	uint64_t u;
	double d;

	if (!copy_word(w, digits, sizeof(digits)))
		return fail(r, w->s, "the number is too long");
	if (parse_u64(digits, &u))
		return emit(r, w->s, (struct expr_code){ .op = OP_INTEGER, .integer = u });
	if (strchr(digits, '.') && parse_double(digits, &d))
		return emit(r, w->s, (struct expr_code){ .op = OP_NUMBER, .number = d });
	return fail(r, w->s, "'%s' is not a number", digits);
}

static bool add_input(struct rpn *r, const char *at, const char *name, size_t len)
{
	struct expr_symbol sym;

	return expr_resolve(r->err, r->scope, r->text, at, name, len, false, &sym) &&
		emit(r, at, (struct expr_code){ .op = OP_INPUT, .input = sym.index });
}

/* "A 7 READ" is the input A7; the two clocks have one instance each and no number. */
static bool add_read(struct rpn *r, const struct word *bank)
{
	struct word index, read;
	char digits[16], name[48];
	uint64_t i;

	if (!parse_word(&r->p, &index.s, &index.len) ||
		!copy_word(&index, digits, sizeof(digits)) || !parse_u64_range(digits, 0, 9999, &i))
		return fail(r, bank->s, "'%.*s' is no operator, and no index follows it",
			clipped(bank), bank->s);
	if (!parse_word(&r->p, &read.s, &read.len) || !is_word(&read, "READ"))
		return fail(r, index.s, "READ is missing after '%.*s %s'", clipped(bank),
			bank->s, digits);
	if (is_word(bank, "GPU_TIME") || is_word(bank, "GPU_CLOCK"))
		return add_input(r, bank->s, bank->s, bank->len);
	int len = snprintf(name, sizeof(name), "%.*s%u", clipped(bank), bank->s, (unsigned)i);
	if (len < 0 || (size_t)len >= sizeof(name))
		return fail(r, bank->s, "the name is too long");
	return add_input(r, bank->s, name, (size_t)len);
}

static bool add_word(struct rpn *r, const struct word *w)
{
	for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
		int operands = expr_op_operands(operators[i].op);

		if (!is_word(w, operators[i].word))
			continue;
		if (r->e->depth < operands)
			return fail(r, w->s,
				operands == 1 ? "'%.*s' needs %d operand, there are %d"
			: "'%.*s' needs %d operands, there are %d",
				clipped(w), w->s, operands, r->e->depth);
		return emit(r, w->s, (struct expr_code){ .op = operators[i].op });
	}
	if (w->s[0] >= '0' && w->s[0] <= '9')
		return add_literal(r, w);
	if (w->s[0] == '$')
		return add_input(r, w->s, w->s, w->len);
	if (is_word(w, "true") || is_word(w, "false"))
		return emit(
			r, w->s, (struct expr_code){ .op = OP_INTEGER, .integer = w->s[0] == 't' });
	return add_read(r, w);
}

struct expr *expr_compile_rpn(
	const char *text, const struct expr_scope *scope, bool is_float, struct err *err)
{
	struct rpn r = { .scope = scope, .e = expr_new(), .err = err, .text = text, .p = text };
	struct word w;

	while (parse_word(&r.p, &w.s, &w.len)) {
		if (!add_word(&r, &w))
			goto failed;
	}
	if (r.e->depth != 1) {
		fail(&r, r.p, "the equation leaves %d values instead of one", r.e->depth);
		goto failed;
	}
	if (!emit(&r, r.p, (struct expr_code){ .op = is_float ? OP_TO_DOUBLE : OP_TO_U64 }))
		goto failed;
	return r.e;
failed:
	expr_free(r.e);
	return NULL;
}
