/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the DRM cards of this machine from sysfs, and says which backend has each. */
#include "config.h"

#include "backends/card/drm_card.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/card/card.h"
#include "base/mem.h"

#define DRM_CLASS "/sys/class/drm"

struct vendor {
	uint32_t id;
	const char *name, *source;
};

static const struct vendor vendors[] = {
	{ 0x1002, "AMD", "pci.ids" },
	{ 0x102b, "Matrox", "pci.ids" },
	{ 0x10de, "NVIDIA", "pci.ids" },
	{ 0x1234, "QEMU", "pci.ids" },
	{ 0x15ad, "VMware", "pci.ids" },
	{ 0x1a03, "ASPEED", "pci.ids" },
	{ 0x1af4, "Red Hat virtio", "pci.ids" },
	{ 0x8086, "Intel", "pci.ids" },
};

struct scan {
	const struct backend *const *backends;
	const struct fsroot *fs;
	struct device_list *out;
	unsigned long *numbers;	/* of the cards */
	size_t n, cap;
};

void drm_card_refuse(struct device_entry *e, const char *fmt, ...)
{
	char msg[sizeof(e->refusal.msg)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	err_set(&e->refusal, ERR_UNSUPPORTED, "%s", msg);
	err_hint(&e->refusal, "%s",
		"play a recording with -r FILE, or watch a simulated device with -D sim:hd620");
}

bool drm_card_refuse_open(const struct device_entry *e, struct err *err)
{
	err_set(err, e->refusal.code, "%s: %s", e->device.id,
		err_without_name(e->refusal.msg, e->device.id));
	return err_hint(err, "%s", e->refusal.hint);
}

void drm_card_use(struct device_entry *e, const char *platform)
{
	snprintf(e->device.platform, sizeof(e->device.platform), "%s", platform);
	e->usable = true;
}

bool drm_card_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	if (!e->usable)
		return drm_card_refuse_open(e, err);
	*dev = (struct open_device){ .device = e->device };
	if (o->access && strcmp(o->access, "auto") != 0) {
		err_set(err, ERR_UNSUPPORTED, "%s: %s", e->device.id,
			err_without_name(e->refusal.msg, e->device.id));
		return err_hint(err, "--access is for cards with OA counters");
	}
	dev->sources[dev->n_sources++] = card_files_open(&dev->device, o);
	dev->sources[dev->n_sources++] = card_busy_open(dev, o);
	card_files_let_rest(dev->sources[0], dev->sources[1]);
	open_device_tried(dev, "card", "sysfs",
		"clocks, sensors, memory and the link, as far as the driver tells them", NULL);
	if (e->refusal.code != ERR_NONE)
		open_device_tried(dev, "", "counters", "counters of the GPU itself", &e->refusal);
	return true;
}

static const struct backend drm_backend = {
	.name = "drm",
	.description = "cards that no other backend knows",
	.counts_clients = true,
	.open = drm_card_open,
};

static const struct backend *backend_of(const struct backend *const *all, const struct drm_card *c)
{
	for (; *all; all++)
		for (size_t i = 0; i < (*all)->n_cards; i++) {
			const struct card_claim *row = &(*all)->cards[i];

			if (row->driver && strcmp(row->driver, c->driver) != 0)
				continue;
			if (row->pci_vendor && row->pci_vendor != c->pci_vendor)
				continue;
			if (!row->compatible ||
				!strncmp(row->compatible, c->compatible, strlen(row->compatible)))
				return *all;
		}
	return &drm_backend;
}

static void fill_device(struct device *d, const struct drm_card *c)
{
	snprintf(d->id, sizeof(d->id), "%s", c->name);
	snprintf(d->driver, sizeof(d->driver), "%.15s", c->driver);
	snprintf(d->pci_address, sizeof(d->pci_address), "%s", c->pci_address);
	d->pci_vendor = c->pci_vendor;
	d->pci_device = c->pci_device;
	d->pci_revision = c->pci_revision;
	snprintf(d->name, sizeof(d->name), "%s", c->pci_vendor ? "unknown GPU" : "GPU");
	for (size_t i = 0; i < ARRAY_LEN(vendors); i++)
		if (vendors[i].id == c->pci_vendor)
			snprintf(d->name, sizeof(d->name), "%s GPU", vendors[i].name);
}

static bool note_card(void *ctx, const char *name)
{
	struct scan *scan = ctx;

	if (!drm_is_card(name) || strlen(name) > sizeof("card999999999"))
		return true;
	scan->numbers = array_grow(scan->numbers, scan->n, &scan->cap, sizeof(*scan->numbers));
	scan->numbers[scan->n++] = strtoul(name + strlen("card"), NULL, 10);
	return true;
}

static int compare_numbers(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return (x > y) - (x < y);
}

static void add_card(const struct scan *scan, const char *name)
{
	struct drm_card card;

	drm_card_read(&card, scan->fs, name);
	struct device_entry *e = device_list_add(scan->out, backend_of(scan->backends, &card));
	fill_device(&e->device, &card);
	e->display_only = !strstr(card.node, "/render");
	if (card.driver[0])
		drm_card_refuse(
			e, "the driver %s gives no counters to this program", card.driver);
	else
		drm_card_refuse(e, "no kernel driver is bound to it");
	if (e->backend->identify)
		e->backend->identify(e, &card, scan->fs);
	/* A backend that cannot use the card leaves what every card has, with its reason. */
	if (!e->usable && e->refusal.code == ERR_UNSUPPORTED && card.driver[0]) {
		e->backend = &drm_backend;
		drm_card_use(e, "card");
		err_hint(&e->refusal, "%s",
			"what every driver tells is shown: processes, clocks, sensors, memory");
	}
	if (e->refusal.code == ERR_UNSUPPORTED && card.asleep) {
		size_t len = strlen(e->refusal.msg);

		snprintf(e->refusal.msg + len, sizeof(e->refusal.msg) - len, "%s",
			" (it is asleep and was left so)");
	}
}

bool drm_cards_list(const struct backend *const *backends, const struct fsroot *fs,
	struct device_list *out, struct err *err)
{
	struct scan scan = { .backends = backends, .fs = fs, .out = out };
	char name[32];

	/* A machine without graphics has no such folder. */
	if (!fsroot_exists(fs, DRM_CLASS))
		return true;
	bool good = fsroot_each(fs, DRM_CLASS, note_card, &scan, err);
	if (scan.n)
		qsort(scan.numbers, scan.n, sizeof(*scan.numbers), compare_numbers);
	for (size_t i = 0; i < scan.n; i++) {
		snprintf(name, sizeof(name), "card%lu", scan.numbers[i]);
		add_card(&scan, name);
	}
	free(scan.numbers);
	return good;
}
