/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The load that this program itself puts on the device: at most one, and none outlives the program. */
#ifndef SESSION_OWN_LOAD_H
#define SESSION_OWN_LOAD_H

#include "session/session.h"
#include "core/job.h"

/* Its catalogue; the array is the runner's. The first call may start the worker to ask which of it the device supports. */
const struct kernel_info *load_kernels(struct app *a, size_t *n);
/* Every OpenCL device, a line each. Waits. */
bool load_list_devices(struct app *a, struct strbuf *out, struct err *err);
/* Whether it is known what the device supports: until then the catalogue says that it supports all. */
bool load_knows_kernels(const struct app *a);
/* Starts a job. False with err when it makes no sense, one is running, or nothing can run it. */
bool load_start(struct app *a, const struct job *job, struct err *err);
/* Asks the running job, if there is one, to stop. */
void load_stop(struct app *a);
/* At every tick, and when load_fd() is readable: takes messages, watches deadlines. */
void load_ready(struct app *a);
/* How it goes; phase JOB_IDLE when nothing was started. With the energy that was counted meanwhile. */
void load_state(const struct app *a, struct job_state *out);
/* Between start and end. */
bool load_is_on(const struct app *a);
/* For poll; -1: none now. May change whenever a job starts. */
int load_fd(const struct app *a);
/* After each collect: the energy of a running job. */
void load_count_energy(struct app *a);
/* Before the device is closed: what it runs is stopped. */
void load_leave_device(struct app *a);
/* Stops what runs, for certain. */
void load_close(struct app *a);

#endif
