/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All backends, in order of preference, and what they share. */
#include "config.h"

#include "backends/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/clients/fdinfo.h"
#include "backends/cpu/cpu.h"
#include "backends/cpu/traffic.h"
#include "backends/intel/discover.h"
#include "backends/intel/engines.h"
#include "backends/intel/gt_files.h"
#include "backends/intel/local_memory.h"
#include "backends/mali/discover.h"
#include "backends/power/power.h"
#include "backends/replay/replay.h"
#include "backends/sim/sim.h"
#include "base/mem.h"

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

void backend_attach(const struct device_entry *e, const struct open_options *o, struct open_device *dev)
{
	for (const struct companion *const *c = backend_companions; *c; c++)
		(*c)->attach(e, o, dev);
}

void open_device_check(struct open_device *dev, const struct device_check *check)
{
	if (dev->n_checks < DEVICE_MAX_CHECKS)
		dev->checks[dev->n_checks++] = *check;
}

void open_device_tried(struct open_device *dev, const char *source, const char *gives, const struct err *refusal)
{
	struct device_check c = { .no_right = refusal && refusal->code == ERR_PERMISSION };
	bool absent = refusal && refusal->code == ERR_UNSUPPORTED;

	snprintf(c.source, sizeof(c.source), "%s", source);
	snprintf(c.gives, sizeof(c.gives), "%s", gives);
	snprintf(c.status, sizeof(c.status), "%s", !refusal ? "ok" : absent ? "--" : "NO");
	snprintf(c.reason, sizeof(c.reason), "%s", refusal ? refusal->msg : "");
	snprintf(c.hint, sizeof(c.hint), "%s", refusal ? refusal->hint : "");
	open_device_check(dev, &c);
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

bool drm_is_card(const char *name)
{
	const char *digits = name + 4;

	return strncmp(name, "card", 4) == 0 && *digits && digits[strspn(digits, "0123456789")] == '\0';
}

bool drm_card_driver(const struct fsroot *fs, const char *card, char *driver, size_t size)
{
	char path[128];

	if (!drm_is_card(card))
		return false;
	snprintf(path, sizeof(path), "/sys/class/drm/%.40s/device/driver", card);
	return fsroot_link_name(fs, path, driver, size);
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
	if (dev->clients)
		dev->clients->ops->close(dev->clients);
	if (dev->runner)
		dev->runner->ops->close(dev->runner);
	dev->clients = NULL;
	dev->runner = NULL;
}
