/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kernel that the processor runs while jobs run on the GPU: both share the last-level cache and the
 * memory. */
#ifndef CMD_LOAD_CPU_LOAD_H
#define CMD_LOAD_CPU_LOAD_H

#include "session/session.h"
#include "core/work/job.h"

/* It begins as zeros. */
struct cpu_load {
	struct runner *runner;		/* a worker of its own; NULL: nothing runs beside */
	struct job_state state;
};

/* Starts the kernel on the processor, for as long as cpu_load_close() does not end it. Nothing happens
 * when it was started before, or when the device runs such a kernel by itself (a simulated one). */
bool cpu_load_start(struct cpu_load *m, struct session *ses, const char *kernel, struct err *err);
/* Has to be called at every tick. Returns false with err when the kernel has failed. */
bool cpu_load_ready(struct cpu_load *m, const struct session *ses, struct err *err);
/* Whether it was started and does not run yet. */
bool cpu_load_is_coming(const struct cpu_load *m);
void cpu_load_close(struct cpu_load *m);

#endif
