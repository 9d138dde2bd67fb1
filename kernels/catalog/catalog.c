/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the tables of bodies, operations and types, and multiplies them into names and work. */
#include "config.h"

#include "kernels/catalog/catalog.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/minmax.h"
#include "base/numeric.h"
#include "base/parse.h"

#define MIX_WIDTH 8
#define MATRIX_WIDTH 8

static const struct type_row types[TYPE_COUNT] = {
	[TYPE_SP] = { "sp", "float", 4, NULL },
	[TYPE_DP] = { "dp", "double", 8, "cl_khr_fp64" },
	[TYPE_HP] = { "hp", "half", 2, "cl_khr_fp16" },
	[TYPE_INT] = { "int", "uint", 4, NULL },
	[TYPE_MATRIX] = { "matrix", "uint", 4, "cl_intel_subgroup_matrix_multiply_accumulate" },
};

static const struct op_row ops[] = {
	{ "mad", 2 },
	{ "add", 1 },
	{ "sub", 1 },
	{ "mul", 1 },
	{ "div", 1 },
};

static const int widths[] = { 1, 2, 4, 8, 16 };

static const struct size_row {
	const char *name;
	uint64_t bytes;
} sizes[] = {
	{ "16k", 16 << 10 },
	{ "64k", 64 << 10 },
	{ "256k", 256 << 10 },
	{ "1m", 1 << 20 },
	{ "4m", 4 << 20 },
	{ "16m", 16 << 20 },
	{ "64m", 64 << 20 },
};

#define MAX_STRIDE 64
#define MAX_WAYS 32
#define LINE_WORDS 16

#define FULL (BODY_TYPES | BODY_WIDTHS)
#define BUFFERS(o, i, i2) { EXTENT_##o, EXTENT_##i, EXTENT_##i2 }

/* The first four are algorithms 3 to 6, copy is 7 and power 8 of "Performance and Power-Consumption
 * Analysis of Intel GPUs" (H. Duarte); the work of each is what its file states. */
static const struct body_row bodies[] = {
	{ "flops", "single", "single.cl", "rt_single", "", 1, CHECK_ELEMENT,
		BODY_OPS | FULL | BODY_ONCE | BODY_IN_PLACE, BUFFERS(ITEMS, TWICE, NONE),
		{ .read_once = 2, .write_once = 1, .flop_rep = 1 },
		"one operation on two values in global memory: overheads" },
	{ "flops", "loop", "loop.cl", "rt_loop", "", 1, CHECK_ELEMENT,
		BODY_OPS | FULL | BODY_IN_PLACE, BUFFERS(ITEMS, TWICE, NONE),
		{ .read_rep = 2, .write_rep = 1, .flop_rep = 1 },
		"operations on global memory, one in each turn of the loop" },
	{ "flops", "unroll", "loop.cl", "rt_loop", "", 64, CHECK_ELEMENT,
		BODY_OPS | FULL | BODY_IN_PLACE, BUFFERS(ITEMS, TWICE, NONE),
		{ .read_rep = 2, .write_rep = 1, .flop_rep = 1 },
		"operations on global memory, 64 in each turn of the loop" },
	{ "flops", "private", "private.cl", "rt_private", "", 4, CHECK_ELEMENT,
		BODY_OPS | FULL | BODY_ACCUMULATORS, BUFFERS(ITEMS, ITEMS, NONE),
		{ .read_once = 1, .write_once = 1, .flop_rep = 1 },
		"operations on registers: the peak of the arithmetic units" },
	{ "power", "", "private.cl", "rt_private", "", 4, CHECK_ELEMENT,
		BODY_OPS | FULL | BODY_ACCUMULATORS | BODY_CHAOS, BUFFERS(ITEMS, ITEMS, NONE),
		{ .read_once = 1, .write_once = 1, .flop_rep = 1 },
		"operations on registers with data that never settle: heat" },
	{ "power", "mix", "mix.cl", "rt_mix", "", 1, CHECK_ELEMENT,
		BODY_TYPES | BODY_STREAMS | BODY_MIXED | BODY_CHAOS | BODY_IN_PLACE |
			BODY_ACCUMULATORS,
		BUFFERS(ARRAY, NONE, NONE), { .read_rep = 1, .write_rep = 1, .flop_rep = 2 },
		"arithmetic units and memory busy at the same time: heat" },
	/* A product of one item is 8 rows of K multiply-adds: K is 16, 32 or 64. */
	{ "xmx", "fp16", "matrix.cl", "rt_matrix", "-D MATRIX_FP16", 4, CHECK_ELEMENT,
		BODY_ACCUMULATORS | BODY_MATRIX, BUFFERS(ITEMS, ITEMS, NONE),
		{ .read_once = 1, .write_once = 1, .flop_rep = 32 },
		"products of half precision matrices on the matrix engines (XMX)" },
	{ "xmx", "bf16", "matrix.cl", "rt_matrix", "-D MATRIX_BF16", 4, CHECK_ELEMENT,
		BODY_ACCUMULATORS | BODY_MATRIX, BUFFERS(ITEMS, ITEMS, NONE),
		{ .read_once = 1, .write_once = 1, .flop_rep = 32 },
		"products of bfloat16 matrices on the matrix engines (XMX)" },
	{ "xmx", "int8", "matrix.cl", "rt_matrix", "-D MATRIX_INT8", 4, CHECK_ELEMENT,
		BODY_ACCUMULATORS | BODY_MATRIX, BUFFERS(ITEMS, ITEMS, NONE),
		{ .read_once = 1, .write_once = 1, .ops_rep = 512 },
		"products of matrices of 8-bit integers on the matrix engines (XMX)" },
	{ "xmx", "int4", "matrix.cl", "rt_matrix", "-D MATRIX_INT4", 4, CHECK_ELEMENT,
		BODY_ACCUMULATORS | BODY_MATRIX, BUFFERS(ITEMS, ITEMS, NONE),
		{ .read_once = 1, .write_once = 1, .ops_rep = 1024 },
		"products of matrices of 4-bit integers on the matrix engines (XMX)" },
	{ "mem", "copy", "copy.cl", "rt_copy", "", 1, CHECK_ELEMENT, FULL,
		BUFFERS(ITEMS, ITEMS, NONE), { .read_rep = 1, .write_rep = 1 },
		"each item copies the same element again and again: bandwidth of the caches" },
	{ "mem", "read", "stream.cl", "rt_read", "", 1, CHECK_ELEMENT, FULL | BODY_STREAMS,
		BUFFERS(ITEMS, ARRAY, NONE), { .read_rep = 1, .write_once = 1 },
		"reads an array that no cache holds" },
	{ "mem", "write", "stream.cl", "rt_write", "", 1, CHECK_ELEMENT, FULL | BODY_STREAMS,
		BUFFERS(ARRAY, NONE, NONE), { .write_rep = 1 },
		"writes an array that no cache holds" },
	{ "mem", "stream", "stream.cl", "rt_stream", "", 1, CHECK_ELEMENT, FULL | BODY_STREAMS,
		BUFFERS(ARRAY, ARRAY, NONE), { .read_rep = 1, .write_rep = 1 },
		"copies an array that no cache holds" },
	{ "mem", "triad", "stream.cl", "rt_triad", "", 1, CHECK_ELEMENT, FULL | BODY_STREAMS,
		BUFFERS(ARRAY, ARRAY, ARRAY), { .read_rep = 2, .write_rep = 1, .flop_rep = 2 },
		"a = b + s * c over arrays that no cache holds" },
	{ "mem", "triad-nt", "stream.cl", "rt_triad", "-D NON_TEMPORAL", 1, CHECK_ELEMENT,
		FULL | BODY_STREAMS, BUFFERS(ARRAY, ARRAY, ARRAY),
		{ .read_rep = 2, .write_rep = 1, .flop_rep = 2 },
		"a = b + s * c, stored past the caches where the compiler can" },
	{ "mem", "update", "stream.cl", "rt_update", "", 1, CHECK_ELEMENT,
		FULL | BODY_STREAMS | BODY_IN_PLACE, BUFFERS(ARRAY, NONE, NONE),
		{ .read_rep = 1, .write_rep = 1, .flop_rep = 1 },
		"a = s - a in place: reads and writes without fetching lines only to overwrite "
		   "them" },
	/* Items read with gaps; bytes are those of the lines that are touched. */
	{ "mem", "stride", "stream.cl", "rt_stride", "", 1, CHECK_ELEMENT,
		BODY_STREAMS | BODY_STRIDES, BUFFERS(ITEMS, ARRAY, NONE),
		{ .read_rep = 1, .write_once = 1 },
		"reads one word of every so many: what lines that are hardly used cost" },
	{ "slm", "swap", "slm.cl", "rt_swap", "", 1, CHECK_ELEMENT, FULL | BODY_LOCAL,
		BUFFERS(ITEMS, ITEMS, NONE), { .read_once = 1, .write_once = 1, .local_rep = 2 },
		"writes to shared local memory and reads the neighbour's value, with barriers" },
	{ "slm", "read", "slm.cl", "rt_slm_read", "", 1, CHECK_ELEMENT, FULL | BODY_LOCAL,
		BUFFERS(ITEMS, ITEMS, NONE),
		{ .read_once = 1, .write_once = 1, .local_once = 1, .local_rep = 1 },
		"reads shared local memory" },
	{ "slm", "reduce", "slm.cl", "rt_reduce", "", 1, CHECK_ELEMENT, BODY_LOCAL,
		BUFFERS(ITEMS, ITEMS, NONE),
		{ .read_once = 1, .write_once = 1, .local_rep = 5, .ops_rep = 1 },
		"adds up the words of a work-group through shared local memory, in halves" },
	{ "slm", "reduce-all", "reduce.cl", "rt_reduce_all", "", 1, CHECK_ELEMENT, BODY_LOCAL,
		BUFFERS(ITEMS, ITEMS, NONE), { .read_once = 1, .write_once = 1, .ops_rep = 1 },
		"adds up the words of a work-group: every item reads the sums of all runs of 16" },
	{ "slm", "reduce-chain", "reduce.cl", "rt_reduce_chain", "", 1, CHECK_ELEMENT, BODY_LOCAL,
		BUFFERS(ITEMS, ITEMS, NONE), { .read_once = 1, .write_once = 1, .ops_rep = 1 },
		"adds up the words of a work-group: one run of 16 hands its sum to the next, "
		   "as by messages" },
	{ "slm", "broadcast", "slm.cl", "rt_broadcast", "", 1, CHECK_ELEMENT, BODY_LOCAL,
		BUFFERS(ITEMS, ITEMS, NONE),
		{ .read_once = 1, .write_once = 1, .local_rep = 1, .ops_rep = 1 },
		"one item after the other gives its word to its work-group" },
	{ "slm", "barrier", "slm.cl", "rt_barrier", "", 1, CHECK_ELEMENT, BODY_LOCAL,
		BUFFERS(ITEMS, ITEMS, NONE), { .read_once = 1, .write_once = 1, .ops_rep = 1 },
		"barriers of a work-group and nothing else" },
	{ "flow", "diverge", "diverge.cl", "rt_diverge", "", 1, CHECK_ELEMENT, BODY_WAYS,
		BUFFERS(ITEMS, ITEMS, NONE),
		{ .read_once = 1, .write_once = 1, .ops_rep = 16 },
		"neighbouring items go so many different ways: lanes that wait" },
	{ "lat", "walkers", "chase.cl", "rt_walkers", "", 1, CHECK_RING, BODY_SIZES | BODY_LONE,
		BUFFERS(ITEMS, RING, NONE), { .read_rep = 1, .write_once = 1, .ops_rep = 1 },
		"work-groups of one item, each walking through so much memory of its own: loads "
		   "under way" },
	{ "lat", "chase", "chase.cl", "rt_chase", "", 1, CHECK_RING, BODY_SIZES | BODY_ONE_ITEM,
		BUFFERS(WORD, RING, NONE), { .read_rep = 1, .write_once = 1, .ops_rep = 1 },
		"follows one random cycle of pointers through so much memory: latency of a load" },
	{ "lat", "line", "chase.cl", "rt_chase", "-D IN_ORDER", 1, CHECK_RING,
		BODY_SIZES | BODY_ONE_ITEM, BUFFERS(WORD, RING, NONE),
		{ .read_rep = 1, .write_once = 1, .ops_rep = 1 },
		"follows pointers in the order of addresses: what prefetching hides" },
	{ "atomic", "same", "atomic.cl", "rt_atomic_same", "", 1, CHECK_COUNT, 0,
		BUFFERS(WORD, NONE, NONE), { .ops_rep = 1 },
		"all items increment one counter in global memory" },
	{ "atomic", "spread", "atomic.cl", "rt_atomic_spread", "", 1, CHECK_COUNT, 0,
		BUFFERS(LINES, NONE, NONE), { .ops_rep = 1 },
		"each item increments a counter in a cache line of its own" },
	{ "atomic", "local", "atomic.cl", "rt_atomic_local", "", 1, CHECK_COUNT, BODY_LOCAL,
		BUFFERS(WORD, NONE, NONE), { .ops_rep = 1 },
		"the items of a work-group increment one counter in shared local memory" },
	{ "launch", "empty", "launch.cl", "rt_empty", "", 1, CHECK_NONE, BODY_ONE_ITEM | BODY_ONCE,
		BUFFERS(WORD, NONE, NONE), { .ops_once = 1 },
		"launches of an empty kernel, many in the queue" },
	{ "launch", "wait", "launch.cl", "rt_empty", "", 1, CHECK_NONE,
		BODY_ONE_ITEM | BODY_ONCE | BODY_WAITS, BUFFERS(WORD, NONE, NONE),
		{ .ops_once = 1 },
		"launches of an empty kernel, each waited for: the round trip" },
	{ "mix", "", "mix.cl", "rt_mix", "", 1, CHECK_ELEMENT,
		BODY_TYPES | BODY_STREAMS | BODY_INTENSITY | BODY_IN_PLACE | BODY_ACCUMULATORS,
		BUFFERS(ARRAY, NONE, NONE), { .read_rep = 1, .write_rep = 1, .flop_rep = 2 },
		"so many FLOP for each byte from and to memory: points under the roofs" },
};

const struct type_row *catalog_type(enum kernel_type type)
{
	return &types[type];
}

/* Returns the FLOP per byte of a body that loads and stores each element once and does so many
 * multiply-adds with it. */
static double intensity(const struct kernel_spec *s)
{
	return (double)s->steps / types[s->type].bytes;
}

/* Returns the letter before the number of a name with BODY_STRIDES or BODY_WAYS. */
static char apart_letter(const struct body_row *b)
{
	return b->flags & BODY_STRIDES ? 's' : 'w';
}

static int apart_max(const struct body_row *b)
{
	if (b->flags & BODY_STRIDES)
		return MAX_STRIDE;
	return b->flags & BODY_WAYS ? MAX_WAYS : 0;
}

static void add_word(char *name, size_t size, const char *word)
{
	size_t len = strlen(name);

	snprintf(name + len, size - len, ".%s", word);
}

const char *catalog_name(const struct kernel_spec *s, char *buf, size_t size)
{
	const struct body_row *b = s->body;
	char last[24] = "";
	size_t i = ARRAY_LEN(sizes) - 1;

	snprintf(buf, size, "%s", b->group);
	if (*b->family)
		add_word(buf, size, b->family);
	if (s->op)
		add_word(buf, size, s->op->name);
	if (b->flags & BODY_TYPES)
		add_word(buf, size, types[s->type].name);
	while (i > 0 && sizes[i].bytes != s->size_bytes)
		i--;
	if (b->flags & BODY_WIDTHS && s->width)
		snprintf(last, sizeof(last), "x%d", s->width);
	else if (b->flags & BODY_SIZES)
		snprintf(last, sizeof(last), "%s", sizes[i].name);
	else if (b->flags & BODY_INTENSITY)
		numeric_print(last, sizeof(last), "ai-%g", intensity(s));
	else if (b->flags & (BODY_STRIDES | BODY_WAYS))
		snprintf(last, sizeof(last), "%c%d", apart_letter(b), s->apart);
	if (*last)
		add_word(buf, size, last);
	return buf;
}

void catalog_work(const struct kernel_spec *s, uint64_t repeat, struct kernel_work *out)
{
	const struct body_work *w = &s->body->work;
	double elements = s->width ? s->width : 1;
	double bytes = elements * types[s->type].bytes;
	double n = (double)repeat;

	*out = (struct kernel_work){
		.flop = w->flop_rep * n * elements,
		.read_bytes = (w->read_once + w->read_rep * n) * bytes,
		.write_bytes = (w->write_once + w->write_rep * n) * bytes,
		.local_bytes = (w->local_once + w->local_rep * n) * bytes,
		.ops = w->ops_once + w->ops_rep * n,
	};
	/* A word with its gap is as much as is moved for it, up to a line. */
	if (s->body->flags & BODY_STRIDES)
		out->read_bytes *= min_of(s->apart, LINE_WORDS);
	if (s->op)
		out->flop *= s->op->flop;
	if (s->steps > 0)
		out->flop *= s->steps;
}

void catalog_scale(struct kernel_work *w, double by)
{
	w->flop *= by;
	w->read_bytes *= by;
	w->write_bytes *= by;
	w->local_bytes *= by;
	w->ops *= by;
}

double catalog_bytes(const struct kernel_work *w)
{
	if (w->local_bytes > 0)
		return w->local_bytes;
	return w->read_bytes + w->write_bytes;
}

void catalog_info(const struct kernel_spec *s, struct kernel_info *out)
{
	const struct body_row *b = s->body;
	const char *family = b->group, *op;

	if (*b->family)
		family = b->family;
	op = family;
	if (s->op)
		op = s->op->name;
	else if (b->flags & (BODY_INTENSITY | BODY_MIXED))
		op = "mad";
	*out = (struct kernel_info){ .width = s->width, .supported = true };
	catalog_work(s, 1, &out->work);
	catalog_name(s, out->name, sizeof(out->name));
	snprintf(out->family, sizeof(out->family), "%s", family);
	snprintf(out->op, sizeof(out->op), "%s", op);
	snprintf(out->type, sizeof(out->type), "%s", types[s->type].name);
	snprintf(out->text, sizeof(out->text), "%s", b->text);
}

struct list {
	struct kernel_info *rows;
	size_t n, cap;
};

static void append(struct list *l, const struct kernel_spec *s)
{
	l->rows = array_grow(l->rows, l->n, &l->cap, sizeof(*l->rows));
	catalog_info(s, &l->rows[l->n++]);
}

/* Appends the last part of the name: widths, sizes, intensities or none of them. */
static void append_last(struct list *l, struct kernel_spec s)
{
	uint32_t flags = s.body->flags;

	for (size_t i = 0; flags & BODY_WIDTHS && i < ARRAY_LEN(widths); i++) {
		s.width = widths[i];
		append(l, &s);
	}
	for (size_t i = 0; flags & BODY_SIZES && i < ARRAY_LEN(sizes); i++) {
		s.size_bytes = sizes[i].bytes;
		append(l, &s);
	}
	for (int steps = 1; flags & BODY_INTENSITY && steps <= CATALOG_MAX_STEPS; steps *= 2) {
		s.steps = steps;
		append(l, &s);
	}
	for (int i = 1; i <= apart_max(s.body); i *= 2) {
		s.apart = i;
		append(l, &s);
	}
	if (!(flags & (BODY_WIDTHS | BODY_SIZES | BODY_INTENSITY)) && !apart_max(s.body))
		append(l, &s);
}

static void append_types(struct list *l, struct kernel_spec s)
{
	for (int t = 0; s.body->flags & BODY_TYPES && t < TYPE_INT; t++) {
		s.type = (enum kernel_type)t;
		append_last(l, s);
	}
	if (!(s.body->flags & BODY_TYPES))
		append_last(l, s);
}

/* Returns what a name of this body means where it leaves something open. */
static struct kernel_spec body_spec(const struct body_row *b)
{
	struct kernel_spec s = { .body = b, .type = TYPE_INT, .width = 1, .apart = 1 };

	if (b->flags & (BODY_INTENSITY | BODY_MIXED))
		s.width = MIX_WIDTH;
	if (b->flags & BODY_MIXED)
		s.steps = -1;
	if (b->flags & BODY_MATRIX) {
		s.type = TYPE_MATRIX;
		s.width = MATRIX_WIDTH;
	}
	return s;
}

struct kernel_info *catalog_list(size_t *n)
{
	struct list l = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
		struct kernel_spec s = body_spec(&bodies[i]);

		for (size_t o = 0; bodies[i].flags & BODY_OPS && o < ARRAY_LEN(ops); o++) {
			s.op = &ops[o];
			append_types(&l, s);
		}
		if (!s.op)
			append_types(&l, s);
	}
	*n = l.n;
	return l.rows;
}

/* Steps over the next word when it is this one. */
static bool is_next(const char **s, const char *word)
{
	const char *rest = *s;
	char next[16];

	if (!parse_until(&rest, '.', next, sizeof(next)) || strcmp(next, word))
		return false;
	*s = rest;
	return true;
}

/* Parses "x4", or nothing. */
static bool parse_width(const char *word, struct kernel_spec *out)
{
	uint64_t v = 0;

	if (*word && (*word != 'x' || word[1] == '0' ||
			     !parse_u64_range(word + 1, 1, CATALOG_MAX_WIDTH, &v)))
		return false;
	out->width = (int)v;
	return (v & (v - 1)) == 0;
}

static bool parse_size(const char *word, struct kernel_spec *out)
{
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		if (!strcmp(sizes[i].name, word)) {
			out->size_bytes = sizes[i].bytes;
			return true;
		}
	}
	return false;
}

/* Parses "ai-0.25"; the type is known by now. */
static bool parse_intensity(const char *word, struct kernel_spec *out)
{
	double ai;

	if (strncmp(word, "ai-", 3) || !parse_double(word + 3, &ai))
		return false;
	for (out->steps = 1; out->steps <= CATALOG_MAX_STEPS; out->steps *= 2) {
		double distance = intensity(out) - ai;

		if (distance > -1e-9 && distance < 1e-9)
			return true;
	}
	return false;
}

/* Parses "s16" or "w4". */
static bool parse_apart(const char *word, struct kernel_spec *out)
{
	uint64_t v;

	if (*word != apart_letter(out->body) || word[1] == '0' ||
		!parse_u64_range(word + 1, 1, (uint64_t)apart_max(out->body), &v))
		return false;
	out->apart = (int)v;
	return (v & (v - 1)) == 0;
}

/* Parses a name as one of this body. The text that was not understood goes to *wrong when the group
 * and family are this body's. */
static bool parse_as(
	const struct body_row *b, const char *name, struct kernel_spec *out, const char **wrong)
{
	*out = body_spec(b);
	if (!is_next(&name, b->group) || (*b->family && !is_next(&name, b->family)))
		return false;
	*wrong = name;
	if (b->flags & BODY_OPS) {
		for (size_t i = 0; i < ARRAY_LEN(ops) && !out->op; i++) {
			if (is_next(&name, ops[i].name))
				out->op = &ops[i];
		}
		if (!out->op)
			return false;
	}
	*wrong = name;
	if (b->flags & BODY_TYPES) {
		for (int t = 0; t < TYPE_INT && out->type == TYPE_INT; t++) {
			if (is_next(&name, types[t].name))
				out->type = (enum kernel_type)t;
		}
		if (out->type == TYPE_INT)
			return false;
	}
	*wrong = name;
	if (b->flags & BODY_WIDTHS)
		return parse_width(name, out);
	if (b->flags & BODY_SIZES)
		return parse_size(name, out);
	if (b->flags & BODY_INTENSITY)
		return parse_intensity(name, out);
	if (apart_max(b))
		return parse_apart(name, out);
	return *name == '\0';
}

bool catalog_parse(const char *name, struct kernel_spec *out, struct err *err)
{
	const char *wrong = NULL;
	struct kernel_spec spec;

	for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
		if (parse_as(&bodies[i], name, &spec, &wrong)) {
			/* The name "flops.private.mad.sp." reads like one without a width. */
			if (name[strlen(name) - 1] == '.')
				break;
			*out = spec;
			return true;
		}
	}
	if (wrong && *wrong)
		err_set(err, ERR_USAGE, "no kernel is named '%.47s': '%.31s' is not understood",
			name, wrong);
	else
		err_set(err, ERR_USAGE, "no kernel is named '%.47s'", name);
	return err_hint(err,
		"names look like flops.private.mad.sp.x4, mem.triad.sp.x4, mix.sp.ai-4; 'rooftop "
		"stress help' has all");
}
