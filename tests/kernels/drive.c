/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs one job through the launcher and prints its states: drive WORKER KERNEL [KEY=VALUE...], keys
 * as in struct job, and stop_ms=N: stop it after so long, tell how long that took. */
#include "config.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/parse.h"
#include "kernels/launch/launcher.h"
#include "tests/tap.h"

static const char *const phase_names[] = { "idle", "starting", "building", "tuning", "running",
	"stopping", "done", "failed" };

static void print_state(const struct job_state *s)
{
	printf("%-8s %6.0f ms  %s  groups %llu x %llu repeat %llu launches %llu  flop/s %.4g (mean "
	       "%.4g bound %.4g predicted %.4g)  "
	       "B/s %.4g (%.4g)  op/s %.4g  clock %.4g  slice %.0f us gap %.0f us build %.0f ms  "
	       "verified %llu wrong %llu flags %x\n",
		phase_names[s->phase], (double)s->progress.elapsed_ns / 1e6, s->job.kernel,
		(unsigned long long)s->job.groups, (unsigned long long)s->job.group_size,
		(unsigned long long)s->job.repeat, (unsigned long long)s->progress.launches_done,
		s->progress.flop_per_s, s->progress.mean_flop_per_s, s->progress.bound_flop_per_s, s->predicted_flop_per_s,
		s->progress.bytes_per_s, s->progress.mean_bytes_per_s, s->progress.mean_ops_per_s, s->progress.clock_hz,
		s->progress.launch_ns / 1e3, s->progress.gap_ns / 1e3, s->build_ns / 1e6,
		(unsigned long long)s->progress.verified, (unsigned long long)s->progress.mismatches, s->flags);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const char *const workers[] = { argc > 1 ? argv[1] : "", NULL };
	static struct log log;
	/* Against hanging only: how long a worker may say nothing is asked in launcher.c. */
	static const int64_t patience_ns = 300 * NS_PER_S;
	struct launcher_options opt = {
		.worker = workers, .log = &log, .patience_ns = &patience_ns
	};
	struct job job = { .limit_ns = NS_PER_S };
	struct job_state s = { 0 };
	struct err err = { 0 };
	struct runner *r = launcher_new(&opt);
	int64_t start = clock_machine_ns(), stop_ns = 0, stopped_ns = 0;
	enum job_phase last = JOB_IDLE;

	snprintf(job.kernel, sizeof(job.kernel), "%s",
		argc > 2 ? argv[2] : "flops.private.mad.sp.x4");
	for (int i = 3; i < argc; i++) {
		char *value = strchr(argv[i], '=');
		uint64_t v = 0;

		if (!value)
			return 2;
		*value++ = '\0';
		parse_u64(value, &v);
		if (!strcmp(argv[i], "groups"))
			job.groups = v;
		else if (!strcmp(argv[i], "group_size"))
			job.group_size = v;
		else if (!strcmp(argv[i], "repeat"))
			job.repeat = v;
		else if (!strcmp(argv[i], "launches"))
			job.launches = v;
		else if (!strcmp(argv[i], "limit_ms"))
			job.limit_ns = (int64_t)v * NS_PER_MS;
		else if (!strcmp(argv[i], "stop_ms"))
			stop_ns = (int64_t)v * NS_PER_MS;
		else if (!strcmp(argv[i], "verify"))
			job.verify = v;
		else if (!strcmp(argv[i], "tune"))
			job.tune = v;
		else if (!strcmp(argv[i], "device"))
			snprintf(job.device, sizeof(job.device), "%s", value);
	}
	if (!r->ops->start(r, &job, start, &err)) {
		printf("refused: %s (%s)\n", err.msg, err.hint);
		return 1;
	}
	do {
		struct pollfd p = { .fd = r->fd, .events = POLLIN };

		poll(&p, 1, 5);
		r->ops->ready(r, clock_machine_ns());
		r->ops->state(r, &s);
		if (s.phase != last ||
			(s.phase == JOB_RUNNING && s.progress.elapsed_ns && last != JOB_DONE && p.revents))
			printf("%6.0f ms ", (double)(clock_machine_ns() - start) / 1e6),
				print_state(&s);
		last = s.phase;
		if (stop_ns && !stopped_ns && s.phase == JOB_RUNNING &&
			clock_machine_ns() - start > stop_ns) {
			stopped_ns = clock_machine_ns();
			r->ops->stop(r, stopped_ns);
		}
	} while (s.phase != JOB_DONE && s.phase != JOB_FAILED);
	if (stopped_ns)
		printf("stopped within %.1f ms\n", (double)(clock_machine_ns() - stopped_ns) / 1e6);
	for (int i = 0; i < log_count(&log); i++)
		printf("log: %s\n", log_get(&log, i)->text);
	if (s.phase == JOB_FAILED)
		printf("failed: %s (%s)\n", s.err.msg, s.err.hint);
	start = clock_machine_ns();
	runner_close(r);
	printf("%s on %s; closed in %.1f ms\n", phase_names[s.phase], s.device,
		(double)(clock_machine_ns() - start) / 1e6);
	return s.phase == JOB_DONE && !s.progress.mismatches ? 0 : 1;
}
