/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the events of Xe2 from the model's EUs and memory. */
#include "config.h"

#include "backends/sim/model/oa_unit.h"

#include "base/mem.h"

/* Returns what an event counts at one EU position. */
typedef double position_fn(const struct oa_unit_config *c, const double ev[EU_EVENTS]);

static double stall(const struct oa_unit_config *c, const double ev[EU_EVENTS])
{
	(void)c;
	return ev[EU_LOADED] - ev[EU_ACTIVE];
}

static double occupancy(const struct oa_unit_config *c, const double ev[EU_EVENTS])
{
	return ev[EU_THREADS] / c->threads_per_pulse;
}

static double sum_types(const double *types)
{
	double sum = 0;

	for (int t = 0; t < EU_TYPES; t++)
		sum += types[t];
	return sum;
}

static double alu0(const struct oa_unit_config *c, const double ev[EU_EVENTS])
{
	(void)c;
	return sum_types(&ev[EU_FPU0]);
}

static double alu1(const struct oa_unit_config *c, const double ev[EU_EVENTS])
{
	(void)c;
	return sum_types(&ev[EU_FPU1]);
}

/* A count of the matrix engine's slots stands for two clocks (metrics-discovery 1b7f810). The load
 * that fills it multiplies half precision numbers. */
static double matrix(const struct oa_unit_config *c, const double ev[EU_EVENTS])
{
	(void)c;
	return ev[EU_XMX] / 2;
}

/* Lists the codes that read one event of the EUs, and those that need a function. The loads of the
 * model have no half precision, nor do they branch, synchronise or wait for instructions: these
 * count 0, truly. */
static const struct position_row {
	uint32_t code;
	int event;		/* enum eu_event, -1: nothing in this model */
	position_fn *count;	/* instead of it */
} position_rows[] = {
	{ PES_XVE_ACTIVE, EU_ACTIVE, NULL },
	{ PES_XVE_STALL, 0, stall },
	{ PES_OCCUPANCY, 0, occupancy },
	{ PES_ALU0, 0, alu0 },
	{ PES_ALU1, 0, alu1 },
	{ PES_SEND, EU_SEND, NULL },
	{ PES_ALU0_ALU1, EU_BOTH, NULL },
	{ PES_ALU2, 0, matrix },
	{ PES_XMX_FP16, 0, matrix },
	{ PES_XMX_BF16, -1, NULL },
	{ PES_XMX_INT8, -1, NULL },
	{ PES_XMX_INT4, -1, NULL },
	{ PES_XMX_INT2, -1, NULL },
	{ PES_ALU0_ALU2, -1, NULL },
	{ PES_FP32, EU_NUMBERS + NUMBER_FP32, NULL },
	{ PES_FP64, EU_NUMBERS + NUMBER_FP64, NULL },
	{ PES_INT32, EU_NUMBERS + NUMBER_INT32, NULL },
	{ PES_INT64, EU_NUMBERS + NUMBER_INT64, NULL },
	{ PES_FP16, -1, NULL },
	{ PES_INT16, -1, NULL },
	{ PES_STALL_SBID, EU_WAIT_MESSAGE, NULL },
	{ PES_STALL_ALUWR, EU_WAIT_RESULT, NULL },
	{ PES_STALL_FETCH, -1, NULL },
	{ PES_STALL_BARRIER, -1, NULL },
	{ PES_STALL_SENDWR, -1, NULL },
	{ PES_STALL_PIPE, -1, NULL },
	{ PES_STALL_CONTROL, -1, NULL },
	{ PES_STALL_OTHER, -1, NULL },
	{ PES_STALL_PS, -1, NULL },
};

/* How an event of one Xe core is asked for (igt-gpu-tools lib/xe/oa-configs/oa-lnl.xml, TestOa),
 * and what TestOa's event counts: each clock, in each Xe core (tests/intel/xe_oa.c). */
enum { PES_ONE_CORE = 1 << 16, PES_FIRST_CORE = 1 << 20, PES_CORE_MASK = 7 << 20 };

/* Counts an event that each position of EUs has for itself. Returns false for another one. */
static bool count_positions(const struct oa_unit_config *c, const struct oa_pes_event *e,
	const struct phase *p, double *out)
{
	for (size_t k = 0; k < ARRAY_LEN(position_rows); k++) {
		const struct position_row *r = &position_rows[k];

		if (r->code != e->code)
			continue;
		for (int i = 0; i < EU_POSITIONS && (!e->coarse || e->coarse == p->stage); i++) {
			if (r->count)
				*out += r->count(c, p->eu[i]);
			else if (r->event >= 0)
				*out += p->eu[i][r->event];
		}
		return true;
	}
	return false;
}

bool oa_pes_count(const struct oa_unit_config *c, const struct oa_pes_event *e,
	const struct phase *p, double *out)
{
	*out = 0;
	if (count_positions(c, e, p, out))
		return true;
	if ((e->code & ~PES_CORE_MASK) == (PES_TEST1 | PES_ONE_CORE)) {
		int core = (int)((e->code & PES_CORE_MASK) / PES_FIRST_CORE);

		*out = c->subslice_mask >> core & 1 ? p->gpu[GPU_TICKS] : 0;
		return true;
	}
	switch (e->code) {
	case PES_TEST1:
		*out = p->gpu[GPU_TICKS] * __builtin_popcountll(c->subslice_mask);
		break;
	case PES_GROUPS:
		*out = p->gpu[GPU_GROUPS];
		break;
	case PES_ASYNC_GROUPS:
		break;
	case PES_LSC_ACCESS:
		*out = p->gpu[GPU_LINES];
		break;
	case PES_SLM_BYTES_READ:
		*out = p->gpu[GPU_SLM_READS] * MEMORY_LINE_BYTES;
		break;
	case PES_L3_QUEUE_FULL:
		*out = p->gpu[GPU_QUEUE_FULL] * c->l3_banks;
		break;
	case PES_GPU_BUSY:
		*out = p->gpu[GPU_BUSY];
		break;
	/* Compute kernels run on the compute engine here, shaders on the render engine. */
	case PES_RENDER_BUSY:
		if (p->stage != STAGE_CS && p->stage != STAGE_NONE)
			*out = p->gpu[GPU_BUSY];
		break;
	case PES_COMPUTE_BUSY:
		if (p->stage == STAGE_CS)
			*out = p->gpu[GPU_BUSY];
		break;
	case PES_COPY_BUSY:
		break;
	case PES_MEM_BYTES_READ:
		*out = p->gpu[GPU_GTI_READS] * MEMORY_LINE_BYTES / c->gti_bytes;
		break;
	case PES_MEM_BYTES_WRITTEN:
		*out = p->gpu[GPU_GTI_WRITES] * MEMORY_LINE_BYTES / c->gti_bytes;
		break;
	default:
		return false;
	}
	return true;
}
