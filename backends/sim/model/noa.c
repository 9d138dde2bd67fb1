/* SPDX-License-Identifier: GPL-3.0-or-later AND MIT
 * SPDX-FileCopyrightText: 2026 rooftop developers, Intel Corporation (igt-gpu-tools) */
/* Knows Intel's register lists that bring signals of single subslices, and counts these signals. */
#include "config.h"

#include "backends/sim/model/noa.h"

#include <math.h>

#include "base/mem.h"

enum noa_event {
	NOA_NOTHING,		/* never seen in what the model runs */
	NOA_READY,		/* a thread that shades no pixels waits in the dispatcher */
	NOA_READY_PIXELS,
	NOA_HEADER_2,		/* a thread begins: one of two ports */
	NOA_HEADER_4,		/* one of four */
	NOA_EXIT,		/* a thread ends */
	NOA_GROUP,		/* a work-group is dispatched */
	NOA_REQUEST,		/* the data port has requests */
	NOA_SERVED,		/* and they are taken */
	NOA_STALLED,		/* and they are not taken */
	NOA_SLM_BANK,		/* 64 bytes from one bank of local memory */
	NOA_SAMPLER,		/* the busiest sampler works, */
	NOA_SAMPLER_FULL,	/* and holds up who asks it */
	NOA_QUEUE_FULL,		/* of the whole GPU: more is asked of the memory than it delivers */
};

/* The mask of parts that have no stride of their own (Gen12.5 and later). */
#define XE_CORES_PER_SLICE 4
#define UNIT(slice, subslice) ((slice) << 4 | (subslice))
#define WHOLE_GPU 0xff

/* n lanes from `lane` on show `high` while the event is there, else `low`. n is 0 in the row behind
 * the last one. */
struct noa_signal {
	uint8_t lane, n, high, low;
	uint8_t unit, event;
};

#define NOA_SIGNALS 17

struct noa_list {
	uint64_t fingerprint;
	const char *source;
	struct noa_signal signals[NOA_SIGNALS];
};

/* A lane that is high, or low, while the event is there. */
#define HIGH(lane, slice, subslice, event) { lane, 1, 1, 0, UNIT(slice, subslice), event }
#define LOW(lane, slice, subslice, event) { lane, 1, 0, 1, UNIT(slice, subslice), event }
/* Of two lanes either is low while a pixel shader's thread waits. */
#define PIXELS(lane, slice, subslice) { lane, 2, 2, 3, UNIT(slice, subslice), NOA_READY_PIXELS }
#define CODE(lane, n, code, subslice, event) { lane, n, code, 0, UNIT(0, subslice), event }
/* Seven lanes are a number of bytes in binary, the highest bit on the lowest lane. */
#define BYTES(lane, subslice) { lane, 7, 1, 0, UNIT(0, subslice), NOA_SLM_BANK }
#define PORTS_4(lane, subslice, event) \
	HIGH(lane, 0, subslice, event), HIGH((lane) + 1, 0, subslice, event), \
		HIGH((lane) + 2, 0, subslice, event), HIGH((lane) + 3, 0, subslice, event)

/* A lane that is high while something of the whole GPU is. */
#define OF_GPU(lane, event) { lane, 1, 1, 0, WHOLE_GPU, event }

/* Four queues that share the requests evenly. */
#define QUEUES(lane) \
	OF_GPU(lane, NOA_QUEUE_FULL), OF_GPU((lane) + 1, NOA_QUEUE_FULL), \
		OF_GPU((lane) + 2, NOA_QUEUE_FULL), OF_GPU((lane) + 3, NOA_QUEUE_FULL)
/* Two samplers: lanes of both that work, then of both that hold up. */
#define SAMPLERS \
	OF_GPU(0, NOA_SAMPLER), OF_GPU(1, NOA_SAMPLER), OF_GPU(2, NOA_SAMPLER_FULL), \
		OF_GPU(3, NOA_SAMPLER_FULL)

/* clang-format off */
static const struct noa_list lists[] = {
	{ 0x13d2f821a0621a4a, "oa-kblgt2.xml TDL_1", {
		LOW(12, 0, 0, NOA_READY), LOW(15, 0, 1, NOA_READY), LOW(9, 0, 2, NOA_READY),
		PIXELS(13, 0, 0), PIXELS(7, 0, 1), PIXELS(10, 0, 2) } },
	{ 0x71ea5a4f4d9c842c, "oa-kblgt2.xml TDL_2", {
		HIGH(13, 0, 0, NOA_HEADER_2), HIGH(14, 0, 0, NOA_HEADER_2), HIGH(15, 0, 1, NOA_HEADER_2),
		HIGH(10, 0, 1, NOA_HEADER_2), HIGH(11, 0, 2, NOA_HEADER_2), HIGH(12, 0, 2, NOA_HEADER_2) } },
	{ 0x005a08c1275e50b5, "oa-kblgt2.xml HDCAndSF", {
		HIGH(15, 0, 0, NOA_REQUEST), HIGH(14, 0, 0, NOA_SERVED), HIGH(13, 0, 1, NOA_REQUEST),
		HIGH(12, 0, 1, NOA_SERVED), HIGH(11, 0, 2, NOA_REQUEST), HIGH(10, 0, 2, NOA_SERVED) } },
	{ 0x63d13f14bafd176b, "oa-chv.xml TDL_1", {
		LOW(6, 1, 0, NOA_READY), LOW(9, 1, 1, NOA_READY), LOW(3, 1, 2, NOA_READY),
		PIXELS(7, 1, 0), PIXELS(1, 1, 1), PIXELS(4, 1, 2),
		HIGH(13, 0, 0, NOA_HEADER_2), HIGH(14, 0, 0, NOA_HEADER_2), HIGH(15, 0, 1, NOA_HEADER_2),
		HIGH(10, 0, 1, NOA_HEADER_2), HIGH(11, 0, 2, NOA_HEADER_2), HIGH(12, 0, 2, NOA_HEADER_2) } },
	{ 0xcebac0fe9ee9276a, "oa-chv.xml TDL_2", {
		LOW(1, 0, 0, NOA_READY), LOW(2, 0, 1, NOA_READY), LOW(9, 0, 2, NOA_READY),
		PIXELS(3, 0, 0), PIXELS(5, 0, 1), PIXELS(7, 0, 2),
		HIGH(12, 1, 0, NOA_HEADER_2), HIGH(11, 1, 0, NOA_HEADER_2), HIGH(10, 1, 1, NOA_HEADER_2),
		HIGH(13, 1, 1, NOA_HEADER_2), HIGH(15, 1, 2, NOA_HEADER_2), HIGH(14, 1, 2, NOA_HEADER_2) } },
	{ 0x6404320980369e28, "oa-chv.xml HDCAndSF", {
		HIGH(11, 0, 0, NOA_REQUEST), HIGH(10, 0, 0, NOA_SERVED), HIGH(13, 0, 1, NOA_REQUEST),
		HIGH(12, 0, 1, NOA_SERVED), HIGH(15, 0, 2, NOA_REQUEST), HIGH(14, 0, 2, NOA_SERVED),
		HIGH(5, 1, 0, NOA_REQUEST), HIGH(4, 1, 0, NOA_SERVED), HIGH(7, 1, 1, NOA_REQUEST),
		HIGH(6, 1, 1, NOA_SERVED), HIGH(9, 1, 2, NOA_REQUEST), HIGH(8, 1, 2, NOA_SERVED) } },
	{ 0x3c43de72e636c821, "oa-tglgt2.xml TDL_1", {
		LOW(5, 0, 0, NOA_READY), LOW(4, 0, 1, NOA_READY), LOW(3, 0, 2, NOA_READY),
		LOW(2, 0, 3, NOA_READY), LOW(1, 0, 4, NOA_READY), LOW(0, 0, 5, NOA_READY),
		PORTS_4(8, 0, NOA_HEADER_4), PORTS_4(12, 1, NOA_HEADER_4) } },
	{ 0xc1a0451504a77b25, "oa-tglgt2.xml TDL_2", {
		PIXELS(10, 0, 0), PIXELS(8, 0, 1), PIXELS(6, 0, 2), PIXELS(4, 0, 3), PIXELS(2, 0, 4), PIXELS(0, 0, 5),
		PORTS_4(12, 5, NOA_HEADER_4) } },
	{ 0x6dc538140d83c9c7, "oa-tglgt2.xml TDL_3", {
		PORTS_4(12, 2, NOA_HEADER_4), PORTS_4(8, 3, NOA_HEADER_4), PORTS_4(4, 4, NOA_HEADER_4) } },
	{ 0xa54c8ed2076959ca, "oa-tglgt2.xml HDCAndSF", {
		LOW(2, 0, 0, NOA_STALLED), LOW(3, 0, 1, NOA_STALLED), LOW(4, 0, 2, NOA_STALLED),
		LOW(5, 0, 3, NOA_STALLED), LOW(1, 0, 4, NOA_STALLED), LOW(0, 0, 5, NOA_STALLED) } },
	{ 0x27f37b4da6bab5b1, "oa-mtlgt2.xml Ext604", {
		HIGH(15, 0, 0, NOA_READY), HIGH(14, 0, 1, NOA_READY), HIGH(13, 0, 2, NOA_READY), HIGH(12, 0, 3, NOA_READY),
		HIGH(11, 0, 0, NOA_NOTHING), HIGH(10, 0, 1, NOA_NOTHING), HIGH(9, 0, 2, NOA_NOTHING), HIGH(8, 0, 3, NOA_NOTHING) } },
	{ 0x3ea66405d9171da5, "oa-mtlgt2.xml HDCAndSF", {
		LOW(0, 0, 0, NOA_STALLED), LOW(1, 0, 1, NOA_STALLED), LOW(2, 0, 2, NOA_STALLED), LOW(3, 0, 3, NOA_STALLED),
		QUEUES(12) } },
	{ 0x96a28cc6b81444ba, "oa-tglgt2.xml RasterizerAndPixelBackend", { QUEUES(12) } },
	{ 0x587d6e59b4e5b671, "oa-kblgt2.xml RenderBasic", { SAMPLERS } },
	{ 0xf8884a3015aaccf2, "oa-chv.xml RenderBasic", { SAMPLERS } },
	{ 0xb257a29cef62ccd8, "oa-tglgt2.xml RenderBasic", { SAMPLERS } },
	{ 0x0b167139324d9fee, "oa-acmgt3.xml RenderBasic", { OF_GPU(7, NOA_SAMPLER), OF_GPU(6, NOA_SAMPLER_FULL) } },
	{ 0x852fb62ff3f1aed3, "oa-mtlgt2.xml Ext104", { CODE(0, 6, 0x18, 0, NOA_EXIT), CODE(6, 5, 0x17, 2, NOA_GROUP) } },
	{ 0x3ea3ee635ba9df91, "oa-mtlgt2.xml Ext105", { CODE(0, 6, 0x18, 1, NOA_EXIT), CODE(6, 5, 0x17, 3, NOA_GROUP) } },
	{ 0xcda0d7bd998cb1fb, "oa-mtlgt2.xml Ext106", { CODE(0, 6, 0x18, 2, NOA_EXIT), CODE(6, 5, 0x17, 0, NOA_GROUP) } },
	{ 0x9593d8759caf0f21, "oa-mtlgt2.xml Ext107", { CODE(0, 6, 0x18, 3, NOA_EXIT), CODE(6, 5, 0x17, 1, NOA_GROUP) } },
	{ 0xe28126996202b826, "oa-mtlgt2.xml Ext508", { BYTES(9, 0), BYTES(2, 1) } },
	{ 0x5698f5f4bed896f6, "oa-mtlgt2.xml Ext509", { BYTES(9, 0), BYTES(2, 1) } },
	{ 0xb9c1b4a31f8786e6, "oa-mtlgt2.xml Ext510", { BYTES(9, 2), BYTES(2, 3) } },
	{ 0x6c9d05039ddc02be, "oa-mtlgt2.xml Ext511", { BYTES(9, 2), BYTES(2, 3) } },
};
/* clang-format on */

/* --- programming --- */

/* Returns the B counters that belong to their block, as bits: start triggers 2 and 6 name them. */
static uint8_t by_block_of(const struct oa_reg *regs, size_t n, int graphics_ver)
{
	uint32_t base = graphics_ver >= 12 ? 0xd900 : 0x2710, words[8] = { 0 };

	for (size_t i = 0; i < n; i++)
		if (regs[i].kind == OA_REG_OA && regs[i].address >= base &&
			regs[i].address < base + sizeof(words))
			words[(regs[i].address - base) / sizeof(*words)] = regs[i].value;
	return (uint8_t)(words[1] >> 28 | words[5] >> 28 << 4);
}

static uint16_t lanes_of(const struct noa_signal *s)
{
	return (uint16_t)(((1u << s->n) - 1) << s->lane);
}

static bool is_readable(const struct oa_booleans *b, int i, uint16_t known)
{
	const struct oa_boolean *block = &b->block[i];

	return b->programmed >> i & 1 && block->input == OA_INPUT_LANES && !block->negated &&
		!block->considered && !((uint16_t)~block->ignored & (uint16_t)~known);
}

/* Adds the blocks whose outputs follow from others that are known. A block that looks at itself, be
 * it through others, has a past of its own and is not known. */
static uint16_t add_chained(const struct noa *n, uint16_t counted)
{
	uint8_t clock = oa_booleans_of_clock(&n->booleans), before;

	do {
		before = (uint8_t)counted;
		for (int i = 0; i < OA_BOOLEANS; i++) {
			const struct oa_boolean *b = &n->booleans.block[i];
			uint8_t known = (uint8_t)((before & n->by_block) | clock);

			if ((n->by_block & n->booleans.programmed) >> i & 1 &&
				b->input == OA_INPUT_OUTPUTS && !b->negated && !b->considered &&
				!((uint8_t)~b->ignored & (uint8_t)~known) && !(clock >> i & 1))
				counted |= (uint16_t)(1u << i);
		}
	} while (before != (uint8_t)counted);
	return counted;
}

void noa_program(struct noa *n, uint64_t fingerprint, const struct oa_reg *regs, size_t n_regs,
	int graphics_ver)
{
	uint16_t known = 0;

	n->list = NULL;
	n->counted = n->lanes = 0;
	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		if (lists[i].fingerprint == fingerprint)
			n->list = &lists[i];
	if (!n->list)
		return;
	for (const struct noa_signal *s = n->list->signals; s->n; s++)
		known |= lanes_of(s);
	n->lanes = known;
	n->by_block = by_block_of(regs, n_regs, graphics_ver);
	n->booleans = oa_booleans_of(regs, n_regs, graphics_ver);
	n->counted = known & (uint16_t)~n->by_block;
	for (int i = 0; i < OA_BOOLEANS; i++)
		if (n->by_block >> i & 1 && is_readable(&n->booleans, i, known))
			n->counted |= (uint16_t)(1u << i);
	n->counted = add_chained(n, n->counted);
}

/* --- counting --- */

/* Returns the place of a unit among those that exist, or -1. */
static int place_of(const struct noa *n, uint8_t unit)
{
	int stride = n->stride ? n->stride : XE_CORES_PER_SLICE;
	int bit = (unit >> 4) * stride + (unit & 15);

	if ((unit & 15) >= stride || bit >= 64 || !(n->subslice_mask >> bit & 1))
		return -1;
	return __builtin_popcountll(n->subslice_mask & ((UINT64_C(1) << bit) - 1));
}

/* Returns the clocks of the phase in which the event is there. */
static double clocks_of(uint8_t event, const struct phase *p, const double *ss)
{
	switch (event) {
	case NOA_READY:
		return p->stage == STAGE_PS ? 0 : ss[SS_WAITING];
	case NOA_READY_PIXELS:
		return p->stage == STAGE_PS ? ss[SS_WAITING] : 0;
	case NOA_HEADER_2:
		return ss[SS_THREADS] / 2;
	case NOA_HEADER_4:
		return ss[SS_THREADS] / 4;
	case NOA_EXIT:
		return ss[SS_THREADS];
	case NOA_GROUP:
		return ss[SS_GROUPS];
	case NOA_REQUEST:
		return ss[SS_REQUESTS];
	case NOA_SERVED:
		return ss[SS_REQUESTS] - ss[SS_STALLED];
	case NOA_STALLED:
		return ss[SS_STALLED];
	case NOA_SLM_BANK:
		return ss[SS_SLM_LINES] / 2;
	case NOA_SAMPLER:
		return p->gpu[GPU_SAMPLER_BUSY];
	case NOA_SAMPLER_FULL:
		return p->gpu[GPU_SAMPLER_FULL];
	case NOA_QUEUE_FULL:
		return p->gpu[GPU_QUEUE_FULL];
	default:
		return 0;
	}
}

/* What a signal shows in a phase: `high` in a share of the clocks, else `low`, on its lanes. */
struct shown {
	uint16_t lanes, high, low;
	double share;
};

static struct shown shown_by(const struct noa *n, const struct noa_signal *s, const struct phase *p)
{
	/* What is of no unit is there whichever units are; it asks none of them. */
	int place = s->unit == WHOLE_GPU ? 0 : place_of(n, s->unit);
	struct shown v = { .lanes = lanes_of(s) };

	if (place < 0 || place >= SS_MAX)
		return v;
	v.high = (uint16_t)(s->high << s->lane);
	v.low = (uint16_t)(s->low << s->lane);
	v.share = fmin(clocks_of(s->event, p, p->ss[place]) / p->cycles, 1);
	return v;
}

/* Returns the lanes that a block looks at, also through the blocks before it, which stay in b;
 * others leave it. */
static uint16_t keep_cone(struct oa_booleans *b, int i)
{
	uint8_t cone = (uint8_t)(1u << i), before;
	uint16_t lanes = 0;

	do {
		before = cone;
		for (int k = 0; k < OA_BOOLEANS; k++)
			if (before >> k & 1 && b->block[k].input == OA_INPUT_OUTPUTS)
				cone |= (uint8_t)~b->block[k].ignored;
	} while (cone != before);
	for (int k = 0; k < OA_BOOLEANS; k++)
		if (cone >> k & 1 && b->block[k].input == OA_INPUT_LANES)
			lanes |= (uint16_t)~b->block[k].ignored;
	b->programmed &= cone;
	return lanes;
}

/* Returns the share of clocks in which block i is high in the long run while the lanes stay as they
 * are. Blocks that follow from the clock alone may turn. */
static double settled_share(const struct oa_booleans *b, int i, uint16_t lanes)
{
	uint8_t outputs = 0, first;
	int high = 0, period = 0;

	/* Behind rings of up to eight blocks, each block of a chain needs one clock. */
	for (int clock = 0; clock <= UINT8_MAX; clock++)
		outputs = oa_booleans_step(b, outputs, lanes);
	first = outputs;
	do {
		outputs = oa_booleans_step(b, outputs, lanes);
		high += outputs >> i & 1;
		period++;
	} while (outputs != first);
	return (double)high / period;
}

/* Something that follows from the lanes: a share of the clocks in which it is high while they stay
 * as they are. */
typedef double share_fn(const void *what, uint16_t lanes);

/* Returns the share of clocks in which it is high. Each signal that it looks at is one way or the
 * other: all combinations are weighed. */
static double weigh(const struct shown *s, int n_signals, uint16_t cone, share_fn *of, const void *what)
{
	const struct shown *looked_at[NOA_SIGNALS];
	int k = 0;
	double sum = 0;

	for (int j = 0; j < n_signals; j++)
		if (s[j].lanes & cone)
			looked_at[k++] = &s[j];
	for (unsigned way = 0; way < 1u << k; way++) {
		uint16_t lanes = 0;
		double share = 1;

		for (int j = 0; j < k; j++) {
			bool high = way >> j & 1;

			lanes |= high ? looked_at[j]->high : looked_at[j]->low;
			share *= high ? looked_at[j]->share : 1 - looked_at[j]->share;
		}
		sum += share * of(what, lanes);
	}
	return sum;
}

/* A block, and those that it looks at. */
struct output {
	struct oa_booleans b;
	int i;
};

static double share_of_block(const void *what, uint16_t lanes)
{
	const struct output *o = what;

	if (o->b.block[o->i].input == OA_INPUT_OUTPUTS)
		return settled_share(&o->b, o->i, lanes);
	return oa_booleans_step(&o->b, 0, lanes) >> o->i & 1;
}

static double share_of_trigger(const void *what, uint16_t lanes)
{
	return oa_trigger_holds(what, lanes);
}

static double lane_share(int lane, const struct shown *s, int n_signals)
{
	double sum = 0;

	for (int j = 0; j < n_signals; j++) {
		sum += (s[j].high >> lane & 1) * s[j].share;
		sum += (s[j].low >> lane & 1) * (1 - s[j].share);
	}
	return sum;
}

static int show_all(const struct noa *n, const struct phase *p, struct shown shown[NOA_SIGNALS])
{
	int n_signals = 0;

	for (const struct noa_signal *s = n->list->signals; s->n; s++)
		shown[n_signals++] = shown_by(n, s, p);
	return n_signals;
}

bool noa_knows(const struct noa *n, const struct oa_trigger *t)
{
	return n->list && oa_trigger_is_known(t) && !(oa_trigger_lanes(t) & (uint16_t)~n->lanes);
}

double noa_trigger(const struct noa *n, const struct oa_trigger *t, const struct phase *p)
{
	struct shown shown[NOA_SIGNALS];
	int n_signals = show_all(n, p, shown);

	return weigh(shown, n_signals, oa_trigger_lanes(t), share_of_trigger, t) *
		p->gpu[GPU_TICKS];
}

void noa_count(const struct noa *n, const struct phase *p, double out[NOA_COUNTERS])
{
	struct shown shown[NOA_SIGNALS];

	if (!n->counted)
		return;
	int n_signals = show_all(n, p, shown);
	for (int i = 0; i < NOA_COUNTERS; i++) {
		struct output o = { .b = n->booleans, .i = i };
		double share;

		if (!(n->counted >> i & 1))
			continue;
		if (i < OA_BOOLEANS && n->by_block >> i & 1)
			share = weigh(shown, n_signals, keep_cone(&o.b, i), share_of_block, &o);
		else
			share = lane_share(i, shown, n_signals);
		out[i] += share * p->gpu[GPU_TICKS];
	}
}
