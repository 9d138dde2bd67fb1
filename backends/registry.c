/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All backends, in order of preference, all companions, and all families of counters. */
#include "config.h"

#include "backends/common/backend.h"

#include <string.h>

#include "backends/card/drm_card.h"
#include "backends/common/counter_family.h"
#include "backends/common/stand_ins.h"

const struct backend *const backend_registry[] = {
#define X(name) &name##_backend,
	BACKEND_LIST(X)
#undef X
	NULL,
};

const struct companion *const backend_companions[] = {
#define X(name) &name##_companion,
	COMPANION_LIST(X)
#undef X
	NULL,
};

const struct counter_family *const counter_families[] = {
#define X(name) &name##_counters,
	COUNTER_FAMILY_LIST(X)
#undef X
	NULL,
};

void backend_attach(
	const struct device_entry *e, const struct open_options *o, struct open_device *dev)
{
	/* What another machine has recorded, or tells over ssh, is not looked at here. */
	for (const struct companion *const *c = backend_companions; *c && !dev->device.recorded; c++)
		(*c)->attach(e, o, dev);
	open_device_look_often(dev, o->delay_ns);
}

const struct backend *backend_by_name(const char *name, size_t len)
{
	for (const struct backend *const *b = backend_registry; *b; b++) {
		if (strlen((*b)->name) == len && !memcmp((*b)->name, name, len))
			return *b;
	}
	return NULL;
}

/* The vendor of PCI whose cards a backend has; 0: none, or those of no certain one. */
static uint32_t vendor_of(const struct backend *b)
{
	for (size_t i = 0; i < b->n_cards; i++)
		if (b->cards[i].pci_vendor && !b->cards[i].driver)
			return b->cards[i].pci_vendor;
	return 0;
}

const struct backend *backend_by_vendor(uint32_t pci_vendor)
{
	for (const struct backend *const *b = backend_registry; *b; b++)
		if (pci_vendor && vendor_of(*b) == pci_vendor)
			return *b;
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

const struct counter_family *counter_family_of(const struct device *d)
{
	for (const struct counter_family *const *f = counter_families; *f; f++)
		if ((*f)->serves(d))
			return *f;
	return NULL;
}

bool counter_words(
	const char *option, const char *value, char *words, size_t size, struct err *err)
{
	for (const struct counter_family *const *f = counter_families; *f; f++)
		if ((*f)->take_words)
			return (*f)->take_words(option, value, words, size, err);
	return false;
}

bool counter_sets_load(struct metric_lib *lib, const char *path, metric_problem_fn *problem,
	void *ctx, struct err *err)
{
	for (const struct counter_family *const *f = counter_families; *f; f++)
		if ((*f)->load_sets)
			return (*f)->load_sets(lib, path, problem, ctx, err);
	return false;
}
