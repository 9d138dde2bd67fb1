/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the name of a kernel to its instruction mix. */
#include "config.h"

#include "backends/sim/model/kernel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "base/parse.h"

#define INSTRUCTION_CHANNELS 16
#define DP_CHANNELS 8
#define SCALAR_CHANNELS 1
#define MATH_SLOWDOWN 4
#define REFINEMENT_STEPS 4
#define PROLOGUE_MOVS 3

enum form { FORM_SINGLE, FORM_LOOP, FORM_PRIVATE, FORM_POWER, FORM_COPY, FORM_STREAM };

static const struct form_row {
	const char *name;
	const char *group;	/* what stands before the name in the catalogue, with its dot */
	enum form form;
	bool has_op;
	int buffers;		/* arguments whose addresses the prologue computes */
	int reads, writes;	/* elements of global memory in one pass */
	const char *text;
} forms[] = {
	{ "single", "flops.", FORM_SINGLE, true, 2, 2, 1, N_("one operation on two elements of global memory") },
	{ "loop", "flops.", FORM_LOOP, true, 2, 1, 1, N_("operations on global memory in a loop") },
	/* the compiler unrolls the one before as well */
	{ "unroll", "flops.", FORM_LOOP, true, 2, 1, 1, N_("operations on global memory in an unrolled loop") },
	{ "private", "flops.", FORM_PRIVATE, true, 1, 1, 1, N_("operations on a value in registers: the FPUs' throughput") },
	{ "power", "", FORM_POWER, true, 1, 1, 1, N_("the same for so long that energy can be read") },
	{ "copy", "mem.", FORM_COPY, false, 2, 1, 1, N_("copies the same elements again and again: the L3's bandwidth") },
	{ "stream", "mem.", FORM_STREAM, false, 2, 1, 1, N_("copies arrays that fit no cache: the DRAM's bandwidth") },
};

static const struct op_row {
	const char *name;
	enum eu_type type;
	int flop;
	bool divides;
} ops[] = {
	{ "add", EU_BINARY, 1, false },
	{ "sub", EU_BINARY, 1, false },
	{ "mul", EU_BINARY, 1, false },
	{ "div", EU_TERNARY, 1, true },
	{ "mad", EU_TERNARY, 2, false },
};

/* A parsed name with what follows from it at once. */
struct source {
	const struct eu_config *c;
	const struct form_row *form;
	const struct op_row *op;
	bool dp;
	int width;
	int n;
	int simd;
	/* instructions for one operation of one vector element on all channels */
	int parts;
	double op_cycles;	/* of one of them */
	double hz;
	struct memory_access access;
};

const char *kernel_names(void)
{
	return "single|loop|unroll|private|power.add|sub|mul|div|mad.sp|dp.x1|x2|x4|x8|x16, "
	       "copy|stream.sp|dp.x1|x2|x4|x8|x16";
}

static const struct form_row *find_form(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		if (strcmp(forms[i].name, name) == 0)
			return &forms[i];
	return NULL;
}

static const struct op_row *find_op(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(ops); i++)
		if (strcmp(ops[i].name, name) == 0)
			return &ops[i];
	return NULL;
}

static bool parse_width(const char *text, int *out)
{
	uint64_t v;

	if (text[0] != 'x' || !parse_u64_range(text + 1, 1, 16, &v) || (v & (v - 1)))
		return false;
	*out = (int)v;
	return true;
}

/* The catalogue's group may stand before the model's name. */
static void skip_group(const char **name)
{
	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		size_t group = strlen(forms[i].group), len = strlen(forms[i].name);

		if (group && !strncmp(*name, forms[i].group, group) &&
			!strncmp(*name + group, forms[i].name, len) && (*name)[group + len] == '.')
			*name += group;
	}
}

static bool parse_name(const char *name, struct source *s)
{
	char part[16];

	skip_group(&name);
	if (!parse_until(&name, '.', part, sizeof(part)) || !(s->form = find_form(part)))
		return false;
	if (s->form->has_op &&
		(!parse_until(&name, '.', part, sizeof(part)) || !(s->op = find_op(part))))
		return false;
	if (!parse_until(&name, '.', part, sizeof(part)))
		return false;
	s->dp = strcmp(part, "dp") == 0;
	if (!s->dp && strcmp(part, "sp") != 0)
		return false;
	return parse_until(&name, '.', part, sizeof(part)) && parse_width(part, &s->width) &&
		*name == '\0';
}

#define WIDTHS 5
#define TYPES 2

static size_t names_of(const struct form_row *f)
{
	return (f->has_op ? ARRAY_LEN(ops) : 1) * TYPES * WIDTHS;
}

bool kernel_name(size_t i, char *buf, size_t size)
{
	const struct form_row *f = forms;

	while (f < forms + ARRAY_LEN(forms) && i >= names_of(f))
		i -= names_of(f++);
	if (f == forms + ARRAY_LEN(forms))
		return false;
	snprintf(buf, size, "%s%s%s%s.%s.x%d", f->group, f->name, f->has_op ? "." : "",
		f->has_op ? ops[i / (TYPES * WIDTHS)].name : "", i / WIDTHS % TYPES ? "dp" : "sp",
		1 << i % WIDTHS);
	return true;
}

static double item_bytes(const struct source *s)
{
	return s->width * (s->dp ? 8.0 : 4.0);
}

bool kernel_describe(const char *name, struct kernel_words *out)
{
	struct source s = { 0 };

	if (!parse_name(name, &s))
		return false;
	*out = (struct kernel_words){ .family = s.form->name,
		.op = s.op ? s.op->name : "",
		.type = s.dp ? "dp" : "sp",
		.text = s.form->text,
		.width = s.width,
		.needs_dp = s.dp && s.op,
		.divides = s.op && s.op->divides,
		.flop = s.op ? s.op->flop * s.width : 0,
		.read_bytes = s.form->reads * item_bytes(&s),
		.write_bytes = s.form->writes * item_bytes(&s) };
	return true;
}

static int choose_simd(const struct source *s)
{
	int simd = s->c->simd;

	if (s->dp)
		simd = s->width == 16 ? 8 : 16;
	else if (s->width > 4)
		simd = 16;
	return simd < s->c->simd ? simd : s->c->simd;
}

/* 128, 64 or 32. */
static int choose_unroll(const struct source *s)
{
	int unroll = s->width >= 4 ? 32 : 128 / s->width;

	return unroll < s->n ? unroll : s->n;
}

static int divide_up(int a, int b)
{
	return (a + b - 1) / b;
}

/* count instructions of simd channels that any FPU executes; those with two operands compute
 * addresses and loop counts. */
static void add_instructions(const struct source *s, struct kernel_section *sec, enum eu_type type,
	double count, int channels)
{
	sec->either[type] += count * eu_sp_cycles(s->c, channels);
	if (type == EU_BINARY)
		sec->numbers[NUMBER_INT32] += count * eu_sp_cycles(s->c, channels);
	sec->instructions += count;
}

/* Integers of 64 bits, 8 channels to an instruction, at half the rate. */
static void add_address_math(const struct source *s, struct kernel_section *sec, double values)
{
	double instructions = values * divide_up(s->simd, DP_CHANNELS);

	sec->either[EU_BINARY] += instructions * 2 * eu_sp_cycles(s->c, DP_CHANNELS);
	sec->numbers[NUMBER_INT64] += instructions * 2 * eu_sp_cycles(s->c, DP_CHANNELS);
	sec->instructions += instructions;
}

static void add_access(const struct source *s, struct kernel_section *sec, bool store)
{
	const struct memory_access *a = &s->access;

	sec->sends += a->messages;
	sec->instructions += a->messages;
	sec->send_cycles += store ? a->payload_regs : a->address_regs;
	sec->lines += a->lines;
	if (a->extra_messages) {
		add_instructions(s, sec, EU_MOV, (double)s->width * s->parts,
			s->dp ? DP_CHANNELS : INSTRUCTION_CHANNELS);
		sec->either[EU_BINARY] += a->extra_messages * 4.0 * eu_sp_cycles(s->c, DP_CHANNELS);
		sec->numbers[NUMBER_INT64] += a->extra_messages * 4.0 *
			eu_sp_cycles(s->c, DP_CHANNELS);
		sec->instructions += a->extra_messages * 2.0;
	}
}

static void add_operation(const struct source *s, struct kernel_section *sec, double times)
{
	double count = times * s->width * s->parts;
	double *cycles = s->dp ? sec->fpu0_only : sec->either;

	/* Extended math is in no counter of a type: oa-lnl.xml, XVE_INST_EXECUTED_FP32. */
	if (s->op->divides) {
		sec->fpu1_only[EU_OTHER] += count * s->op_cycles * MATH_SLOWDOWN;
		sec->instructions += count;
		count *= REFINEMENT_STEPS;
	}
	cycles[s->op->type] += count * s->op_cycles;
	sec->numbers[s->dp ? NUMBER_FP64 : NUMBER_FP32] += count * s->op_cycles;
	sec->instructions += count;
}

/* add and cmp at the end of a loop; the branch is not the FPUs' work. */
static void add_loop_end(const struct source *s, struct kernel_section *sec, double share)
{
	add_instructions(s, sec, EU_BINARY, share, SCALAR_CHANNELS);
	add_instructions(s, sec, EU_BINARY, share * divide_up(s->simd, INSTRUCTION_CHANNELS),
		s->simd < INSTRUCTION_CHANNELS ? s->simd : INSTRUCTION_CHANNELS);
	sec->instructions += share;
	sec->latency_cycles += share * 2 * FPU_LATENCY;
}

static double dram_latency(const struct source *s)
{
	return s->c->memory.l3_latency_cycles + s->c->memory.dram_latency_ns * s->hz / 1e9;
}

static double op_latency(const struct source *s)
{
	return s->op->divides ? FPU_LATENCY * (1 + MATH_SLOWDOWN + REFINEMENT_STEPS) : FPU_LATENCY;
}

/* Argument fetch, ids, addresses, and the first load, which misses the L3. */
static void make_prologue(const struct source *s, struct kernel_section *sec)
{
	*sec = (struct kernel_section){ .trips = 1, .threads = 1 };
	add_instructions(s, sec, EU_MOV, PROLOGUE_MOVS, DP_CHANNELS);
	add_instructions(s, sec, EU_BINARY, 2, SCALAR_CHANNELS);
	add_instructions(s, sec, EU_BINARY, 2.0 * divide_up(s->simd, INSTRUCTION_CHANNELS),
		INSTRUCTION_CHANNELS);
	add_address_math(s, sec, 1.0 + s->form->buffers);
	sec->latency_cycles = 6 * FPU_LATENCY;
	if (s->form->form == FORM_STREAM)
		return;
	sec->latency_cycles += dram_latency(s);
	sec->gti_read_bytes = s->simd * item_bytes(s);
	if (s->form->form == FORM_COPY)
		return;
	for (int i = 0; i < s->form->buffers; i++)
		add_access(s, sec, false);
	sec->gti_read_bytes *= s->form->buffers;
}

/* The result goes to memory, the last send ends the thread. */
static void make_epilogue(const struct source *s, struct kernel_section *sec)
{
	*sec = (struct kernel_section){ .trips = 1, .sends = 1, .send_cycles = 1, .instructions = 1,
		.latency_cycles = FPU_LATENCY };
	if (s->form->form == FORM_STREAM)
		return;
	if (s->form->form != FORM_COPY)
		add_access(s, sec, true);
	sec->gti_write_bytes = s->simd * item_bytes(s);
}

/* temp = temp OP constant, in registers: one dependent chain for each vector element. */
static void make_private(const struct source *s, struct kernel_section *sec)
{
	int unroll = choose_unroll(s);
	double repeats = s->form->form == FORM_POWER ? 64.0 / s->width : 1;

	*sec = (struct kernel_section){ .trips = repeats * s->n / unroll, .latency_cycles = unroll * op_latency(s) };
	add_operation(s, sec, unroll);
	add_loop_end(s, sec, 1);
}

/* a[i] = a[i] OP b[i] in global memory: a stays in registers but is stored each time, b may alias a
 * and is loaded each time. */
static void make_loop(const struct source *s, struct kernel_section *sec)
{
	*sec = (struct kernel_section){ .trips = s->n, .turnarounds = 1 };
	add_access(s, sec, false);
	add_access(s, sec, true);
	add_operation(s, sec, 1);
	add_loop_end(s, sec, 1.0 / choose_unroll(s));
	sec->latency_cycles += s->c->memory.l3_latency_cycles + op_latency(s);
}

/* dst[i] = src[i]. The same element again and again for copy, a new one each time for stream. */
static void make_copy(const struct source *s, struct kernel_section *sec)
{
	bool streams = s->form->form == FORM_STREAM;

	*sec = (struct kernel_section){ .trips = s->n, .turnarounds = 1 };
	add_access(s, sec, false);
	add_access(s, sec, true);
	add_loop_end(s, sec, 1.0 / choose_unroll(s));
	sec->latency_cycles += streams ? dram_latency(s) : s->c->memory.l3_latency_cycles;
	if (streams) {
		add_address_math(s, sec, 2);
		sec->gti_read_bytes = sec->gti_write_bytes = s->simd * item_bytes(s);
	}
}

static void make_single(const struct source *s, struct kernel_section *sec)
{
	*sec = (struct kernel_section){ .trips = 1, .latency_cycles = op_latency(s) };
	add_operation(s, sec, 1);
}

static void make_sections(const struct source *s, struct kernel *out)
{
	double times = s->form->form == FORM_SINGLE ? 1 : s->n;
	/* over memory */
	double passes = s->form->form == FORM_PRIVATE || s->form->form == FORM_POWER ? 1 : times;

	if (s->form->form == FORM_POWER)
		times *= 64.0 / s->width;
	out->n_sections = 3;
	make_prologue(s, &out->sections[0]);
	switch (s->form->form) {
	case FORM_SINGLE:
		make_single(s, &out->sections[1]);
		break;
	case FORM_LOOP:
		make_loop(s, &out->sections[1]);
		break;
	case FORM_PRIVATE:
	case FORM_POWER:
		make_private(s, &out->sections[1]);
		break;
	case FORM_COPY:
	case FORM_STREAM:
		make_copy(s, &out->sections[1]);
		break;
	}
	make_epilogue(s, &out->sections[2]);
	out->flop_per_item = s->op ? times * s->width * s->op->flop : 0;
	out->bytes_per_item = passes * (s->form->reads + s->form->writes) * item_bytes(s);
}

bool kernel_make(const struct eu_config *c, double hz, const char *name, int n, struct kernel *out,
	struct err *err)
{
	struct source s = { .c = c, .hz = hz, .n = n };

	if (!parse_name(name, &s)) {
		err_set(err, ERR_USAGE, _("no load is named '%s'"), name);
		return err_hint(err, _("loads: idle, desktop, tour, %s"), kernel_names());
	}
	if (s.dp && c->dp_lanes == 0 && s.op)
		return err_set(err, ERR_USAGE,
			_("'%s' needs double precision, which this GPU does not have"), name);
	s.simd = choose_simd(&s);
	s.parts = divide_up(s.simd, s.dp ? DP_CHANNELS : INSTRUCTION_CHANNELS);
	s.op_cycles = s.dp && s.op ? eu_dp_cycles(c, DP_CHANNELS)
		: eu_sp_cycles(c, s.simd < INSTRUCTION_CHANNELS ? s.simd : INSTRUCTION_CHANNELS);
	s.access = memory_access_shape(s.simd, s.width, s.dp ? 8 : 4);
	*out = (struct kernel){ .stage = STAGE_CS, .simd = s.simd };
	snprintf(out->name, sizeof(out->name), "%s", name);
	make_sections(&s, out);
	return true;
}

/* Instruction counts of small shaders; plausible, not measured. */
void kernel_make_desktop(const struct eu_config *c, enum shader_stage stage, struct kernel *out)
{
	struct source s = { .c = c, .simd = stage == STAGE_VS ? 8 : 16 };
	struct kernel_section *sec = &out->sections[0];
	bool pixels = stage == STAGE_PS;

	*out = (struct kernel){ .stage = stage, .simd = s.simd, .n_sections = 1 };
	*sec = (struct kernel_section){ .trips = 1, .threads = 1, .latency_cycles = 600 };
	add_instructions(&s, sec, EU_TERNARY, pixels ? 14 : 20, s.simd);
	add_instructions(&s, sec, EU_BINARY, pixels ? 10 : 16, s.simd);
	add_instructions(&s, sec, EU_MOV, pixels ? 8 : 6, s.simd);
	add_instructions(&s, sec, EU_HYBRID, 2, s.simd);
	/* shaders compute colours, not addresses */
	sec->numbers[NUMBER_FP32] = sec->either[EU_TERNARY] + sec->either[EU_BINARY];
	sec->numbers[NUMBER_INT32] = 0;
	sec->fpu1_only[EU_OTHER] = eu_sp_cycles(c, s.simd) * MATH_SLOWDOWN;
	sec->sends = 3;
	sec->instructions += 4;
	sec->send_cycles = 12;
	sec->lines = pixels ? 0 : 4;
	sec->gti_read_bytes = pixels ? 24 : 64;
	sec->gti_write_bytes = pixels ? 64 : 32;
	sec->quads = pixels ? 4 : 0;
	sec->texel_quads = pixels ? 8 : 0;
}
