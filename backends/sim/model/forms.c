/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the table of simulated kernels, and multiplies it into names and work. */
#include "config.h"

#include "backends/sim/model/forms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backends/sim/model/kernel.h"
#include "base/mem.h"
#include "base/numeric.h"
#include "base/parse.h"

#define WIDTHS 5	/* vectors of 1, 2, 4, 8 and 16 */
#define STEPS 10	/* 1, 2, 4 ... 512 multiply-adds for each element */
#define MAX_STRIDE 64
#define MAX_WAYS 32
#define MIX_WIDTH 8	/* as in the catalogue */

#define FULL (FORM_TYPES | FORM_WIDTHS)

static const struct form_row forms[] = {
	{ "single", "flops.", FORM_SINGLE, FORM_OPS | FULL, 2, 2, 1, 0, 0, 0, "one operation on two elements of global memory" },
	{ "loop", "flops.", FORM_LOOP, FORM_OPS | FULL, 2, 1, 1, 0, 0, 0, "operations on global memory in a loop" },
	/* The compiler unrolls the one before as well. */
	{ "unroll", "flops.", FORM_LOOP, FORM_OPS | FULL, 2, 1, 1, 0, 0, 0, "operations on global memory in an unrolled loop" },
	{ "private", "flops.", FORM_PRIVATE, FORM_OPS | FULL, 1, 1, 1, 0, 0, 0, "operations on a value in registers: the FPUs' throughput" },
	{ "power", "", FORM_POWER, FORM_OPS | FULL, 1, 1, 1, 0, 0, 0, "the same for so long that energy can be read" },
	{ "power.mix", "", FORM_MIX, FORM_TYPES | FORM_RIDGE, 1, 1, 1, 0, 2, 0, "FPUs and memory busy at the same time" },
	{ "copy", "mem.", FORM_COPY, FULL, 2, 1, 1, 0, 0, 0, "copies the same elements again and again: the L3's bandwidth" },
	{ "stream", "mem.", FORM_STREAM, FULL, 2, 1, 1, 0, 0, 0, "copies arrays that fit no cache: the DRAM's bandwidth" },
	{ "triad", "mem.", FORM_TRIAD, FULL, 3, 2, 1, 0, 2, 0, "a = b + s * c over arrays that fit no cache" },
	{ "triad-nt", "mem.", FORM_TRIAD, FULL, 3, 2, 1, 0, 2, 0, "the same; stores fetch no lines here, so it is as fast" },
	{ "update", "mem.", FORM_UPDATE, FULL, 1, 1, 1, 0, 1, 0, "a = s - a over an array that fits no cache" },
	{ "read", "mem.", FORM_READ, FULL, 1, 1, 0, 0, 0, 0, "reads an array that fits no cache" },
	{ "stride", "mem.", FORM_STRIDE, FORM_STRIDES, 1, 1, 0, 0, 0, 0, "reads one word of every so many; bytes are those of the lines that are touched" },
	{ "write", "mem.", FORM_WRITE, FULL, 1, 0, 1, 0, 0, 0, "writes an array that fits no cache" },
	{ "mix", "", FORM_MIX, FORM_TYPES | FORM_INTENSITY, 1, 1, 1, 0, 2, 0, "so many FLOP for each byte from and to memory: points under the roofs" },
	{ "slm.swap", "", FORM_SLM_SWAP, FULL | FORM_LOCAL, 2, 0, 0, 2, 0, 0, "writes to shared local memory and reads the neighbour's value, with barriers" },
	{ "slm.read", "", FORM_SLM, FULL | FORM_LOCAL, 2, 0, 0, 1, 0, 0, "reads shared local memory in vectors" },
	{ "slm.reduce", "", FORM_REDUCE, FORM_LOCAL, 2, 0, 0, 5, 0, 1, "adds up the words of a work-group through shared local memory, in halves" },
	{ "slm.reduce-all", "", FORM_REDUCE_ALL, FORM_LOCAL, 2, 0, 0, 0, 0, 1, "adds up the words of a work-group: every item reads the sums of all runs of 16" },
	{ "slm.reduce-chain", "", FORM_REDUCE_CHAIN, FORM_LOCAL, 2, 0, 0, 0, 0, 1, "adds up the words of a work-group: one run of 16 hands its sum to the next, as by messages" },
	{ "slm.broadcast", "", FORM_BROADCAST, FORM_LOCAL, 2, 0, 0, 1, 0, 1, "one item after the other gives its word to its work-group" },
	{ "slm.barrier", "", FORM_BARRIER, FORM_LOCAL, 2, 0, 0, 0, 0, 1, "barriers of a work-group and nothing else" },
	{ "flow.diverge", "", FORM_DIVERGE, FORM_WAYS, 2, 0, 0, 0, 0, 16, "neighbouring items go so many different ways: lanes that wait" },
	{ "lat.walkers", "", FORM_CHASE, FORM_SIZES | FORM_LONE, 1, 1, 0, 0, 0, 1, "groups of one item, each walking through so much memory of its own" },
	{ "lat.chase", "", FORM_CHASE, FORM_SIZES | FORM_ONE_ITEM, 1, 1, 0, 0, 0, 1, "follows one random cycle of pointers through so much memory: latency" },
	{ "lat.line", "", FORM_CHASE, FORM_SIZES | FORM_ONE_ITEM, 1, 1, 0, 0, 0, 1, "the same in the order of addresses; the model prefetches nothing" },
	{ "atomic.same", "", FORM_ATOMIC, FORM_SAME, 1, 0, 0, 0, 0, 1, "all items increment one counter in global memory" },
	{ "atomic.spread", "", FORM_ATOMIC, 0, 1, 0, 0, 0, 0, 1, "each item increments a counter in a line of its own" },
	{ "atomic.local", "", FORM_ATOMIC, FORM_SAME | FORM_LOCAL, 1, 0, 0, 0, 0, 1, "the items of a group increment one counter in shared local memory" },
	{ "launch.empty", "", FORM_EMPTY, FORM_ONE_ITEM | FORM_ONCE, 0, 0, 0, 0, 0, 1, "launches of an empty kernel, one after the other" },
	{ "launch.wait", "", FORM_EMPTY, FORM_ONE_ITEM | FORM_ONCE | FORM_WAITS, 0, 0, 0, 0, 0, 1, "launches of an empty kernel, each waited for: the round trip" },
	{ "chase", "", FORM_CHASE, 0, 1, 1, 0, 0, 0, 1, "follows pointers that the L3 holds, a line at a time: latency" },
	{ "slm", "", FORM_SLM, FORM_LOCAL, 1, 1, 0, 0, 0, 0, "reads shared local memory" },
	{ "send", "", FORM_SEND, 0, 1, 0, 0, 0, 0, 0, "messages that move registers and no memory: the send pipe" },
	{ "xmx", "", FORM_XMX, 0, 1, 0, 0, 0, 0, 0, "products of small matrices in registers: the matrix engine" },
};

static const struct op_row ops[] = {
	{ "add", EU_BINARY, 1, false },
	{ "sub", EU_BINARY, 1, false },
	{ "mul", EU_BINARY, 1, false },
	{ "div", EU_TERNARY, 1, true },
	{ "mad", EU_TERNARY, 2, false },
};

/* Kernels without an operation in their name have these in its place: what they compute between
 * loads and stores, by their FLOP. */
static const struct op_row quiet_ops[] = {
	{ .name = "" },
	{ .name = "", .type = EU_BINARY, .flop = 1 },
	{ .name = "", .type = EU_TERNARY, .flop = 2 },
};

static const struct type_row types[] = {
	{ "sp", false, 4, FORM_CHANNELS, NUMBER_FP32 },
	{ "dp", true, 8, FORM_DP_CHANNELS, NUMBER_FP64 },
};

static const struct size_row {
	const char *name;
	double bytes;
} sizes[] = {
	{ "16k", 16 << 10 },
	{ "64k", 64 << 10 },
	{ "256k", 256 << 10 },
	{ "1m", 1 << 20 },
	{ "4m", 4 << 20 },
	{ "16m", 16 << 20 },
	{ "64m", 64 << 20 },
};

/* It fits into a hint, so it shows one of each kind of number. */
const char *kernel_names(void)
{
	return "single|loop|unroll|private|power.add|sub|mul|div|mad.sp|dp.x1 to x16, "
	       "copy|stream|triad|update|read|write.sp|dp.x1 to x16, mix.sp.ai-4, lat.chase.1m, "
	       "stride.s4, flow.diverge.w4, slm.reduce|reduce-all|reduce-chain|barrier, atomic.same|local, launch.wait, "
	       "chase, slm, send, xmx";
}

/* Returns what stands behind the word and its dot, "" at the end of the name, or NULL when the name
 * does not begin with the word. */
static const char *behind(const char *name, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(name, word, len) || (name[len] && name[len] != '.'))
		return NULL;
	return name + len + (name[len] == '.');
}

/* Finds the form with the longest name that fits; the catalogue's group may stand before it. */
static const struct form_row *find_form(const char **name)
{
	const struct form_row *found = NULL;
	const char *rest = NULL;

	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		size_t group = strlen(forms[i].group);
		const char *at = *name;

		if (group && !strncmp(at, forms[i].group, group))
			at += group;
		at = behind(at, forms[i].name);
		if (!at || (found && strlen(forms[i].name) < strlen(found->name)))
			continue;
		found = &forms[i];
		rest = at;
	}
	if (found)
		*name = rest;
	return found;
}

static bool parse_op(const char **name, struct kernel_parts *p)
{
	char part[16];

	p->op = &quiet_ops[p->form->flop];
	if (!(p->form->flags & FORM_OPS))
		return true;
	p->op = NULL;
	if (!parse_until(name, '.', part, sizeof(part)))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(ops); i++)
		if (!strcmp(ops[i].name, part))
			p->op = &ops[i];
	return p->op != NULL;
}

static bool parse_type(const char **name, struct kernel_parts *p)
{
	char part[16];

	p->type = &types[0];
	if (!(p->form->flags & FORM_TYPES))
		return true;
	p->type = NULL;
	if (!parse_until(name, '.', part, sizeof(part)))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (!strcmp(types[i].name, part))
			p->type = &types[i];
	return p->type != NULL;
}

/* Returns the largest number of names with strides or ways, 0 for others. */
static int apart_max(const struct form_row *f)
{
	if (f->flags & FORM_STRIDES)
		return MAX_STRIDE;
	return f->flags & FORM_WAYS ? MAX_WAYS : 0;
}

static char apart_letter(const struct form_row *f)
{
	return f->flags & FORM_STRIDES ? 's' : 'w';
}

/* Parses the last word of a name: "x4", "1m", "ai-0.25", or none. */
static bool parse_last(const char *word, struct kernel_parts *p)
{
	uint64_t width;
	double ai;

	p->width = p->apart = 1;
	if (apart_max(p->form)) {
		if (word[0] != apart_letter(p->form) ||
			!parse_u64_range(word + 1, 1, (uint64_t)apart_max(p->form), &width) ||
			(width & (width - 1)))
			return false;
		p->apart = (int)width;
		return true;
	}
	if (p->form->flags & (FORM_INTENSITY | FORM_RIDGE))
		p->width = MIX_WIDTH;
	if (p->form->flags & FORM_WIDTHS) {
		if (word[0] != 'x' || !parse_u64_range(word + 1, 1, 16, &width) ||
			(width & (width - 1)))
			return false;
		p->width = (int)width;
		return true;
	}
	for (size_t i = 0; p->form->flags & FORM_SIZES && i < ARRAY_LEN(sizes); i++)
		if (!strcmp(sizes[i].name, word))
			p->set_bytes = sizes[i].bytes;
	if (p->form->flags & FORM_SIZES)
		return p->set_bytes > 0;
	if (!(p->form->flags & FORM_INTENSITY))
		return *word == '\0';
	if (strncmp(word, "ai-", 3) || !parse_double(word + 3, &ai))
		return false;
	for (int i = 0; i < STEPS; i++) {
		p->steps = 1 << i;
		if (fabs((double)p->steps / p->type->bytes - ai) < 1e-9)
			return true;
	}
	return false;
}

bool kernel_parts_parse(const char *name, struct kernel_parts *out)
{
	*out = (struct kernel_parts){ .form = find_form(&name) };
	return out->form && parse_op(&name, out) && parse_type(&name, out) && parse_last(name, out);
}

/* Returns how many names a form has behind its type. */
static size_t count_last(const struct form_row *f)
{
	if (f->flags & FORM_WIDTHS)
		return WIDTHS;
	if (f->flags & FORM_SIZES)
		return ARRAY_LEN(sizes);
	if (apart_max(f))
		return (size_t)log2(apart_max(f)) + 1;
	return f->flags & FORM_INTENSITY ? STEPS : 1;
}

static void write_name(const struct form_row *f, size_t i, char *buf, size_t size)
{
	size_t last = count_last(f), n_types = f->flags & FORM_TYPES ? ARRAY_LEN(types) : 1;
	const struct type_row *type = &types[i / last % n_types];
	char op[16] = "", of_type[8] = "", tail[24] = "";

	if (f->flags & FORM_OPS)
		snprintf(op, sizeof(op), ".%s", ops[i / last / n_types].name);
	if (f->flags & FORM_TYPES)
		snprintf(of_type, sizeof(of_type), ".%s", type->name);
	i %= last;
	if (f->flags & FORM_WIDTHS)
		snprintf(tail, sizeof(tail), ".x%d", 1 << i);
	else if (f->flags & FORM_SIZES)
		snprintf(tail, sizeof(tail), ".%s", sizes[i].name);
	else if (f->flags & FORM_INTENSITY)
		numeric_print(tail, sizeof(tail), ".ai-%g", (double)(1 << i) / type->bytes);
	else if (apart_max(f))
		snprintf(tail, sizeof(tail), ".%c%d", apart_letter(f), 1 << i);
	snprintf(buf, size, "%s%s%s%s%s", f->group, f->name, op, of_type, tail);
}

bool kernel_name(size_t i, char *buf, size_t size)
{
	for (size_t k = 0; k < ARRAY_LEN(forms); k++) {
		const struct form_row *f = &forms[k];
		size_t n = count_last(f);

		if (f->flags & FORM_TYPES)
			n *= ARRAY_LEN(types);
		if (f->flags & FORM_OPS)
			n *= ARRAY_LEN(ops);
		if (i < n) {
			write_name(f, i, buf, size);
			return true;
		}
		i -= n;
	}
	return false;
}

double kernel_parts_bytes(const struct kernel_parts *p)
{
	return (double)p->width * p->type->bytes;
}

bool kernel_describe(const char *name, struct kernel_words *out)
{
	struct kernel_parts p;

	if (!kernel_parts_parse(name, &p))
		return false;
	const char *dot = strrchr(p.form->name, '.');
	double bytes = kernel_parts_bytes(&p);
	*out = (struct kernel_words){ .family = p.form->name,
		.op = p.op->name,
		.type = p.type->name,
		.text = p.form->text,
		.width = p.width,
		.needs_dp = p.type->is_dp && p.op->flop > 0,
		.needs_xmx = p.form->form == FORM_XMX,
		.divides = p.op->divides,
		.one_item = p.form->flags & FORM_ONE_ITEM,
		.lone = p.form->flags & FORM_LONE,
		.flop = p.op->flop * p.width,
		.read_bytes = p.form->reads * bytes,
		.write_bytes = p.form->writes * bytes,
		.local_bytes = p.form->locals * bytes,
		.counted = p.form->counted };
	if (dot)
		out->family = dot + 1;
	if (p.steps > 0)
		out->flop *= p.steps;
	if (p.form->flags & FORM_STRIDES)
		out->read_bytes *= fmin(p.apart, MEMORY_LINE_BYTES / bytes);
	if (p.form->form == FORM_MIX)
		out->op = "mad";
	return true;
}
