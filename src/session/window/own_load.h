/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The load that this program itself puts on the device. There is at most one, and none outlives the
 * program. */
#pragma once

#include "session/session.h"
#include "core/work/job.h"
#include "core/work/placement.h"

/* Returns the catalogue of kernels; the runner owns the array. The first call may start the worker,
 * to ask it which kernels the device supports that jobs will name ("": the open one). */
const struct kernel_info *own_load_kernels(struct session *ses, const char *device, size_t *n);
/* Fills in what a start would choose for the members that the job leaves open, as far as that is
 * known before; the others stay zero. */
void own_load_choose(struct session *ses, struct job *job);
/* Makes a runner of a worker, which starts nothing yet and belongs to the caller. It looks for the
 * OpenCL device at that PCI address, which is copied; NULL or "": any. */
struct runner *own_load_launcher(struct session *ses, const char *pci);
/* Lists every OpenCL device, one on a line. It waits for the answer. */
bool own_load_list_devices(struct session *ses, struct strbuf *out, struct err *err);
/* Says whether it is known what the device supports. Until then the catalogue says that it supports
 * everything. */
bool own_load_knows_kernels(const struct session *ses);
/* The user was asked whether loads may run, and has agreed. */
void own_load_agree(struct session *ses);
/* Starts a job. Returns false with err when the job makes no sense, one is running already, or
 * nothing can run it. */
bool own_load_start(struct session *ses, const struct job *job, struct err *err);
/* Asks the running job, if there is one, to stop. */
void own_load_stop(struct session *ses);
/* Has to be called at every tick and when own_load_fd() is readable. It takes messages and watches
 * deadlines. */
void own_load_ready(struct session *ses);
/* Fills in how the job goes, with the energy that was counted meanwhile. The phase is JOB_IDLE when
 * nothing was started. */
void own_load_state(const struct session *ses, struct job_state *out);
/* Returns where the groups of the last job ran, when it asked for that and it is known; NULL else. */
const struct placement *own_load_placement(const struct session *ses);
/* Says whether a job is between its start and its end. */
bool own_load_is_on(const struct session *ses);
/* Returns a descriptor for poll(), or -1 when there is none now. It may change whenever a job
 * starts. */
int own_load_fd(const struct session *ses);
/* Has to be called after each collect. It counts the energy of a running job. */
void own_load_count_energy(struct session *ses);
/* Has to be called before the device is closed. It stops the job that runs on it. */
void own_load_leave_device(struct session *ses);
/* Stops whatever runs, without fail. */
void own_load_close(struct session *ses);
