/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kernel that the processor runs while jobs run on the GPU: both share the last-level cache and the
 * memory. */
#ifndef CMD_LOAD_CPU_LOAD_H
#define CMD_LOAD_CPU_LOAD_H

#include "session/session.h"
#include "core/work/job.h"

/* It begins as zeros. */
struct meanwhile {
	struct runner *runner;		/* a worker of its own; NULL: nothing runs beside */
	struct job_state state;
};

/* Starts the kernel on the processor, for as long as meanwhile_close() does not end it. Nothing happens
 * when it was started before, or when the device runs such a kernel by itself (a simulated one). */
bool meanwhile_start(struct meanwhile *m, struct session *ses, const char *kernel, struct err *err);
/* Has to be called at every tick. Returns false with err when the kernel has failed. */
bool meanwhile_ready(struct meanwhile *m, const struct session *ses, struct err *err);
/* Whether it was started and does not run yet. */
bool meanwhile_is_coming(const struct meanwhile *m);
void meanwhile_close(struct meanwhile *m);

#endif
