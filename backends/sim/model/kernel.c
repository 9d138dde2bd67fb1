/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns the name of a kernel into its instruction mix. */
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
#define WIDTHS 5		/* vectors of 1, 2, 4, 8 and 16 */
#define POWER_REPEATS 64.0
#define MATH_SLOWDOWN 4
#define REFINEMENT_STEPS 4
#define PROLOGUE_MOVS 3
#define WIDEST 16
#define MESSAGE_REGS 15		/* the longest message */
#define XMX_CYCLES 8		/* of one instruction of the matrix engine */
#define EFFORT_SHARE 0.02	/* fitted */

enum form {
	FORM_SINGLE,
	FORM_LOOP,
	FORM_PRIVATE,
	FORM_POWER,
	FORM_COPY,
	FORM_STREAM,
	FORM_READ,
	FORM_WRITE,
	FORM_CHASE,
	FORM_SLM,
	FORM_SEND,
	FORM_XMX
};

static const struct form_row {
	const char *name;
	const char *group;	/* what stands before the name in the catalogue, with its dot */
	enum form form;
	bool has_op;
	bool plain;		/* has no types and no widths */
	int buffers;		/* arguments whose addresses the prologue computes */
	int reads, writes;	/* elements of global memory in one pass */
	const char *text;
} forms[] = {
	{ "single", "flops.", FORM_SINGLE, true, false, 2, 2, 1, N_("one operation on two elements of global memory") },
	{ "loop", "flops.", FORM_LOOP, true, false, 2, 1, 1, N_("operations on global memory in a loop") },
	/* The compiler unrolls the one before as well. */
	{ "unroll", "flops.", FORM_LOOP, true, false, 2, 1, 1, N_("operations on global memory in an unrolled loop") },
	{ "private", "flops.", FORM_PRIVATE, true, false, 1, 1, 1, N_("operations on a value in registers: the FPUs' throughput") },
	{ "power", "", FORM_POWER, true, false, 1, 1, 1, N_("the same for so long that energy can be read") },
	{ "copy", "mem.", FORM_COPY, false, false, 2, 1, 1, N_("copies the same elements again and again: the L3's bandwidth") },
	{ "stream", "mem.", FORM_STREAM, false, false, 2, 1, 1, N_("copies arrays that fit no cache: the DRAM's bandwidth") },
	{ "read", "mem.", FORM_READ, false, false, 1, 1, 0, N_("reads an array that fits no cache") },
	{ "write", "mem.", FORM_WRITE, false, false, 1, 0, 1, N_("writes an array that fits no cache") },
	{ "chase", "", FORM_CHASE, false, true, 1, 1, 0, N_("follows pointers that the L3 holds, a line at a time: latency") },
	{ "slm", "", FORM_SLM, false, true, 1, 1, 0, N_("reads shared local memory") },
	{ "send", "", FORM_SEND, false, true, 1, 0, 0, N_("messages that move registers and no memory: the send pipe") },
	{ "xmx", "", FORM_XMX, false, true, 1, 0, 0, N_("products of small matrices in registers: the matrix engine") },
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

/* Kernels that only copy have this in place of an operation. */
static const struct op_row no_op = { .name = "" };

static const struct type_row {
	const char *name;
	bool is_dp;
	int bytes, channels;	/* channels: of one instruction */
	enum eu_number number;
} types[] = {
	{ "sp", false, 4, INSTRUCTION_CHANNELS, NUMBER_FP32 },
	{ "dp", true, 8, DP_CHANNELS, NUMBER_FP64 },
};

/* A recipe is a parsed name with what follows from it at once. */
struct recipe {
	const struct eu_config *c;
	const struct form_row *form;
	const struct op_row *op;
	const struct type_row *type;
	int width, n;
	int unroll;		/* trips of the loop that became one */
	int simd;
	int channels;		/* of one single precision instruction */
	/* instructions for one operation of one vector element on all channels */
	int parts;
	double op_cycles;	/* of one of them */
	double hz;
	struct memory_access access;
};

const char *kernel_names(void)
{
	return "single|loop|unroll|private|power.add|sub|mul|div|mad.sp|dp.x1|x2|x4|x8|x16, "
	       "copy|stream|read|write.sp|dp.x1|x2|x4|x8|x16, chase, slm, send, xmx";
}

/* Steps over the catalogue's group, which may stand before the model's name. */
static void skip_group(const char **name)
{
	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		size_t group = strlen(forms[i].group), len = strlen(forms[i].name);

		if (group && !strncmp(*name, forms[i].group, group) &&
			!strncmp(*name + group, forms[i].name, len) && (*name)[group + len] == '.')
			*name += group;
	}
}

static bool parse_name(const char *name, struct recipe *s)
{
	char part[16];
	uint64_t width;

	skip_group(&name);
	if (!parse_until(&name, '.', part, sizeof(part)))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		if (!strcmp(forms[i].name, part))
			s->form = &forms[i];
	if (!s->form)
		return false;
	s->op = &no_op;
	if (s->form->has_op) {
		if (!parse_until(&name, '.', part, sizeof(part)))
			return false;
		for (size_t i = 0; i < ARRAY_LEN(ops); i++)
			if (!strcmp(ops[i].name, part))
				s->op = &ops[i];
		if (s->op == &no_op)
			return false;
	}
	if (s->form->plain) {
		s->type = &types[0];
		s->width = 1;
		return *name == '\0';
	}
	if (!parse_until(&name, '.', part, sizeof(part)))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (!strcmp(types[i].name, part))
			s->type = &types[i];
	if (!s->type || !parse_until(&name, '.', part, sizeof(part)) || part[0] != 'x' ||
		!parse_u64_range(part + 1, 1, 16, &width) || (width & (width - 1)))
		return false;
	s->width = (int)width;
	return *name == '\0';
}

bool kernel_name(size_t i, char *buf, size_t size)
{
	const size_t variants = ARRAY_LEN(types) * WIDTHS;

	for (size_t k = 0; k < ARRAY_LEN(forms); k++) {
		const struct form_row *f = &forms[k];
		size_t n = variants;
		char op[16] = "";

		if (f->has_op)
			n *= ARRAY_LEN(ops);
		if (f->plain)
			n = 1;
		if (i >= n) {
			i -= n;
			continue;
		}
		if (f->plain) {
			snprintf(buf, size, "%s", f->name);
			return true;
		}
		if (f->has_op)
			snprintf(op, sizeof(op), ".%s", ops[i / variants].name);
		snprintf(buf, size, "%s%s%s.%s.x%d", f->group, f->name, op,
			types[i / WIDTHS % ARRAY_LEN(types)].name, 1 << i % WIDTHS);
		return true;
	}
	return false;
}

/* Returns the bytes of a vector. */
static double item_bytes(const struct recipe *s)
{
	return (double)s->width * s->type->bytes;
}

bool kernel_describe(const char *name, struct kernel_words *out)
{
	struct recipe s = { 0 };

	if (!parse_name(name, &s))
		return false;
	*out = (struct kernel_words){ .family = s.form->name,
		.op = s.op->name,
		.type = s.type->name,
		.text = s.form->text,
		.width = s.width,
		.needs_dp = s.type->is_dp && s.form->has_op,
		.needs_xmx = s.form->form == FORM_XMX,
		.divides = s.op->divides,
		.flop = s.op->flop * s.width,
		.read_bytes = s.form->reads * item_bytes(&s),
		.write_bytes = s.form->writes * item_bytes(&s) };
	return true;
}

static int divide_up(int a, int b)
{
	return (a + b - 1) / b;
}

/* Adds count instructions of simd channels that any FPU executes; those with two operands compute
 * addresses and loop counts. */
static void add_instructions(const struct recipe *s, struct kernel_section *sec, enum eu_type type,
	double count, int channels)
{
	sec->either[type] += count * eu_sp_cycles(s->c, channels);
	if (type == EU_BINARY)
		sec->numbers[NUMBER_INT32] += count * eu_sp_cycles(s->c, channels);
	sec->instructions += count;
}

/* Adds operations on integers of 64 bits: 8 channels to an instruction, at half the rate. */
static void add_address_math(const struct recipe *s, struct kernel_section *sec, double values)
{
	double instructions = values * divide_up(s->simd, DP_CHANNELS);

	sec->either[EU_BINARY] += instructions * 2 * eu_sp_cycles(s->c, DP_CHANNELS);
	sec->numbers[NUMBER_INT64] += instructions * 2 * eu_sp_cycles(s->c, DP_CHANNELS);
	sec->instructions += instructions;
}

/* Adds an access to memory. The send pipe moves send_regs registers, a payload or addresses
 * alone. */
static void add_access(const struct recipe *s, struct kernel_section *sec, int send_regs)
{
	const struct memory_access *a = &s->access;

	sec->sends += a->messages;
	sec->instructions += a->messages;
	sec->send_cycles += send_regs;
	sec->lines += a->lines;
	if (a->extra_messages) {
		add_instructions(
			s, sec, EU_MOV, (double)s->width * s->parts, s->type->channels);
		sec->either[EU_BINARY] += a->extra_messages * 4.0 * eu_sp_cycles(s->c, DP_CHANNELS);
		sec->numbers[NUMBER_INT64] += a->extra_messages * 4.0 *
			eu_sp_cycles(s->c, DP_CHANNELS);
		sec->instructions += a->extra_messages * 2.0;
	}
}

static void add_operation(const struct recipe *s, struct kernel_section *sec, double times)
{
	double count = times * s->width * s->parts;
	double *cycles = s->type->is_dp ? sec->fpu0_only : sec->either;

	/* Extended math is counted by no type (oa-lnl.xml, XVE_INST_EXECUTED_FP32). */
	if (s->op->divides) {
		sec->fpu1_only[EU_OTHER] += count * s->op_cycles * MATH_SLOWDOWN;
		sec->instructions += count;
		count *= REFINEMENT_STEPS;
	}
	cycles[s->op->type] += count * s->op_cycles;
	sec->numbers[s->type->number] += count * s->op_cycles;
	sec->instructions += count;
}

/* Adds the add and the cmp at the end of a loop; the branch is not the FPUs' work. */
static void add_loop_end(const struct recipe *s, struct kernel_section *sec, double share)
{
	add_instructions(s, sec, EU_BINARY, share, SCALAR_CHANNELS);
	add_instructions(s, sec, EU_BINARY, share * divide_up(s->simd, INSTRUCTION_CHANNELS),
		s->channels);
	sec->instructions += share;
	sec->latency_cycles += share * 2 * FPU_LATENCY;
}

static double dram_latency(const struct recipe *s)
{
	return s->c->memory.l3_latency_cycles + s->c->memory.dram_latency_ns * s->hz / 1e9;
}

static double op_latency(const struct recipe *s)
{
	if (s->op->divides)
		return FPU_LATENCY * (1 + MATH_SLOWDOWN + REFINEMENT_STEPS);
	return FPU_LATENCY;
}

/* Tells whether the elements are loaded before the loop and stored behind it. */
static bool loads_first(const struct recipe *s)
{
	return s->form->form < FORM_STREAM;
}

/* Makes the prologue: it fetches arguments, computes ids and addresses, and does the first load,
 * which misses the L3. */
static void make_prologue(const struct recipe *s, struct kernel_section *sec)
{
	*sec = (struct kernel_section){ .trips = 1, .threads = 1 };
	add_instructions(s, sec, EU_MOV, PROLOGUE_MOVS, DP_CHANNELS);
	add_instructions(s, sec, EU_BINARY, 2, SCALAR_CHANNELS);
	add_instructions(s, sec, EU_BINARY, 2.0 * divide_up(s->simd, INSTRUCTION_CHANNELS),
		INSTRUCTION_CHANNELS);
	add_address_math(s, sec, 1.0 + s->form->buffers);
	sec->latency_cycles = 6 * FPU_LATENCY;
	if (!loads_first(s))
		return;
	sec->latency_cycles += dram_latency(s);
	sec->gti_read_bytes = s->simd * item_bytes(s);
	if (s->form->form == FORM_COPY)
		return;
	for (int i = 0; i < s->form->buffers; i++)
		add_access(s, sec, s->access.address_regs);
	sec->gti_read_bytes *= s->form->buffers;
}

/* Makes the epilogue: the result goes to memory, and the last send ends the thread. */
static void make_epilogue(const struct recipe *s, struct kernel_section *sec)
{
	*sec = (struct kernel_section){ .trips = 1, .sends = 1, .send_cycles = 1, .instructions = 1,
		.latency_cycles = FPU_LATENCY };
	if (!loads_first(s))
		return;
	if (s->form->form != FORM_COPY)
		add_access(s, sec, s->access.payload_regs);
	sec->gti_write_bytes = s->simd * item_bytes(s);
}

/* Adds moves: the loop's next trip wants the elements in other registers than the last one left
 * them in. */
static void add_moves(const struct recipe *s, struct kernel_section *sec)
{
	double count = (double)s->width * s->parts;
	double *cycles = s->type->is_dp ? sec->fpu0_only : sec->either;

	cycles[EU_MOV] += count * s->op_cycles;
	sec->instructions += count;
}

/* Makes the loop temp = temp OP constant in registers: one dependent chain for each vector
 * element. */
static void make_private(const struct recipe *s, struct kernel_section *sec)
{
	double repeats = s->form->form == FORM_POWER ? POWER_REPEATS / s->width : 1;

	*sec = (struct kernel_section){ .trips = repeats * s->n / s->unroll,
		.latency_cycles = s->unroll * op_latency(s) };
	add_operation(s, sec, s->unroll);
	add_loop_end(s, sec, 1);
	if (s->width == WIDEST)
		add_moves(s, sec);
}

/* Makes the loop a[i] = a[i] OP b[i] in global memory: a stays in registers but is stored each
 * time, b may alias a and is loaded each time. */
static void make_loop(const struct recipe *s, struct kernel_section *sec)
{
	*sec = (struct kernel_section){ .trips = s->n, .turnarounds = 1 };
	add_access(s, sec, s->access.address_regs);
	add_access(s, sec, s->access.payload_regs);
	add_operation(s, sec, 1);
	add_loop_end(s, sec, 1.0 / s->unroll);
	sec->latency_cycles += s->c->memory.l3_latency_cycles + op_latency(s);
}

/* Makes the loop dst[i] = src[i]. It copies the same element again and again for copy, a new one
 * each time for stream. */
static void make_copy(const struct recipe *s, struct kernel_section *sec)
{
	*sec = (struct kernel_section){ .trips = s->n, .turnarounds = 1 };
	add_access(s, sec, s->access.address_regs);
	add_access(s, sec, s->access.payload_regs);
	add_loop_end(s, sec, 1.0 / s->unroll);
	if (s->form->form != FORM_STREAM) {
		sec->latency_cycles += s->c->memory.l3_latency_cycles;
		return;
	}
	sec->latency_cycles += dram_latency(s);
	add_address_math(s, sec, 2);
	sec->gti_read_bytes = sec->gti_write_bytes = s->simd * item_bytes(s);
}

/* Makes a loop that takes a new element each time, in one direction; who writes does not wait. */
static void make_one_way(const struct recipe *s, struct kernel_section *sec)
{
	bool reads = s->form->form == FORM_READ;

	*sec = (struct kernel_section){ .trips = s->n };
	add_access(s, sec, reads ? s->access.address_regs : s->access.payload_regs);
	add_loop_end(s, sec, 1.0 / s->unroll);
	add_address_math(s, sec, 1);
	if (reads) {
		sec->latency_cycles += dram_latency(s);
		sec->gti_read_bytes = s->simd * item_bytes(s);
	} else {
		sec->gti_write_bytes = s->simd * item_bytes(s);
	}
}

/* Makes loops that do one thing. All lanes of a chase follow the same pointer, so that a step is
 * one line; `slm` reads vectors of 4; a message of `send` is as long as messages may be. */
static void make_plain(const struct recipe *s, struct kernel_section *sec)
{
	*sec = (struct kernel_section){ .trips = s->n };
	add_loop_end(s, sec, 1.0 / s->unroll);
	sec->instructions += 1;
	switch (s->form->form) {
	case FORM_CHASE:
		sec->sends = sec->lines = 1;
		sec->send_cycles = 2;
		sec->latency_cycles += s->c->memory.l3_latency_cycles;
		break;
	case FORM_SLM:
		sec->sends = 1;
		sec->send_cycles = 2;
		sec->slm_lines = s->simd * 4 * item_bytes(s) / MEMORY_LINE_BYTES;
		sec->latency_cycles += s->c->memory.l3_latency_cycles;
		break;
	case FORM_SEND:
		sec->sends = 1;
		sec->send_cycles = MESSAGE_REGS;
		break;
	default:
		sec->xmx_cycles = XMX_CYCLES;
		break;
	}
}

static void make_sections(const struct recipe *s, struct kernel *out)
{
	struct kernel_section *body = &out->sections[1];
	double times = s->n, passes = 1;	/* operations; passes over memory */

	out->n_sections = 3;
	make_prologue(s, &out->sections[0]);
	switch (s->form->form) {
	case FORM_SINGLE:
		times = 1;
		*body = (struct kernel_section){ .trips = 1, .latency_cycles = op_latency(s) };
		add_operation(s, body, 1);
		break;
	case FORM_LOOP:
		passes = s->n;
		make_loop(s, body);
		break;
	case FORM_POWER:
		times *= POWER_REPEATS / s->width;
		make_private(s, body);
		break;
	case FORM_PRIVATE:
		make_private(s, body);
		break;
	case FORM_COPY:
	case FORM_STREAM:
		passes = s->n;
		make_copy(s, body);
		break;
	case FORM_READ:
	case FORM_WRITE:
		passes = s->n;
		make_one_way(s, body);
		break;
	case FORM_CHASE:
	case FORM_SLM:
	case FORM_SEND:
	case FORM_XMX:
		passes = s->n;
		make_plain(s, body);
		break;
	}
	make_epilogue(s, &out->sections[2]);
	out->flop_per_item = times * s->width * s->op->flop;
	out->bytes_per_item = passes * (s->form->reads + s->form->writes) * item_bytes(s);
}

/* Vectors of 2 draw the most power of all widths and vectors of 4 the least (the thesis' figures
 * 4.13 and 4.14; its text has no numbers). Nothing that is modelled tells them apart: the compiler
 * makes the same number of instructions of the same size of both. The thesis says of vectors of 4
 * that the FPUs are as wide as they are, and of vectors of 2 nothing. So the signs are the
 * thesis', and their size is chosen. */
static double effort(int width)
{
	if (width == 2)
		return 1 + EFFORT_SHARE;
	if (width == 4)
		return 1 - EFFORT_SHARE;
	return 1;
}

bool kernel_make(const struct eu_config *c, double hz, const char *name, int n, struct kernel *out,
	struct err *err)
{
	struct recipe s = { .c = c, .hz = hz, .n = n };

	if (!parse_name(name, &s)) {
		err_set(err, ERR_USAGE, _("no load is named '%s'"), name);
		return err_hint(err, _("loads: idle, desktop, tour, %s"), kernel_names());
	}
	if (s.type->is_dp && c->dp_lanes == 0 && s.form->has_op)
		return err_set(err, ERR_USAGE,
			_("'%s' needs double precision, which this GPU does not have"), name);
	if (s.form->form == FORM_XMX && !c->has_xmx)
		return err_set(err, ERR_USAGE,
			_("'%s' needs a matrix engine, which this GPU does not have"), name);
	/* 128, 64 or 32 */
	s.unroll = (int)fmin(128 / fmin(s.width, 4), n);
	s.simd = c->simd;
	if (s.type->is_dp && s.width == 16)
		s.simd = 8;
	else if (s.type->is_dp || s.width > 4)
		s.simd = (int)fmin(INSTRUCTION_CHANNELS, c->simd);
	s.channels = (int)fmin(s.simd, INSTRUCTION_CHANNELS);
	s.parts = divide_up(s.simd, s.type->channels);
	s.op_cycles = eu_sp_cycles(c, s.channels);
	if (s.type->is_dp && s.form->has_op)
		s.op_cycles = eu_dp_cycles(c, DP_CHANNELS);
	s.access = memory_access_shape(s.simd, s.width, s.type->bytes);
	*out = (struct kernel){ .stage = STAGE_CS, .simd = s.simd, .effort = effort(s.width) };
	snprintf(out->name, sizeof(out->name), "%s", name);
	make_sections(&s, out);
	return true;
}

/* Makes a shader of a desktop. Its instruction counts are plausible for small shaders, not
 * measured. */
void kernel_make_desktop(const struct eu_config *c, enum shader_stage stage, struct kernel *out)
{
	static const struct mix {
		double ternary, binary, mov, lines, read_bytes, write_bytes, quads, texel_quads;
	} mixes[] = {
		[STAGE_VS] = { 20, 16, 6, 4, 64, 32, 0, 0 },
		[STAGE_CS] = { 20, 16, 6, 4, 64, 32, 0, 0 },
		[STAGE_PS] = { 14, 10, 8, 0, 24, 64, 4, 8 },
	};
	const struct mix *mix = &mixes[stage];
	struct recipe s = { .c = c, .simd = 16 };
	struct kernel_section *sec = &out->sections[0];

	if (stage == STAGE_VS)
		s.simd = 8;
	*out = (struct kernel){ .stage = stage, .simd = s.simd, .effort = 1, .n_sections = 1 };
	*sec = (struct kernel_section){ .trips = 1, .threads = 1, .latency_cycles = 600 };
	add_instructions(&s, sec, EU_TERNARY, mix->ternary, s.simd);
	add_instructions(&s, sec, EU_BINARY, mix->binary, s.simd);
	add_instructions(&s, sec, EU_MOV, mix->mov, s.simd);
	add_instructions(&s, sec, EU_HYBRID, 2, s.simd);
	/* Shaders compute colours, not addresses. */
	sec->numbers[NUMBER_FP32] = sec->either[EU_TERNARY] + sec->either[EU_BINARY];
	sec->numbers[NUMBER_INT32] = 0;
	sec->fpu1_only[EU_OTHER] = eu_sp_cycles(c, s.simd) * MATH_SLOWDOWN;
	sec->sends = 3;
	sec->instructions += 4;
	sec->send_cycles = 12;
	sec->lines = mix->lines;
	sec->gti_read_bytes = mix->read_bytes;
	sec->gti_write_bytes = mix->write_bytes;
	sec->quads = mix->quads;
	sec->texel_quads = mix->texel_quads;
}
