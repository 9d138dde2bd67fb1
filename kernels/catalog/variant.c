/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiler options, constants and names of the ways to build a kernel. */
#include "config.h"

#include "kernels/catalog/variant.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "kernels/catalog/model.h"

#define MAX_GROUP_SIZE 65536
#define MAX_TURNS 4096

static bool is_op(const struct variant *v, const char *name)
{
	return v->spec.op && !strcmp(v->spec.op->name, name);
}

static bool is_private(const struct variant *v)
{
	return !strcmp(v->spec.body->function, "rt_private");
}

const char *variant_text(const struct variant *v, char *buf, size_t size)
{
	const char *how = v->fma ? "fma" : "expression";
	const char *step = v->quadratic ? "x*x+b" : "x*a+b";
	unsigned long long items = v->group_size;

	if (v->spec.body->flags & BODY_ACCUMULATORS)
		snprintf(buf, size, "%s %s, %d chains, groups of %llu", how, step, v->accumulators,
			items);
	else
		snprintf(buf, size, "%s, groups of %llu", how, items);
	return buf;
}

const char *variant_encode(const struct variant *v, char *buf, size_t size)
{
	snprintf(buf, size,
		"width=%d fma=%d quadratic=%d accumulators=%d steps=%d size=%llu turns=%llu",
		v->spec.width, v->fma, v->quadratic, v->accumulators, v->spec.steps,
		(unsigned long long)v->group_size, (unsigned long long)v->turns);
	return buf;
}

static bool get(const char *text, const char *key, uint64_t max, uint64_t *out)
{
	char value[24];

	return parse_pair(text, ' ', key, value, sizeof(value)) &&
		parse_u64_range(value, 0, max, out);
}

bool variant_decode(const char *text, struct variant *v)
{
	static const int known[] = VARIANT_ACCUMULATORS;
	uint64_t width, fma, quadratic, accumulators, steps = 0, size, turns;
	size_t i = 0;

	if (!get(text, "width", CATALOG_MAX_WIDTH, &width) || !get(text, "fma", 1, &fma) ||
		!get(text, "quadratic", 1, &quadratic) ||
		!get(text, "accumulators", 16, &accumulators) ||
		!get(text, "size", MAX_GROUP_SIZE, &size) ||
		!get(text, "turns", MAX_TURNS, &turns) ||
		!get(text, "steps", CATALOG_MAX_STEPS, &steps))
		return false;
	while (i < ARRAY_LEN(known) && (uint64_t)known[i] != accumulators)
		i++;
	if (!width || (width & (width - 1)) || i == ARRAY_LEN(known))
		return false;
	if (v->spec.body->flags & (BODY_MIXED | BODY_INTENSITY) && !steps)
		return false;
	v->spec.width = (int)width;
	v->spec.steps = (int)steps;
	v->fma = fma;
	v->quadratic = quadratic && is_private(v) && is_op(v, "mad");
	v->accumulators = 1;
	if (v->spec.body->flags & BODY_ACCUMULATORS)
		v->accumulators = (int)accumulators;
	v->group_size = size;
	v->turns = turns;
	return true;
}

void variant_type_options(enum kernel_type type, struct strbuf *out)
{
	static const char *const unsigned_types[] = {
		[TYPE_SP] = "uint", [TYPE_DP] = "ulong", [TYPE_HP] = "ushort", [TYPE_INT] = "uint",
		[TYPE_MATRIX] = "uint"
	};
	const struct type_row *t = catalog_type(type);

	strbuf_addf(out,
		"-cl-std=CL1.2 -D TYPE=%s -D UINT=%s -D TYPE_BYTES=%d -D MANTISSA=0x%llxUL", t->cl,
		unsigned_types[type], t->bytes, (unsigned long long)model_mantissa(type));
}

void variant_options(const struct variant *v, struct strbuf *out)
{
	const char *op = v->spec.op ? v->spec.op->name : "mad";

	variant_type_options(v->spec.type, out);
	strbuf_addf(out, " -D WIDTH=%d -D ACCUMULATORS=%d -D UNROLL=%d", v->spec.width,
		v->accumulators, v->spec.body->unroll);
	/* Bodies without a choice of operations add and multiply if they calculate at all. */
	strbuf_add(out, " -D OP_");
	for (const char *p = op; *p; p++)
		strbuf_addc(out, (char)(*p - 'a' + 'A'));
	if (v->spec.steps > 0)
		strbuf_addf(out, " -D STEPS=%d", v->spec.steps);
	if (v->spec.body->flags & BODY_STRIDES)
		strbuf_addf(out, " -D STRIDE=%d", v->spec.apart);
	if (v->spec.body->flags & BODY_WAYS)
		strbuf_addf(out, " -D WAYS=%d", v->spec.apart);
	if (v->spec.body->flags & BODY_LONE)
		strbuf_addf(out, " -D RING_WORDS=%llu",
			(unsigned long long)(v->spec.size_bytes / sizeof(uint32_t)));
	if (v->fma)
		strbuf_add(out, " -D USE_FMA");
	if (v->quadratic)
		strbuf_add(out, " -D QUADRATIC");
	if (v->sub_group)
		strbuf_addf(out, " -D SUB_GROUP=%d", v->sub_group);
	if (v->emulated)
		strbuf_add(out, " -D EMULATED");
	if (*v->spec.body->defines)
		strbuf_addf(out, " %s", v->spec.body->defines);
}

uint64_t variant_granule(const struct variant *v)
{
	return (uint64_t)v->spec.body->unroll * (uint64_t)v->accumulators;
}

/* x -> 3 - x maps [1, 2] onto itself without rounding and inverts the mantissa each time. */
#define MIRROR { .a = -1, .b = 3, .first = 1 }
/* x -> x * x - 1.9 wanders in [-1.9, 1.966] for ever (S. Ulam's quadratic map). */
#define WANDER { .a = 0, .b = -1.9, .first = 0.25 }

struct variant_data variant_load_data(const struct variant *v)
{
	bool heat = v->spec.body->flags & BODY_CHAOS;

	if (v->quadratic)
		return (struct variant_data)WANDER;
	if (is_op(v, "add") || is_op(v, "sub"))
		return (struct variant_data){ .a = 1, .b = -1, .first = 1 };
	if (is_op(v, "mul") && heat)
		return (struct variant_data){ .a = 1.5, .b = 2.0 / 3, .first = 1 };
	if (is_op(v, "mul") || is_op(v, "div"))
		return (struct variant_data){ .a = 2, .b = 0.5, .first = 1 };
	if (is_private(v) && !heat)
		return (struct variant_data){ .a = 0.5, .b = 1, .first = 2 };
	return (struct variant_data)MIRROR;
}

struct variant_data variant_probe_data(const struct variant *v)
{
	if (v->quadratic)
		return (struct variant_data)WANDER;
	if (is_op(v, "add") || is_op(v, "sub"))
		return (struct variant_data){ .a = 1.3, .b = -1.2, .first = 1 };
	if (is_op(v, "mul"))
		return (struct variant_data){ .a = 1.5, .b = 2.0 / 3, .first = 1 };
	/* Division may round either way in single precision (OpenCL 1.2, 7.4) unless it is by a
	 * power of two. */
	if (is_op(v, "div"))
		return (struct variant_data){ .a = 2, .b = 0.5, .first = 1 };
	return (struct variant_data){ .a = -0.999, .b = 2.9, .first = 1 };
}
