/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels in C, an element at a time. This file is compiled without contraction: nothing but
 * fma() is fused here. */
#include "config.h"

#include "kernels/catalog/model.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"

static const struct format_row {
	int bits, mantissa_bits;
} formats[TYPE_COUNT] = {
	[TYPE_SP] = { 32, 23 },
	[TYPE_DP] = { 64, 52 },
	[TYPE_HP] = { 16, 10 },
	[TYPE_INT] = { 32, 32 },
	[TYPE_MATRIX] = { 32, 32 },
};

static uint64_t low_bits(int n)
{
	return n < 64 ? ((uint64_t)1 << n) - 1 : UINT64_MAX;
}

uint64_t model_mantissa(enum kernel_type type)
{
	return low_bits(formats[type].mantissa_bits) & ~(uint64_t)1;
}

/* Rounds to the precision of the type. Products and sums of halves near 1 are exact as double, so
 * this rounds a half once. */
static double round_to(enum kernel_type type, double v)
{
	int exponent;

	if (type == TYPE_SP)
		return (float)v;
	if (type != TYPE_HP || v == 0 || !isfinite(v))
		return v;
	frexp(v, &exponent);
	/* Subnormal halves are multiples of 2^-24. */
	double unit = ldexp(1, exponent - 11);
	if (unit < 0x1p-24)
		unit = 0x1p-24;
	v = nearbyint(v / unit) * unit;
	if (fabs(v) > 65504)
		return copysign(INFINITY, v);
	return v;
}

double model_constant(enum kernel_type type, double v)
{
	return type == TYPE_DP ? v : (float)v;
}

static uint64_t half_bits(double v)
{
	uint64_t sign = signbit(v) ? 0x8000 : 0;
	int exponent;

	v = fabs(round_to(TYPE_HP, v));
	if (isnan(v))
		return 0x7e00;
	if (isinf(v))
		return sign | 0x7c00;
	if (v < ldexp(1, -14))
		return sign | (uint64_t)ldexp(v, 24);
	frexp(v, &exponent);
	return sign | (uint64_t)(exponent + 14) << 10 | ((uint64_t)ldexp(v, 11 - exponent) & 0x3ff);
}

uint64_t model_bits(enum kernel_type type, double v)
{
	float f = (float)v;
	uint32_t small;
	uint64_t bits;

	switch (type) {
	case TYPE_SP:
		memcpy(&small, &f, sizeof(small));
		return small;
	case TYPE_DP:
		memcpy(&bits, &v, sizeof(bits));
		return bits;
	case TYPE_HP:
		return half_bits(v);
	default:
		return (uint32_t)v;
	}
}

/* Halves are always normal numbers here: they are data and what follows from them. */
static double value_of(enum kernel_type type, uint64_t bits)
{
	uint32_t small = (uint32_t)bits;
	float f;
	double v;

	if (type == TYPE_SP) {
		memcpy(&f, &small, sizeof(f));
		return f;
	}
	if (type == TYPE_DP) {
		memcpy(&v, &bits, sizeof(v));
		return v;
	}
	v = ldexp((double)((bits & 0x3ff) | 0x400), (int)(bits >> 10 & 31) - 25);
	if (bits & 0x8000)
		v = -v;
	return v;
}

uint64_t model_data(enum kernel_type type, uint64_t first_bits, uint64_t seed, uint64_t i)
{
	uint64_t z = (i + seed) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 32)) * UINT64_C(0xd6e8feb86659fd93);
	return first_bits | ((z >> 11) & model_mantissa(type));
}

/* A step is one operation. */
struct step {
	enum kernel_type type;
	char op;		/* + - * / or, for mad, m */
	bool fused, quadratic;
	double constant[2];	/* of even and of odd steps */
};

static double multiply_add(const struct step *s, double x, double y, double z)
{
	if (!s->fused)
		return round_to(s->type, round_to(s->type, x * y) + z);
	if (s->type == TYPE_SP)
		return fmaf((float)x, (float)y, (float)z);
	return round_to(s->type, fma(x, y, z));
}

static double apply(const struct step *s, double x, bool odd)
{
	double c = s->constant[odd];

	switch (s->op) {
	case '+':
		return round_to(s->type, x + c);
	case '-':
		return round_to(s->type, x - c);
	case '*':
		return round_to(s->type, x * c);
	case '/':
		return round_to(s->type, x / c);
	default:
		if (s->quadratic)
			return multiply_add(s, x, x, s->constant[1]);
		return multiply_add(s, x, s->constant[0], s->constant[1]);
	}
}

static uint64_t rotate(uint64_t bits, int by, int width)
{
	return ((bits << by) | (bits >> (width - by))) & low_bits(width);
}

/* An element's function needs all of this. */
struct element {
	const struct variant *v;
	const struct model_launch *l;
	struct step step;
	uint64_t first_bits;
	uint64_t i;		/* element of out */
};

static uint64_t data_in(const struct element *e, uint64_t seed, uint64_t i)
{
	return model_data(e->v->spec.type, e->first_bits, seed, i);
}

static uint64_t bits_of(const struct element *e, double v)
{
	return model_bits(e->v->spec.type, v);
}

static uint64_t of_private(const struct element *e)
{
	uint64_t start = data_in(e, e->l->seed_in, e->i), bits = 0;
	uint64_t steps = e->l->turns * (uint64_t)e->v->spec.body->unroll;
	enum kernel_type type = e->v->spec.type;

	for (int j = 0; j < e->v->accumulators; j++) {
		double x = value_of(type, start ^ ((uint64_t)j * 0x1a5e & model_mantissa(type)));

		for (uint64_t n = 0; n < steps; n++)
			x = apply(&e->step, x, n & 1);
		bits = rotate(bits, 7, formats[type].bits) ^ bits_of(e, x);
	}
	return bits;
}

/* The constants come from memory: mad reads both, and the others take them by turns. */
static uint64_t of_loop(const struct element *e)
{
	double x = value_of(e->v->spec.type, data_in(e, e->l->seed_out, e->i));
	uint64_t steps = e->l->turns * (uint64_t)e->v->spec.body->unroll;

	for (uint64_t n = 0; n < steps; n++)
		x = apply(&e->step, x, n & 1);
	return bits_of(e, x);
}

/* Odd launches begin behind the first half of the constants. */
static uint64_t of_single(const struct element *e)
{
	return bits_of(e,
		apply(&e->step, value_of(e->v->spec.type, data_in(e, e->l->seed_out, e->i)),
			e->l->base != 0));
}

static uint64_t of_copy(const struct element *e)
{
	return data_in(e, e->l->seed_in, e->i);
}

static uint64_t of_read(const struct element *e)
{
	const struct model_launch *l = e->l;
	uint64_t width = (uint64_t)e->v->spec.width;
	uint64_t item = e->i / width, sum = 0;

	for (uint64_t n = 0; n < l->turns; n++) {
		uint64_t place = l->base + (item / l->group_size * l->turns + n) * l->group_size +
			item % l->group_size;

		sum += data_in(e, l->seed_in, place * width + e->i % width);
	}
	return sum & low_bits(formats[e->v->spec.type].bits);
}

static uint64_t of_write(const struct element *e)
{
	return e->i / (uint64_t)e->v->spec.width & low_bits(formats[e->v->spec.type].bits);
}

static uint64_t of_triad(const struct element *e)
{
	enum kernel_type type = e->v->spec.type;
	double b = value_of(type, data_in(e, e->l->seed_in, e->i)),
	       c = value_of(type, data_in(e, e->l->seed_in2, e->i));

	return bits_of(e, multiply_add(&e->step, c, e->step.constant[0], b));
}

static uint64_t of_update(const struct element *e)
{
	enum kernel_type type = e->v->spec.type;

	return bits_of(
		e, round_to(type, e->step.constant[0] - value_of(type, data_in(e, e->l->seed_out, e->i))));
}

static uint64_t of_mix(const struct element *e)
{
	double x = value_of(e->v->spec.type, data_in(e, e->l->seed_out, e->i));

	for (int n = 0; n < e->v->spec.steps; n++)
		x = apply(&e->step, x, false);
	return bits_of(e, x);
}

/* Returns the place of the value that element i of out had n turns before: it is an item further in
 * its group. */
static uint64_t neighbour(const struct element *e, uint64_t n)
{
	uint64_t width = (uint64_t)e->v->spec.width, size = e->l->group_size, item = e->i / width;

	return (item / size * size + (item + n) % size) * width + e->i % width;
}

static uint64_t of_swap(const struct element *e)
{
	return data_in(e, e->l->seed_in, neighbour(e, e->l->turns % e->l->group_size));
}

static uint64_t of_slm_read(const struct element *e)
{
	int bits = formats[e->v->spec.type].bits;
	uint64_t sum = 0;

	for (uint64_t n = 0; n < e->l->turns; n++)
		sum = (rotate(sum, 1, bits) +
			      data_in(e, e->l->seed_in, neighbour(e, n % e->l->group_size))) &
			low_bits(bits);
	return sum;
}

static uint64_t of_stride(const struct element *e)
{
	const struct model_launch *l = e->l;
	uint64_t sum = 0;

	for (uint64_t n = 0; n < l->turns; n++) {
		uint64_t place = (e->i / l->group_size * l->turns + n) * l->group_size +
			e->i % l->group_size;

		sum += data_in(e, l->seed_in, l->base + place * (uint64_t)e->v->spec.apart);
	}
	return sum & low_bits(32);
}

/* Each item has the sum of its group and its own number after the first turn. */
static uint64_t of_reduce(const struct element *e)
{
	uint64_t size = e->l->group_size, first = e->i / size * size;
	uint32_t sum = 0;

	for (uint64_t i = 0; i < size; i++)
		sum += (uint32_t)data_in(e, e->l->seed_in, first + i);
	for (uint64_t n = 1; n < e->l->turns; n++)
		sum = (uint32_t)(size * sum + size * (size - 1) / 2);
	return (uint32_t)(sum + e->i % size);
}

/* The item that gives in turn n has added what was given before. */
static uint64_t of_broadcast(const struct element *e)
{
	uint64_t size = e->l->group_size, first = e->i / size * size;
	uint32_t given = 0, x = (uint32_t)data_in(e, e->l->seed_in, e->i);

	for (uint64_t n = 0; n < e->l->turns; n++) {
		uint32_t own = (uint32_t)data_in(e, e->l->seed_in, first + n % size) + given;

		given += own;
		x += own;
	}
	return x;
}

static uint64_t of_diverge(const struct element *e)
{
	uint32_t way = (uint32_t)(e->i % e->l->group_size) % (uint32_t)e->v->spec.apart;
	uint32_t x = (uint32_t)data_in(e, e->l->seed_in, e->i);

	for (uint64_t n = 0; n < 16 * e->l->turns; n++)
		x = (x * (2 * way + 3)) ^ (x >> (way % 7 + 1));
	return x;
}

/* Says how a row of the catalogue packs numbers into words; floating point numbers are 1 and -1. */
static const struct packing {
	const char *family;
	int bits;
	bool is_float;
} packings[] = { { "fp16", 16, true }, { "bf16", 16, true }, { "int8", 8, false }, { "int4", 4, false } };

/* Returns number i of a word. */
static int32_t unpack(const struct packing *p, uint32_t word, int i)
{
	uint32_t part = word << (32 - p->bits * (i + 1));

	if (p->is_float)
		return part >> 31 ? -1 : 1;
	return (int32_t)part >> (32 - p->bits);
}

static uint32_t word_of(const struct element *e, uint64_t item, int m)
{
	return (uint32_t)data_in(e, e->l->seed_in, item * 8 + (uint64_t)m);
}

/* Row m of A times the item's column, of which the words are rotated for each chain. */
static int32_t matrix_sum(const struct element *e, const struct packing *p, int m, int chain)
{
	int per_word = 32 / p->bits, size = e->v->sub_group, per_row = per_word * 8 / size;
	uint64_t item = e->i / 8, first = item / (uint64_t)size * (uint64_t)size;
	uint32_t sum = 0;

	for (int k = 0; k < 8 * per_word; k++) {
		uint32_t left = word_of(e, first + (uint64_t)(k / per_row), m);
		uint32_t right = (uint32_t)rotate(
			word_of(e, item, 7 - k / per_word), (3 * chain + 5) % 32, 32);

		sum += (uint32_t)(unpack(p, left, k % per_row) * unpack(p, right, k % per_word));
	}
	return (int32_t)sum;
}

/* Floating point products are taken away again but for the last one; integers add up and wrap. */
static uint64_t of_matrix(const struct element *e)
{
	const struct packing *p = packings;
	uint32_t times = 1;
	uint64_t bits = 0;

	while (strcmp(p->family, e->v->spec.body->family) != 0)
		p++;
	if (!p->is_float)
		times += (uint32_t)(e->l->turns * (uint64_t)e->v->spec.body->unroll);
	for (int j = 0; j < e->v->accumulators; j++) {
		uint32_t sum = times * (uint32_t)matrix_sum(e, p, (int)(e->i % 8), j);

		if (p->is_float)
			sum = (uint32_t)model_bits(TYPE_SP, (int32_t)sum);
		bits = rotate(bits, 7, 32) ^ sum;
	}
	return bits;
}

static const struct {
	const char *function;
	uint64_t (*element)(const struct element *e);
} functions[] = {
	{ "rt_private", of_private },
	{ "rt_loop", of_loop },
	{ "rt_single", of_single },
	{ "rt_copy", of_copy },
	{ "rt_read", of_read },
	{ "rt_write", of_write },
	{ "rt_stream", of_copy },
	{ "rt_triad", of_triad },
	{ "rt_update", of_update },
	{ "rt_mix", of_mix },
	{ "rt_swap", of_swap },
	{ "rt_slm_read", of_slm_read },
	{ "rt_matrix", of_matrix },
	{ "rt_stride", of_stride },
	{ "rt_reduce", of_reduce },
	{ "rt_reduce_all", of_reduce },
	{ "rt_reduce_chain", of_reduce },
	{ "rt_broadcast", of_broadcast },
	{ "rt_barrier", of_copy },
	{ "rt_diverge", of_diverge },
};

uint64_t model_element(
	const struct variant *v, const struct model_launch *l, bool fused, uint64_t i)
{
	static const struct {
		const char *name;
		char op;
	} letters[] = { { "add", '+' }, { "sub", '-' }, { "mul", '*' }, { "div", '/' } };
	enum kernel_type type = v->spec.type;
	struct element e = { .v = v, .l = l, .i = i, .first_bits = model_bits(type, l->data.first),
		.step = { .type = type, .op = 'm', .fused = fused, .quadratic = v->quadratic } };

	e.step.constant[0] = round_to(type, model_constant(type, l->data.a));
	e.step.constant[1] = round_to(type, model_constant(type, l->data.b));
	for (size_t n = 0; v->spec.op && n < ARRAY_LEN(letters); n++) {
		if (!strcmp(letters[n].name, v->spec.op->name))
			e.step.op = letters[n].op;
	}
	for (size_t f = 0; f < ARRAY_LEN(functions); f++) {
		if (!strcmp(functions[f].function, v->spec.body->function))
			return functions[f].element(&e);
	}
	assert(!"a body without a model");
	return 0;
}

uint64_t model_elements(const struct variant *v, const struct model_launch *l)
{
	uint64_t vecs = l->groups * l->group_size;

	if (v->spec.body->buffers.out == EXTENT_ARRAY)
		vecs *= l->turns * (uint64_t)v->accumulators;
	return vecs * (uint64_t)v->spec.width;
}
