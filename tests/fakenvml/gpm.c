/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The performance monitor (GPM) of the library of the tests. */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fakenvml/nvml.h"
#include "tests/fakenvml/recorded.h"

#ifndef FAKE_NVML_OLD
struct sample {
	int64_t t_ns;
	struct nvidia_totals totals;
	double share;		/* of the work, that an instance does */
};

typedef struct {
	unsigned version, isSupportedDevice;
} nvmlGpmSupport_t;

typedef struct {
	unsigned metricId;
	nvmlReturn_t nvmlReturn;
	double value;
	struct {
		char *shortName, *longName, *unit;
	} metricInfo;
} nvmlGpmMetric_t;

typedef struct {
	unsigned version, numMetrics;
	struct sample *sample1, *sample2;
	nvmlGpmMetric_t metrics[98];
} nvmlGpmMetricsGet_t;

EXPORT nvmlReturn_t nvmlGpmQueryDeviceSupport(nvmlDevice_t d, nvmlGpmSupport_t *s);
EXPORT nvmlReturn_t nvmlGpmQueryDeviceSupport(nvmlDevice_t d, nvmlGpmSupport_t *s)
{
	BEGIN_DEVICE(d);
	s->isSupportedDevice = nvidia_gpu_machine(gpu)->has_gpm && !fake_recording();
	return s->version == 1 ? SUCCESS : ARGUMENT_VERSION_MISMATCH;
}

EXPORT nvmlReturn_t nvmlGpmSampleAlloc(struct sample **s);
EXPORT nvmlReturn_t nvmlGpmSampleAlloc(struct sample **s)
{
	BEGIN;
	*s = calloc(1, sizeof(**s));
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlGpmSampleFree(struct sample *s);
EXPORT nvmlReturn_t nvmlGpmSampleFree(struct sample *s)
{
	BEGIN;
	free(s);
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlGpmSampleGet(nvmlDevice_t d, struct sample *s);
EXPORT nvmlReturn_t nvmlGpmSampleGet(nvmlDevice_t d, struct sample *s)
{
	BEGIN_DEVICE(d);
	if (fake_instances() > 0 && !getenv("ROOFTOP_FAKE_WHOLE"))
		return NOT_SUPPORTED;
	s->t_ns = now_ns();
	nvidia_gpu_totals(gpu, s->t_ns, &s->totals);
	s->share = 1;
	return SUCCESS;
}

/* Of the whole divided card there is none. */
EXPORT nvmlReturn_t nvmlGpmMigSampleGet(nvmlDevice_t d, unsigned gi, struct sample *s);
EXPORT nvmlReturn_t nvmlGpmMigSampleGet(nvmlDevice_t d, unsigned gi, struct sample *s)
{
	BEGIN_DEVICE(d);
	unsigned i = 0, n = fake_instances();

	while (i < n && fake_instance[i].gi != gi)
		i++;
	if (fake_instance_of(d) || i == n)
		return INVALID_ARGUMENT;
	s->t_ns = now_ns();
	nvidia_gpu_totals(gpu, s->t_ns, &s->totals);
	s->share = 1.0 / gi;
	return SUCCESS;
}

/* The member of totals that a share is of, over clocks; -1: none. */
static int member_of(unsigned id)
{
#define MEMBER(m) (int)(offsetof(struct nvidia_totals, m) / sizeof(double))
	switch (id) {
	case 2:
	case 249:
		return MEMBER(loaded);
	case 3:
		return MEMBER(occupied);
	case 4:
	case 257:
		return MEMBER(pipe[NVIDIA_INTEGER]);
	case 6:
	case 254:
		return MEMBER(pipe[NVIDIA_TENSOR_FP64]);
	case 7:
	case 252:
		return MEMBER(pipe[NVIDIA_TENSOR_HALF]);
	case 9:
	case 253:
		return MEMBER(pipe[NVIDIA_TENSOR_INT8]);
	case 11:
	case 258:
		return MEMBER(pipe[NVIDIA_FP64]);
	case 12:
	case 259:
		return MEMBER(pipe[NVIDIA_FP32]);
	case 13:
	case 260:
		return MEMBER(pipe[NVIDIA_FP16]);
	default:
		return -1;
	}
}

static double tensor(const struct nvidia_totals *t)
{
	return t->pipe[NVIDIA_TENSOR_HALF] + t->pipe[NVIDIA_TENSOR_INT8] +
		t->pipe[NVIDIA_TENSOR_FP64];
}

static bool has_cycles(void)
{
	const char *api = getenv("ROOFTOP_FAKE_API");

	return api && atoi(api) >= 13;
}

/* Shares that the environment names, for those of types of numbers. */
static bool said_share(unsigned id, double *value)
{
	const char *list = getenv("ROOFTOP_FAKE_GPM");

	if (!list || id < 5 || id > 9)
		return false;
	*value = 0;
	for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
		if ((unsigned)atoi(p) == id)
			*value = atof(strchr(p, '=') + 1);
	return true;
}

static void fill_metric(nvmlGpmMetric_t *m, const struct sample *a, const struct sample *b)
{
	double ns = (double)(b->t_ns - a->t_ns), clocks = b->totals.clocks - a->totals.clocks;
	const double *before = (const double *)&a->totals, *now = (const double *)&b->totals;
	int member = member_of(m->metricId);

	m->nvmlReturn = SUCCESS;
	if (m->metricId >= 248 && !has_cycles())
		m->nvmlReturn = INVALID_ARGUMENT;
	else if (said_share(m->metricId, &m->value))
		return;
	else if (m->metricId == 1)
		m->value = 100 * (b->totals.busy_ns - a->totals.busy_ns) / ns;
	else if (m->metricId == 10)
		m->value = 100 * (b->totals.dram_bytes - a->totals.dram_bytes) / ns * 1e9 /
			nvidia_dram_peak(nvidia_gpu_machine(gpu));
	else if (m->metricId == 5)
		m->value = 100 * (tensor(&b->totals) - tensor(&a->totals)) / clocks;
	else if (m->metricId == 20)
		m->value = (b->totals.pcie_out_bytes - a->totals.pcie_out_bytes) / ns * 1e9 / (1 << 20);
	else if (m->metricId == 21)
		m->value = (b->totals.pcie_in_bytes - a->totals.pcie_in_bytes) / ns * 1e9 / (1 << 20);
	else if (m->metricId == 248)
		m->value = b->totals.clocks;
	else if (m->metricId == 250)
		m->value = tensor(&b->totals);
	else if (member < 0)
		m->nvmlReturn = NOT_SUPPORTED;
	else
		m->value = m->metricId >= 248 ? now[member]
					      : 100 * (now[member] - before[member]) / clocks;
	/* Shares are rounded to tenths. */
	if (m->nvmlReturn == SUCCESS && m->metricId < 248)
		m->value = round(m->value * b->share * 10) / 10;
}

EXPORT nvmlReturn_t nvmlGpmMetricsGet(nvmlGpmMetricsGet_t *g);
EXPORT nvmlReturn_t nvmlGpmMetricsGet(nvmlGpmMetricsGet_t *g)
{
	BEGIN;
	if (g->version != 1)
		return ARGUMENT_VERSION_MISMATCH;
	if (g->sample2->t_ns <= g->sample1->t_ns)
		return NO_DATA;
	for (unsigned i = 0; i < g->numMetrics; i++)
		fill_metric(&g->metrics[i], g->sample1, g->sample2);
	return SUCCESS;
}
#endif
