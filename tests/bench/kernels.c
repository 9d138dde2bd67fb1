/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stress kernels on a CPU through OpenCL, against what the CPU can do and against the same in C.
 * Rates are per second of CPU time and CPU, so that other work on the machine counts little; the
 * ninth decile of many slices, all in turns: the highest are those whose CPU time a virtual machine
 * forgot. "kernels fma": multiply-adds; "kernels triad"; "kernels latency WORKER": starting and
 * stopping through the launcher. */
#include "config.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "kernels/worker/cpu.h"
#include "kernels/launch/launcher.h"
#include "kernels/worker/worker.h"

#define ROUNDS 60
#define TRIADS 40
#define LATENCY_ROUNDS 9
#define CLOCK_EVERY 4

static struct worker_session session;

static bool open_kernel(const char *name, bool tuned, struct load *l, struct err *err)
{
	struct variant v = { 0 };

	snprintf(session.job.kernel, sizeof(session.job.kernel), "%s", name);
	if (!catalog_parse(name, &v.spec, err))
		return false;
	tuned_default(&session.device, &v);
	if (tuned && !tune(&session, &v, err))
		return false;
	return load_open(l, &session.device, &session.cache, &v, &session.job, err) &&
		load_calibrate(l, &session.job, err);
}

/* The amount of a slice per second of CPU time and CPU. */
static double slice_rate(
	struct load *l, double (*amount)(const struct kernel_work *w), double *best_wall)
{
	struct kernel_work work;
	struct err err = { 0 };
	int64_t ns, start_ns = clock_self_cpu_ns();

	load_work(l, &work);
	if (!load_launch_wait(l, l->batch, &ns, &err)) {
		fprintf(stderr, "%s\n", err.msg);
		exit(1);
	}
	if (amount(&work) * 1e9 / (double)ns > *best_wall)
		*best_wall = amount(&work) * 1e9 / (double)ns;
	return amount(&work) * 1e9 / (double)(clock_self_cpu_ns() - start_ns);
}

static double flop_of(const struct kernel_work *w)
{
	return w->flop;
}

static double bytes_of(const struct kernel_work *w)
{
	return w->read_bytes + w->write_bytes;
}

static double ninth_decile(double *values, int n)
{
	sort_median(values, n);
	return values[n * 9 / 10];
}

/* The clock right after some milliseconds that had multiply-adds in the widest vectors. It can be
 * lower than without them: wide vectors lower the clock of some CPUs within this time, and for less
 * than a millisecond after them. */
static double loaded_clock_hz(void)
{
	for (int64_t end_ns = clock_machine_ns() + 3 * NS_PER_MS; clock_machine_ns() < end_ns;)
		cpu_flop_per_cycle();
	return cpu_clock_hz();
}

static bool bench_fma(const char *type, struct err *err)
{
	struct load l = { 0 };
	char kernel[48], text[64];
	double rates[ROUNDS], best, wall = 0, clocks[ROUNDS / CLOCK_EVERY],
				    per_cycle = cpu_flop_per_cycle(), bound, clock_hz;
	int n = 0;

	snprintf(kernel, sizeof(kernel), "flops.private.mad.%s", type);
	if (!open_kernel(kernel, true, &l, err))
		return false;
	for (int i = 0; i < ROUNDS; i++) {
		rates[i] = slice_rate(&l, flop_of, &wall);
		if (i % CLOCK_EVERY == 0)
			clocks[n++] = loaded_clock_hz();
	}
	clock_hz = sort_median(clocks, n);
	best = ninth_decile(rates, ROUNDS);
	bound = clock_hz * per_cycle / (strcmp(type, "dp") ? 1 : 2);
	printf("%s x%d, %s: %.1f GFLOP/s a CPU; bound %.1f at %.3f GHz, %.0f FLOP a cycle: %.1f "
	       "%%; by wall clock %.1f GFLOP/s\n",
		kernel, l.v.spec.width, variant_text(&l.v, text, sizeof(text)), best / 1e9,
		bound / 1e9, clock_hz / 1e9, bound / clock_hz, 100 * best / bound, wall / 1e9);
	load_close(&l);
	return true;
}

/* a = b + s * c in C, a thread a CPU. */
typedef float vector __attribute__((vector_size(64)));

struct part {
	vector *a;
	const vector *b, *c;
	size_t n;
};

static void *triad_part(void *arg)
{
	const struct part *p = arg;

	for (size_t i = 0; i < p->n; i++)
		p->a[i] = p->b[i] + 3 * p->c[i];
	return NULL;
}

static double c_triad_rate(vector *const arrays[3], size_t n)
{
	int cpus = cpu_core_count();
	pthread_t *threads = xcalloc((size_t)cpus, sizeof(*threads));
	struct part *parts = xcalloc((size_t)cpus, sizeof(*parts));
	int64_t start_ns = clock_self_cpu_ns();

	for (int i = 0; i < cpus; i++) {
		size_t first = n * (size_t)i / (size_t)cpus;

		parts[i] = (struct part){ arrays[0] + first, arrays[1] + first, arrays[2] + first,
			n * (size_t)(i + 1) / (size_t)cpus - first };
		pthread_create(&threads[i], NULL, triad_part, &parts[i]);
	}
	for (int i = 0; i < cpus; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	free(parts);
	return 3.0 * sizeof(vector) * (double)n * 1e9 / (double)(clock_self_cpu_ns() - start_ns);
}

static bool bench_triad(struct err *err)
{
	struct load l = { 0 };
	vector *arrays[3];
	double ours[TRIADS], theirs[TRIADS], wall = 0, ratio;
	size_t n;

	if (!open_kernel("mem.triad.sp", true, &l, err))
		return false;
	n = l.buffer_bytes[0] / sizeof(vector);
	for (int i = 0; i < 3; i++) {
		arrays[i] = aligned_alloc(sizeof(vector), n * sizeof(vector));
		if (!arrays[i])
			return err_sys(err, "no memory for the arrays in C");
		memset(arrays[i], i + 1, n * sizeof(vector));
	}
	for (int i = 0; i < TRIADS; i++) {
		theirs[i] = c_triad_rate(arrays, n);
		ours[i] = slice_rate(&l, bytes_of, &wall);
	}
	ratio = ninth_decile(ours, TRIADS) / ninth_decile(theirs, TRIADS);
	printf("mem.triad.sp x%d over %zu MiB: %.2f GB/s a CPU; in C %.2f: %.1f %%\n",
		l.v.spec.width, n * 3 * sizeof(vector) >> 20, ours[TRIADS * 9 / 10] / 1e9,
		theirs[TRIADS * 9 / 10] / 1e9, 100 * ratio);
	for (int i = 0; i < 3; i++)
		free(arrays[i]);
	load_close(&l);
	return true;
}

/* Key press to first figures, and key press to end; ms. */
static bool one_start(struct runner *r, double *first_ms, double *stop_ms, struct err *err)
{
	struct job job = { .kernel = "flops.private.mad.sp.x16" };
	int64_t start_ns = clock_machine_ns(), stop_ns = 0;
	struct job_state s;

	if (!r->ops->start(r, &job, start_ns, err))
		return false;
	for (;;) {
		struct pollfd p = { .fd = r->fd, .events = POLLIN };

		poll(&p, 1, 20);
		r->ops->ready(r, clock_machine_ns());
		r->ops->state(r, &s);
		if (s.progress.launches_done && !stop_ns &&
			clock_machine_ns() - start_ns > 400 * NS_PER_MS) {
			stop_ns = clock_machine_ns();
			r->ops->stop(r, stop_ns);
		} else if (s.progress.launches_done && *first_ms == 0) {
			*first_ms = (double)(clock_machine_ns() - start_ns) / 1e6;
		}
		if (s.phase == JOB_DONE || s.phase == JOB_FAILED)
			break;
	}
	*stop_ms = (double)(clock_machine_ns() - stop_ns) / 1e6;
	if (s.phase == JOB_FAILED)
		*err = s.err;
	return s.phase == JOB_DONE;
}

static bool bench_latency(const char *worker, struct err *err)
{
	const char *const paths[] = { worker, NULL };
	struct launcher_options opt = { .worker = paths };
	struct runner *r = launcher_new(&opt);
	double first[LATENCY_ROUNDS + 1] = { 0 }, stop[LATENCY_ROUNDS + 1] = { 0 };
	bool good = true;

	/* The first one fills the cache. */
	for (int i = 0; good && i <= LATENCY_ROUNDS; i++)
		good = one_start(r, &first[i], &stop[i], err);
	runner_close(r);
	if (good) {
		double first_ms = sort_median(first + 1, LATENCY_ROUNDS),
		       stop_ms = sort_median(stop + 1, LATENCY_ROUNDS);

		printf("start to first figures with a warm cache: best %.0f ms, median %.0f ms; "
		       "stop: best %.1f ms, median %.1f ms\n",
			first[1], first_ms, stop[1], stop_ms);
	}
	return good;
}

/* The tuner talks of its progress into this; nobody listens. */
static int deaf_socket(void)
{
	int fds[2];

	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0 ? fds[0] : -1;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	struct err err = { 0 };
	bool good;

	if (!strcmp(what, "latency")) {
		good = argc > 2 && bench_latency(argv[2], &err);
	} else {
		session.fd = deaf_socket();
		session.tuned.folder = "";
		good = device_open(&session.device, "", "", &err);
		if (good && !strcmp(what, "fma"))
			good = bench_fma("sp", &err) && bench_fma("dp", &err);
		else if (good)
			good = bench_triad(&err);
		device_close(&session.device);
	}
	if (!good)
		fprintf(stderr, "%s (%s)\n", err.msg, err.hint);
	return !good;
}
