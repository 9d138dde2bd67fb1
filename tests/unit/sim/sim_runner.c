/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs on the simulated device: what the job says of itself against what the counters see. */
#include "config.h"

#include <math.h>

#include "base/mem.h"
#include "base/numeric.h"
#include "kernels/catalog/catalog.h"
#include "backends/sim/model/workload.h"
#include "tests/unit/sim/sim_rig.h"

#define PERIOD_NS (5 * NS_PER_MS)
#define STEP_NS (100 * NS_PER_MS)

static const char *const counters[] = { "program A7 fpu0::ternary", "program A8 fpu1::ternary",
	NULL };

static void start(struct rig *r, const struct job *job)
{
	struct err err = { 0 };

	if (!r->dev.runner->ops->start(r->dev.runner, job, r->now_ns, &err)) {
		printf("Bail out! %s does not start: %s\n", job->kernel, err.msg);
		exit(1);
	}
}

static void step(struct rig *r, int64_t ns, struct sample *out, struct job_state *st)
{
	rig_window(r, ns, STEP_NS, out);
	r->dev.runner->ops->ready(r->dev.runner, r->now_ns);
	r->dev.runner->ops->state(r->dev.runner, st);
}

/* 4 lanes of 2 operations in each ternary cycle of a pipe. */
static double counted_flops(const struct rig *r, const struct sample *out)
{
	return 4 * 2 * (rig_value(r, out, 0, "A7") + rig_value(r, out, 0, "A8")) /
		(double)out[0].window_ns * NS_PER_S;
}

/* Names and work are those of the real kernels, but for the four loads of one unit. */
static void same_as_the_catalogue(const struct kernel_info *k, size_t n)
{
	size_t only_here = 0;

	for (size_t i = 0; i < n; i++) {
		struct kernel_spec spec;
		struct kernel_info real;
		struct err err = { 0 };

		if (!catalog_parse(k[i].name, &spec, &err)) {
			only_here++;
			continue;
		}
		catalog_info(&spec, &real);
		if (spec.body->flags & BODY_MIXED)
			real.work.flop = k[i].work.flop;	/* the tuner's */
		if (strcmp(k[i].family, real.family) || k[i].width != real.width ||
			fabs(k[i].work.flop - real.work.flop) > 0.01 ||
			fabs(k[i].work.ops - real.work.ops) > 0.01 ||
			fabs(k[i].work.local_bytes -
				(real.work.local_bytes - spec.body->work.local_once *
					spec.width * catalog_type(spec.type)->bytes)) > 0.01)
			ok(false, "%s is as in the catalogue", k[i].name);
	}
	is_int(only_here, 4, "all names but four are the catalogue's, with its work");
}

/* A kernel of two limits is as fast as the lower one allows, also where threads cannot be dealt
 * evenly: ten EUs of a Haswell hold four groups of 16 threads. */
static void under_the_roofs(const char *machine)
{
	static const char *const peaks[] = { "flops.private.mad.sp.x4", "mem.update.sp.x4" };
	char spec[32];
	double roofs[2];

	snprintf(spec, sizeof(spec), "%s,load=idle", machine);
	for (int i = -2; i < 10; i++) {
		struct job job = { .limit_ns = NS_PER_S };
		struct sample out[DEVICE_MAX_SOURCES];
		struct job_state st;
		struct rig r;
		double ai = ldexp(0.25, i);

		numeric_print(job.kernel, sizeof(job.kernel), "mix.sp.ai-%g", ai);
		if (i < 0)
			snprintf(job.kernel, sizeof(job.kernel), "%s", peaks[i + 2]);
		rig_open(&r, spec, NULL, PERIOD_NS);
		start(&r, &job);
		step(&r, NS_PER_S, out, &st);
		double flops = st.progress.mean_flop_per_s, bytes = st.progress.mean_bytes_per_s;
		if (i < 0)
			roofs[i + 2] = i == -2 ? flops : bytes;
		else
			is_near(flops, fmin(roofs[0], ai * roofs[1]), flops * 0.03,
				"%s: %s is under the lower roof", machine, job.kernel);
		rig_close(&r);
	}
}

/* Walks through more memory take longer, and so many of them at once are as fast as one, until
 * 100 requests are under way. */
static double steps_per_s(const char *kernel, uint64_t groups)
{
	struct job job = { .limit_ns = NS_PER_S, .groups = groups };
	struct sample out[DEVICE_MAX_SOURCES];
	struct job_state st;
	struct rig r;

	rig_open(&r, "hd620,load=idle", counters, PERIOD_NS);
	snprintf(job.kernel, sizeof(job.kernel), "%s", kernel);
	start(&r, &job);
	step(&r, NS_PER_S, out, &st);
	rig_close(&r);
	return st.progress.mean_ops_per_s;
}

static void latencies(void)
{
	double one_l3 = steps_per_s("lat.chase.64k", 1), l3 = 1e9 / one_l3;
	double llc = 1e9 / steps_per_s("lat.chase.1m", 1);
	double dram = 1e9 / steps_per_s("lat.chase.64m", 1);

	ok(l3 < llc && llc < dram, "a step takes %.0f ns in the L3, %.0f behind it, %.0f in the DRAM",
		l3, llc, dram);
	double one = steps_per_s("lat.chase.64m", 1), hundred = steps_per_s("lat.chase.64m", 96);
	is_near(hundred, 96 * one, 0.05 * hundred, "96 walks do not disturb each other");
	is_near(steps_per_s("lat.chase.64m", 168), 100 * one, 5 * one,
		"168 are no faster than 100, which is what can be under way");
	/* Every group of walkers has a set of its own, so many small ones are a large one. */
	is_near(steps_per_s("lat.walkers.64k", 1), one_l3, one_l3 / 100, "one walker is a chase");
	ok(steps_per_s("lat.walkers.64k", 96) < 96 * 0.8 * one_l3,
		"96 of them do not fit into the cache into which one fits");
	is_near(steps_per_s("flow.diverge.w1", 0), 8 * steps_per_s("flow.diverge.w8", 0),
		0.02 * steps_per_s("flow.diverge.w1", 0), "eight ways take eight times as long");
	ok(steps_per_s("flow.diverge.w32", 0) < steps_per_s("flow.diverge.w16", 0) * 0.6,
		"and 32 lanes can go 32 ways");
	is_near(1e9 / steps_per_s("launch.wait", 0), WORKLOAD_ROUND_TRIP_NS, 2000,
		"a launch that is waited for takes a round trip");
	is_near(steps_per_s("atomic.same", 0), 1050e6, 20e6,
		"increments of one address are done one a cycle");
	is_near(steps_per_s("atomic.local", 0), 3 * 1050e6, 60e6, "or one in each subslice");
}

static bool has_part(const char *name, const char *part)
{
	const char *at = strstr(name, part);

	return at && (!at[3] || at[3] == '.');
}

static void catalogue(void)
{
	struct rig r;
	size_t n, sp = 0, dp = 0;
	const struct kernel_info *k;

	rig_open(&r, "hd620,load=idle", counters, PERIOD_NS);
	k = r.dev.runner->ops->kernels(r.dev.runner, "", &n);
	same_as_the_catalogue(k, n);
	for (size_t i = 0; i < n; i++) {
		sp += has_part(k[i].name, ".sp");
		dp += has_part(k[i].name, ".dp");
		if (!strcmp(k[i].name, "flops.private.mad.sp.x4")) {
			is_near(k[i].work.flop, 8, 0, "a mad of four elements is 8 FLOP");
			is_str(k[i].family, "private", "its family");
			ok(k[i].supported, "it is supported");
		}
		if (!strcmp(k[i].name, "mem.copy.dp.x2"))
			is_near(k[i].work.read_bytes + k[i].work.write_bytes, 32, 0,
				"a copy of two doubles moves 32 bytes");
	}
	is_int(dp, sp, "what there is in single precision is there in double precision");
	rig_close(&r);
	rig_open(&r, "tgl,load=idle", counters, PERIOD_NS);
	k = r.dev.runner->ops->kernels(r.dev.runner, "", &n);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(k[i].name, "flops.private.mad.dp.x1") || !strcmp(k[i].name, "xmx"))
			ok(!k[i].supported && k[i].reason[0], "no %s on Gen12: %s", k[i].name,
				k[i].reason);
	rig_close(&r);
}

static void agrees(const char *kernel, double gflops, double gbytes)
{
	struct job job = { .groups = 63 };
	struct sample out[DEVICE_MAX_SOURCES];
	struct job_state st;
	struct rig r;

	snprintf(job.kernel, sizeof(job.kernel), "%s", kernel);
	rig_open(&r, "hd620,load=idle", counters, PERIOD_NS);
	rig_window(&r, NS_PER_S, STEP_NS, out);
	is_near(counted_flops(&r, out), 0, 0, "%s: nothing runs before the start", kernel);
	start(&r, &job);
	step(&r, NS_PER_S, out, &st);
	step(&r, NS_PER_S, out, &st);
	is_int(st.phase, JOB_RUNNING, "%s runs", kernel);
	ok(st.flags & JOB_SIMULATED, "%s says that it is simulated", kernel);
	if (gflops > 0) {
		is_near(st.progress.flop_per_s / 1e9, gflops, gflops / 100, "%s: its GFLOP/s",
			kernel);
		is_near(counted_flops(&r, out) / st.progress.flop_per_s, 1, 0.003,
			"%s: the counters see the same", kernel);
		ok(st.progress.flop_per_s < st.progress.bound_flop_per_s,
			"%s stays below the bound", kernel);
	}
	if (gbytes > 0)
		is_near(st.progress.mean_bytes_per_s / 1e9, gbytes, gbytes / 50, "%s: its GB/s",
			kernel);
	is_near(rig_value(&r, out, 1, "energy_package_uj"), st.energy_uj / 2, st.energy_uj / 100,
		"%s: half of its energy is in the window", kernel);
	r.dev.runner->ops->stop(r.dev.runner, r.now_ns);
	r.dev.runner->ops->state(r.dev.runner, &st);
	is_int(st.phase, JOB_DONE, "%s is done when told", kernel);
	is_int(st.progress.elapsed_ns, 2 * NS_PER_S, "%s ran for two seconds", kernel);
	step(&r, PERIOD_NS, out, &st);
	step(&r, NS_PER_S, out, &st);
	is_near(counted_flops(&r, out), 0, 0, "%s: the device is idle again", kernel);
	rig_close(&r);
}

/* Every counter of every source goes on where it was, over starts and stops at odd moments. */
static void counters_never_go_back(const char *spec)
{
	struct job job = { .kernel = "flops.private.mad.sp.x4" };
	struct sample out[DEVICE_MAX_SOURCES];
	struct job_state st;
	struct rig r;
	int bad = 0;

	rig_open(&r, spec, counters, PERIOD_NS);
	rig_window(&r, STEP_NS, STEP_NS, out);
	for (int i = 0; i < 12; i++) {
		if (i % 4 == 1)
			start(&r, &job);
		if (i % 4 == 3)
			r.dev.runner->ops->stop(r.dev.runner, r.now_ns);
		step(&r, 37 * NS_PER_MS, out, &st);
		for (int s = 0; s < r.dev.n_sources; s++)
			for (int c = 0; c < r.dev.sources[s]->feed.n_counters; c++)
				bad += out[s].why == WHY_OK && out[s].values[c] > UINT64_C(1) << 40;
	}
	is_int(bad, 0, "sim:%s: no counter jumps where loads change", spec);
	rig_close(&r);
}

static void limits(void)
{
	struct job job = { .kernel = "flops.private.mad.sp.x1", .launches = 100 };
	struct sample out[DEVICE_MAX_SOURCES];
	struct err err = { 0 };
	struct job_state st;
	struct rig r;

	rig_open(&r, "hd620,load=desktop", counters, PERIOD_NS);
	start(&r, &job);
	ok(!r.dev.runner->ops->start(r.dev.runner, &job, r.now_ns, &err) && err.code == ERR_BUSY,
		"a second one is refused: %s", err.msg);
	for (int i = 0; i < 100 && (i == 0 || st.phase != JOB_DONE); i++)
		step(&r, 10 * NS_PER_MS, out, &st);
	ok(st.phase == JOB_DONE && st.progress.launches_done >= 100 &&
			st.progress.launches_done < 120,
		"it ends after 100 launches: %llu", (unsigned long long)st.progress.launches_done);
	job = (struct job){ .kernel = "mem.copy.sp.x4", .limit_ns = NS_PER_S };
	start(&r, &job);
	step(&r, NS_PER_S, out, &st);
	is_int(st.phase, JOB_DONE, "a time limit ends it");
	job.groups = WORKLOAD_MAX_GROUPS + 1;
	ok(!r.dev.runner->ops->start(r.dev.runner, &job, r.now_ns, &err) && err.code == ERR_USAGE &&
			err.hint[0],
		"refused: %s", err.msg);
	job = (struct job){ .kernel = "flops.private.mad.sp.x3" };
	ok(!r.dev.runner->ops->start(r.dev.runner, &job, r.now_ns, &err) && err.code == ERR_USAGE,
		"refused: %s", err.msg);
	rig_close(&r);
}

int main(void)
{
	catalogue();
	under_the_roofs("hd620");
	under_the_roofs("hsw");
	under_the_roofs("chv");
	under_the_roofs("tgl");
	under_the_roofs("dg2");
	/* Not mtl: its package limit lowers the clock where memory is busy, too. */
	under_the_roofs("lnl");
	latencies();
	agrees("flops.private.mad.sp.x4", 399, 0);
	agrees("power.mad.sp.x4", 399, 0);
	agrees("mem.copy.sp.x4", 0, 192);
	counters_never_go_back("hd620,load=idle");
	counters_never_go_back("hd620,freq=walk,jitter=20,late=50");
	counters_never_go_back("tgl,load=desktop,rc6");
	limits();
	return done_testing();
}
