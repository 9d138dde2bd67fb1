/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The load that this program itself puts on the device: at most one, and none outlives the
 * program. */
#ifndef SESSION_OWN_LOAD_H
#define SESSION_OWN_LOAD_H

#include "session/session.h"
#include "core/job.h"

/* The catalogue of kernels; the runner owns the array. The first call may start the worker, to ask
 * it which kernels the device supports. */
const struct kernel_info *own_load_kernels(struct session *ses, size_t *n);
/* Every OpenCL device, a line each. Waits. */
bool own_load_list_devices(struct session *ses, struct strbuf *out, struct err *err);
/* Whether it is known what the device supports: until then the catalogue says that it supports
 * all. */
bool own_load_knows_kernels(const struct session *ses);
/* Starts a job. False with err when it makes no sense, one is running, or nothing can run it. */
bool own_load_start(struct session *ses, const struct job *job, struct err *err);
/* Asks the running job, if there is one, to stop. */
void own_load_stop(struct session *ses);
/* At every tick, and when own_load_fd() is readable: takes messages, watches deadlines. */
void own_load_ready(struct session *ses);
/* How the job goes, with the energy that was counted meanwhile; phase JOB_IDLE when nothing was
 * started. */
void own_load_state(const struct session *ses, struct job_state *out);
/* Whether a job is between its start and its end. */
bool own_load_is_on(const struct session *ses);
/* A descriptor for poll(), -1 when there is none now. It may change whenever a job starts. */
int own_load_fd(const struct session *ses);
/* After each collect: the energy of a running job. */
void own_load_count_energy(struct session *ses);
/* Before the device is closed: stops the job that runs on it. */
void own_load_leave_device(struct session *ses);
/* Stops what runs, for certain. */
void own_load_close(struct session *ses);

#endif
