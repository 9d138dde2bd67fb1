/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns a launch into a sequence of phases: this is an event simulation over at most four kinds of
 * equally loaded EUs. */
#include "config.h"

#include "backends/sim/model/eu_array.h"

#include <math.h>
#include <string.h>

#define ISSUE_CYCLES 2		/* between two instructions of one thread */
#define BARRIER_CYCLES 40	/* of a lone thread */
#define GATEWAY_CYCLES 2	/* for each thread of the group */
#define SAME_ATOMIC_CYCLES 1

double eu_sp_cycles(const struct eu_config *c, int simd)
{
	return fmax(c->min_cycles, (double)simd / c->lanes);
}

double eu_dp_cycles(const struct eu_config *c, int simd)
{
	return fmax(c->min_cycles, simd / c->dp_lanes);
}

/* Stands for the EUs of a subslice that hold the same number of threads. They run in step. */
struct eu_kind {
	int first, count;	/* EUs of the subslice */
	int threads, section;
	double left;		/* share of the section that is still to be done, 1 to 0 */
	bool done;
};

/* Stands for the subslices with the same number of groups. */
struct subslice_kind {
	int count;
	int waves;		/* full waves, run as one */
	int groups;		/* of the wave that runs now */
	int rest;		/* groups of the last wave, 0: none */
	bool merged;		/* full waves: threads are spread over all sections */
	bool done;
	struct eu_kind eus[2];
};

struct launch {
	const struct eu_config *c;
	const struct kernel *k;
	struct kernel fitted;	/* to the size of the groups */
	double hz;
	struct kernel_section merged;
	int threads_per_group;
	struct subslice_kind ss[2];
	bool queue_full;	/* to the memory, in this phase */
	double sampler;		/* what is asked of the sampler of one subslice, of its clocks */
	double started;		/* share of the threads that the rasterizer starts in time */
};

/* Holds the cycles of each FPU in one trip, by type. Where both take ordinary arithmetic they share
 * it. */
struct fpu_cycles {
	double fpu0[EU_TYPES], fpu1[EU_TYPES];
};

static struct fpu_cycles fpu_cycles(const struct eu_config *c, const struct kernel_section *s)
{
	struct fpu_cycles f;

	for (int t = 0; t < EU_TYPES; t++) {
		double shared = s->either[t] / 2;

		f.fpu0[t] = s->fpu0_only[t] + (c->dual ? shared : s->either[t]);
		f.fpu1[t] = s->fpu1_only[t];
		if (c->dual)
			f.fpu1[t] += shared;
	}
	return f;
}

static double sum_types(const double cycles[EU_TYPES])
{
	double sum = 0;

	for (int t = 0; t < EU_TYPES; t++)
		sum += cycles[t];
	return sum;
}

/* Returns the cycles of a trip of a lone thread. What an EU issues at the same time comes from
 * different threads, so that one thread keeps one FPU busy, never both. */
static double lone_cycles(const struct eu_config *c, const struct kernel_section *s)
{
	struct fpu_cycles f = fpu_cycles(c, s);
	double waiting = fmax(s->latency_cycles, s->instructions * ISSUE_CYCLES);

	return fmax(waiting, sum_types(f.fpu0) + sum_types(f.fpu1));
}

/* Returns the trips per cycle of an EU with that many threads, as if it had the memory for
 * itself. */
static double eu_rate(const struct launch *l, const struct kernel_section *s, int threads)
{
	const struct eu_config *c = l->c;
	double barrier = BARRIER_CYCLES + GATEWAY_CYCLES * l->threads_per_group;
	double alone = lone_cycles(c, s) + s->barriers * barrier +
		s->exchanges * (barrier + c->memory.l3_latency_cycles);
	struct fpu_cycles f = fpu_cycles(c, s);
	double pipes = fmax(fmax(sum_types(f.fpu0), sum_types(f.fpu1)),
		fmax(s->send_cycles, s->xmx_cycles));

	if (threads == 0)
		return 0;
	return fmin(threads / fmax(alone, 1), 1 / fmax(pipes, 1e-9));
}

static const struct kernel_section *section_of(
	const struct launch *l, const struct subslice_kind *ss, const struct eu_kind *e)
{
	if (ss->merged)
		return &l->merged;
	if (e->section == l->k->n_sections)	/* the kind is done */
		return &l->k->sections[e->section - 1];
	return &l->k->sections[e->section];
}

/* Returns what one pass through all sections is, as a section with one trip. */
static struct kernel_section merge_sections(const struct eu_config *c, const struct kernel *k)
{
	struct kernel_section m = { .trips = 0 };
	double *sum = (double *)&m;	/* all members are numbers that add up */

	for (int i = 0; i < k->n_sections; i++) {
		struct kernel_section s = k->sections[i];
		const double *each = (const double *)&s, trips = s.trips;

		s.latency_cycles = lone_cycles(c, &s);
		for (size_t n = 0; n < sizeof(m) / sizeof(*sum); n++)
			sum[n] += trips * each[n];
	}
	m.trips = 1;
	return m;
}

/* Deals the threads of the resident groups to the EUs. The first EUs may hold one more. */
static void start_wave(const struct launch *l, struct subslice_kind *ss)
{
	int eus = l->c->eus_per_subslice;
	int threads = ss->groups * l->threads_per_group;
	int more = threads % eus;

	ss->eus[0] = (struct eu_kind){ .first = 0,
		.count = more,
		.threads = threads / eus + 1,
		.left = 1,
		.done = more == 0 };
	ss->eus[1] = (struct eu_kind){ .first = more,
		.count = eus - more,
		.threads = threads / eus,
		.left = 1,
		.done = threads < eus };
}

static void start_subslices(const struct launch *l, struct subslice_kind *ss, int count, int groups)
{
	int resident = l->c->eus_per_subslice * l->c->threads_per_eu / l->threads_per_group;

	*ss = (struct subslice_kind){ .count = count, .done = count == 0 || groups == 0 };
	if (ss->done)
		return;
	ss->waves = groups / resident;
	ss->rest = groups % resident;
	ss->merged = ss->waves > 1;
	ss->groups = resident;
	if (!ss->waves) {
		ss->groups = ss->rest;
		ss->waves = 1;
		ss->rest = 0;
	}
	start_wave(l, ss);
}

/* Starts the last wave, or ends the subslice, when all its EUs are through. */
static void next_wave(const struct launch *l, struct subslice_kind *ss)
{
	if (!ss->eus[0].done || !ss->eus[1].done)
		return;
	if (!ss->rest) {
		ss->done = true;
		return;
	}
	ss->groups = ss->rest;
	ss->rest = 0;
	ss->waves = 1;
	ss->merged = false;
	start_wave(l, ss);
}

/* Sets rate[i][j] to the trips per cycle of one EU of that kind, with everything that is shared. */
static void share_rates(struct launch *l, double rate[2][2])
{
	struct memory_traffic t = { 0 };
	double atomics = 0, raster = 0;

	l->sampler = 0;
	memset(rate, 0, 4 * sizeof(double));
	for (int i = 0; i < 2; i++) {
		const struct subslice_kind *ss = &l->ss[i];
		double port = 0, sampler = 0;

		for (int j = 0; j < 2 && !ss->done; j++) {
			const struct eu_kind *e = &ss->eus[j];
			const struct kernel_section *s = section_of(l, ss, e);

			if (e->done)
				continue;
			rate[i][j] = eu_rate(l, s, e->threads);
			port += rate[i][j] * e->count *
				(memory_port_cycles(&l->c->memory, s->lines, s->turnarounds) +
					memory_slm_cycles(&l->c->memory, s->slm_lines) +
					s->slm_atomics * SAME_ATOMIC_CYCLES);
			sampler += rate[i][j] * e->count * s->sampler_cycles;
		}
		l->sampler = fmax(l->sampler, sampler);
		for (int j = 0; j < 2 && !ss->done; j++) {
			const struct kernel_section *s = section_of(l, ss, &ss->eus[j]);

			rate[i][j] /= fmax(fmax(port, sampler), 1);
			double trips = rate[i][j] * ss->eus[j].count * ss->count;
			t.read_bytes += trips * s->gti_read_bytes;
			t.write_bytes += trips * s->gti_write_bytes;
			t.llc_bytes += trips * s->llc_bytes;
			t.requests += trips * s->request_cycles;
			atomics += trips * s->same_atomics * SAME_ATOMIC_CYCLES;
			raster += trips * s->raster_cycles;
		}
	}
	double excess = memory_excess(&l->c->memory, l->hz, &t);
	l->queue_full = excess > 1 && excess >= raster;
	l->started = 1 / fmax(raster / excess, 1);
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++) {
			const struct subslice_kind *ss = &l->ss[i];
			const struct kernel_section *s = section_of(l, ss, &ss->eus[j]);

			if (s->gti_read_bytes > 0 || s->gti_write_bytes > 0)
				rate[i][j] /= excess;
			if (s->same_atomics > 0)
				rate[i][j] /= fmax(atomics, 1);
			rate[i][j] *= l->started;
		}
}

/* Returns the cycles until an EU of kind j is through its section, at these rates. While further
 * groups wait, a place that becomes free has a thread again at once: EUs with fewer places then do
 * as much as they can, and all end together. */
static double cycles_left(
	const struct launch *l, const struct subslice_kind *ss, int j, const double rate[2])
{
	const struct eu_kind *e = &ss->eus[j];
	double trips = e->left * ss->waves * section_of(l, ss, e)->trips;
	double threads = 0, all = 0;

	if (!ss->merged)
		return trips * e->threads / rate[j];
	for (int k = 0; k < 2; k++) {
		threads += ss->eus[k].count * ss->eus[k].threads;
		all += ss->eus[k].count * rate[k];
	}
	return trips * threads / all;
}

/* Holds what an EU does in each cycle of a phase. */
struct eu_work {
	const struct kernel_section *s;
	struct fpu_cycles f;
	double rate;			/* trips */
	double fpu0, fpu1, send, xmx;	/* shares of the cycles in which a pipe works */
	double rest;			/* no pipe works */
	enum eu_event waits;		/* what it waits for then */
	double loaded, threads;		/* share of the cycles with a thread; how many there are */
};

/* Adds the work of n cycles. */
static void add_work(double ev[EU_EVENTS], const struct eu_work *w, double n)
{
	for (int t = 0; t < EU_TYPES; t++) {
		ev[EU_FPU0 + t] += n * w->rate * w->f.fpu0[t];
		ev[EU_FPU1 + t] += n * w->rate * w->f.fpu1[t];
	}
	ev[EU_BOTH] += n * w->fpu0 * w->fpu1;
	ev[EU_SEND] += n * w->send;
	ev[EU_SEND_START] += n * w->rate * w->s->sends;
	ev[EU_XMX] += n * w->xmx;
	ev[EU_ACTIVE] += n * (1 - w->rest);
	ev[w->waits] += n * fmax(w->rest - (1 - w->loaded), 0);
	for (int t = 0; t < NUMBERS; t++)
		ev[EU_NUMBERS + t] += n * w->rate * w->s->numbers[t];
	ev[EU_LOADED] += n * w->loaded;
	ev[EU_THREADS] += n * w->threads;
}

/* Adds what the EUs of a kind do in the cycles of the phase. */
static void add_kind(struct phase *p, const struct launch *l, const struct subslice_kind *ss,
	const struct eu_kind *e, double rate)
{
	const struct kernel_section *s = section_of(l, ss, e);
	double trips = rate * p->cycles * e->count * ss->count;
	struct eu_work w = { .s = s,
		.f = fpu_cycles(l->c, s),
		.rate = rate,
		.send = fmin(rate * s->send_cycles, 1),
		.xmx = fmin(rate * s->xmx_cycles, 1),
		.waits = EU_WAIT_RESULT,
		.loaded = fmin(e->threads * l->started, 1),
		.threads = e->threads * l->started };

	if (s->lines + s->slm_lines + s->slm_atomics > 0)
		w.waits = EU_WAIT_MESSAGE;
	for (int t = 0; t < EU_TYPES; t++) {
		w.fpu0 += rate * w.f.fpu0[t];
		w.fpu1 += rate * w.f.fpu1[t];
	}
	w.fpu0 = fmin(w.fpu0, 1);
	w.fpu1 = fmin(w.fpu1, 1);
	w.rest = (1 - w.fpu0) * (1 - w.fpu1) * (1 - w.send) * (1 - w.xmx);
	for (int i = e->first; i < e->first + e->count; i++) {
		add_work(p->eu[i % EU_POSITIONS], &w, p->cycles * ss->count);
		add_work(p->one[ss - l->ss][i % EU_POSITIONS], &w, p->cycles);
	}
	p->gpu[GPU_THREADS] += trips * s->threads;
	if (l->k->stage == STAGE_CS)
		p->gpu[GPU_GROUPS] += trips * s->threads / l->threads_per_group;
	p->gpu[GPU_LINES] += trips * s->lines;
	p->gpu[GPU_SLM_READS] += trips * s->slm_lines;
	p->gpu[s->slm_atomics > 0 ? GPU_SLM_ATOMICS : GPU_ATOMICS] += trips * s->atomics;
	p->gpu[GPU_BARRIERS] += trips * (s->barriers + s->exchanges);
	p->gpu[GPU_GTI_READS] += trips * s->gti_read_bytes / MEMORY_LINE_BYTES;
	p->gpu[GPU_GTI_WRITES] += trips * s->gti_write_bytes / MEMORY_LINE_BYTES;
	p->gpu[GPU_DRAM_LINES] += trips *
		(s->gti_read_bytes - s->llc_bytes + s->gti_write_bytes) / MEMORY_LINE_BYTES;
	p->gpu[GPU_QUADS] += trips * s->quads;
	p->gpu[GPU_TEXEL_QUADS] += trips * s->texel_quads;
}

/* Adds what each subslice of a kind does, whatever its EUs do of it. */
static void add_subslices(struct phase *p, const struct launch *l, int kind, const double rate[2])
{
	const struct subslice_kind *ss = &l->ss[kind];
	int first = kind ? l->ss[0].count : 0;
	double demand = 0, served = 0, threads = 0, slm = 0, waiting = 1, requests;

	for (int j = 0; j < 2; j++) {
		const struct eu_kind *e = &ss->eus[j];
		const struct kernel_section *s = section_of(l, ss, e);

		if (e->done)
			continue;
		double port = e->count *
			memory_port_cycles(&l->c->memory, s->lines, s->turnarounds);
		demand += port * eu_rate(l, s, e->threads);
		served += port * rate[j];
		threads += rate[j] * e->count * s->threads;
		slm += rate[j] * e->count * s->slm_lines;
	}
	if (!ss->rest)
		waiting -= 1.0 / ss->waves;
	requests = fmin(demand, 1);
	for (int i = first; i < first + ss->count && i < SS_MAX; i++) {
		p->ss[i][SS_WAITING] += p->cycles * waiting;
		p->ss[i][SS_GROUPS] += p->cycles * threads / l->threads_per_group;
		p->ss[i][SS_THREADS] += p->cycles * threads;
		p->ss[i][SS_SLM_LINES] += p->cycles * slm;
		p->ss[i][SS_REQUESTS] += p->cycles * requests;
		if (demand > 0)
			p->ss[i][SS_STALLED] += p->cycles * requests * fmax(1 - served / demand, 0);
	}
}

/* Moves every kind of EUs on by the cycles of the phase. A kind that is due counts as exactly due,
 * whatever rounding says. */
static void advance(struct launch *l, double rate[2][2], double cycles)
{
	double due[2][2] = { { 0 } };

	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++)
			if (!l->ss[i].done && !l->ss[i].eus[j].done)
				due[i][j] = cycles_left(l, &l->ss[i], j, rate[i]);
	for (int i = 0; i < 2; i++) {
		struct subslice_kind *ss = &l->ss[i];

		for (int j = 0; j < 2 && !ss->done; j++) {
			struct eu_kind *e = &ss->eus[j];

			if (e->done)
				continue;
			double left = due[i][j];
			e->left *= 1 - cycles / left;
			if (left > cycles * (1 + 1e-12))
				continue;
			e->left = 1;
			e->done = ss->merged || ++e->section == l->k->n_sections;
		}
		if (!ss->done)
			next_wave(l, ss);
	}
}

/* Notes which EUs hold threads now. */
static void note_loaded(const struct launch *l, struct phase *p)
{
	p->n_first = l->ss[0].count;
	for (int i = 0; i < 2; i++) {
		for (int j = 0; j < 2 && !l->ss[i].done; j++) {
			const struct eu_kind *e = &l->ss[i].eus[j];

			if (!e->done && e->count > 0)
				p->loaded_eus[i] |= ((1u << e->count) - 1) << e->first;
		}
	}
}

static struct phase *new_phase(struct phase_list *out, struct err *err)
{
	if (out->n == PHASES_MAX) {
		err_set(err, ERR_UNSUPPORTED, "the load has more than %d phases", PHASES_MAX);
		return NULL;
	}
	memset(&out->phases[out->n], 0, sizeof(out->phases[0]));
	return &out->phases[out->n++];
}

static bool step(struct launch *l, struct phase_list *out, struct err *err)
{
	double rate[2][2];
	double next = INFINITY;
	struct phase *p = new_phase(out, err);

	if (!p)
		return false;
	share_rates(l, rate);
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2 && !l->ss[i].done; j++)
			if (!l->ss[i].eus[j].done)
				next = fmin(next, cycles_left(l, &l->ss[i], j, rate[i]));
	p->cycles = next;
	p->stage = l->k->stage;
	p->effort = l->k->effort;
	p->context = 1;
	note_loaded(l, p);
	p->gpu[GPU_TICKS] = p->gpu[GPU_BUSY] = next;
	if (l->queue_full)
		p->gpu[GPU_QUEUE_FULL] = next;
	p->gpu[GPU_SAMPLER_BUSY] = fmin(l->sampler, 1) * next;
	if (l->sampler > 1)
		p->gpu[GPU_SAMPLER_FULL] = next;
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2 && !l->ss[i].done; j++)
			if (!l->ss[i].eus[j].done)
				add_kind(p, l, &l->ss[i], &l->ss[i].eus[j], rate[i][j]);
	for (int i = 0; i < 2; i++)
		if (!l->ss[i].done)
			add_subslices(p, l, i, rate[i]);
	advance(l, rate, next);
	return true;
}

/* Works out what depends on the size of a group. */
static void fit_items(struct kernel *k, int items)
{
	double runs = ceil((double)items / RUN_ITEMS);

	for (int i = 0; i < k->n_sections; i++) {
		struct kernel_section *s = &k->sections[i];
		double messages = s->run_slm_lines * runs;

		s->exchanges += s->halving_exchanges * ceil(log2(items)) +
			s->run_exchanges * (runs - 1);
		s->slm_lines += messages;
		s->sends += messages;
		s->send_cycles += messages;
		s->instructions += messages;
	}
}

bool eu_launch(const struct eu_config *c, double hz, const struct kernel *k, int groups, int items,
	struct phase_list *out, struct err *err)
{
	struct launch l = {
		.c = c,
		.fitted = *k,
		.hz = hz,
		.threads_per_group = (items + k->simd - 1) / k->simd,
	};

	l.k = &l.fitted;
	fit_items(&l.fitted, items);
	l.merged = merge_sections(c, l.k);

	if (l.threads_per_group > c->eus_per_subslice * c->threads_per_eu)
		return err_set(err, ERR_USAGE,
			"a work group of %d items is %d threads, a subslice holds %d", items,
			l.threads_per_group, c->eus_per_subslice * c->threads_per_eu);
	start_subslices(&l, &l.ss[0], groups % c->subslices, groups / c->subslices + 1);
	start_subslices(&l, &l.ss[1], c->subslices - groups % c->subslices, groups / c->subslices);
	while (!l.ss[0].done || !l.ss[1].done)
		if (!step(&l, out, err))
			return false;
	return true;
}

bool eu_pause(double hz, double ns, bool busy, bool gated, struct phase_list *out, struct err *err)
{
	struct phase *p = new_phase(out, err);

	if (!p)
		return false;
	p->cycles = fmax(ns * hz / 1e9, 1);
	p->context = busy;
	if (gated)
		p->gpu[GPU_RC6_NS] = ns;
	else
		p->gpu[GPU_TICKS] = p->cycles;
	if (busy)
		p->gpu[GPU_BUSY] = p->cycles;
	return true;
}

double phase_list_cycles(const struct phase_list *l)
{
	double cycles = 0;

	for (int i = 0; i < l->n; i++)
		cycles += l->phases[i].cycles;
	return cycles;
}
