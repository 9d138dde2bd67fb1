/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs launches in the model with kernels and memory that are changed before. */
#include "config.h"

#include "tests/truth/trial.h"

#include <math.h>
#include <stdlib.h>

#include "backends/sim/model/kernel.h"
#include "base/mem.h"
#include "base/parse.h"

#define FASTER 1e6
#define ALL (BIT(RESOURCES) - 1)

static void select_nothing(void *ctx, const struct phase *p, double hz, double q[Q_COUNT])
{
	(void)ctx;
	(void)p;
	(void)hz;
	(void)q;
}

bool scene_open(struct scene *s, const char *text, struct err *err)
{
	struct course cs = { 0 };

	if (!sim_spec_parse(text, &s->spec, err) ||
		!sim_device(&s->spec.machine, &s->device, err))
		return false;
	s->platform = intel_platform_by_name(s->device.platform);
	s->hw = sim_hardware(&s->spec.machine, &s->device);
	if (!workload_build(&cs, &s->hw, &s->spec.load, select_nothing, NULL, err))
		return false;
	course_seal(&cs);
	course_at(&cs, 0, &s->clock);
	course_release(&cs);
	return true;
}

static void faster(double *cycles, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cycles[i] /= FASTER;
}

/* Instructions that any FPU may execute are dealt to both in turn; on devices with one they are
 * FPU0's. */
static void relax_fpu(struct kernel_section *s, bool dual, bool first)
{
	double share = dual ? 0.5 : 1;

	for (int t = 0; t < EU_TYPES; t++) {
		s->fpu0_only[t] += s->either[t] * share;
		s->fpu1_only[t] += s->either[t] * (1 - share);
		s->either[t] = 0;
	}
	faster(first ? s->fpu0_only : s->fpu1_only, EU_TYPES);
}

static void relax_section(struct kernel_section *s, bool dual, unsigned relaxed)
{
	if (relaxed & BIT(FPU0))
		relax_fpu(s, dual, true);
	if (relaxed & BIT(FPU1))
		relax_fpu(s, dual, false);
	if (relaxed & BIT(XMX))
		faster(&s->xmx_cycles, 1);
	if (relaxed & BIT(SAMPLER))
		faster(&s->sampler_cycles, 1);
	if (relaxed & BIT(RASTERIZER))
		faster(&s->raster_cycles, 1);
	if (relaxed & BIT(SEND))
		faster(&s->send_cycles, 1);
	if (relaxed & BIT(L3))
		s->turnarounds = 0;
	if (relaxed & BIT(SLM))
		faster(&s->slm_atomics, 1);
	if (relaxed & BIT(LATENCY)) {
		faster(&s->latency_cycles, 1);
		faster(&s->instructions, 1);
	}
}

static struct eu_config relax_config(const struct eu_config *c, unsigned relaxed)
{
	struct eu_config out = *c;
	struct {
		enum resource r;
		double *value;
	} memory[] = {
		{ L3, &out.memory.l3_bytes_per_cycle_subslice },
		{ SLM, &out.memory.slm_bytes_per_cycle_subslice },
		{ GTI_READ, &out.memory.gti_read_bytes_per_cycle },
		{ GTI_WRITE, &out.memory.gti_write_bytes_per_cycle },
		{ DRAM, &out.memory.dram_bytes_per_s },
	};

	for (size_t i = 0; i < ARRAY_LEN(memory); i++)
		if (relaxed & BIT(memory[i].r))
			*memory[i].value *= FASTER;
	/* The queue of requests is a part of the memory. */
	if (relaxed & BIT(DRAM))
		out.memory.requests = 0;
	return out;
}

static void add_phases(struct outcome *o, const struct phase_list *l, int eus, int threads)
{
	double cycles = 0, eu_threads = 0, first = 0, started = 0, groups = 0;

	for (int i = 0; i < l->n; i++) {
		const struct phase *p = &l->phases[i];

		cycles += p->gpu[GPU_BUSY];
		started += p->gpu[GPU_THREADS];
		groups += p->gpu[GPU_GROUPS];
		o->queue_full += p->gpu[GPU_QUEUE_FULL];
		o->lines += p->gpu[GPU_LINES];
		o->slm_lines += p->gpu[GPU_SLM_READS];
		o->reads += p->gpu[GPU_GTI_READS];
		o->writes += p->gpu[GPU_GTI_WRITES];
		o->dram_lines += p->gpu[GPU_DRAM_LINES];
		for (int k = 0; k < EU_POSITIONS; k++) {
			const double *ev = p->eu[k];

			o->loaded += ev[EU_LOADED];
			o->active += ev[EU_ACTIVE];
			eu_threads += ev[EU_THREADS];
			first += k % 4 ? 0 : ev[EU_THREADS];
			o->send += ev[EU_SEND];
			o->xmx += ev[EU_XMX];
			for (int t = 0; t < EU_TYPES; t++) {
				o->fpu0 += ev[EU_FPU0 + t];
				o->fpu1 += ev[EU_FPU1 + t];
			}
		}
	}
	o->thread_life_ns = eu_threads / fmax(started, 1e-9);	/* cycles, as yet */
	o->group_threads = started / fmax(groups, 1e-9);
	o->queue_full /= cycles;
	o->occupancy = eu_threads / (cycles * eus * threads);
	o->seen_occupancy = 4 * first / (cycles * eus * threads);
	double *shares[] = { &o->loaded, &o->active, &o->fpu0, &o->fpu1, &o->send, &o->xmx };
	for (size_t i = 0; i < ARRAY_LEN(shares); i++)
		*shares[i] /= cycles * eus;
}

static bool run(const struct scene *s, double hz, unsigned relaxed, unsigned at_roof, int more, struct outcome *o)
{
	struct eu_config c = relax_config(&s->hw.eu, relaxed);
	bool takes_part = !(relaxed & BIT(DRAM));
	struct phase_list *l = xcalloc(1, sizeof(*l));
	const struct workload_options *w = &s->spec.load;
	const char *names = w->load;
	char name[48];
	bool good = true;

	if (at_roof & BIT(DRAM))
		c.memory.dram_bytes_per_s /= s->spec.machine.memory_share;
	c.memory.others_bytes_per_s = takes_part ? w->others_bytes_per_s : 0;
	*o = (struct outcome){ .hz = hz };
	while (good && parse_until(&names, '+', name, sizeof(name))) {
		struct kernel k;

		/* The kernel is compiled for the device as it is. */
		good = kernel_make(&s->hw.eu, hz, name, w->n, &k, NULL);
		if (good)
			kernel_fit_groups(&s->hw.eu, hz, (int)(workload_groups(&s->hw, w) * more), &k);
		for (int i = 0; good && i < k.n_sections; i++) {
			relax_section(&k.sections[i], c.dual, relaxed);
			if (at_roof & BIT(L3))
				k.sections[i].turnarounds = 0;
		}
		good = good &&
			eu_launch(&c, hz, &k, workload_groups(&s->hw, w) * more, w->items, l, NULL);
		/* The host waits for the launch before it starts the next one. */
		if (k.waits || w->waits)
			o->pause_ns += WORKLOAD_ROUND_TRIP_NS;
		else
			good = good && eu_pause(hz, WORKLOAD_GAP_NS, true, false, l, NULL);
	}
	if (good) {
		add_phases(o, l, c.subslices * c.eus_per_subslice, c.threads_per_eu);
		o->thread_life_ns *= 1e9 / hz;
		o->ns = phase_list_cycles(l) / hz * 1e9;
		o->pause_ns += w->pause_ns;
		o->busy = o->ns / (o->ns + o->pause_ns);
		o->ns += o->pause_ns;
	}
	free(l);
	return good;
}

bool trial_run(const struct scene *s, double hz, unsigned relaxed, int more, struct outcome *o)
{
	return run(s, hz, relaxed, 0, more, o);
}

bool trial_at_roof(const struct scene *s, double hz, enum resource r, struct outcome *o)
{
	return run(s, hz, 0, BIT(r), 1, o);
}

bool trial_of(const struct scene *s, const struct outcome *o, struct trial *t)
{
	struct outcome relaxed, alone;

	if (!trial_run(s, o->hz, t->resources, 1, &relaxed) ||
		!trial_run(s, o->hz, ALL & ~t->resources, 1, &alone))
		return false;
	t->speedup = o->ns / relaxed.ns;
	t->alone = alone.ns / o->ns;
	return true;
}
