/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the energy of phases. */
#include "config.h"

#include "backends/sim/model/power.h"

#include <string.h>

#define GATED_LEAK 0.1		/* of the GPU's static power that is left in RC6 */

static double sum_positions(const struct phase *p, enum eu_event first, int count)
{
	double sum = 0;

	for (int i = 0; i < EU_POSITIONS; i++)
		for (int e = 0; e < count; e++)
			sum += p->eu[i][first + e];
	return sum;
}

void power_phase(const struct power_config *c, const struct phase *p, double hz, double cores_w,
	double nj[POWER_PLANES])
{
	double ns = p->cycles / hz * 1e9;
	double v = c->min_v +
		(c->max_v - c->min_v) * (hz - c->min_hz) / (c->max_hz - c->min_hz);
	double lines = p->gpu[GPU_GTI_READS] + p->gpu[GPU_GTI_WRITES];
	double leak = p->gpu[GPU_TICKS] > 0 ? 1 : GATED_LEAK;
	double dp = sum_positions(p, EU_NUMBERS + NUMBER_FP64, 1);
	double other = sum_positions(p, EU_FPU0, 2 * EU_TYPES) - dp;
	double dynamic = c->cycle_nj * p->gpu[GPU_TICKS] +
		c->eu_nj * sum_positions(p, EU_LOADED, 1) +
		p->effort * (c->fpu_nj * other + c->dp_nj * dp) +
		c->dp_nj * sum_positions(p, EU_XMX, 1) +
		c->send_nj * sum_positions(p, EU_SEND, 1) +
		c->line_nj * (p->gpu[GPU_LINES] + p->gpu[GPU_SLM_READS]);

	nj[POWER_CORES] = cores_w * ns;
	nj[POWER_GPU] = leak * c->gpu_static_w * v / c->max_v * ns + dynamic * v * v;
	nj[POWER_DRAM] = c->dram_static_w * ns + c->dram_nj * lines;
	nj[POWER_PACKAGE] = nj[c->is_card ? POWER_DRAM : POWER_CORES] + nj[POWER_GPU] +
		c->rest_static_w * ns + c->gti_nj * lines;
}

void power_mean(const struct power_config *c, const struct phase_list *l, double hz, double cores_w,
	double w[POWER_PLANES])
{
	double ns = phase_list_cycles(l) / hz * 1e9;
	double nj[POWER_PLANES];

	memset(w, 0, POWER_PLANES * sizeof(w[0]));
	for (int i = 0; i < l->n; i++) {
		power_phase(c, &l->phases[i], hz, cores_w, nj);
		for (int k = 0; k < POWER_PLANES; k++)
			w[k] += nj[k] / ns;
	}
}
