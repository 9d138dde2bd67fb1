/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The open simulated device: what its sources and its runner share. */
#ifndef BACKENDS_SIM_SIM_MODEL_H
#define BACKENDS_SIM_SIM_MODEL_H

#include <stdint.h>

#include "backends/backend.h"
#include "backends/sim/model/oa_unit.h"
#include "backends/sim/spec.h"

/* The last one that closes frees it. */
struct model {
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

static inline int64_t model_time(const struct model *m, int64_t now_ns)
{
	return now_ns > m->opened_ns ? now_ns - m->opened_ns : 0;
}

void model_drop(struct model *m);
/* From now on another load: of a kernel, or NULL for what the spec says, as if nothing had come in
 * between. Reports that the flaw "late" holds back are written at once. False, and nothing has
 * changed, when the load does not fit. */
bool model_switch(
	struct model *m, const struct workload_options *load, int64_t now_ns, struct err *err);

/* A user of the model. Its catalogue is what the model knows of the thesis' kernels. */
struct runner *sim_runner_new(struct model *m, const struct device *d);

/* Samples of what EUs wait for; a user of the model. */
struct source *sim_stall_open(struct model *m);

#endif
