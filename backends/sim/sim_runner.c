/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs jobs on the simulated device: the model runs another load until the job ends. Rates are the
 * model's own. */
#include "config.h"

#include "backends/sim/sim_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/sim/model/kernel.h"
#include "backends/sim/model/placement.h"
#include "base/clock.h"
#include "base/mem.h"
#include "backends/sim/model/forms.h"
#include "base/err.h"
#include "backends/sim/model/workload.h"

/* What the processor reaches. Plain data. */
struct sim_processor {
	double dram_bytes_per_s; /* that it takes from the GPU */
	double bytes_per_s, ops_per_s; /* as the kernel counts them, NAN: it does none */
};

#define WANTED_SHARE 0.75
#define LLC_NS 15.0
#define DRAM_NS 80.0
#define LLC_LOST 0.5

static bool streams(enum kernel_form form)
{
	return form == FORM_STREAM || form == FORM_TRIAD || form == FORM_UPDATE ||
		form == FORM_READ || form == FORM_WRITE;
}

/* Fills in what the kernel reaches beside a GPU that wants to move so much through the memory. No
 * kernel ("") reaches nothing. */
static bool sim_processor_run(struct sim_processor *p, const struct memory_config *m,
	const char *kernel, double gpu_bytes_per_s, struct err *err)
{
	double reach = memory_reachable_bytes_per_s(m);
	double gpu_share = fmin(gpu_bytes_per_s / reach, 1);
	struct kernel_parts parts;

	*p = (struct sim_processor){ .bytes_per_s = NAN, .ops_per_s = NAN };
	if (!*kernel)
		return true;
	if (!kernel_parts_parse(kernel, &parts)) {
		err_set(err, ERR_USAGE, "no kernel is named '%s'", kernel);
		return err_hint(err, "%s", kernel_names());
	}
	if (streams(parts.form->form)) {
		p->dram_bytes_per_s = fmin(
			WANTED_SHARE * reach, fmax(reach / 2, reach - gpu_bytes_per_s));
		p->bytes_per_s = p->dram_bytes_per_s;
	} else if (parts.form->form == FORM_CHASE) {
		double cache = m->llc_bytes * (1 - LLC_LOST * gpu_share);
		double hits = parts.set_bytes > 0 ? fmin(cache / parts.set_bytes, 1) : 1;

		p->ops_per_s = 1e9 / (hits * LLC_NS + (1 - hits) * DRAM_NS);
		p->bytes_per_s = p->ops_per_s * parts.type->bytes;
		p->dram_bytes_per_s = p->ops_per_s * (1 - hits) * MEMORY_LINE_BYTES;
	}
	return true;
}

#define DEFAULT_ITEMS 256
/* A launch whose loop count nobody chose takes no longer than this. */
#define LAUNCH_MAX_NS 500e6
/* With the flaw "bitflip" the results of one launch in so many are wrong, beginning with the
 * first. */
#define BITFLIP_LAUNCHES 64
/* Current rates are means over this time. */
#define RATE_NS (500 * NS_PER_MS)

struct mark {
	int64_t t_ns;
	uint64_t parts;		/* of launches, COURSE_LAUNCH_PARTS each */
};

struct sim_runner {
	struct runner runner;
	struct sim_model *m;
	const struct device *device;
	struct kernel_info *kernels;	/* NULL before somebody asks for them */
	size_t n_kernels;
	struct job_state state;
	struct kernel kernel;
	struct placement placement;	/* of the job that asked for it */
	int groups, items;
	struct mark start, before, last;
	struct sim_processor processor;	/* beside the job */
	uint64_t start_nj;
};

static struct sim_runner *of(struct runner *r)
{
	return (struct sim_runner *)r;
}

static void refuse(struct kernel_info *k, const char *reason)
{
	k->supported = false;
	snprintf(k->reason, sizeof(k->reason), "%s", reason);
}

static void add_kernel(struct sim_runner *s, const char *name)
{
	struct kernel_info *k = &s->kernels[s->n_kernels++];
	struct kernel_words w;

	kernel_describe(name, &w);
	*k = (struct kernel_info){ .width = w.width,
		.work = { .flop = w.flop,
			.read_bytes = w.read_bytes,
			.write_bytes = w.write_bytes,
			.local_bytes = w.local_bytes,
			.ops = w.counted },
		.supported = true };
	snprintf(k->name, sizeof(k->name), "%s", name);
	snprintf(k->family, sizeof(k->family), "%s", w.family);
	snprintf(k->op, sizeof(k->op), "%s", w.op);
	snprintf(k->type, sizeof(k->type), "%s", w.type);
	snprintf(k->text, sizeof(k->text), "%s", w.text);
	if (w.needs_dp && s->m->hw.eu.dp_lanes == 0)
		refuse(k, "this GPU has no double precision");
	if (w.needs_xmx && !s->m->hw.eu.has_xmx)
		refuse(k, "this GPU has no matrix engine");
}

static const struct kernel_info *kernels(struct runner *r, const char *device, size_t *n)
{
	struct sim_runner *s = of(r);
	size_t cap = 0;
	char name[48];

	(void)device;
	for (size_t i = s->n_kernels; kernel_name(i, name, sizeof(name)); i++) {
		s->kernels = array_grow(s->kernels, i, &cap, sizeof(*s->kernels));
		add_kernel(s, name);
	}
	*n = s->n_kernels;
	return s->kernels;
}

static const struct kernel_info *find_kernel(struct runner *r, const char *name)
{
	size_t n;
	const struct kernel_info *all = kernels(r, "", &n);

	for (size_t i = 0; i < n; i++)
		if (!strcmp(all[i].name, name))
			return &all[i];
	return NULL;
}

static struct mark mark_at(const struct sim_runner *s, int64_t now_ns)
{
	return (struct mark){ now_ns,
		course_value(s->m->now, Q_LAUNCHES, sim_model_time(s->m, now_ns)) };
}

static uint64_t energy_nj(const struct sim_runner *s, int64_t now_ns)
{
	enum power_plane plane = device_is_card(s->device) ? POWER_GPU : POWER_PACKAGE;

	return course_value(s->m->now, (enum quantity)(Q_ENERGY + plane), sim_model_time(s->m, now_ns));
}

static double launches_between(const struct mark *a, const struct mark *b)
{
	return (double)(b->parts - a->parts) / COURSE_LAUNCH_PARTS;
}

static double rate(const struct mark *a, const struct mark *b, double per_launch)
{
	if (b->t_ns <= a->t_ns)
		return NAN;
	return launches_between(a, b) * per_launch / (double)(b->t_ns - a->t_ns) * NS_PER_S;
}

/* Tells whether a kernel's elements stay in registers: its traffic is no limit then. */
static bool is_in_registers(const struct kernel_info *k)
{
	static const char *const families[] = { "single", "loop", "unroll", "private", "power" };

	for (size_t i = 0; i < ARRAY_LEN(families); i++)
		if (!strcmp(k->family, families[i]))
			return true;
	return false;
}

/* Predicts what the structure of the GPU allows: pipes and memory at their roofs, less what is lost
 * when the last groups do not fill all subslices. Nothing is predicted of latencies. */
static void predict(struct sim_runner *s)
{
	struct job_state *st = &s->state;
	const struct kernel_work *work = &st->kernel.work;
	const struct eu_config *eu = &s->m->hw.eu;
	int round = (s->groups + eu->subslices - 1) / eu->subslices * eu->subslices;
	bool dp = !strcmp(st->kernel.type, "dp");
	const struct device_const *per_eu = device_const(
		s->device, dp ? "dp_flop_per_cycle_eu" : "sp_flop_per_cycle_eu");
	double cycles = eu->subslices * st->progress.clock_hz * s->groups / round;
	double bytes = work->read_bytes + work->write_bytes, flop = NAN, moved = NAN;

	st->progress.bound_flop_per_s = st->predicted_flop_per_s = st->predicted_bytes_per_s = NAN;
	if (work->flop > 0 && per_eu) {
		st->progress.bound_flop_per_s = per_eu->v * eu->subslices * eu->eus_per_subslice *
			st->progress.clock_hz;
		if (strcmp(st->kernel.op, "mad"))	/* the peak counts a mad as two */
			st->progress.bound_flop_per_s /= 2;
		flop = st->progress.bound_flop_per_s * s->groups / round;
	}
	if (!strcmp(st->kernel.family, "copy"))
		moved = eu->memory.l3_bytes_per_cycle_subslice * cycles;
	else if (work->local_bytes > 0)
		moved = eu->memory.slm_bytes_per_cycle_subslice * cycles;
	else if (bytes > 0 && !is_in_registers(&st->kernel) && !(work->ops > 0))
		moved = eu->memory.dram_bytes_per_s;
	if (work->flop > 0 && !strcmp(st->kernel.op, "div"))
		return;
	if (work->flop > 0)
		st->predicted_flop_per_s = fmin(flop, moved / bytes * work->flop);
	else
		st->predicted_bytes_per_s = moved;
}

static void read_clock(struct sim_runner *s, int64_t now_ns)
{
	struct course_state at;

	course_at(s->m->now, sim_model_time(s->m, now_ns), &at);
	s->state.progress.clock_hz = (double)at.hz;
}

static bool check_sizes(const struct job *job, struct err *err)
{
	const struct {
		const char *what;
		uint64_t value, max;
	} sizes[] = {
		{ "groups", job->groups, WORKLOAD_MAX_GROUPS },
		{ "items", job->group_size, WORKLOAD_MAX_ITEMS },
		{ "repeat", job->repeat, WORKLOAD_MAX_N },
	};

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		if (sizes[i].value <= sizes[i].max)
			continue;
		err_set(err, ERR_USAGE, "%llu is too much for the simulated device (%s)",
			(unsigned long long)sizes[i].value, sizes[i].what);
		return err_hint(err, "at most %llu", (unsigned long long)sizes[i].max);
	}
	return true;
}

/* Begins a job, and chooses what it leaves open as for the loads of a spec. */
static void begin(struct sim_runner *s, const struct job *job, const struct kernel_info *kernel,
	const struct workload_options *load, int64_t now_ns)
{
	struct job_state *st = &s->state;

	*st = (struct job_state){
		.phase = JOB_STARTING,
		.flags = JOB_SIMULATED,
		.job = *job,
		.kernel = *kernel,
		.start_mono_ns = now_ns,
		.progress = job_progress_unknown,
		.made = kernel_made_unknown,
		.build_ns = NAN,
		.energy_uj = NAN,
	};
	/* The model has no registers to spill and no private memory. */
	st->made.simd = s->kernel.simd;
	st->job.groups = (uint64_t)s->groups;
	st->job.group_size = (uint64_t)s->items;
	st->job.repeat = (uint64_t)load->n;
	snprintf(st->device, sizeof(st->device), "%.90s (%s)", s->device->name, "simulated");
	s->start = s->before = s->last = mark_at(s, now_ns);
	s->start_nj = energy_nj(s, now_ns);
	read_clock(s, now_ns);
	predict(s);
}

/* Takes over what the job says, and chooses the groups and items that it leaves open. */
static void choose_sizes(const struct job *job, struct workload_options *load)
{
	struct kernel_words w;

	snprintf(load->load, sizeof(load->load), "%s", job->kernel);
	load->groups = (int)job->groups;
	load->items = (int)job->group_size;
	load->waits = job->waits;
	load->walk = false;
	kernel_describe(job->kernel, &w);
	if (w.one_item && !load->groups)
		load->groups = 1;
	if (w.lone)
		load->items = 1;
	if (!load->items)
		load->items = w.one_item ? 1 : DEFAULT_ITEMS;
}

/* Makes the kernel. Where the job leaves the loop count open, launches of slow kernels get fewer
 * passes. */
static bool choose_loop(const struct workload_hardware *hw, const struct job *job,
	struct workload_options *load, struct kernel *kernel, struct workload_launch *launch,
	struct err *err)
{
	int groups = workload_groups(hw, load);

	load->n = KERNEL_DEFAULT_TRIPS;
	if (job->repeat)
		load->n = (int)job->repeat;
	for (;; load->n /= 2) {
		if (!kernel_make(&hw->eu, hw->power.max_hz, load->load, load->n, kernel, err))
			return false;
		kernel_fit_groups(&hw->eu, hw->power.max_hz, groups, kernel);
		if (!workload_launch(hw, kernel, groups, load->items, launch, err))
			return false;
		if (job->repeat || launch->ns <= LAUNCH_MAX_NS || load->n == 1)
			return true;
	}
}

/* Makes what the job runs on the GPU, and on the processor beside it. */
static bool make_load(
	struct sim_runner *s, const struct job *job, struct workload_options *load, struct err *err)
{
	const struct workload_hardware *hw = &s->m->hw;
	struct workload_launch launch;

	if (!choose_loop(hw, job, load, &s->kernel, &launch, err))
		return false;
	if (!sim_processor_run(&s->processor, &hw->eu.memory, job->beside,
		    launch.gti_bytes / launch.ns * 1e9, err))
		return false;
	load->others_bytes_per_s = s->processor.dram_bytes_per_s;
	if (*job->beside && !(load->cores_w > 0))
		load->cores_w = hw->cores_busy_w;
	return true;
}

static void choose(struct runner *r, struct job *job)
{
	struct sim_runner *s = of(r);
	struct workload_options load = s->m->spec.load;
	struct workload_launch launch;
	struct kernel kernel;

	if (!find_kernel(r, job->kernel) || !check_sizes(job, NULL))
		return;
	choose_sizes(job, &load);
	if (!choose_loop(&s->m->hw, job, &load, &kernel, &launch, NULL))
		return;
	job->groups = (uint64_t)workload_groups(&s->m->hw, &load);
	job->group_size = (uint64_t)load.items;
	job->repeat = (uint64_t)load.n;
}

static bool start(struct runner *r, const struct job *job, int64_t now_ns, struct err *err)
{
	struct sim_runner *s = of(r);
	const struct kernel_info *info = find_kernel(r, job->kernel);
	struct workload_options load = s->m->spec.load;

	if (s->m->now == &s->m->job)
		return err_set(err, ERR_BUSY, "'%s' is running", s->state.job.kernel);
	if (!info) {
		err_set(err, ERR_USAGE, "the simulated device has no kernel '%s'", job->kernel);
		return err_hint(err, "%s", kernel_names());
	}
	if (!check_sizes(job, err))
		return false;
	choose_sizes(job, &load);
	if (!make_load(s, job, &load, err) || !sim_model_begin_job(s->m, &load, now_ns, err))
		return false;
	s->groups = workload_groups(&s->m->hw, &load);
	s->items = load.items;
	s->placement = (struct placement){ 0 };
	if (job->where)
		placement_of_launch(&s->placement, &s->m->hw.eu, &s->device->topology, &s->kernel,
			s->groups, s->items);
	begin(s, job, info, &load, now_ns);
	return true;
}

static void measure(struct sim_runner *s, int64_t now_ns)
{
	struct job_state *st = &s->state;
	double items = (double)s->groups * s->items;
	double flop = s->kernel.flop_per_item * items, bytes = s->kernel.bytes_per_item * items;
	double counted = s->kernel.counted_per_item * items;
	struct mark now = mark_at(s, now_ns);

	st->progress.beside_bytes_per_s = s->processor.bytes_per_s;
	st->progress.beside_ops_per_s = s->processor.ops_per_s;
	st->progress.elapsed_ns = now_ns - st->start_mono_ns;
	double launches = launches_between(&s->start, &now);

	/* The first one counts while it runs, because its rate is told. */
	st->progress.launches_done = launches > 0 && launches < 1 ? 1 : (uint64_t)launches;
	/* All launches take as long. */
	if (launches >= 1)
		st->progress.counted_ns = (int64_t)((double)st->progress.elapsed_ns *
			(floor(launches) / launches));
	st->progress.mean_flop_per_s = rate(&s->start, &now, flop);
	st->progress.mean_bytes_per_s = rate(&s->start, &now, bytes);
	st->progress.mean_ops_per_s = rate(&s->start, &now, counted);
	st->progress.flop_per_s = rate(&s->before, &now, flop);
	st->progress.bytes_per_s = rate(&s->before, &now, bytes);
	st->progress.ops_per_s = rate(&s->before, &now, counted);
	st->progress.launch_ns = (double)st->progress.elapsed_ns / launches;
	if (st->job.waits || s->kernel.waits) {
		st->progress.gap_ns = WORKLOAD_ROUND_TRIP_NS;
		st->progress.launch_ns -= WORKLOAD_ROUND_TRIP_NS;
	}
	if (sim_has_flaw(&s->m->spec, SIM_FLAW_BITFLIP))
		st->progress.mismatches = 1 + st->progress.launches_done / BITFLIP_LAUNCHES;
	st->energy_uj = (double)(energy_nj(s, now_ns) - s->start_nj) / 1000;
	if (now_ns - s->last.t_ns >= RATE_NS) {
		s->before = s->last;
		s->last = now;
	}
	read_clock(s, now_ns);
}

static bool is_over(const struct job_state *st)
{
	return st->phase == JOB_STOPPING ||
		(st->job.limit_ns > 0 && st->progress.elapsed_ns >= st->job.limit_ns) ||
		(st->job.launches > 0 && st->progress.launches_done >= st->job.launches);
}

static void ready(struct runner *r, int64_t now_ns)
{
	struct sim_runner *s = of(r);
	struct job_state *st = &s->state;

	if (s->m->now != &s->m->job || now_ns <= st->start_mono_ns)
		return;
	measure(s, now_ns);
	if (!is_over(st)) {
		st->phase = JOB_RUNNING;
		return;
	}
	st->phase = JOB_DONE;
	sim_model_end_job(s->m, now_ns);
}

static void stop(struct runner *r, int64_t now_ns)
{
	struct sim_runner *s = of(r);

	if (s->m->now != &s->m->job)
		return;
	s->state.phase = JOB_STOPPING;
	ready(r, now_ns);
}

static void state(struct runner *r, struct job_state *out)
{
	*out = of(r)->state;
}

static const struct placement *placement(struct runner *r)
{
	return of(r)->placement.n ? &of(r)->placement : NULL;
}

static void close_runner(struct runner *r)
{
	struct sim_runner *s = of(r);

	sim_model_drop(s->m);
	free(s->kernels);
}

static const struct runner_ops ops = {
	.size = sizeof(struct sim_runner),
	.kernels = kernels,
	.choose = choose,
	.start = start,
	.stop = stop,
	.ready = ready,
	.state = state,
	.placement = placement,
	.close = close_runner,
};

struct runner *sim_runner_new(struct sim_model *m, const struct device *d)
{
	struct sim_runner *s = runner_new(&ops);

	s->m = m;
	s->device = d;
	m->users++;
	return &s->runner;
}
