/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the runner in use and the energy of its job. */
#include "config.h"

#include "session/own_load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernels/launcher.h"

#define WORKER "rooftop-worker"

/* Beside the program, as in a build tree, else where it was installed. */
static void worker_paths(char *beside, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", beside, size - 1);
	char *slash;

	beside[len > 0 ? len : 0] = '\0';
	slash = strrchr(beside, '/');
	len = slash ? slash + 1 - beside : 0;
	snprintf(beside + len, size - (size_t)len, "%s", WORKER);
}

/* Multiply-adds on all lanes, by theory at the clock of the last window: what the worker's own figures are held against. */
static double bound_flop_per_s(void *ctx, const char *type, double *clock_hz)
{
	const struct app *a = ctx;
	char name[ROOF_NAME_SIZE];
	const struct roof *roof;

	*clock_hz = NAN;
	if (!a->is_bound)
		return NAN;
	snprintf(name, sizeof(name), "%.8s.mad", type);
	roof = roofline_roof(&a->roofline, ROOF_FLOP, name);
	if (!roof || roof->nominal || roof->theory.why != WHY_OK)
		return NAN;
	*clock_hz = a->roofline.clock_hz;
	return roof->theory.v;
}

static const char *pci_of(const struct app *a)
{
	return a->dev ? a->dev->device.pci_address : "";
}

static struct runner *new_launcher(struct app *a)
{
	char beside[4096];
	const char *const worker[] = { beside, PKGLIBEXECDIR "/" WORKER, NULL };
	struct launcher_options o = { .worker = worker, .log = &a->log, .clock = &a->clock, .bound_flop_per_s = bound_flop_per_s,
		.bound_ctx = a };

	worker_paths(beside, sizeof(beside));
	snprintf(a->load.launcher_pci, sizeof(a->load.launcher_pci), "%s", pci_of(a));
	o.pci_address = *a->load.launcher_pci ? a->load.launcher_pci : NULL;
	return launcher_new(&o);
}

/* What runs jobs for the open device: its own runner, else the launcher of the worker. A launcher looks for the OpenCL device that is
 * the open one, so another one needs another launcher. */
static struct runner *load_runner(struct app *a)
{
	if (a->dev && a->dev->runner)
		return a->dev->runner;
	if (a->load.launcher && !load_is_on(a) && strcmp(a->load.launcher_pci, pci_of(a)) != 0) {
		a->load.launcher->ops->close(a->load.launcher);
		a->load.launcher = a->load.runner = NULL;
	}
	if (!a->load.launcher)
		a->load.launcher = new_launcher(a);
	return a->load.launcher;
}

bool load_list_devices(struct app *a, struct strbuf *out, struct err *err)
{
	if (!a->load.launcher)
		a->load.launcher = new_launcher(a);
	return launcher_list_devices(a->load.launcher, out, err);
}

bool load_knows_kernels(const struct app *a)
{
	return a->load.runner != a->load.launcher || launcher_knows_device(a->load.launcher);
}

const struct kernel_info *load_kernels(struct app *a, size_t *n)
{
	struct runner *r = load_runner(a);

	/* It answers through ready(). */
	if (!load_is_on(a))
		a->load.runner = r;
	return r->ops->kernels(r, n);
}

bool load_is_on(const struct app *a)
{
	return job_is_on(a->load.state.phase);
}

/* A runner that does not know the energy gets the mean power of the complete windows times its own time. */
static void read_state(struct app *a)
{
	struct job_state *st = &a->load.state;

	if (!a->load.runner)
		return;
	a->load.runner->ops->state(a->load.runner, st);
	if (!isfinite(st->energy_uj) && a->load.energy_ns > 0)
		st->energy_uj = a->load.energy_uj / (double)a->load.energy_ns * (double)st->elapsed_ns;
}

bool load_start(struct app *a, const struct job *job, struct err *err)
{
	struct runner *r = load_runner(a);

	if (!r->ops->start(r, job, clock_mono_ns(&a->clock), err))
		return false;
	a->load.runner = r;
	a->load.energy_uj = 0;
	a->load.energy_ns = 0;
	a->load.began_running = false;
	read_state(a);
	return true;
}

void load_stop(struct app *a)
{
	if (!load_is_on(a))
		return;
	a->load.runner->ops->stop(a->load.runner, clock_mono_ns(&a->clock));
	read_state(a);
}

void load_ready(struct app *a)
{
	if (!a->load.runner)
		return;
	a->load.runner->ops->ready(a->load.runner, clock_mono_ns(&a->clock));
	read_state(a);
}

void load_state(const struct app *a, struct job_state *out)
{
	*out = a->load.state;
}

int load_fd(const struct app *a)
{
	return a->load.runner ? a->load.runner->fd : -1;
}

static void count_energy(struct app *a, const struct feed *f, const struct sample *s)
{
	for (int k = 0; k < f->n_counters && !(s->quality & SAMPLE_HELD); k++) {
		if (sample_why(s, k) != WHY_OK || strcmp(f->counters[k].name, "energy_package_uj"))
			continue;
		a->load.energy_uj += (double)s->values[k];
		a->load.energy_ns += s->window_ns;
	}
}

/* Windows in which the job starts or ends are not its own. */
void load_count_energy(struct app *a)
{
	bool running = a->load.state.phase == JOB_RUNNING;

	for (int i = 0; i < a->dev->n_sources && running && a->load.began_running; i++)
		count_energy(a, &a->dev->sources[i]->feed, &a->samples[i]);
	a->load.began_running = running;
	read_state(a);
}

/* The worker's job goes on: it does not depend on who looks. */
void load_leave_device(struct app *a)
{
	if (!a->dev || !a->load.runner || a->load.runner != a->dev->runner)
		return;
	load_stop(a);
	a->load.runner = NULL;
	memset(&a->load.state, 0, sizeof(a->load.state));
}

void load_close(struct app *a)
{
	load_stop(a);
	load_leave_device(a);
	if (a->load.launcher)
		a->load.launcher->ops->close(a->load.launcher);
	a->load.launcher = a->load.runner = NULL;
}
