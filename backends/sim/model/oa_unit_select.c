/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says what the programmed OA unit counts of a phase. */
#include "config.h"

#include "backends/sim/model/oa_unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"

/* Haswell's A counters count by shader stage: EU clocks at work, stalled, threads (equations of
 * oa-hsw.xml). */
static const struct {
	uint8_t active, stall, threads;
} stage7[] = { [STAGE_VS] = { 2, 3, 5 },
	[STAGE_HS] = { 7, 8, 10 },
	[STAGE_DS] = { 12, 13, 15 },
	[STAGE_CS] = { 17, 18, 20 },
	[STAGE_GS] = { 22, 23, 25 },
	[STAGE_PS] = { 27, 28, 30 } };

enum { GEN7_ACTIVE = 0, GEN7_STALL = 1, GEN7_SAMPLES = 40, GEN7_BUSY = 41 };

bool oa_unit_counts(const struct oa_unit *u, const char *name)
{
	uint64_t a;

	if (u->c.graphics_ver == 7 && name[0] == 'A') {
		if (!parse_u64(name + 1, &a))
			return false;
		for (size_t i = STAGE_VS; i < ARRAY_LEN(stage7); i++)
			if (stage7[i].active == a || stage7[i].stall == a || stage7[i].threads == a)
				return true;
		return a == GEN7_ACTIVE || a == GEN7_STALL || a == GEN7_SAMPLES || a == GEN7_BUSY;
	}
	/* Sampler caches are not modelled, and A33 is described for Gen9 only. */
	if (!strcmp(name, "A29") || (!strcmp(name, "A33") && u->c.graphics_ver != 9))
		return false;
	if (name[0] == 'P')
		return oa_pes_count(&u->c, &u->pes[atoi(name + 1)], &(struct phase){ .cycles = 1 },
			&(double){ 0 });
	if (name[0] == 'B' || name[0] == 'C')
		return (u->gti_reads | u->gti_writes | u->booleans | u->noa.counted |
			       u->clock << 8) >> (name[1] - '0' + 8 * (name[0] == 'C')) & 1;
	return true;
}

enum {
	INC_FPU0,
	INC_FPU1,
	INC_SEND,
	INC_BOTH,
	INC_ACTIVE,
	INC_STALL,
	INC_FP32 = 7,
	INC_OCCUPANCY = 8,
	INC_XMX = 9,
	INC_FP64 = 11,
	INC_INT32 = 13,
	INC_XMX_FP16 = 18
};
enum { COARSE_FIRST_STAGE = 1, COARSE_LAST_STAGE = 6, COARSE_ROW0 = 7, COARSE_ROW1 = 8 };
enum {
	FINE_HYBRID = 1,
	FINE_TERNARY,
	FINE_BINARY,
	FINE_MOV,
	FINE_SEND_START,
	FINE_EU0 = 7,
	FINE_EU3 = 10
};

static double fpu_event(const struct oa_event *e, const double *ev)
{
	static const uint8_t types[] = { [FINE_HYBRID] = EU_HYBRID,
		[FINE_TERNARY] = EU_TERNARY,
		[FINE_BINARY] = EU_BINARY,
		[FINE_MOV] = EU_MOV };
	double sum = 0;

	if (e->fine >= FINE_HYBRID && e->fine <= FINE_MOV)
		return ev[types[e->fine]];
	if (e->fine == FINE_SEND_START)
		return 0;
	for (int t = 0; t < EU_TYPES; t++)
		sum += ev[t];
	return sum;
}

static double position_event(
	const struct oa_unit *u, const struct oa_event *e, const double ev[EU_EVENTS])
{
	int number;

	if (e->increment == INC_FPU0)
		return fpu_event(e, &ev[EU_FPU0]);
	if (e->increment == INC_FPU1)
		return fpu_event(e, &ev[EU_FPU1]);
	if (e->increment == INC_SEND && e->fine == FINE_SEND_START)
		return ev[EU_SEND_START];
	/* An instruction type says nothing about events that are not of one pipe. */
	if (e->fine >= FINE_HYBRID && e->fine <= FINE_SEND_START)
		return 0;
	switch (e->increment) {
	case INC_SEND:
		return ev[EU_SEND];
	case INC_BOTH:
		return ev[EU_BOTH];
	case INC_ACTIVE:
		return ev[EU_ACTIVE];
	case INC_STALL:
		return ev[EU_LOADED] - ev[EU_ACTIVE];
	case INC_OCCUPANCY:
		return ev[EU_THREADS] / u->c.threads_per_pulse;
	case INC_XMX:
	case INC_XMX_FP16:	/* the load that fills it multiplies half precision numbers */
		return u->c.has_types ? ev[EU_XMX] : 0;
	case INC_FP32:
		number = NUMBER_FP32;
		break;
	case INC_FP64:
		number = NUMBER_FP64;
		break;
	case INC_INT32:
		number = NUMBER_INT32;
		break;
	default:
		return 0;
	}
	return u->c.has_types ? ev[EU_NUMBERS + number] : 0;
}

/* eu is what the EUs do that hold the event, by position. */
static double flex_count(const struct oa_unit *u, const struct oa_event *e, const struct phase *p,
	const double (*eu)[EU_EVENTS])
{
	double sum = 0;

	if (e->coarse >= COARSE_FIRST_STAGE && e->coarse <= COARSE_LAST_STAGE &&
		(int)p->stage != e->coarse)
		return 0;
	for (int i = 0; i < EU_POSITIONS; i++) {
		if ((e->coarse == COARSE_ROW0 || e->coarse == COARSE_ROW1) &&
			i / EU_COLUMNS != e->coarse - COARSE_ROW0)
			continue;
		if (e->fine >= FINE_EU0 && e->fine <= FINE_EU3 &&
			i % EU_COLUMNS != e->fine - FINE_EU0)
			continue;
		sum += position_event(u, e, eu[i]);
	}
	return sum;
}

/* Subslices that count by events of their own add up. */
static double flex_count_apart(const struct oa_unit *u, int event, const struct phase *p)
{
	int n = __builtin_popcountll(u->c.subslice_mask);
	double sum = 0;

	for (int i = 0; i < n && i < SS_MAX; i++)
		sum += flex_count(u, &u->apart[i][event], p, p->one[i >= p->n_first]);
	return sum;
}

static void spread(double *b, uint16_t bits, double total)
{
	int n = __builtin_popcount(bits);

	for (int i = 0; i < 16; i++)
		if (bits & 1 << i)
			b[i] = total / n;
}

static void select7(const struct phase *p, double *a)
{
	double active = 0, stall = 0;

	for (int i = 0; i < EU_POSITIONS; i++) {
		active += p->eu[i][EU_ACTIVE];
		stall += p->eu[i][EU_LOADED] - p->eu[i][EU_ACTIVE];
	}
	a[GEN7_ACTIVE] = active;
	a[GEN7_STALL] = stall;
	a[GEN7_BUSY] = p->gpu[GPU_BUSY];
	a[GEN7_SAMPLES] = 4 * p->gpu[GPU_QUADS];
	if (p->stage == STAGE_NONE)
		return;
	a[stage7[p->stage].active] = active;
	a[stage7[p->stage].stall] = stall;
	a[stage7[p->stage].threads] = p->gpu[GPU_THREADS];
}

static void select8(const struct oa_unit *u, const struct phase *p, double *a)
{
	static const int8_t dispatch[] = { [STAGE_VS] = 1,
		[STAGE_HS] = 2,
		[STAGE_DS] = 3,
		[STAGE_CS] = 4,
		[STAGE_GS] = 5,
		[STAGE_PS] = 6 };

	a[0] = p->gpu[GPU_BUSY];
	if (p->stage != STAGE_NONE)
		a[dispatch[p->stage]] = p->gpu[GPU_THREADS] / u->c.threads_per_count;
	for (int i = 0; i < OA_FLEX_COUNTERS; i++) {
		if (u->is_apart)
			a[7 + i] = flex_count_apart(u, i, p);
		else
			a[7 + i] = flex_count(u, &u->events[i], p, p->eu);
	}
	a[21] = a[26] = p->gpu[GPU_QUADS];
	a[28] = p->gpu[GPU_TEXEL_QUADS];
	a[30] = p->gpu[GPU_SLM_READS];
	a[32] = p->gpu[GPU_LINES];
	/* Those on shared local memory are missing before Gen12. */
	a[34] = p->gpu[GPU_ATOMICS] + (u->c.graphics_ver >= 12 ? p->gpu[GPU_SLM_ATOMICS] : 0);
	a[35] = p->gpu[GPU_BARRIERS];
	/* H. Duarte's thesis (2018), table A.1: of these, what missed the first-level cache, which
	 * is the L3 for data on Gen9. */
	if (u->c.graphics_ver == 9)
		a[33] = fmin(p->gpu[GPU_LINES], p->gpu[GPU_GTI_READS] + p->gpu[GPU_GTI_WRITES]);
}

void oa_unit_select(void *unit, const struct phase *p, double hz, double q[Q_COUNT])
{
	const struct oa_unit *u = unit;
	double lines = (double)GTI_LINE_BYTES / u->c.gti_bytes;

	(void)hz;
	q[Q_TICKS] = p->gpu[GPU_TICKS];
	if (u->c.graphics_ver == 7)
		select7(p, &q[Q_A]);
	else
		select8(u, p, &q[Q_A]);
	if (u->gti_reads)
		spread(&q[Q_B], u->gti_reads,
			p->gpu[GPU_GTI_READS] * lines * GTI_LINE_BYTES / u->gti_read_bytes);
	spread(&q[Q_B], u->gti_writes, p->gpu[GPU_GTI_WRITES] * lines);
	if (u->c.graphics_ver > 7) {
		q[Q_A + 36] = p->gpu[GPU_GTI_READS] * lines;
		q[Q_A + 37] = p->gpu[GPU_GTI_WRITES] * lines;
	}
	noa_count(&u->noa, p, &q[Q_B]);
	oa_triggers_select(u, p, q);
	for (int i = 0; i < 8; i++)
		if (u->clock >> i & 1)
			q[Q_C + i] = p->gpu[GPU_TICKS];
	for (int i = 0; u->c.graphics_ver >= 20 && i < EU_POSITIONS; i++) {
		q[Q_STALL + FOUND_ACTIVE] += p->eu[i][EU_ACTIVE];
		q[Q_STALL + FOUND_MESSAGE] += p->eu[i][EU_WAIT_MESSAGE];
		q[Q_STALL + FOUND_RESULT] += p->eu[i][EU_WAIT_RESULT];
	}
	for (int i = 0; u->c.graphics_ver >= 20 && i < OA_PES_COUNTERS; i++)
		oa_pes_count(&u->c, &u->pes[i], p, &q[Q_P + i]);
}
