/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares the open simulated GPU: what its sources and its runner share, and how each of them is
 * opened. */
#pragma once

#include <stdint.h>

#include "backends/common/backend.h"
#include "backends/sim/model/oa_unit.h"
#include "backends/sim/spec.h"

/* Each source and the runner is a user; the last user that closes frees the model. */
struct sim_model {
	struct sim_spec spec;
	struct workload_hardware hw;
	struct course course;		/* what the spec says */
	struct course job;		/* what the runner was told, empty when it is idle */
	const struct course *now;	/* one of the two */
	struct workload_options job_load;
	struct oa_unit unit;
	int64_t opened_ns;
	int users;
};

static inline int64_t sim_model_time(const struct sim_model *m, int64_t now_ns)
{
	return now_ns > m->opened_ns ? now_ns - m->opened_ns : 0;
}

/* What the own structs of the model's sources begin with. */
struct sim_source {
	struct source source;
	struct sim_model *m;
	int64_t window_ns; /* the window that is being gathered began then, by the session's clock */
};

/* As source_new(); it is a user of the model from now on, until sim_source_close() ends that. */
void *sim_source_new(const struct source_ops *ops, struct sim_model *m);
void sim_source_close(struct source *s);

/* Starts the model's time and its OA unit. m has a spec; d is the device of that spec. */
bool sim_model_start(struct sim_model *m, const struct device *d, const struct open_options *o,
	struct err *err);
void sim_model_drop(struct sim_model *m);
/* Lets the model run a kernel from now on. Reports that the flaw "late" holds back are written at
 * once. Returns false when the load does not fit; then nothing has changed. */
bool sim_model_begin_job(
	struct sim_model *m, const struct workload_options *load, int64_t now_ns, struct err *err);
/* Lets the model go on with the load of the spec, as if no job had come in between. */
void sim_model_end_job(struct sim_model *m, int64_t now_ns);
/* Builds the loads again after the unit was programmed to count other events. */
bool sim_model_recount(struct sim_model *m, int64_t now_ns, struct err *err);

/* Returns a runner whose jobs load the model. Its catalogue is what the model knows of the thesis'
 * kernels. */
struct runner *sim_runner_new(struct sim_model *m, const struct device *d);

/* Opens the source that samples what EUs wait for. */
struct source *sim_stall_open(struct sim_model *m);

/* Opens the source of what a card's driver would tell, temperature and link, which this model has
 * only to show flaws; d gets their limits. */
struct source *sim_card_open(struct sim_model *m, struct device *d);

/* Opens the source of the memory's controllers, which count what the processor moves, too. */
struct source *sim_traffic_open(struct sim_model *m);

/* Opens the source that looks at single EUs; d is the device of the model. */
struct source *sim_eus_open(struct sim_model *m, const struct device *d);

/* Opens the table of processes that share the GPU's busy time. Their sum is what the course of the
 * spec says; who has which part is invented. */
struct client_source *sim_clients_open(struct sim_model *m);
/* What the first of them is called, which has the launches of the load. It is larger than any
 * number that Linux gives (PID_MAX_LIMIT), so it never names a real process. */
#define SIM_FIRST_PID 4194305

/* Opens what tells the launches of the spec's load, as a layer under the programs would: each
 * context is a queue of a program. */
struct span_source *sim_spans_open(struct sim_model *m);
