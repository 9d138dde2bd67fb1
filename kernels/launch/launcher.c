/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs one worker process at a time. Its messages become the state of the job; its silence and its
 * death become a sentence. */
#include "config.h"

#include "kernels/launch/launcher.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/mem.h"
#include "kernels/catalog/catalog.h"
#include "kernels/launch/worker_process.h"
#include "kernels/launch/proto.h"

/* The worker may take so long after STOP, and again after SIGTERM. */
#define STOP_PATIENCE_NS NS_PER_S
/* Rates are means of half a second of event time, known to about a percent. */
#define BOUND_TOLERANCE 1.02

/* So many messages are taken in one call of ready(); a worker sends ten a second. */
#define MAX_MESSAGES 256

enum stop_stage { STOP_NOT, STOP_ASKED, STOP_TERMINATED, STOP_KILLED };
enum knowledge { DEVICE_NOT_ASKED, DEVICE_ASKED, DEVICE_KNOWN, DEVICE_NONE };

struct launcher {
	struct runner runner;
	char **worker;			/* NULL-terminated */
	char *cache_dir, *state_dir;
	char pci[16];
	struct launcher_options opt;	/* log, clock, bound; the strings above are the copies */
	int epoll, timer;
	struct child child;
	struct proto_reader reader;
	char error_line[320];		/* of the worker's standard error, incomplete */
	char last_words[160];
	/* It gets every device that a worker names; NULL: the one that is used is asked for. */
	struct strbuf *listing;
	bool querying;			/* the process answers a question and runs no job */
	bool over;			/* DONE or FAIL has come */
	enum stop_stage stage;
	bool has_run;			/* slices of the load, not only its compiler */
	bool silent;			/* it is being ended because it said nothing */
	int64_t deadline_ns;		/* of the stage, or of the worker's silence */
	struct job_state state;
	struct placement placement;
	enum knowledge knowledge;
	struct proto_device device;	/* DEVICE_KNOWN */
	struct err device_err;		/* DEVICE_NONE */
	struct kernel_info *kernels;
	size_t n_kernels;
};

/* Returns how long a worker may say nothing, or take in each stage of its end. Drivers compile for
 * seconds; everything else reports ten times a second. */
static int64_t patience_ns(const struct launcher *l, enum job_phase phase)
{
	if (l->opt.patience_ns)
		return *l->opt.patience_ns;
	switch (phase) {
	case JOB_STARTING:
		return 20 * NS_PER_S;
	case JOB_STOPPING:
		return STOP_PATIENCE_NS;
	case JOB_BUILDING:
	case JOB_TUNING:
		return 120 * NS_PER_S;
	default:
		return 10 * NS_PER_S;
	}
}

static void set_deadline(struct launcher *l, int64_t deadline_ns)
{
	struct itimerspec at = { .it_value = { .tv_sec = deadline_ns / NS_PER_S,
					 .tv_nsec = deadline_ns % NS_PER_S } };

	l->deadline_ns = deadline_ns;
	timerfd_settime(l->timer, TFD_TIMER_ABSTIME, &at, NULL);
}

static void watch(struct launcher *l, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	if (fd >= 0)
		epoll_ctl(l->epoll, EPOLL_CTL_ADD, fd, &event);
}

static void note(struct launcher *l, enum log_level level, const char *text)
{
	int64_t wall_ns = l->opt.clock ? clock_wall_ns(l->opt.clock) : 0;

	if (l->opt.log)
		log_add(l->opt.log, wall_ns, level, "rooftop-worker: %s", text);
}

/* Ends the job or question of the process, one way or the other. The process gets some time to go
 * by itself. */
static void finish(struct launcher *l, const struct err *err)
{
	l->over = true;
	l->stage = STOP_ASKED;
	set_deadline(l, clock_machine_ns() + patience_ns(l, JOB_STOPPING));
	if (l->querying) {
		if (err && l->knowledge == DEVICE_ASKED) {
			l->knowledge = DEVICE_NONE;
			l->device_err = *err;
		}
		return;
	}
	l->state.phase = JOB_DONE;
	if (err) {
		l->state.phase = JOB_FAILED;
		l->state.err = *err;
	}
}

static void fail(struct launcher *l, enum err_code code, const char *msg, const char *hint)
{
	struct err err = { .code = code };

	snprintf(err.msg, sizeof(err.msg), "%s", msg);
	snprintf(err.hint, sizeof(err.hint), "%s", hint);
	finish(l, &err);
}

/* Returns the first program that exists and can be executed. */
static const char *find_worker(const struct launcher *l, struct err *err)
{
	for (int i = 0; l->worker[i]; i++) {
		struct stat st;

		if (stat(l->worker[i], &st) == 0 && S_ISREG(st.st_mode) &&
			access(l->worker[i], X_OK) == 0)
			return l->worker[i];
	}
#ifdef HAVE_OPENCL
	err_set(err, ERR_UNSUPPORTED,
		"the program rooftop-worker, which runs stress kernels, is not there");
	err_hint(err, "install rooftop completely: make install");
#else
	err_set(err, ERR_UNSUPPORTED, "this build has no program that runs stress kernels");
	err_hint(err, "install ocl-icd-opencl-dev, configure and make again");
#endif
	return NULL;
}

static bool start_process(struct launcher *l, const struct proto_message *first, struct err *err)
{
	const char *path = find_worker(l, err);
	char parent[24];
	const char *const argv[] = { path, "--parent", parent, "--cache", l->cache_dir, "--state",
		l->state_dir, NULL };

	if (!path)
		return false;
	snprintf(parent, sizeof(parent), "%ld", (long)getpid());
	child_end(&l->child);
	if (!child_start(&l->child, argv, err))
		return false;
	l->reader = (struct proto_reader){ 0 };
	l->error_line[0] = l->last_words[0] = '\0';
	l->querying = first->verb == PROTO_QUERY;
	l->over = l->silent = l->has_run = false;
	l->stage = STOP_NOT;
	watch(l, l->child.socket);
	watch(l, l->child.errors);
	watch(l, l->child.pidfd);
	set_deadline(l, clock_machine_ns() + patience_ns(l, JOB_STARTING));
	if (!proto_send(l->child.socket, first, err)) {
		child_end(&l->child);
		return false;
	}
	return true;
}

/* Writes into each kernel what the device lacks for it. */
static void mark_kernels(struct launcher *l)
{
	const struct proto_device *d = &l->device;
	struct kernel_spec spec;

	for (size_t i = 0; i < l->n_kernels; i++) {
		struct kernel_info *k = &l->kernels[i];
		char *reason = k->reason;
		size_t size = sizeof(k->reason);

		*reason = '\0';
		if (l->knowledge == DEVICE_NONE)
			snprintf(reason, size, "%.159s", l->device_err.msg);
		else if (l->knowledge == DEVICE_KNOWN && !strcmp(k->type, "dp") && !d->dp)
			snprintf(reason, size, "%s has no double precision", d->name);
		else if (l->knowledge == DEVICE_KNOWN && !strcmp(k->type, "hp") && !d->hp)
			snprintf(reason, size, "%s has no half precision", d->name);
		else if (l->knowledge == DEVICE_KNOWN && !strcmp(k->type, "matrix") && !d->matrix)
			snprintf(reason, size, "%.100s has no matrix engine that OpenCL offers", d->name);
		else if (l->knowledge == DEVICE_KNOWN && catalog_parse(k->name, &spec, NULL) &&
			spec.size_bytes > d->max_alloc_bytes)
			snprintf(reason, size, "%s allows no buffer of that size", d->name);
		k->supported = *reason == '\0';
	}
}

/* Returns the kernels of the catalogue. The first call asks a worker what the device is. */
static const struct kernel_info *launcher_kernels(
	struct runner *r, const char *device, size_t *n)
{
	struct launcher *l = (struct launcher *)r;
	struct proto_message query = { .verb = PROTO_QUERY };

	if (!l->kernels)
		l->kernels = catalog_list(&l->n_kernels);
	if (l->knowledge == DEVICE_NOT_ASKED && !l->child.pid) {
		snprintf(query.run.pci, sizeof(query.run.pci), "%s", l->pci);
		snprintf(query.run.job.device, sizeof(query.run.job.device), "%s", device);
		l->knowledge = DEVICE_ASKED;
		if (!start_process(l, &query, &l->device_err)) {
			l->knowledge = DEVICE_NONE;
			mark_kernels(l);
		}
	}
	*n = l->n_kernels;
	return l->kernels;
}

static bool is_running(const struct launcher *l)
{
	return l->child.pid && !l->querying && !l->over;
}

static void clear_state(struct job_state *s)
{
	*s = (struct job_state){ .progress = job_progress_unknown,
		.predicted_flop_per_s = NAN,
		.predicted_bytes_per_s = NAN,
		.made = kernel_made_unknown,
		.build_ns = NAN,
		.energy_uj = NAN };
}

static bool launcher_start(struct runner *r, const struct job *job, int64_t now_ns, struct err *err)
{
	struct launcher *l = (struct launcher *)r;
	struct proto_message run = { .verb = PROTO_RUN, .run.job = *job };
	struct kernel_spec spec;

	if (is_running(l)) {
		err_set(err, ERR_BUSY, "'%s' is still running", l->state.job.kernel);
		return err_hint(err, "stop it first");
	}
	if (!catalog_parse(job->kernel, &spec, err))
		return false;
	if (job->limit_ns < 0)
		return err_set(err, ERR_USAGE, "a load cannot end before it has begun");
	if (l->knowledge == DEVICE_ASKED)
		l->knowledge = DEVICE_NOT_ASKED;
	snprintf(run.run.pci, sizeof(run.run.pci), "%s", l->pci);
	clear_state(&l->state);
	l->placement = (struct placement){ 0 };
	l->state.job = *job;
	catalog_info(&spec, &l->state.kernel);
	l->state.start_mono_ns = now_ns;
	if (!start_process(l, &run, err))
		return false;
	l->state.pid = l->child.pid;
	l->state.phase = JOB_STARTING;
	return true;
}

static void launcher_stop(struct runner *r, int64_t now_ns)
{
	struct launcher *l = (struct launcher *)r;
	struct proto_message stop = { .verb = PROTO_STOP };

	(void)now_ns;
	if (!is_running(l) || l->stage != STOP_NOT)
		return;
	l->state.phase = JOB_STOPPING;
	l->stage = STOP_ASKED;
	set_deadline(l, clock_machine_ns() + patience_ns(l, JOB_STOPPING));
	proto_send(l->child.socket, &stop, NULL);
}

static void take_progress(struct launcher *l, const struct proto_progress *p)
{
	struct job_state *s = &l->state;

	s->flags = (s->flags & (JOB_ON_CPU | JOB_OTHER_DEVICE)) |
		((uint32_t)p->flags &
			(JOB_ABOVE_BOUND | JOB_CLOCKS_DISAGREE | JOB_DISTURBED | JOB_TUNED_BUSY));
	s->progress = p->now;
	/* When the load runs on the open device, that device knows its bound. */
	if (s->flags & (JOB_ON_CPU | JOB_OTHER_DEVICE) || !l->opt.bound_flop_per_s)
		return;
	s->progress.bound_flop_per_s = l->opt.bound_flop_per_s(
		l->opt.bound_ctx, s->kernel.type, &s->progress.clock_hz);
	if (strcmp(s->kernel.op, "mad") != 0)
		s->progress.bound_flop_per_s /= 2;
	if (s->progress.flop_per_s > s->progress.bound_flop_per_s * BOUND_TOLERANCE)
		s->flags |= JOB_ABOVE_BOUND;
}

static void take_shape(struct job_state *s, const struct proto_shape *shape)
{
	snprintf(s->job.kernel, sizeof(s->job.kernel), "%s", shape->kernel);
	snprintf(s->kernel.name, sizeof(s->kernel.name), "%s", shape->kernel);
	s->job.groups = shape->groups;
	s->job.group_size = shape->group_size;
	s->job.repeat = shape->repeat;
	s->kernel.work = shape->work;
	s->predicted_flop_per_s = shape->predicted_flop_per_s;
	s->predicted_bytes_per_s = shape->predicted_bytes_per_s;
	s->made = shape->made;
}

static void take_device(struct launcher *l, const struct proto_device *d)
{
	struct job_state *s = &l->state;

	if (l->listing) {
		strbuf_add(l->listing, d->name);
		if (*d->pci)
			strbuf_addf(l->listing, ", pci:%s", d->pci);
		strbuf_addc(l->listing, '\n');
		return;
	}
	if (l->querying || !s->job.device[0]) {
		l->device = *d;
		l->knowledge = DEVICE_KNOWN;
		mark_kernels(l);
	}
	if (l->querying)
		return;
	snprintf(s->device, sizeof(s->device), "%s", d->name);
	s->flags = 0;
	if (d->cpu)
		s->flags |= JOB_ON_CPU;
	if (d->other || (d->cpu && l->opt.is_gpu))
		s->flags |= JOB_OTHER_DEVICE;
}

static void take_place(struct launcher *l, const struct proto_place *place)
{
	struct placement *p = &l->placement;
	struct placement_cell *cell = NULL;

	snprintf(p->reason, sizeof(p->reason), "%s", place->reason);
	if (!*place->reason && place->slice < PLACEMENT_SLICES &&
		place->subslice < PLACEMENT_SUBSLICES)
		cell = placement_cell(p, (int)place->slice, (int)place->subslice);
	if (!cell)
		return;
	cell->groups = place->groups;
	memcpy(cell->items, place->items, sizeof(cell->items));
}

static void take_message(struct launcher *l, const struct proto_message *m)
{
	struct job_state *s = &l->state;
	enum err_code code = ERR_SYS;

	switch (m->verb) {
	case PROTO_HELLO:
		if (m->hello.version != PROTO_VERSION)
			fail(l, ERR_UNSUPPORTED,
				"rooftop-worker is of another version than rooftop",
				"install both together");
		return;
	case PROTO_DEVICE:
		take_device(l, &m->device);
		return;
	case PROTO_PHASE:
		if (l->querying)
			return;
		if (s->phase != JOB_STOPPING && m->phase.phase > JOB_STARTING &&
			m->phase.phase <= JOB_RUNNING)
			s->phase = (enum job_phase)m->phase.phase;
		l->has_run = l->has_run || m->phase.phase == JOB_RUNNING;
		s->build_ns = m->phase.build_ns;
		return;
	case PROTO_SHAPE:
		if (l->querying)
			return;
		take_shape(s, &m->shape);
		note(l, LOG_INFO, m->shape.text);
		return;
	case PROTO_PLACE:
		if (!l->querying)
			take_place(l, &m->place);
		return;
	case PROTO_PROGRESS:
	case PROTO_DONE:
		if (!l->querying)
			take_progress(l, &m->progress);
		if (m->verb == PROTO_DONE && !l->querying && l->stage == STOP_NOT &&
			!m->progress.now.launches_done)
			fail(l, ERR_SYS, "rooftop-worker ended before the kernel ran", "");
		else if (m->verb == PROTO_DONE)
			finish(l, NULL);
		return;
	case PROTO_FAIL:
		if (m->fail.code > ERR_NONE && m->fail.code <= ERR_END)
			code = (enum err_code)m->fail.code;
		fail(l, code, m->fail.msg, m->fail.hint);
		return;
	default:
		fail(l, ERR_PARSE, "rooftop-worker sent a message that is not a worker's",
			"install rooftop and its worker together");
	}
}

/* Takes what has come, but no more than the loop can spare time for. A stream that makes no sense
 * ends the run. */
static void take_messages(struct launcher *l)
{
	struct proto_message m;
	struct err err = { 0 };
	const char *line;

	for (int i = 0; i < MAX_MESSAGES && l->child.socket >= 0 && !l->over; i++) {
		enum proto_got got = proto_next(&l->reader, l->child.socket, &line, &err);
		enum job_phase phase = JOB_STARTING;

		if (got == PROTO_GOT_NOTHING)
			return;
		if (got == PROTO_GOT_LINE && proto_decode(line, &m, &err)) {
			take_message(l, &m);
			if (!l->querying)
				phase = l->state.phase;
			if (l->stage == STOP_NOT)
				set_deadline(l, clock_machine_ns() + patience_ns(l, phase));
			continue;
		}
		if (got != PROTO_GOT_END)
			fail(l, ERR_PARSE, "rooftop-worker sent something that is not a message",
				err.msg);
		close(l->child.socket);
		l->child.socket = -1;
	}
}

static void take_error_bytes(struct launcher *l, const char *s, size_t n)
{
	size_t len = strlen(l->error_line);

	for (; n > 0; s++, n--) {
		bool full = len + 1 == sizeof(l->error_line);
		char c = *s;

		if ((unsigned char)c < ' ')
			c = ' ';
		if (*s != '\n' && !full) {
			l->error_line[len++] = c;
			continue;
		}
		l->error_line[len] = '\0';
		if (len > 0) {
			note(l, LOG_WARN, l->error_line);
			snprintf(l->last_words, sizeof(l->last_words), "%.159s", l->error_line);
		}
		len = 0;
		if (*s != '\n')
			l->error_line[len++] = c;
	}
	l->error_line[len] = '\0';
}

/* Takes at most a few kilobytes in a call: a driver that talks without end must not hold the loop
 * up. */
static void take_errors(struct launcher *l)
{
	char buf[1024];

	for (int i = 0; i < 8 && l->child.errors >= 0; i++) {
		ssize_t n = read(l->child.errors, buf, sizeof(buf));

		if (n > 0) {
			take_error_bytes(l, buf, (size_t)n);
			continue;
		}
		if (n == 0) {
			close(l->child.errors);
			l->child.errors = -1;
		}
		return;
	}
}

/* Says why the process has gone without DONE or FAIL. */
static void explain_end(struct launcher *l, int status)
{
	bool no_memory = child_ran_out_of_memory(&l->child, status);
	char msg[200], hint[280];

	/* A driver cannot be interrupted while it compiles: the worker can only be ended then. */
	if (!l->silent && l->stage >= STOP_TERMINATED && !l->has_run) {
		finish(l, NULL);
		return;
	}
	if (l->silent)
		snprintf(msg, sizeof(msg),
			"rooftop-worker said nothing for too long and was ended");
	else if (l->stage >= STOP_TERMINATED)
		snprintf(
			msg, sizeof(msg), "rooftop-worker did not stop when told and was ended");
	else if (no_memory)
		snprintf(msg, sizeof(msg),
			"the kernel has ended rooftop-worker because memory ran out: it had %llu "
			"MiB",
			(unsigned long long)(l->child.peak_bytes >> 20));
	else if (WIFSIGNALED(status))
		snprintf(msg, sizeof(msg), "rooftop-worker was ended by signal %d (%s)",
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(msg, sizeof(msg),
			"rooftop-worker ended with status %d before it was done",
			WEXITSTATUS(status));
	if (no_memory)
		snprintf(hint, sizeof(hint),
			"end other programs, or run kernels without buffers (private, local)");
	else if (l->last_words[0])
		snprintf(hint, sizeof(hint), "its last words: %s", l->last_words);
	else
		snprintf(hint, sizeof(hint),
			"the OpenCL driver is the likely cause: try another kernel or device, "
			"and see 'clinfo'");
	fail(l, ERR_SYS, msg, hint);
}

static void launcher_ready(struct runner *r, int64_t now_ns)
{
	static const struct {
		int signo;
		enum stop_stage then;
	} steps[] = {
		[STOP_NOT] = { SIGTERM, STOP_TERMINATED },
		[STOP_ASKED] = { SIGTERM, STOP_TERMINATED },
		[STOP_TERMINATED] = { SIGKILL, STOP_KILLED },
		[STOP_KILLED] = { SIGKILL, STOP_KILLED },
	};
	struct launcher *l = (struct launcher *)r;
	uint64_t expirations;
	int status;

	/* The windows' clock may be simulated; the worker's is the machine's. */
	now_ns = clock_machine_ns();
	if (read(l->timer, &expirations, sizeof(expirations)) < 0)
		expirations = 0;
	take_errors(l);
	take_messages(l);
	if (child_reap(&l->child, &status)) {
		take_messages(l);
		take_errors(l);
		if (!l->over)
			explain_end(l, status);
		/* Who waits for the answer would wait for good. */
		if (l->querying && !l->listing && l->knowledge == DEVICE_ASKED) {
			l->knowledge = DEVICE_NONE;
			err_set(&l->device_err, ERR_PARSE,
				"rooftop-worker did not say what the device is");
		}
		mark_kernels(l);
		child_end(&l->child);
		l->stage = STOP_NOT;
		set_deadline(l, 0);
	}
	/* A worker that said nothing for too long has had the first stage. */
	if (!l->child.pid || !l->deadline_ns || now_ns < l->deadline_ns)
		return;
	if (l->stage == STOP_NOT)
		l->silent = true;
	child_signal(&l->child, steps[l->stage].signo);
	l->stage = steps[l->stage].then;
	set_deadline(l, now_ns + patience_ns(l, JOB_STOPPING));
}

static void launcher_state(struct runner *r, struct job_state *out)
{
	struct launcher *l = (struct launcher *)r;

	*out = l->state;
}

static const struct placement *launcher_placement(struct runner *r)
{
	const struct launcher *l = (const struct launcher *)r;

	return l->placement.n || *l->placement.reason ? &l->placement : NULL;
}

static void launcher_close(struct runner *r)
{
	struct launcher *l = (struct launcher *)r;

	child_end(&l->child);
	close(l->epoll);
	close(l->timer);
	for (int i = 0; l->worker[i]; i++)
		free(l->worker[i]);
	free(l->worker);
	free(l->cache_dir);
	free(l->state_dir);
	free(l->kernels);
}

static const struct runner_ops launcher_ops = {
	.size = sizeof(struct launcher),
	.kernels = launcher_kernels,
	.start = launcher_start,
	.stop = launcher_stop,
	.ready = launcher_ready,
	.state = launcher_state,
	.placement = launcher_placement,
	.close = launcher_close,
};

/* Returns "" when there is no place; the worker then keeps nothing. */
static char *folder(const char *given, const char *variable, const char *below_home)
{
	char path[PATH_MAX];

	if (!given && user_path(path, sizeof(path), variable, below_home, "/rooftop"))
		given = path;
	if (!given)
		given = "";
	return xstrdup(given);
}

struct runner *launcher_new(const struct launcher_options *opt)
{
	struct launcher *l = runner_new(&launcher_ops);
	size_t n = 0;

	while (opt->worker && opt->worker[n])
		n++;
	l->worker = xcalloc(n + 1, sizeof(*l->worker));
	for (size_t i = 0; i < n; i++)
		l->worker[i] = xstrdup(opt->worker[i]);
	l->cache_dir = folder(opt->cache_dir, "XDG_CACHE_HOME", "/.cache");
	l->state_dir = folder(opt->state_dir, "XDG_STATE_HOME", "/.local/state");
	if (opt->pci_address)
		snprintf(l->pci, sizeof(l->pci), "%s", opt->pci_address);
	l->opt = *opt;
	l->child = (struct child)CHILD_NONE;
	l->runner.fd = l->epoll = epoll_create1(EPOLL_CLOEXEC);
	l->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	watch(l, l->timer);
	clear_state(&l->state);
	return &l->runner;
}

bool launcher_knows_device(const struct runner *r)
{
	const struct launcher *l = (const struct launcher *)r;

	return l->knowledge == DEVICE_KNOWN || l->knowledge == DEVICE_NONE;
}

bool launcher_list_devices(struct runner *r, struct strbuf *out, struct err *err)
{
	struct launcher *l = (struct launcher *)r;
	struct proto_message query = { .verb = PROTO_QUERY, .run.job.device = PROTO_EVERY_DEVICE };
	struct epoll_event news;

	if (!start_process(l, &query, err))
		return false;
	l->listing = out;
	l->knowledge = DEVICE_ASKED;
	while (l->child.pid && !l->over) {
		epoll_wait(l->epoll, &news, 1, 1000);
		launcher_ready(r, clock_machine_ns());
	}
	bool good = l->knowledge != DEVICE_NONE;
	if (!good && err)
		*err = l->device_err;
	l->knowledge = DEVICE_NOT_ASKED;
	l->listing = NULL;
	child_end(&l->child);
	return good;
}
