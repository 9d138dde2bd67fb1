/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run enqueues slices two deep until it is told to stop, adds up what they reached, and checks
 * their results. */
#include "config.h"

#include "kernels/worker/worker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/minmax.h"
#include "kernels/worker/cpu.h"

#define DEPTH 2
#define REPORT_NS (100 * NS_PER_MS)
#define VERIFY_NS NS_PER_S
#define VERIFY_OFTEN_NS (100 * NS_PER_MS)
/* The rates of "now" are means of this many reports. */
#define WINDOW_REPORTS 5
#define CLOCK_SAMPLES 10
#define BOUND_TOLERANCE 1.02
/* The spans of both clocks are compared when they are so long that the host's own delays do not
 * count. */
#define CLOCKS_MIN_NS (300 * NS_PER_MS)
#define CLOCKS_TOLERANCE 0.02
/* A run of this length is remembered as what to expect of the next one. */
#define KEEP_MIN_NS (300 * NS_PER_MS)

struct slice {
	cl_event first, last;
	int64_t enqueued_ns;	/* host */
	uint64_t launches;
	struct kernel_work work;
};

/* These are sums of slices. */
struct sums {
	struct kernel_work work;
	int64_t ns;		/* of the events' clock */
	uint64_t slices, launches;	/* a slice has one launch or a batch of them */
};

struct run {
	struct worker_session *s;
	struct load load;
	struct verifier verifier;
	struct slice flight[DEPTH];
	int n_flight;
	struct sums total, since_report, window[WINDOW_REPORTS];
	int window_at;
	uint64_t enqueued, done;	/* launches */
	int64_t ended_ns;		/* 0: it lasts */
	int64_t start_ns, host_first_ns, host_last_ns, event_first_ns, event_last_ns;
	int64_t gap_sum_ns;
	uint64_t gaps;
	bool drained;			/* the next slice does not follow on another */
	int64_t reported_ns, verified_ns;
	double clocks_hz[CLOCK_SAMPLES];
	int clock_at;
	/* of all CPUs in the kernel's precision; NAN when the device is none */
	double flop_per_cycle;
	struct tuned_facts predicted;
	bool tuned_now;
	struct steady steady;
	int64_t cpu_ns;			/* this process', when the last slice was counted */
};

void worker_session_listen(struct worker_session *s)
{
	const char *line;
	struct proto_message m;

	while (!s->stop) {
		enum proto_got got = proto_next(&s->reader, s->fd, &line, NULL);

		if (got == PROTO_GOT_NOTHING)
			return;
		s->stop = got != PROTO_GOT_LINE || !proto_decode(line, &m, NULL) ||
			m.verb == PROTO_STOP;
	}
}

bool worker_session_phase(
	const struct worker_session *s, enum job_phase phase, double build_ns, struct err *err)
{
	struct proto_message m = { .verb = PROTO_PHASE,
		.phase = { .phase = phase, .build_ns = build_ns } };

	return proto_send(s->fd, &m, err);
}

static void add_sums(struct sums *s, const struct sums *other)
{
	s->work.flop += other->work.flop;
	s->work.read_bytes += other->work.read_bytes;
	s->work.write_bytes += other->work.write_bytes;
	s->work.local_bytes += other->work.local_bytes;
	s->work.ops += other->work.ops;
	s->ns += other->ns;
	s->slices += other->slices;
	s->launches += other->launches;
}

static void release_slice(struct slice *f)
{
	clReleaseEvent(f->first);
	clReleaseEvent(f->last);
}

static bool enqueue(struct run *r, struct err *err)
{
	struct slice *f = &r->flight[r->n_flight];
	uint64_t batch = r->load.batch, left = r->s->job.launches - r->enqueued;

	if (r->s->job.launches && r->load.batch > left)
		r->load.batch = left;
	f->enqueued_ns = clock_machine_ns();
	f->launches = r->load.batch;
	load_work(&r->load, &f->work);
	bool good = load_enqueue(&r->load, &f->first, &f->last, err);
	r->load.batch = batch;
	if (!good)
		return false;
	r->enqueued += f->launches;
	r->n_flight++;
	return true;
}

/* Slices that follow on each other leave no time in which this process does something else. */
static void count_steady(struct run *r, double launch_ns, int64_t end_ns)
{
	int64_t cpu_ns = clock_self_cpu_ns();

	steady_add(&r->steady, launch_ns);
	if (r->event_last_ns && !r->drained)
		steady_add_cpu(&r->steady, cpu_ns - r->cpu_ns, end_ns - r->event_last_ns);
	r->cpu_ns = cpu_ns;
}

/* Waits for the oldest slice and counts it. */
static bool collect(struct run *r, struct err *err)
{
	struct slice f = r->flight[0];
	struct sums one = { .work = f.work, .slices = 1, .launches = f.launches };
	cl_int code = clWaitForEvents(1, &f.last);
	int64_t start_ns, end_ns, ignored;

	r->host_last_ns = clock_machine_ns();
	bool good = code == CL_SUCCESS || clerr_set(err, code, "the kernel did not finish");
	good = good && event_times(f.first, &start_ns, &ignored, err) &&
		event_times(f.last, &ignored, &end_ns, err);
	release_slice(&f);
	r->done += f.launches;
	r->n_flight--;
	memmove(r->flight, r->flight + 1, (size_t)r->n_flight * sizeof(r->flight[0]));
	if (!good)
		return false;
	one.ns = end_ns - start_ns;
	/* The time of a round trip is the host's, not the empty kernel's. */
	if (r->load.v.spec.body->flags & BODY_WAITS)
		one.ns = r->host_last_ns - f.enqueued_ns;
	add_sums(&r->since_report, &one);
	if (!r->event_first_ns) {
		r->event_first_ns = start_ns;
		r->host_first_ns = f.enqueued_ns;
	} else if (!r->drained && start_ns > r->event_last_ns) {
		r->gap_sum_ns += start_ns - r->event_last_ns;
		r->gaps++;
	}
	count_steady(r, (double)one.ns / (double)f.launches, end_ns);
	r->event_last_ns = end_ns;
	r->drained = false;
	return true;
}

/* Returns the median of the last second's samples. */
static double clock_hz(const struct run *r)
{
	double sorted[CLOCK_SAMPLES];
	int n = CLOCK_SAMPLES;

	if (r->clock_at < n)
		n = r->clock_at;
	memcpy(sorted, r->clocks_hz, sizeof(sorted));
	return sort_median(sorted, n);
}

static void fill_rates(const struct sums *s, double *flop, double *bytes, double *ops)
{
	double per_s = s->ns > 0 ? (double)NS_PER_S / (double)s->ns : NAN;

	*flop = s->work.flop * per_s;
	*bytes = catalog_bytes(&s->work) * per_s;
	*ops = s->work.ops * per_s;
}

static void fill_progress(const struct run *r, struct proto_progress *out)
{
	struct job_progress *p = &out->now;
	double host_ns = (double)(r->host_last_ns - r->host_first_ns);
	double event_ns = (double)(r->event_last_ns - r->event_first_ns);
	struct sums now = { 0 };

	for (int i = 0; i < WINDOW_REPORTS; i++)
		add_sums(&now, &r->window[i]);
	*p = (struct job_progress){
		.elapsed_ns = (r->ended_ns ? r->ended_ns : clock_machine_ns()) - r->start_ns,
		.launches_done = r->done,
		.launch_ns = NAN,
		.gap_ns = NAN,
		.verified = r->verifier.verified,
		.mismatches = r->verifier.mismatches };
	fill_rates(&now, &p->flop_per_s, &p->bytes_per_s, &p->ops_per_s);
	fill_rates(&r->total, &p->mean_flop_per_s, &p->mean_bytes_per_s, &p->mean_ops_per_s);
	p->clock_hz = clock_hz(r);
	p->bound_flop_per_s = p->clock_hz * r->flop_per_cycle;
	if (r->total.launches)
		p->launch_ns = (double)r->total.ns / (double)r->total.launches;
	if (r->gaps)
		p->gap_ns = (double)r->gap_sum_ns / (double)r->gaps;
	else if (r->total.slices > 1)
		p->gap_ns = 0;
	if (p->flop_per_s > p->bound_flop_per_s * BOUND_TOLERANCE)
		out->flags |= JOB_ABOVE_BOUND;
	if (host_ns > CLOCKS_MIN_NS && fabs(event_ns - host_ns) > CLOCKS_TOLERANCE * host_ns)
		out->flags |= JOB_CLOCKS_DISAGREE;
	if (steady_is_disturbed(&r->steady, worker_processors(r->s, r->load.v.spec.body)))
		out->flags |= JOB_DISTURBED;
	if (steady_tuned_busy(r->predicted.disturbed))
		out->flags |= JOB_TUNED_BUSY;
}

static bool report(struct run *r, enum proto_verb verb, struct err *err)
{
	struct proto_message m = { .verb = verb };

	if (!isnan(r->flop_per_cycle))
		r->clocks_hz[r->clock_at++ % CLOCK_SAMPLES] = cpu_clock_hz();
	add_sums(&r->total, &r->since_report);
	r->window[r->window_at++ % WINDOW_REPORTS] = r->since_report;
	r->since_report = (struct sums){ 0 };
	r->reported_ns = clock_machine_ns();
	fill_progress(r, &m.progress);
	return proto_send(r->s->fd, &m, err);
}

static bool verify(struct run *r, struct err *err)
{
	const struct body_buffers *b = &r->load.v.spec.body->buffers;
	/* Bodies whose arrays take long to fill are probed only once, before they run. */
	bool quick = b->out != EXTENT_ARRAY && b->in != EXTENT_ARRAY && b->in != EXTENT_RING;

	while (r->n_flight > 0) {
		if (!collect(r, err))
			return false;
	}
	r->drained = true;
	if (!verify_equal(&r->verifier, &r->load, err))
		return false;
	if (r->s->job.verify && quick && !verify_probe(&r->verifier, &r->load, err))
		return false;
	r->verified_ns = clock_machine_ns();
	return true;
}

static bool is_over(const struct run *r)
{
	const struct job *job = &r->s->job;

	return r->s->stop || (job->launches && r->enqueued >= job->launches) ||
		(job->limit_ns && clock_machine_ns() - r->start_ns >= job->limit_ns);
}

static bool run_slices(struct run *r, struct err *err)
{
	int64_t verify_every_ns = r->s->job.verify ? VERIFY_OFTEN_NS : VERIFY_NS;
	bool waits = r->s->job.waits || r->load.v.spec.body->flags & BODY_WAITS;
	int depth = waits ? 1 : DEPTH;

	r->start_ns = r->verified_ns = clock_machine_ns();
	while (!is_over(r) || r->n_flight > 0) {
		bool due = clock_machine_ns() - r->verified_ns >= verify_every_ns;

		while (r->n_flight < depth && !is_over(r)) {
			/* A check waits for slices that have come round. */
			if (due && r->load.launches % load_period(&r->load) == 0)
				break;
			if (!enqueue(r, err))
				return false;
		}
		if (r->n_flight > 0 && !collect(r, err))
			return false;
		if (due && r->n_flight == 0 && !r->s->stop && !verify(r, err))
			return false;
		worker_session_listen(r->s);
		if (clock_machine_ns() - r->reported_ns >= REPORT_NS &&
			!report(r, PROTO_PROGRESS, err))
			return false;
	}
	return r->s->stop || verify(r, err);
}

static bool say_shape(struct run *r, struct err *err)
{
	struct proto_message m = { .verb = PROTO_SHAPE };
	struct proto_shape *shape = &m.shape;

	catalog_work(&r->load.v.spec, 1, &shape->work);
	catalog_name(&r->load.v.spec, shape->kernel, sizeof(shape->kernel));
	variant_text(&r->load.v, shape->text, sizeof(shape->text));
	shape->groups = r->load.groups;
	shape->group_size = r->load.group_size;
	shape->repeat = load_repeat(&r->load);
	shape->predicted_flop_per_s = r->predicted.flop_per_s;
	shape->predicted_bytes_per_s = r->predicted.bytes_per_s;
	load_made(&r->load, &shape->made);
	return proto_send(r->s->fd, &m, err);
}

/* Writes the compiled program where somebody wants it. */
static bool write_binary(const struct run *r, struct err *err)
{
	char kernel[48];

	if (!*r->s->job.binaries)
		return true;
	catalog_name(&r->load.v.spec, kernel, sizeof(kernel));
	return program_write(&r->load.program, r->s->job.binaries, kernel, err);
}

double worker_processors(const struct worker_session *s, const struct body_row *body)
{
	bool few = body->flags & (BODY_ONE_ITEM | BODY_WAITS);

	return s->device.cpu && !s->job.groups && !few ? (double)s->device.compute_units : 0;
}

/* Returns the FLOP in a cycle of the whole CPU, for the operation and precision of the kernel. */
static double cpu_bound(const struct worker_session *s, const struct variant *v)
{
	int cpus = cpu_core_count();
	double flop = cpu_flop_per_cycle();

	/* What one core does says nothing of cores of another kind. */
	if (!s->device.cpu || v->spec.type == TYPE_HP || v->spec.type >= TYPE_INT || cpu_has_kinds())
		return NAN;
	if ((uint64_t)cpus > s->device.compute_units)
		cpus = (int)s->device.compute_units;
	flop *= cpus;
	if (v->spec.type == TYPE_DP)
		flop /= 2;
	if (v->spec.op && v->spec.op->flop == 1)
		flop /= 2;
	return flop;
}

bool job_is_free(const struct job *job)
{
	return !job->groups && !job->repeat && !job->group_size && !*job->beside;
}

/* The way to run the kernel is remembered, follows from a rule, or is found now. */
static bool choose_variant(struct run *r, struct variant *v, struct err *err)
{
	struct worker_session *s = r->s;
	const char *kernel = s->job.kernel;

	if (!catalog_parse(kernel, &v->spec, err))
		return false;
	if (!tuned_find(&s->tuned, &s->device, kernel, v, &r->predicted))
		tuned_default(&s->device, v);
	if (!s->job.tune && !(r->predicted.again && job_is_free(&s->job)))
		return true;
	if (!worker_session_phase(s, JOB_TUNING, NAN, err) || !tune(s, v, err))
		return false;
	r->tuned_now = true;
	if (job_is_free(&s->job))
		tuned_find(&s->tuned, &s->device, kernel, v, &r->predicted);
	return true;
}

static bool prepare(struct run *r, struct err *err)
{
	struct worker_session *s = r->s;
	double cores = (double)s->device.compute_units, groups = (double)s->job.groups;
	struct variant v = { 0 };

	if (!choose_variant(r, &v, err) || !worker_session_phase(s, JOB_BUILDING, NAN, err))
		return false;
	int64_t start_ns = clock_machine_ns();
	if (!load_open(&r->load, &s->device, &s->cache, &v, &s->job, err))
		return false;
	r->flop_per_cycle = cpu_bound(s, &v);
	if (!load_calibrate(&r->load, &s->job, err) || !verify_probe(&r->verifier, &r->load, err))
		return false;
	/* On a CPU k groups keep S cores busy for the share k / (S * ceil(k / S)) of the time. */
	if (s->device.cpu && s->job.groups) {
		double share = groups / (cores * ceil(groups / cores));

		r->predicted.flop_per_s *= share;
		r->predicted.bytes_per_s *= share;
	}
	return say_shape(r, err) && write_binary(r, err) &&
		(!s->job.where || place_tell(s, &r->load, false, err)) &&
		worker_session_phase(s, JOB_RUNNING, (double)(clock_machine_ns() - start_ns), err);
}

/* Keeps the best rates so far with the shape, so that the next run knows what to expect. What the
 * tuner saw in short slices gives way to the first run. */
static void keep_rates(const struct run *r)
{
	const struct job *job = &r->s->job;
	struct tuned_facts got = { NAN, NAN, NAN, false }, known = got;
	struct variant v = r->load.v;
	struct sums all = r->total;
	double ops, share = NAN;

	add_sums(&all, &r->since_report);
	if (all.ns < KEEP_MIN_NS || r->verifier.mismatches || !job_is_free(job))
		return;
	fill_rates(&all, &got.flop_per_s, &got.bytes_per_s, &ops);
	bool found = tuned_find(&r->s->tuned, &r->s->device, job->kernel, &v, &known);
	if (found) {
		share = got.flop_per_s / known.flop_per_s;
		if (!(got.flop_per_s > 0))
			share = got.bytes_per_s / known.bytes_per_s;
		got.disturbed = known.disturbed;
		got.again = known.again ||
			(!r->tuned_now &&
				steady_is_outdated(&r->steady, worker_processors(r->s, v.spec.body),
					known.disturbed, share));
	}
	if (got.again && !known.again)
		fprintf(stderr,
			"%s: the remembered shape reaches %.0f %% of what it did, or it was found on a "
			"busy machine: the next run looks for a shape again\n",
			job->kernel, share * 100);
	/* A shape that reaches less keeps the rates that it reached. */
	if (share <= 1 && !r->tuned_now) {
		got.flop_per_s = known.flop_per_s;
		got.bytes_per_s = known.bytes_per_s;
	}
	if (!found || !(share <= 1) || r->tuned_now || got.again != known.again)
		tuned_keep(&r->s->tuned, &r->s->device, job->kernel, &r->load.v, &got);
}

bool session_run(struct worker_session *s, struct err *err)
{
	struct run r = { .s = s,
		.flop_per_cycle = NAN,
		.predicted = { .flop_per_s = NAN, .bytes_per_s = NAN, .disturbed = NAN } };
	bool good = prepare(&r, err) && run_slices(&r, err);

	r.ended_ns = clock_machine_ns();
	/* Who is told that the run is done ends this process. */
	if (good)
		keep_rates(&r);
	good = good && report(&r, PROTO_DONE, err);
	for (int i = 0; i < r.n_flight; i++)
		release_slice(&r.flight[i]);
	verifier_release(&r.verifier);
	load_close(&r.load);
	return good;
}
