/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the runner in use and the energy of its job. */
#include "config.h"

#include "app/load.h"

#include <math.h>
#include <string.h>

#include "base/i18n.h"

struct runner *load_runner(struct app *a)
{
	if (a->dev && a->dev->runner)
		return a->dev->runner;
	return a->load.launcher;
}

const struct kernel_info *load_kernels(struct app *a, size_t *n)
{
	struct runner *r = load_runner(a);

	*n = 0;
	return r ? r->ops->kernels(r, n) : NULL;
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

	if (!r) {
		err_set(err, ERR_UNSUPPORTED, _("nothing can run a load here"));
		return err_hint(err, _("the simulated device can: -D sim:hd620"));
	}
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
	for (int k = 0; k < f->n_counters && s->why == WHY_OK; k++) {
		if (strcmp(f->counters[k].name, "energy_package_uj"))
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
