/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes that share the simulated GPU's busy time. */
#ifndef BACKENDS_SIM_SIM_CLIENTS_H
#define BACKENDS_SIM_SIM_CLIENTS_H

#include <stdint.h>

#include "backends/sim/model/course.h"
#include "core/client.h"

/* Their sum is what the course says of the GPU's busy time; who has which part is invented. load:
 * the name of what runs. drop(ctx) is called when the source closes; the course lives until
 * then. */
struct client_source *sim_clients_open(const struct course *course, int64_t opened_ns,
	const char *load, void (*drop)(void *ctx), void *ctx);

#endif
