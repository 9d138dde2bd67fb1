/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All backends, in order of preference, and all companions. */
#include "config.h"

#include "backends/common/backend.h"

#include <string.h>

#include "backends/adreno/adreno_backend.h"
#include "backends/amdgpu/amdgpu_backend.h"
#include "backends/card/fdinfo.h"
#include "backends/cpu/cpu.h"
#include "backends/cpu/traffic.h"
#include "backends/intel/intel_backend.h"
#include "backends/card/card_link.h"
#include "backends/card/drm_backend.h"
#include "backends/intel/card_traffic.h"
#include "backends/intel/engines.h"
#include "backends/intel/gt_files.h"
#include "backends/intel/local_memory.h"
#include "backends/mali/mali_backend.h"
#include "backends/npu/npu_backend.h"
#include "backends/nvidia/nvidia_backend.h"
#include "backends/power/power.h"
#include "backends/replay/replay.h"
#include "backends/replay/stream.h"
#include "backends/sim/sim.h"
#include "backends/v3d/v3d_backend.h"

const struct backend *const backend_registry[] = {
	&intel_backend,
	&amdgpu_backend,
	&nvidia_backend,
	&mali_backend,
	&v3d_backend,
	&adreno_backend,
	&cpu_backend,
	&npu_backend,
	&replay_backend,
	&ssh_backend,
	&sim_backend,
	NULL,
};

const struct companion *const backend_companions[] = {
	&fdinfo_companion,
	&power_companion,
	&engines_companion,
	&gt_files_companion,
	&local_memory_companion,
	&card_traffic_companion,
	&card_link_companion,
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

bool backends_probe(const struct fsroot *fs, struct device_list *out, struct err *err)
{
	if (!drm_cards_list(backend_registry, fs, out, err))
		return false;
	for (const struct backend *const *b = backend_registry; *b; b++) {
		if ((*b)->probe && !(*b)->probe(fs, out, err))
			return false;
	}
	return true;
}
