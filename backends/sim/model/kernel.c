/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns the name of a kernel into its instruction mix. */
#include "config.h"

#include "backends/sim/model/kernel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backends/sim/model/forms.h"

#define INSTRUCTION_CHANNELS FORM_CHANNELS
#define DP_CHANNELS FORM_DP_CHANNELS
#define SCALAR_CHANNELS 1
#define POWER_REPEATS 64.0
#define MATH_SLOWDOWN 4
#define REFINEMENT_STEPS 4
#define PROLOGUE_MOVS 3
#define WIDEST 16
#define MESSAGE_REGS 15		/* the longest message */
#define XMX_CYCLES 8		/* of one instruction of the matrix engine */
#define EFFORT_SHARE 0.02	/* chosen */
#define DP_EFFORT_SHARE 0.025	/* chosen */
#define MAX_STEPS 512
#define THREAD_BYTES 4096	/* of registers */
#define VECTOR_OF_LOADS 4	/* that the plain load "slm" reads */

/* A recipe is a name taken apart, with what follows from it at once. */
struct recipe {
	const struct eu_config *c;
	struct kernel_parts p;
	int n;
	int unroll;		/* trips of the loop that became one */
	int simd;
	int channels;		/* of one single precision instruction */
	/* instructions for one operation of one vector element on all channels */
	int parts;
	double op_cycles;	/* of one of them */
	double hz;
	int access_width;	/* elements of one access to memory */
	struct memory_access access;
};

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
			s, sec, EU_MOV, (double)s->p.width * s->parts, s->p.type->channels);
		sec->either[EU_BINARY] += a->extra_messages * 4.0 * eu_sp_cycles(s->c, DP_CHANNELS);
		sec->numbers[NUMBER_INT64] += a->extra_messages * 4.0 *
			eu_sp_cycles(s->c, DP_CHANNELS);
		sec->instructions += a->extra_messages * 2.0;
	}
}

static void add_operation(const struct recipe *s, struct kernel_section *sec, double times)
{
	double count = times * s->p.width * s->parts;
	double *cycles = s->p.type->is_dp ? sec->fpu0_only : sec->either;

	/* Extended math is counted by no type (oa-lnl.xml, XVE_INST_EXECUTED_FP32). */
	if (s->p.op->divides) {
		sec->fpu1_only[EU_OTHER] += count * s->op_cycles * MATH_SLOWDOWN;
		sec->instructions += count;
		count *= REFINEMENT_STEPS;
	}
	cycles[s->p.op->type] += count * s->op_cycles;
	sec->numbers[s->p.type->number] += count * s->op_cycles;
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
	if (s->p.op->divides)
		return FPU_LATENCY * (1 + MATH_SLOWDOWN + REFINEMENT_STEPS);
	return FPU_LATENCY;
}

/* Tells whether the elements are loaded before the loop and stored behind it. */
static bool loads_first(const struct recipe *s)
{
	return s->p.form->form < FORM_STREAM;
}

/* Adds the traffic of new elements to and from memory. Who loads waits for it; two lines that are
 * neighbours are one request. */
static void add_traffic(const struct recipe *s, struct kernel_section *sec)
{
	double bytes = s->simd * kernel_parts_bytes(&s->p);

	sec->gti_read_bytes = s->p.form->reads * bytes;
	sec->gti_write_bytes = s->p.form->writes * bytes;
	if (!s->p.form->reads)
		return;
	sec->latency_cycles += dram_latency(s);
	sec->request_cycles = sec->gti_read_bytes / (2 * MEMORY_LINE_BYTES) * dram_latency(s);
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
	sec->latency_cycles = 6 * FPU_LATENCY;
	if (s->p.form->form == FORM_EMPTY)
		return;
	add_address_math(s, sec, 1.0 + s->p.form->buffers);
	if (!loads_first(s))
		return;
	sec->latency_cycles += dram_latency(s);
	sec->gti_read_bytes = s->simd * kernel_parts_bytes(&s->p);
	if (s->p.form->form == FORM_COPY)
		return;
	for (int i = 0; i < s->p.form->buffers; i++)
		add_access(s, sec, s->access.address_regs);
	sec->gti_read_bytes *= s->p.form->buffers;
}

/* Makes the epilogue: the result goes to memory, and the last send ends the thread. */
static void make_epilogue(const struct recipe *s, struct kernel_section *sec)
{
	*sec = (struct kernel_section){ .trips = 1, .sends = 1, .send_cycles = 1, .instructions = 1,
		.latency_cycles = FPU_LATENCY };
	if (!loads_first(s))
		return;
	if (s->p.form->form != FORM_COPY)
		add_access(s, sec, s->access.payload_regs);
	sec->gti_write_bytes = s->simd * kernel_parts_bytes(&s->p);
}

/* Adds moves: the loop's next trip wants the elements in other registers than the last one left
 * them in. */
static void add_moves(const struct recipe *s, struct kernel_section *sec)
{
	double count = (double)s->p.width * s->parts;
	double *cycles = s->p.type->is_dp ? sec->fpu0_only : sec->either;

	cycles[EU_MOV] += count * s->op_cycles;
	sec->instructions += count;
}

/* Makes the loop temp = temp OP constant in registers: one dependent chain for each vector
 * element. */
static void make_private(const struct recipe *s, struct kernel_section *sec)
{
	double repeats = s->p.form->form == FORM_POWER ? POWER_REPEATS / s->p.width : 1;

	*sec = (struct kernel_section){ .trips = repeats * s->n / s->unroll,
		.latency_cycles = s->unroll * op_latency(s) };
	add_operation(s, sec, s->unroll);
	add_loop_end(s, sec, 1);
	if (s->p.width == WIDEST)
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
	if (s->p.form->form != FORM_STREAM) {
		sec->latency_cycles += s->c->memory.l3_latency_cycles;
		return;
	}
	add_address_math(s, sec, 2);
	add_traffic(s, sec);
}

/* Makes a loop that loads new elements each time, computes with them and stores the result. The
 * steps of `mix` depend on each other, those of different elements do not. */
static void make_computed(const struct recipe *s, struct kernel_section *sec)
{
	double steps = fmax(s->p.steps, 1);
	int vectors = s->p.width / s->access_width;

	*sec = (struct kernel_section){ .trips = s->n, .turnarounds = 1 };
	for (int i = 0; i < vectors * s->p.form->reads; i++)
		add_access(s, sec, s->access.address_regs);
	for (int i = 0; i < vectors * s->p.form->writes; i++)
		add_access(s, sec, s->access.payload_regs);
	add_operation(s, sec, steps);
	add_loop_end(s, sec, (1 + steps) / s->unroll);
	add_address_math(s, sec, s->p.form->buffers);
	sec->latency_cycles += steps * op_latency(s);
	add_traffic(s, sec);
}

/* Makes a loop that takes a new element each time, in one direction; who writes does not wait. */
static void make_one_way(const struct recipe *s, struct kernel_section *sec)
{
	int send_regs = s->access.payload_regs;

	if (s->p.form->form == FORM_READ)
		send_regs = s->access.address_regs;
	*sec = (struct kernel_section){ .trips = s->n };
	add_access(s, sec, send_regs);
	add_loop_end(s, sec, 1.0 / s->unroll);
	add_address_math(s, sec, 1);
	add_traffic(s, sec);
}

/* Makes a loop that reads words with gaps: whole lines come for them. Lines that are no neighbours
 * are requests of their own. */
static void make_stride(const struct recipe *s, struct kernel_section *sec)
{
	int lines = memory_strided_lines(s->simd, s->p.type->bytes, s->p.apart);
	bool neighbours = s->p.apart * s->p.type->bytes <= MEMORY_LINE_BYTES;

	*sec = (struct kernel_section){ .trips = s->n };
	add_access(s, sec, s->access.address_regs);
	add_loop_end(s, sec, 1.0 / s->unroll);
	add_address_math(s, sec, 1);
	sec->lines = lines;
	sec->gti_read_bytes = (double)lines * MEMORY_LINE_BYTES;
	sec->latency_cycles += dram_latency(s);
	sec->request_cycles = lines / (neighbours ? 2.0 : 1.0) * dram_latency(s);
}

/* Makes a loop in which lanes go different ways: 16 steps of three instructions for each way. */
static void make_diverge(const struct recipe *s, struct kernel_section *sec)
{
	double steps = 16 * fmin(s->p.apart, s->simd);

	add_instructions(s, sec, EU_BINARY, 3 * steps * s->parts, s->channels);
	sec->latency_cycles += 3 * steps * FPU_LATENCY;
}

static void add_walk(
	const struct eu_config *c, double hz, double bytes, struct kernel_section *sec)
{
	struct memory_walk walk = memory_walk(&c->memory, hz, bytes);

	sec->latency_cycles += walk.latency_cycles;
	sec->gti_read_bytes = walk.l3_misses * MEMORY_LINE_BYTES;
	sec->llc_bytes = (walk.l3_misses - walk.llc_misses) * MEMORY_LINE_BYTES;
	sec->request_cycles = walk.l3_misses * walk.latency_cycles;
}

void kernel_fit_groups(const struct eu_config *c, double hz, int groups, struct kernel *k)
{
	struct kernel_section *body = &k->sections[1];

	if (!(k->set_bytes > 0))
		return;
	body->latency_cycles -= memory_walk(&c->memory, hz, k->set_bytes).latency_cycles;
	add_walk(c, hz, k->set_bytes * groups, body);
}

/* Makes accesses to shared local memory, whose banks give each lane its own address. The load "slm"
 * only reads; the kernels of the catalogue also rotate and add what they read, or store it for
 * their neighbours, who wait at barriers. */
static void make_slm(const struct recipe *s, struct kernel_section *sec)
{
	double lines = s->simd * kernel_parts_bytes(&s->p) / MEMORY_LINE_BYTES;

	sec->latency_cycles += s->c->memory.l3_latency_cycles;
	sec->sends = 1;
	sec->send_cycles = 2;
	sec->slm_lines = lines * VECTOR_OF_LOADS;
	if (!(s->p.form->flags & FORM_WIDTHS))
		return;
	sec->sends = s->access.messages;
	sec->send_cycles = s->access.address_regs / 2.0;	/* addresses of 32 bits */
	sec->slm_lines = lines * s->p.form->locals;
	sec->instructions += s->access.messages - 1;
	if (s->p.form->form == FORM_SLM) {
		add_instructions(s, sec, EU_BINARY, 2.0 * s->p.width * s->parts, s->channels);
		return;
	}
	sec->sends *= 2;
	sec->send_cycles += s->access.payload_regs;
	sec->instructions += s->access.messages + 2;
	sec->barriers = 2;
}

/* Makes increments whose result nobody reads: a thread sends on and does not wait. */
static void make_atomic(const struct recipe *s, struct kernel_section *sec)
{
	unsigned flags = s->p.form->flags;

	sec->sends = sec->atomics = s->access.messages;
	sec->instructions += s->access.messages - 1;
	sec->send_cycles = s->access.address_regs;
	if (flags & FORM_LOCAL)
		sec->slm_atomics = s->simd;
	else if (flags & FORM_SAME)
		sec->same_atomics = s->simd;
	if (!(flags & FORM_LOCAL))
		sec->lines = flags & FORM_SAME ? s->access.messages : s->simd;
}

/* Makes sums by runs: each item writes its word, the first of a run reads those of the run and
 * writes their sum, and then sums are handed on or read by all. A message whose lanes read one word
 * moves one line. */
static void make_reduce_runs(const struct recipe *s, struct kernel_section *sec)
{
	make_slm(s, sec);
	sec->slm_lines = s->access.messages * (1.0 + RUN_ITEMS + 1.0);
	sec->sends = s->access.messages * (2.0 + RUN_ITEMS + 1.0);
	sec->send_cycles = sec->sends;
	sec->instructions += sec->sends;
	sec->latency_cycles += s->c->memory.l3_latency_cycles;
	sec->barriers = 3;
	if (s->p.form->form == FORM_REDUCE_CHAIN)
		sec->run_exchanges = 1;
	else
		sec->run_slm_lines = s->access.messages;
}

/* Makes loops that do one thing; a message of `send` is as long as messages may be. */
static void make_plain(const struct recipe *s, struct kernel_section *sec)
{
	*sec = (struct kernel_section){ .trips = s->n };
	add_loop_end(s, sec, 1.0 / s->unroll);
	sec->instructions += 1;
	switch (s->p.form->form) {
	case FORM_CHASE:
		/* All lanes of a thread follow the same pointers, so that a step is one line. */
		sec->sends = sec->lines = 1;
		sec->send_cycles = 2;
		add_walk(s->c, s->hz, s->p.set_bytes, sec);
		break;
	case FORM_SLM:
	case FORM_SLM_SWAP:
		make_slm(s, sec);
		break;
	case FORM_REDUCE:
		make_slm(s, sec);
		sec->halving_exchanges = 1;
		sec->barriers = 2;
		break;
	case FORM_REDUCE_ALL:
	case FORM_REDUCE_CHAIN:
		make_reduce_runs(s, sec);
		break;
	case FORM_BROADCAST:
		make_slm(s, sec);
		/* All lanes read the same word. */
		sec->slm_lines = s->access.messages;
		sec->barriers = 2;
		break;
	case FORM_BARRIER:
		sec->sends = sec->send_cycles = sec->barriers = 1;
		break;
	case FORM_DIVERGE:
		make_diverge(s, sec);
		break;
	case FORM_ATOMIC:
		make_atomic(s, sec);
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

/* times: operations of an item; passes: its passes over memory. */
static void make_figures(const struct recipe *s, double times, double passes, struct kernel *out)
{
	out->flop_per_item = times * s->p.width * s->p.op->flop;
	out->bytes_per_item = passes * kernel_parts_bytes(&s->p) *
		(s->p.form->reads + s->p.form->writes + s->p.form->locals);
	if (s->p.form->flags & FORM_STRIDES)
		out->bytes_per_item *= fmin(s->p.apart,
			MEMORY_LINE_BYTES / kernel_parts_bytes(&s->p));
	if (s->p.form->flags & FORM_LONE)
		out->set_bytes = s->p.set_bytes;
	out->counted_per_item = passes * s->p.form->counted;
	out->waits = s->p.form->flags & FORM_WAITS;
}

static void make_sections(const struct recipe *s, struct kernel *out)
{
	struct kernel_section *body = &out->sections[1];
	double times = s->n, passes = 1;

	out->n_sections = 3;
	make_prologue(s, &out->sections[0]);
	switch (s->p.form->form) {
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
		times *= POWER_REPEATS / s->p.width;
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
	case FORM_TRIAD:
	case FORM_UPDATE:
	case FORM_MIX:
		passes = s->n;
		times *= fmax(s->p.steps, 1);
		make_computed(s, body);
		break;
	case FORM_READ:
	case FORM_WRITE:
		passes = s->n;
		make_one_way(s, body);
		break;
	case FORM_STRIDE:
		passes = s->n;
		make_stride(s, body);
		break;
	case FORM_EMPTY:
		*body = (struct kernel_section){ .trips = 1 };
		break;
	case FORM_CHASE:
	case FORM_SLM:
	case FORM_SLM_SWAP:
	case FORM_REDUCE:
	case FORM_REDUCE_ALL:
	case FORM_REDUCE_CHAIN:
	case FORM_BROADCAST:
	case FORM_BARRIER:
	case FORM_DIVERGE:
	case FORM_ATOMIC:
	case FORM_SEND:
	case FORM_XMX:
		passes = s->n;
		make_plain(s, body);
		break;
	}
	make_epilogue(s, &out->sections[2]);
	make_figures(s, times, passes, out);
}

/* Vectors of 2 draw the most power of all widths and vectors of 4 the least (the thesis' figures
 * 4.13 and 4.14; its text has no numbers). Nothing that is modelled tells them apart: the compiler
 * makes the same number of instructions of the same size of both. The thesis says of vectors of 4
 * that the FPUs are as wide as they are, and of vectors of 2 nothing. So the signs are the
 * thesis', and their size is chosen; so is that it is larger in double precision, where the thesis
 * sees the widths further apart (ch. 4.4). */
static double effort(const struct recipe *s)
{
	double share = s->p.type->is_dp ? DP_EFFORT_SHARE : EFFORT_SHARE;

	if (s->p.width == 2)
		return 1 + share;
	if (s->p.width == 4)
		return 1 - share;
	return 1;
}

/* Returns how many multiply-adds with each element keep the FPUs as busy as the memory: the power
 * of two next to it. */
static int ridge_steps(const struct recipe *s)
{
	const struct eu_config *c = s->c;
	double cycles = s->op_cycles / (s->p.type->is_dp || !c->dual ? 1 : 2);
	double per_s = c->subslices * c->eus_per_subslice * s->p.type->channels / cycles * s->hz;
	double elements_per_s = memory_reachable_bytes_per_s(&c->memory) /
		(2.0 * s->p.type->bytes);

	return (int)fmin(exp2(round(log2(fmax(per_s / elements_per_s, 1)))), MAX_STEPS);
}

/* Returns the channels of a thread. For algorithms 3 to 8 these are the most with which a thread's
 * vectors take a quarter of its registers, or half of them where nothing is computed; the compiler
 * does so for all ten types. The other kernels hold more than one vector. */
static int chosen_simd(const struct recipe *s)
{
	int simd = s->c->simd, most = THREAD_BYTES / 4;

	if (s->p.form->form == FORM_COPY)
		most = THREAD_BYTES / 2;
	if (loads_first(s)) {
		while (simd > DP_CHANNELS && simd * kernel_parts_bytes(&s->p) > most)
			simd /= 2;
		return simd;
	}
	if (s->p.type->is_dp && s->p.width == WIDEST)
		return DP_CHANNELS;
	if (s->p.type->is_dp || s->p.width > 4)
		return (int)fmin(INSTRUCTION_CHANNELS, simd);
	return simd;
}

/* Pixel shaders, which one unit of fixed function holds up: the sampler filters 16 blocks of texels
 * for each of eight lookups, or triangles are so small that the rasterizer needs eight clocks for
 * the pixels of a thread. */
static bool make_pixels(const struct eu_config *c, const char *name, struct kernel *out)
{
	const struct recipe s = { .c = c, .simd = 16 };
	struct kernel_section *sec = &out->sections[0];
	bool samples = !strcmp(name, "samples");

	if (!samples && strcmp(name, "triangles") != 0)
		return false;
	*out = (struct kernel){ .stage = STAGE_PS, .simd = s.simd, .effort = 1, .n_sections = 1 };
	snprintf(out->name, sizeof(out->name), "%s", name);
	*sec = (struct kernel_section){ .trips = 1, .threads = 1, .quads = 4, .sends = 2, .send_cycles = 6,
		.instructions = 4, .latency_cycles = 300, .gti_write_bytes = 8 };
	add_instructions(&s, sec, EU_TERNARY, 12, s.simd);
	add_instructions(&s, sec, EU_MOV, 4, s.simd);
	sec->numbers[NUMBER_INT32] = 0;
	sec->raster_cycles = samples ? 0.25 : 8;
	if (!samples)
		return true;
	sec->texel_quads = sec->sampler_cycles = 8 * 16;
	sec->sends += 8;
	sec->send_cycles += 8 * 4;
	sec->latency_cycles += 8 * 60;
	return true;
}

bool kernel_make(const struct eu_config *c, double hz, const char *name, int n, struct kernel *out,
	struct err *err)
{
	struct recipe s = { .c = c, .hz = hz, .n = n };

	if (!strcmp(name, "idle") || !strcmp(name, "desktop") || !strcmp(name, "tour"))
		return err_set(err, ERR_USAGE,
			"the load '%s' does not take turns: only kernels do, with + or / between "
			"them",
			name);
	if (make_pixels(c, name, out))
		return true;
	if (!kernel_parts_parse(name, &s.p)) {
		err_set(err, ERR_USAGE, "no load is named '%s'", name);
		return err_hint(err, "loads: idle, desktop, tour, %s", kernel_names());
	}
	if (s.p.type->is_dp && c->dp_lanes == 0 && s.p.op->flop > 0)
		return err_set(err, ERR_USAGE,
			"'%s' needs double precision, which this GPU does not have", name);
	if (s.p.form->form == FORM_XMX && !c->has_xmx)
		return err_set(err, ERR_USAGE,
			"'%s' needs a matrix engine, which this GPU does not have", name);
	/* 128, 64 or 32 */
	s.unroll = (int)fmin(128 / fmin(s.p.width, 4), n);
	s.simd = chosen_simd(&s);
	s.channels = (int)fmin(s.simd, INSTRUCTION_CHANNELS);
	s.parts = divide_up(s.simd, s.p.type->channels);
	s.op_cycles = eu_sp_cycles(c, s.channels);
	if (s.p.type->is_dp && s.p.op->flop > 0)
		s.op_cycles = eu_dp_cycles(c, DP_CHANNELS);
	if (s.p.form->flags & FORM_RIDGE)
		s.p.steps = ridge_steps(&s);
	s.access_width = s.p.width;
	if (s.p.form->form == FORM_MIX)
		s.access_width = MEMORY_LANE_BYTES / s.p.type->bytes;
	s.access = memory_access_shape(s.simd, s.access_width, s.p.type->bytes);
	*out = (struct kernel){ .stage = STAGE_CS, .simd = s.simd, .effort = effort(&s) };
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
