/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the runner in use and the energy of its job. */
#include "config.h"

#include "session/window/own_load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "kernels/launch/launcher.h"

#define WORKER "rooftop-worker"
#define NO_BUS "-"	/* the address of a GPU that is not on PCI */

/* Returns the theoretical rate of multiply-adds on all lanes at the clock of the last window. The
 * worker's own figures are compared with it. */
static double bound_flop_per_s(void *ctx, const char *type, double *clock_hz)
{
	const struct session *ses = ctx;
	char name[ROOF_NAME_SIZE];

	*clock_hz = NAN;
	if (!ses->now->is_bound)
		return NAN;
	snprintf(name, sizeof(name), "%.8s.mad", type);
	const struct roof *roof = roofline_roof(&ses->now->roofline, ROOF_FLOP, name);
	if (!roof || roof->nominal || roof->theory.why != WHY_OK)
		return NAN;
	*clock_hz = ses->now->roofline.clock_hz;
	return roof->theory.v;
}

/* The address of the open GPU; "": there is none, so that kernels run on what OpenCL finds. */
static const char *pci_of(const struct session *ses)
{
	if (!ses->dev || ses->dev->device.is_processor)
		return "";
	return text_or(ses->dev->device.pci_address, NO_BUS);
}

struct runner *own_load_launcher(struct session *ses, const char *pci)
{
	char beside[4096] = "";
	ssize_t len = readlink("/proc/self/exe", beside, sizeof(beside) - 1);
	char *slash = strrchr(beside, '/');
	const char *const worker[] = { beside, PKGLIBEXECDIR "/" WORKER, NULL };
	struct launcher_options o = { .worker = worker,
		.log = &ses->log,
		.clock = &ses->clock,
		.bound_flop_per_s = bound_flop_per_s,
		.bound_ctx = ses };

	/* The worker lies beside the program in a build tree, and else where it was installed. */
	if (len <= 0 || !slash)
		slash = beside;
	else
		slash++;
	snprintf(slash, sizeof(beside) - (size_t)(slash - beside), "%s", WORKER);
	o.is_gpu = pci && *pci;
	if (o.is_gpu && strcmp(pci, NO_BUS) != 0)
		o.pci_address = pci;
	return launcher_new(&o);
}

static struct runner *new_launcher(struct session *ses)
{
	snprintf(ses->load.launcher_pci, sizeof(ses->load.launcher_pci), "%s", pci_of(ses));
	return own_load_launcher(ses, ses->load.launcher_pci);
}

/* Returns what runs jobs for the open device: its own runner, else the launcher of the worker. A
 * launcher looks for the OpenCL device that is the open one, so another device needs another
 * launcher. */
static struct runner *load_runner(struct session *ses)
{
	if (ses->dev && ses->dev->runner)
		return ses->dev->runner;
	if (ses->load.launcher && !own_load_is_on(ses) &&
		strcmp(ses->load.launcher_pci, pci_of(ses)) != 0) {
		runner_close(ses->load.launcher);
		ses->load.launcher = ses->load.runner = NULL;
	}
	if (!ses->load.launcher)
		ses->load.launcher = new_launcher(ses);
	return ses->load.launcher;
}

bool own_load_list_devices(struct session *ses, struct strbuf *out, struct err *err)
{
	if (!ses->load.launcher)
		ses->load.launcher = new_launcher(ses);
	return launcher_list_devices(ses->load.launcher, out, err);
}

bool own_load_knows_kernels(const struct session *ses)
{
	return ses->load.runner != ses->load.launcher || launcher_knows_device(ses->load.launcher);
}

const struct kernel_info *own_load_kernels(
	struct session *ses, const char *device, size_t *n)
{
	struct runner *r = load_runner(ses);

	/* The runner answers through ready(). */
	if (!own_load_is_on(ses))
		ses->load.runner = r;
	return r->ops->kernels(r, device, n);
}

void own_load_choose(struct session *ses, struct job *job)
{
	struct runner *r = load_runner(ses);

	if (r->ops->choose)
		r->ops->choose(r, job);
}

bool own_load_is_on(const struct session *ses)
{
	return job_is_on(ses->load.state.phase);
}

/* Reads the state. A job whose runner does not know the energy gets the mean power of the complete
 * windows times its own time. */
static void read_state(struct session *ses)
{
	struct job_state *st = &ses->load.state;

	if (!ses->load.runner)
		return;
	ses->load.runner->ops->state(ses->load.runner, st);
	st->energy_is_gpus = ses->dev && device_is_card(&ses->dev->device);
	if (!isfinite(st->energy_uj) && ses->load.energy_ns > 0)
		st->energy_uj = ses->load.energy_uj / (double)ses->load.energy_ns *
			(double)st->progress.elapsed_ns;
}

void own_load_agree(struct session *ses)
{
	ses->load.agreed = true;
}

bool own_load_start(struct session *ses, const struct job *job, struct err *err)
{
	struct runner *r = load_runner(ses);

	if (!r->ops->start(r, job, clock_mono_ns(&ses->clock), err))
		return false;
	ses->load.runner = r;
	ses->load.energy_uj = 0;
	ses->load.energy_ns = 0;
	ses->load.began_running = false;
	read_state(ses);
	return true;
}

void own_load_stop(struct session *ses)
{
	if (!own_load_is_on(ses))
		return;
	ses->load.runner->ops->stop(ses->load.runner, clock_mono_ns(&ses->clock));
	read_state(ses);
}

void own_load_ready(struct session *ses)
{
	if (!ses->load.runner)
		return;
	ses->load.runner->ops->ready(ses->load.runner, clock_mono_ns(&ses->clock));
	read_state(ses);
}

void own_load_state(const struct session *ses, struct job_state *out)
{
	*out = ses->load.state;
}

const struct placement *own_load_placement(const struct session *ses)
{
	struct runner *r = ses->load.runner;

	return r && r->ops->placement ? r->ops->placement(r) : NULL;
}

int own_load_fd(const struct session *ses)
{
	return ses->load.runner ? ses->load.runner->fd : -1;
}

void own_load_count_energy(struct session *ses)
{
	bool running = ses->load.state.phase == JOB_RUNNING;
	const char *plane = device_is_card(&ses->dev->device) ? "energy_gpu_uj" : "energy_package_uj";

	/* A window in which the job starts or ends is not the job's alone. */
	for (int i = 0; i < ses->dev->n_sources && running && ses->load.began_running; i++) {
		const struct feed *f = &ses->dev->sources[i]->feed;
		const struct sample *s = &ses->got.samples[i];

		for (int k = 0; k < f->n_counters && !(s->quality & SAMPLE_HELD); k++) {
			if (sample_why(s, k) != WHY_OK || strcmp(f->counters[k].name, plane))
				continue;
			ses->load.energy_uj += (double)s->values[k];
			ses->load.energy_ns += s->window_ns;
		}
	}
	ses->load.began_running = running;
	read_state(ses);
}

/* Stops a job of the device's own runner. A job of the worker goes on, because it does not depend
 * on who looks at it. */
void own_load_leave_device(struct session *ses)
{
	if (!ses->dev || !ses->load.runner || ses->load.runner != ses->dev->runner)
		return;
	own_load_stop(ses);
	ses->load.runner = NULL;
	memset(&ses->load.state, 0, sizeof(ses->load.state));
}

void own_load_close(struct session *ses)
{
	own_load_stop(ses);
	own_load_leave_device(ses);
	runner_close(ses->load.launcher);
	ses->load.launcher = ses->load.runner = NULL;
}
