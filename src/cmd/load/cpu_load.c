/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps a second worker busy on the processor. */
#include "config.h"

#include "cmd/load/cpu_load.h"

#include <stdio.h>

#include "session/window/own_load.h"

bool cpu_load_start(struct cpu_load *m, struct session *ses, const char *kernel, struct err *err)
{
	struct job job = { .device = "cpu" };

	if (m->runner || (ses->dev && ses->dev->runner))
		return true;
	snprintf(job.kernel, sizeof(job.kernel), "%s", kernel);
	m->runner = own_load_launcher(ses, NULL);
	return m->runner->ops->start(m->runner, &job, clock_mono_ns(&ses->clock), err);
}

bool cpu_load_ready(struct cpu_load *m, const struct session *ses, struct err *err)
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

bool cpu_load_is_coming(const struct cpu_load *m)
{
	return m->runner && m->state.phase != JOB_RUNNING;
}

void cpu_load_close(struct cpu_load *m)
{
	if (m->runner)
		m->runner->ops->close(m->runner);
	m->runner = NULL;
}
