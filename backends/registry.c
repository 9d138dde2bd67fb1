/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All backends, in order of preference, and all companions. */
#include "config.h"

#include "backends/backend.h"

#include <string.h>

#include "backends/clients/fdinfo.h"
#include "backends/cpu/cpu.h"
#include "backends/cpu/traffic.h"
#include "backends/intel/intel_backend.h"
#include "backends/intel/engines.h"
#include "backends/intel/gt_files.h"
#include "backends/intel/local_memory.h"
#include "backends/mali/mali_backend.h"
#include "backends/power/power.h"
#include "backends/replay/replay.h"
#include "backends/sim/sim.h"

const struct backend *const backend_registry[] = {
	&intel_backend,
	&mali_backend,
	&cpu_backend,
	&replay_backend,
	&sim_backend,
	NULL,
};

const struct companion *const backend_companions[] = {
	&fdinfo_companion,
	&power_companion,
	&engines_companion,
	&gt_files_companion,
	&local_memory_companion,
	&traffic_companion,
	NULL,
};

void backend_attach(
	const struct device_entry *e, const struct open_options *o, struct open_device *dev)
{
	for (const struct companion *const *c = backend_companions; *c; c++)
		(*c)->attach(e, o, dev);
}

const struct backend *backend_by_name(const char *name, size_t len)
{
	for (const struct backend *const *b = backend_registry; *b; b++) {
		if (strlen((*b)->name) == len && !memcmp((*b)->name, name, len))
			return *b;
	}
	return NULL;
}

const struct backend *backend_of_driver(const char *driver)
{
	for (const struct backend *const *b = backend_registry; *b; b++) {
		for (const char *const *d = (*b)->drivers; d && *d; d++)
			if (!strcmp(*d, driver))
				return *b;
	}
	return NULL;
}
