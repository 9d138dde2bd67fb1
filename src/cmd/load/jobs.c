/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps a job from start to end, in real or in virtual time. */
#include "config.h"

#include "cmd/load/jobs.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "session/program.h"
#include "session/devices/devices.h"
#include "session/window/own_load.h"
#include "session/window/refresh.h"
#include "base/ending.h"
#include "base/minmax.h"
#include "cmd/load/load_options.h"
#include "core/verdict/verdict.h"

/* A job has enough windows that the first and the last, which are not its own, do not matter. */
#define WINDOWS_PER_JOB 10
#define WINDOW_MAX_NS (250 * NS_PER_MS)
#define WINDOW_MIN_NS (10 * NS_PER_MS)
#define SMOOTHING_RUNS 10
/* Power is measured over at least a second and so many steps of the energy counter. Some steps more
 * are needed because the first window, which holds what was before, does not count. */
#define POWER_NS NS_PER_S
#define POWER_STEPS 20
#define FIRST_STEPS 5
/* How long the energy counter is looked at to see how often it changes. */
#define STEP_WAIT_NS (500 * NS_PER_MS)
/* A crystal is good to some parts in 100,000, so a difference of this much is a wrong rate. */
#define STAMP_OFF 0.002
/* A clock that moves by less makes no more difference than the noise of other things. */
#define CLOCK_MOVED 0.02
/* A clock that is held down for less of the time makes no difference either. */
#define HELD_PCT 1

/* --- what the processor runs meanwhile --- */

/* Starts the kernel on the processor, for as long as cpu_load_close() does not end it. Nothing
 * happens when it was started before, or when the device runs such a kernel by itself (a simulated
 * one). */
static bool cpu_load_start(
	struct cpu_load *m, struct session *ses, const char *kernel, struct err *err)
{
	struct job job = { .device = "cpu" };

	if (m->runner || (ses->dev && ses->dev->runner))
		return true;
	snprintf(job.kernel, sizeof(job.kernel), "%s", kernel);
	m->runner = own_load_launcher(ses, NULL);
	return m->runner->ops->start(m->runner, &job, clock_mono_ns(&ses->clock), err);
}

/* Has to be called at every tick. Returns false with err when the kernel has failed. */
static bool cpu_load_ready(struct cpu_load *m, const struct session *ses, struct err *err)
{
	if (!m->runner)
		return true;
	m->runner->ops->ready(m->runner, clock_mono_ns(&ses->clock));
	m->runner->ops->state(m->runner, &m->state);
	if (job_is_on(m->state.phase))
		return true;
	*err = m->state.err;
	if (err->code == ERR_NONE)
		err_set(err, ERR_UNSUPPORTED, "the kernel beside has ended");
	return false;
}

/* --- jobs --- */

/* Whoever waits for the tick calls refresh_tick() where it fits. */
static void on_tick(void *ctx, struct session *ses)
{
	struct jobs *j = ctx;

	(void)ses;
	j->ticked = true;
}

static void on_signal(void *ctx, int signo)
{
	struct jobs *j = ctx;

	j->signo = signo;
}

bool jobs_can_run(const struct session *ses, struct err *err)
{
	if (!ses->dev || !ses->dev->device.simulated || ses->dev->runner)
		return true;
	err_set(err, ERR_UNSUPPORTED,
		"%s runs no kernels: OpenCL would run them on this machine instead",
		ses->opened.name);
	return err_hint(err,
		"its loads are named behind a comma ('-D sim:help' lists them); without -D kernels "
		"run on what OpenCL finds here");
}

bool jobs_open(struct jobs *j, struct session *ses, struct err *err)
{
	static const int signals[] = { ENDING_SIGNALS, 0 };

	devices_leave_rights(ses, NULL);
	ending_hold();
	*j = (struct jobs){ .session = ses, .slowest_hz = NAN, .loop = loop_new(signals, err) };
	if (!j->loop)
		return false;
	loop_on_signal(j->loop, on_signal, j);
	if (ses->dev)
		window_sum_init(&j->sum, ses->dev, ses->now->set, &ses->opened.measured);
	power_plane_warn(power_plane_of(ses->opt, ses->dev));
	j->has_sum = ses->dev != NULL;
	return keeper_begin(&j->kept, ses, j->loop, err) &&
		session_ticks_start(&j->ticks, ses, j->loop, on_tick, j, err);
}

void jobs_close(struct jobs *j)
{
	if (!j->session)
		return;
	keeper_end(&j->kept, false, &(struct err){ 0 });
	own_load_stop(j->session);
	runner_close(j->cpu_load.runner);
	refresh_add_up(j->session, NULL);
	session_ticks_stop(&j->ticks);
	loop_free(j->loop);
	if (j->has_sum)
		window_sum_release(&j->sum);
	*j = (struct jobs){ 0 };
}

bool jobs_kept(struct jobs *j, bool good, struct err *err)
{
	return keeper_end(&j->kept, good, err);
}

/* Returns whether a window is complete. */
static bool tick(struct jobs *j)
{
	bool is_new = j->session->dev && refresh_tick(j->session);

	keeper_tick(&j->kept, is_new);
	return is_new;
}

/* Waits until the next tick, or until a message or signal comes before it. */
static bool wait_tick(struct jobs *j, struct err *err)
{
	struct session *ses = j->session;
	enum job_phase phase = ses->load.state.phase;

	j->ticked = false;
	if (!cpu_load_ready(&j->cpu_load, ses, err))
		return false;
	if (ses->clock.is_virtual) {
		const struct job_state *st = &ses->load.state;
		int64_t step_ns = ses->window.length_ns, end_ns = st->start_mono_ns + st->job.limit_ns;

		/* A job ends when its time is over, however long windows are. */
		if (job_is_on(phase) && st->job.limit_ns && end_ns > clock_mono_ns(&ses->clock))
			step_ns = min_i64(step_ns, end_ns - clock_mono_ns(&ses->clock));
		clock_advance(&ses->clock, step_ns);
		return loop_once(j->loop, 0, err);
	}
	while (!j->ticked && !j->signo && ses->load.state.phase == phase) {
		if (!session_ticks_update(&j->ticks, err) || !loop_once(j->loop, -1, err))
			return false;
	}
	return true;
}

const struct kernel_info *jobs_kernels(struct jobs *j, size_t *n, struct err *err)
{
	const char *chosen = j->session->opt->load->cl_device, *device = text_or(chosen, "");

	own_load_kernels(j->session, device, n);
	while (!own_load_knows_kernels(j->session) && !j->signo) {
		if (!session_ticks_update(&j->ticks, err) || !loop_once(j->loop, -1, err))
			return NULL;
	}
	if (j->signo)
		return NULL;
	return own_load_kernels(j->session, device, n);
}

/* Ends a window here, because what came before belongs to another one. Returns the time from which
 * a sum begins, which is before the sources are read: that may take as long as a short window. */
static int64_t cut(struct jobs *j)
{
	struct session *ses = j->session;
	int64_t from_ns = clock_mono_ns(&ses->clock);

	if (ses->dev)
		keeper_tick(&j->kept, refresh_now(ses));
	return from_ns;
}

static double metric_value(const struct jobs *j, int i)
{
	if (i < 0 || j->sum.values[i].why != WHY_OK)
		return NAN;
	return j->sum.values[i].v * j->session->now->set->metrics[i].unit.scale;
}

double jobs_per(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

enum status jobs_status(const struct jobs *j, bool good, const struct err *err)
{
	if (good || j->signo || err->code == ERR_END)
		return STATUS_GOOD;
	return session_fail(err);
}

/* Counts launches by the machine's clock, from one tick that finds a launch ended to another, so
 * that no launch is counted half. */
struct launch_clock {
	uint64_t seen, first, last;
	int64_t first_ns, last_ns;
};

/* The name of the role performance has the types that the metric counts: "sp", "sp.dp". Of a
 * division counters see the instructions that refine it, so only the kernel knows how many there
 * are. */
static bool counts_flop_of(const struct metric *m, const struct kernel_info *k)
{
	return *k->type && strstr(m->roof_name, k->type) && strcmp(k->op, "div");
}

/* Whether the job ran on a device of this machine while a simulated one is open, which cannot run
 * it: what is counted then says nothing about the job. */
static bool ran_elsewhere(const struct jobs *j, const struct job_result *out)
{
	return j->session->dev && j->session->dev->device.simulated &&
		!(out->state.flags & JOB_SIMULATED);
}

static void fill_verdict(const struct jobs *j, struct job_result *out)
{
	struct verdict v;

	window_sum_verdict(&j->sum, rotation_active(j->session->now->rotation)->set, &v);
	snprintf(out->limit, sizeof(out->limit), "%s", verdict_kind_name(v.kind));
	snprintf(out->bound, sizeof(out->bound), "%s", v.bound);
	out->headroom = v.headroom;
}

/* Returns how often the energy counter changes; 0: not known. */
static int64_t energy_step_ns(const struct jobs *j, enum why *why)
{
	const struct session *ses = j->session;

	*why = WHY_NO_SOURCE;
	for (int i = 0; ses->dev && i < ses->dev->n_sources; i++) {
		const struct feed *f = &ses->dev->sources[i]->feed;

		for (int k = 0; k < f->n_counters; k++) {
			if (strcmp(f->counters[k].name, "energy_update_us"))
				continue;
			*why = sample_why(&ses->got.samples[i], k);
			if (*why == WHY_OK)
				return (int64_t)ses->got.samples[i].values[k] * 1000;
		}
	}
	return 0;
}

static void fill_power(const struct jobs *j, struct job_result *out)
{
	const struct options *o = j->session->opt;
	double seconds = (double)out->state.progress.elapsed_ns / NS_PER_S;
	enum why why;

	for (int p = 0; p < POWER_PLANE_COUNT; p++) {
		out->plane_w[p] = power_plane_w(&j->sum, (enum power_plane)p, &why);
		if (p == (int)out->plane)
			out->power_why = why;
	}
	if (!o->load->power_smoothing && !o->load->power_plane)
		return;
	if (out->power_why != WHY_OK)
		out->notes |= RESULT_NO_POWER;
	else if (seconds * NS_PER_S < (double)(POWER_STEPS * energy_step_ns(j, &why)))
		out->notes |= RESULT_SHORT_POWER;
}

const char *jobs_held_by(const struct jobs *j, double percent, bool by_power_too)
{
	const struct metric_set *set = j->session->now->set;

	for (int i = 0; j->has_sum && i < set->n_metrics; i++) {
		const struct metric_limit *limit = &set->metrics[i].limit;
		double v = j->sum.values[i].v;

		if (limit->role == LIMIT_REASON && v > percent &&
			(by_power_too || strcmp(limit->word, "power") != 0))
			return limit->word;
		if (limit->role == LIMIT_SETTING &&
			v < (1 - CLOCK_MOVED) * j->sum.ceilings[i].v)
			return "setting";
	}
	return NULL;
}

/* Returns the share of the device's time since the last scan that processes other than this one took. */
static double others_pct(const struct session *ses, int64_t pid)
{
	const struct client_table *t = &ses->clients.table;
	double pct = 0;

	for (size_t i = 0; i < t->n_rows; i++)
		if (t->rows[i].pid != pid)
			pct += client_busy_pct(&t->rows[i], t->n_engines);
	return pct;
}

bool jobs_clock_moved(const struct job_result *r)
{
	return r->clock_max_hz - r->clock_min_hz > CLOCK_MOVED * r->clock_max_hz;
}

/* Fills in the time of a launch by the GPU's own clocks while it was busy. Launches are counted by
 * the machine's clock, so each of the other clocks is compared with that one over all windows. */
static void fill_clocks(const struct jobs *j, struct job_result *out)
{
	const struct session *ses = j->session;
	double busy = metric_value(j, metric_set_index(ses->now->set, "gpu_busy"));
	double driver_hz = window_sum_gauge(&j->sum, "freq_actual_mhz");
	double hz = window_sum_rate(&j->sum, "GPU_TICKS");
	struct window_sum_times t;

	if (isfinite(hz))
		out->clock_hz = hz;
	out->clock_min_hz = j->sum.hz_min;
	out->clock_max_hz = j->sum.hz_max;
	if (jobs_clock_moved(out))
		out->notes |= RESULT_CLOCK_MOVED;
	if (!window_sum_times(&j->sum, "TIMESTAMP", &t) || t.host_ns <= 0)
		return;
	out->stamp_rate = t.own_ns / t.host_ns;
	out->stamp_doubt = t.apart_ns / t.host_ns;
	if (fabs(out->stamp_rate - 1) > STAMP_OFF + out->stamp_doubt) {
		out->notes |= RESULT_STAMP_OFF;
		/* What was counted in a second is that of one of the machine. */
		out->counted_flop_per_s *= out->stamp_rate;
		out->clock_min_hz *= out->stamp_rate;
		out->clock_max_hz *= out->stamp_rate;
		if (isfinite(hz))
			out->clock_hz = hz * out->stamp_rate;
	}
	out->timestamp_ns = out->wall_ns * busy * out->stamp_rate;
	/* hz is by the time stamp, whose error would cancel here; the count itself is needed. */
	out->cycles_ns = out->wall_ns * busy * out->stamp_rate * jobs_per(hz, driver_hz);
}

/* Fills in what the counters saw. */
static void fill_counted(struct jobs *j, struct job_result *out, const struct launch_clock *c)
{
	const struct session *ses = j->session;
	int performance = ses->now->roofline.performance;

	out->clock_hz = out->clock_min_hz = out->clock_max_hz = out->clock_limit_hz = NAN;
	out->timestamp_ns = out->cycles_ns = out->stamp_rate = NAN;
	out->counted_flop_per_s = out->headroom = NAN;
	out->plane = power_plane_of(ses->opt, ses->dev);
	for (int p = 0; p < POWER_PLANE_COUNT; p++)
		out->plane_w[p] = NAN;
	if (out->state.progress.clock_hz > 0)
		out->clock_hz = out->state.progress.clock_hz;
	for (int i = 0; i < JOB_METRICS; i++)
		out->metrics[i] = NAN;
	out->wall_ns = jobs_per((double)(c->last_ns - c->first_ns), (double)(c->last - c->first));
	if (!j->has_sum || ran_elsewhere(j, out))
		return;
	window_sum_eval(&j->sum, &rotation_active(ses->now->rotation)->binding);
	fill_verdict(j, out);
	out->held = jobs_held_by(j, HELD_PCT, false);
	/* A job may be shorter than a window. */
	const struct snapshot *s = refresh_snapshot(ses);
	for (int i = 0; s && i < s->set->n_metrics; i++)
		if (s->set->metrics[i].limit.role == LIMIT_SETTING)
			out->clock_limit_hz = s->values[i].v * s->set->metrics[i].unit.scale;
	for (int i = 0; i < JOB_METRICS && i < ses->now->set->n_metrics; i++)
		out->metrics[i] = j->sum.values[i].v;
	fill_power(j, out);
	if (performance >= 0 &&
		counts_flop_of(&ses->now->set->metrics[performance], &out->state.kernel))
		out->counted_flop_per_s = metric_value(j, performance);
	fill_clocks(j, out);
}

static int64_t counted_at(const struct job_progress *p)
{
	return p->counted_ns ? p->counted_ns : p->elapsed_ns;
}

/* Watches a job. Its windows go from the first tick that finds it running to the last one. */
static bool watch(struct jobs *j, struct launch_clock *c, struct err *err)
{
	struct session *ses = j->session;
	const struct job_state *now = &ses->load.state;
	bool began = false;

	while (own_load_is_on(ses)) {
		if (!wait_tick(j, err) || j->signo)
			return false;
		own_load_ready(ses);
		if (now->phase != JOB_RUNNING) {
			refresh_add_up(ses, NULL);
		} else if (!began) {
			began = true;
			int64_t from_ns = cut(j);
			c->seen = now->progress.launches_done;
			if (j->has_sum) {
				window_sum_clear(&j->sum, from_ns);
				refresh_add_up(ses, &j->sum);
			}
			continue;
		}
		if (tick(j) && ses->got.sum && j->window)
			j->window(j->window_ctx, refresh_snapshot(ses));
		if (!began || now->phase != JOB_RUNNING || now->progress.launches_done == c->seen)
			continue;
		if (c->first == 0) {
			c->first = now->progress.launches_done;
			c->first_ns = counted_at(&now->progress);
		}
		c->last = now->progress.launches_done;
		c->last_ns = counted_at(&now->progress);
		c->seen = now->progress.launches_done;
	}
	return true;
}

int jobs_runs(const struct options *o)
{
	if (o->load->repeat)
		return (int)o->load->repeat;
	return o->load->power_smoothing ? SMOOTHING_RUNS : 1;
}

/* Waits until sources deliver, which they do from their second window on. */
static bool prime(struct jobs *j, struct err *err)
{
	struct session *ses = j->session;

	while (ses->dev && !ses->window.primed && !j->signo) {
		if (!wait_tick(j, err))
			return false;
		tick(j);
	}
	return !j->signo;
}

/* Lets a job whose power counts last long enough. How often the energy counter changes is known
 * only some time after the device was opened. */
static bool hold(struct jobs *j, struct job *job, struct err *err)
{
	struct session *ses = j->session;
	const struct options *o = ses->opt;
	int64_t start_ns = clock_mono_ns(&ses->clock), hold_ns = POWER_NS, step_ns;
	enum why why;

	if (o->load->time_ns || o->load->launches || (!o->load->power_smoothing && strncmp(job->kernel, "power.", 6)))
		return true;
	while ((step_ns = energy_step_ns(j, &why)) == 0 && why == WHY_NOT_YET &&
		clock_mono_ns(&ses->clock) - start_ns < STEP_WAIT_NS) {
		if (!wait_tick(j, err) || j->signo)
			return false;
		tick(j);
	}
	if (hold_ns < (POWER_STEPS + FIRST_STEPS) * step_ns)
		hold_ns = (POWER_STEPS + FIRST_STEPS) * step_ns;
	if (job->limit_ns < hold_ns)
		job->limit_ns = hold_ns;
	return true;
}

/* Sees to what the processor runs beside the job. It runs from the first job on. */
static bool begin_beside(struct jobs *j, struct job *job, struct err *err)
{
	const char *kernel = j->session->opt->load->beside;

	if (!kernel)
		return true;
	snprintf(job->beside, sizeof(job->beside), "%s", kernel);
	if (!cpu_load_start(&j->cpu_load, j->session, kernel, err))
		return false;
	while (j->cpu_load.runner && j->cpu_load.state.phase != JOB_RUNNING && !j->signo)
		if (!wait_tick(j, err))
			return false;
	return !j->signo;
}

/* Fills in how fast the processor was over the last half second of the job. */
static void fill_beside(const struct jobs *j, struct job_result *out)
{
	const struct job_progress *own = &j->cpu_load.state.progress;

	out->beside = j->session->opt->load->beside;
	out->beside_bytes_per_s = out->state.progress.beside_bytes_per_s;
	out->beside_ops_per_s = out->state.progress.beside_ops_per_s;
	if (!j->cpu_load.runner)
		return;
	out->beside_bytes_per_s = own->bytes_per_s;
	out->beside_ops_per_s = own->ops_per_s;
}

/* Says once that the kernels run on the processor, which nobody has asked for. */
static void tell_processor(struct jobs *j, const struct job_state *st)
{
	const struct options *o = j->session->opt;
	struct err say = { 0 };

	if (j->n_jobs || !(st->flags & JOB_ON_CPU) || j->session->want->name ||
		o->load->cl_device || o->load->quiet)
		return;
	err_set(&say, ERR_NONE, "no GPU was found: the kernels run on the processor, %s",
		st->device);
	err_hint(&say, "-D sim:hd620 is a simulated GPU, --cl-device chooses an OpenCL device");
	session_print_err(&say);
}

/* Notes which sizes the kernel did not take. */
static void note_sizes(const struct job *asked, struct job_result *out)
{
	const struct job *got = &out->state.job;

	if (asked->groups && asked->groups != got->groups)
		out->notes |= RESULT_NO_BLOCKS;
	if (asked->group_size && asked->group_size != got->group_size)
		out->notes |= RESULT_NO_TPB;
	/* A loop may go on to the end of its body. */
	if (asked->repeat > got->repeat)
		out->notes |= RESULT_NO_LOOP;
}

bool jobs_run(struct jobs *j, const struct job *wanted, struct job_result *out, struct err *err)
{
	struct session *ses = j->session;
	struct launch_clock launches = { 0 };
	struct job job = *wanted;

	memset(out, 0, sizeof(*out));
	if (j->has_sum)
		window_sum_clear(&j->sum, 0);
	if (!prime(j, err) || !hold(j, &job, err) || !begin_beside(j, &job, err))
		return false;
	cut(j);
	if (ses->dev)
		client_scan_now(ses, clock_mono_ns(&ses->clock), &ses->clients.table);
	if (!own_load_start(ses, &job, err))
		return false;
	bool good = watch(j, &launches, err);
	if (ses->dev && ses->load.state.pid) {
		client_scan_now(ses, clock_mono_ns(&ses->clock), &ses->clients.table);
		out->others_pct = others_pct(ses, ses->load.state.pid);
	}
	refresh_add_up(ses, NULL);
	own_load_stop(ses);
	own_load_state(ses, &out->state);
	if (!good)
		return false;
	if (out->state.phase == JOB_FAILED) {
		*err = out->state.err;
		return false;
	}
	tell_processor(j, &out->state);
	note_sizes(&job, out);
	fill_counted(j, out, &launches);
	fill_beside(j, out);
	const struct placement *placement = own_load_placement(ses);
	int subslices = ses->dev ? ses->dev->device.topology.subslices : 0;
	if (placement)
		placement_busiest(placement, subslices, out->busiest, sizeof(out->busiest));
	j->n_jobs++;
	if (out->notes & RESULT_CLOCK_MOVED) {
		j->n_moved++;
		j->slowest_hz = fmin(j->slowest_hz, out->clock_min_hz);
	}
	return true;
}

bool jobs_look(struct jobs *j, int64_t ns, struct err *err)
{
	struct session *ses = j->session;

	if (!prime(j, err))
		return false;
	window_sum_clear(&j->sum, cut(j));
	int64_t start_ns = clock_mono_ns(&ses->clock);
	refresh_add_up(ses, &j->sum);
	while (clock_mono_ns(&ses->clock) - start_ns < ns && !j->signo) {
		if (!wait_tick(j, err))
			break;
		if (tick(j) && j->window)
			j->window(j->window_ctx, refresh_snapshot(ses));
	}
	refresh_add_up(ses, NULL);
	window_sum_eval(&j->sum, &rotation_active(ses->now->rotation)->binding);
	return !j->signo && err->code == ERR_NONE;
}

void jobs_tell_clock(const struct jobs *j)
{
	const struct session *ses = j->session;
	struct err say = { 0 };

	if (!ses || !ses->dev || j->n_moved == 0 || ses->opt->load->quiet)
		return;
	err_set(&say, ERR_NONE, "the clock moved in runs: %d of %d, down to %.0f MHz",
		j->n_moved, j->n_jobs, j->slowest_hz / 1e6);
	if (*ses->dev->device.clock_files)
		err_hint(&say, "this fixes it until the next start: echo %.0f | sudo tee %s",
			j->slowest_hz / 1e6, ses->dev->device.clock_files);
	session_print_err(&say);
}

static bool open_chosen(struct session *ses, struct err *err)
{
	int index;

	if (!devices_choose(ses, false, &index, err))
		return false;
	if (ses->program->devices.entries[index].device.recorded) {
		err_set(err, ERR_USAGE, "a recording cannot be loaded");
		return err_hint(err,
			"kernels run on a device of this machine or on a simulated one: -D "
			"sim:hd620");
	}
	/* A simulated device does not get warm, so nobody has to wait for it. */
	if (ses->program->devices.entries[index].device.simulated)
		session_virtual_clock(ses, 0);
	return devices_open(ses, index, NULL, err);
}

/* The simulated device runs kernels itself, and computes nothing. */
static bool check_simulated(const struct options *o, struct err *err)
{
	const char *option = NULL;

	if (o->load->validate)
		option = "--validate";
	if (o->load->tune)
		option = "--tune";
	if (o->load->cl_device)
		option = "--cl-device";
	if (o->load->dump_binary)
		option = "--dump-binary";
	if (!option)
		return true;
	err_set(err, ERR_USAGE,
		"%s is for kernels that OpenCL runs, and the simulated device computes nothing",
		option);
	return err_hint(err, "without -D sim:... a device of this machine runs them");
}

/* The worker writes compiled kernels there, and it starts late. */
static bool check_folder(const char *folder, struct err *err)
{
	struct stat st;

	if (!folder)
		return true;
	if (strlen(folder) >= sizeof(((struct job *)0)->binaries))
		return err_set(err, ERR_USAGE, "the path '%.200s' is too long", folder);
	if (stat(folder, &st) < 0 || access(folder, W_OK) < 0)
		return err_sys(err, "cannot write to the folder '%s'", folder);
	return S_ISDIR(st.st_mode) || err_set(err, ERR_SYS, "'%s' is no folder", folder);
}

bool jobs_open_device(struct session *ses, int64_t limit_ns, struct err *err)
{
	int64_t window_ns = min_i64(limit_ns / WINDOWS_PER_JOB, WINDOW_MAX_NS);

	if (!check_folder(ses->opt->load->dump_binary, err))
		return false;
	if (ses->opt->delay_ns == 0)
		refresh_set_length(ses, max_i64(window_ns, WINDOW_MIN_NS));
	if (open_chosen(ses, err))
		return !ses->dev || !ses->dev->device.simulated || check_simulated(ses->opt, err);
	if (ses->want->name)
		return false;
	snprintf(ses->opened.no_device, sizeof(ses->opened.no_device), "%s", err->msg);
	err_clear(err);
	return true;
}
