/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All backends, in order of preference, and what they share. */
#include "config.h"

#include "backends/backend.h"

#include <stdlib.h>
#include <string.h>

#include "backends/intel/discover.h"
#include "backends/replay/replay.h"
#include "backends/sim/sim.h"
#include "base/mem.h"

const struct backend *const backend_registry[] = {
	&intel_backend,
	&replay_backend,
	&sim_backend,
	NULL,
};

const struct backend *backend_by_name(const char *name, size_t len)
{
	for (const struct backend *const *b = backend_registry; *b; b++) {
		if (strlen((*b)->name) == len && !memcmp((*b)->name, name, len))
			return *b;
	}
	return NULL;
}

struct device_entry *device_list_add(struct device_list *l, const struct backend *b)
{
	struct device_entry *e;

	l->entries = array_grow(l->entries, l->count, &l->cap, sizeof(*l->entries));
	e = &l->entries[l->count++];
	memset(e, 0, sizeof(*e));
	e->backend = b;
	return e;
}

void device_list_release(struct device_list *l)
{
	free(l->entries);
	*l = (struct device_list){ 0 };
}

void open_device_close(struct open_device *dev)
{
	for (int i = dev->n_sources - 1; i >= 0; i--)
		dev->sources[i]->ops->close(dev->sources[i]);
	dev->n_sources = 0;
}
