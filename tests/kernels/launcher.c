/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The launcher with a worker that crashes, hangs, talks nonsense or nothing: each becomes a
 * sentence, and nothing is left running. */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "kernels/launch/launcher.h"
#include "tests/tap.h"

#define PATIENCE_NS (300 * NS_PER_S)
#define SHORT_NS (50 * NS_PER_MS)

static char worker[4096];
static struct log worker_log;
static const int64_t patience_ns = PATIENCE_NS;

/* Serves the runner until the phase is reached, or the job's end. */
static struct job_state serve(struct runner *r, enum job_phase phase)
{
	int64_t end_ns = clock_machine_ns() + PATIENCE_NS;
	struct job_state s;

	for (;;) {
		struct pollfd p = { .fd = r->fd, .events = POLLIN };

		r->ops->ready(r, clock_machine_ns());
		r->ops->state(r, &s);
		if (s.phase == phase || s.phase == JOB_DONE || s.phase == JOB_FAILED ||
			clock_machine_ns() > end_ns)
			return s;
		poll(&p, 1, 100);
	}
}

static struct runner *new_runner(const int64_t *limit_ns)
{
	const char *const paths[] = { "/nonexistent/rooftop-worker", worker, NULL };
	struct launcher_options opt = { .worker = paths,
		.cache_dir = "",
		.state_dir = "",
		.log = &worker_log,
		.patience_ns = limit_ns };

	worker_log.count = 0;
	return launcher_new(&opt);
}

static bool start(struct runner *r, const char *kernel, struct err *err)
{
	struct job job = { .limit_ns = NS_PER_S };

	snprintf(job.kernel, sizeof(job.kernel), "%s", kernel);
	return r->ops->start(r, &job, clock_machine_ns(), err);
}

/* From the first line of its standard error. */
static int worker_pid(void)
{
	int pid = 0;

	for (int i = 0; i < log_count(&worker_log) && !pid; i++)
		sscanf(log_get(&worker_log, i)->text, "rooftop-worker: pid %d", &pid);
	return pid;
}

/* On a busy machine the death of a killed process can take longer than closing waits for it. */
static void check_gone(const char *name)
{
	int pid = worker_pid();
	int64_t end_ns = clock_machine_ns() + PATIENCE_NS;
	bool gone = false;

	while (pid > 0 && !gone && clock_machine_ns() < end_ns) {
		waitpid(pid, NULL, WNOHANG);
		gone = kill(pid, 0) < 0 && errno == ESRCH;
	}
	ok(gone, "%s: its process (%d) is gone", name, pid);
}

static const struct misbehaviour {
	const char *name;
	const char *msg, *hint;		/* parts of the sentence */
	bool is_silent;
	bool stop;			/* ask it to stop when it runs */
} rows[] = {
	{ "crash", "signal 11", "last words: pid", false, false },
	{ "exit", "status 3", "disk is full", false, false },
	{ "garbage", "not a message", "unknown message", false, false },
	{ "endless", "not a message", "longer than", false, false },
	{ "idle", "before the kernel ran", "", false, false },
	{ "order", "not a worker's", "", false, false },
	{ "version", "another version", "install", false, false },
	{ "fail", "there is no platform", "install one", false, false },
	{ "silence", "said nothing", "", true, false },
	{ "mute", "said nothing", "", true, false },
	{ "hang", "did not stop", "", false, true },
};

static void test_misbehaviour(const struct misbehaviour *row)
{
	int64_t limit_ns = row->is_silent ? SHORT_NS : PATIENCE_NS;
	struct runner *r = new_runner(&limit_ns);
	struct job_state s;
	struct err err = { 0 };

	setenv("FAKE_WORKER", row->name, 1);
	ok(start(r, "flops.private.mad.sp.x4", &err), "%s: started", row->name);
	if (row->stop) {
		s = serve(r, JOB_RUNNING);
		limit_ns = SHORT_NS;
		r->ops->stop(r, clock_machine_ns());
	}
	s = serve(r, JOB_FAILED);
	is_int(s.phase, JOB_FAILED, "%s: the job failed", row->name);
	ok(strstr(s.err.msg, row->msg), "%s: '%s'", row->name, s.err.msg);
	ok(strstr(s.err.hint, row->hint), "%s: '%s'", row->name, s.err.hint);

	/* On a busy machine a good worker, too, may say nothing for a short time. */
	limit_ns = PATIENCE_NS;
	setenv("FAKE_WORKER", "good", 1);
	ok(start(r, "flops.private.mad.sp.x4", &err) && serve(r, JOB_RUNNING).phase == JOB_RUNNING,
		"%s: the next one runs", row->name);
	runner_close(r);
	check_gone(row->name);
}

static void test_good(void)
{
	struct runner *r = new_runner(&patience_ns);
	struct job_state s;
	struct err err = { 0 };

	setenv("FAKE_WORKER", "good", 1);
	ok(start(r, "flops.private.mad.sp", &err), "a kernel without its width");
	ok(!start(r, "flops.private.mad.sp.x4", &err) && err.code == ERR_BUSY && err.hint[0],
		"no second load beside it");
	s = serve(r, JOB_RUNNING);
	for (int64_t end_ns = clock_machine_ns() + PATIENCE_NS;
		isnan(s.progress.flop_per_s) && clock_machine_ns() < end_ns;) {
		r->ops->ready(r, clock_machine_ns());
		r->ops->state(r, &s);
	}
	is_str(s.device, "fake device", "the device");
	is_str(s.job.kernel, "flops.private.mad.sp.x8", "the width that was chosen");
	is_int(s.job.groups, 7, "the groups that were chosen");
	is_int(s.flags, JOB_OTHER_DEVICE, "not the monitored device");
	is_near(s.progress.flop_per_s, 2e9, 0, "the rate");
	is_near(s.predicted_flop_per_s, 1e9, 0, "the prediction");
	is_near(s.build_ns, 5, 0, "the time of building");
	ok(isnan(s.progress.clock_hz) && isnan(s.progress.bytes_per_s) && isnan(s.energy_uj),
		"what is not known is no number");
	r->ops->stop(r, clock_machine_ns());
	r->ops->state(r, &s);
	is_int(s.phase, JOB_STOPPING, "stopping is seen at once");
	s = serve(r, JOB_DONE);
	is_int(s.phase, JOB_DONE, "it stops");
	is_near(s.progress.flop_per_s, 3e9, 0, "with its last rate");
	is_int(s.progress.mismatches, 1, "and its mismatches");
	runner_close(r);
	check_gone("good");
}

/* A worker that never takes a breath must not keep the loop: ready() returns, and stop gets
 * through. */
static void test_flood(void)
{
	struct runner *r = new_runner(NULL);
	struct err err = { 0 };
	int calls = 0;

	setenv("FAKE_WORKER", "flood", 1);
	ok(start(r, "flops.private.mad.sp.x4", &err), "a worker that floods");
	for (; calls < 200; calls++)
		r->ops->ready(r, clock_machine_ns());
	is_int(calls, 200, "two hundred calls return");
	r->ops->stop(r, clock_machine_ns());
	is_int(serve(r, JOB_FAILED).phase, JOB_FAILED, "it is ended");
	runner_close(r);
}

/* A compiler hears nothing; ending it is no failure. */
static void test_stop_while_building(void)
{
	int64_t limit_ns = PATIENCE_NS;
	struct runner *r = new_runner(&limit_ns);
	struct job_state s;
	struct err err = { 0 };

	setenv("FAKE_WORKER", "compile", 1);
	ok(start(r, "flops.private.mad.sp.x4", &err) &&
			serve(r, JOB_BUILDING).phase == JOB_BUILDING,
		"a worker that compiles");
	limit_ns = SHORT_NS;
	r->ops->stop(r, clock_machine_ns());
	s = serve(r, JOB_DONE);
	is_int(s.phase, JOB_DONE, "it is ended, and that is no failure");
	is_int(s.progress.launches_done, 0, "nothing was launched");
	runner_close(r);
	check_gone("compile");
}

static void test_refusals(void)
{
	static const char *const none[] = { "/nonexistent/rooftop-worker", "/tmp", NULL };
	struct launcher_options opt = { .worker = none };
	struct runner *r = launcher_new(&opt);
	const struct kernel_info *k;
	struct err err = { 0 };
	struct job job = { .kernel = "flops.private.mad.sp.x4", .limit_ns = -1 };
	size_t n;

	ok(!start(r, "flops.private.mad.sp.x5", &err) && err.code == ERR_USAGE,
		"an unknown kernel: %s", err.msg);
	ok(!r->ops->start(r, &job, clock_machine_ns(), &err) && err.code == ERR_USAGE,
		"a negative limit: %s", err.msg);
	ok(!start(r, "flops.private.mad.sp.x4", &err) && err.code == ERR_UNSUPPORTED && err.hint[0],
		"no worker: %s (%s)", err.msg, err.hint);
	k = r->ops->kernels(r, "", &n);
	ok(n > 400 && !k[0].supported && k[0].reason[0], "no kernel can run then: %s", k[0].reason);
	ok(launcher_knows_device(r), "and that is known");
	runner_close(r);
}

static const struct kernel_info *kernel_of(const struct kernel_info *k, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(k[i].name, name))
			return &k[i];
	abort();
}

static bool is_supported(const struct kernel_info *k, size_t n, const char *name)
{
	return kernel_of(k, n, name)->supported;
}

static void await_device(struct runner *r)
{
	int64_t end_ns = clock_machine_ns() + PATIENCE_NS;

	while (!launcher_knows_device(r) && clock_machine_ns() < end_ns)
		r->ops->ready(r, clock_machine_ns());
}

static void test_kernels(void)
{
	struct runner *r = new_runner(&patience_ns);
	const struct kernel_info *k;
	struct job_state before, after;
	size_t n;

	setenv("FAKE_WORKER", "good", 1);
	r->ops->state(r, &before);
	k = r->ops->kernels(r, "fake two", &n);
	ok(!launcher_knows_device(r), "the device is asked, not waited for");
	await_device(r);
	ok(is_supported(k, n, "flops.private.mad.dp.x4"),
		"a kernel in double precision is supported");
	ok(!is_supported(k, n, "flops.private.mad.hp.x4"), "one in half precision is not");
	ok(strstr(kernel_of(k, n, "flops.private.mad.hp.x4")->reason, "fake two"),
		"the device was asked that jobs will name");
	ok(is_supported(k, n, "lat.chase.256k") && !is_supported(k, n, "lat.chase.4m"),
		"nor one larger than the largest buffer");
	r->ops->state(r, &after);
	ok(after.phase == before.phase && after.job.groups == 0 && !after.job.kernel[0],
		"a question is no load");
	runner_close(r);
	setenv("FAKE_WORKER", "idle", 1);
	r = new_runner(NULL);
	k = r->ops->kernels(r, "", &n);
	await_device(r);
	ok(launcher_knows_device(r) && strstr(k[0].reason, "did not say"),
		"a worker that ends without an answer has one: %s", k[0].reason);
	runner_close(r);
}

int main(void)
{
	const char *top = getenv("top_builddir");

	snprintf(worker, sizeof(worker), "%s/tests/kernels/fake_worker", top ? top : ".");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		test_misbehaviour(&rows[i]);
	test_good();
	test_flood();
	test_stop_while_building();
	test_refusals();
	test_kernels();
	return done_testing();
}
