/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DRM cards, whatever their driver: what sysfs tells of them, and how backends list and open
 * them. Reading sysfs wakes no card. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/common/backend.h"
#include "base/fsroot.h"

/* Plain data. Empty strings and zeros are unknown. */
struct drm_card {
	char name[32];		/* "card0" */
	char driver[64];	/* the DRM driver's: "i915", "virtio_gpu"; empty: none is bound */
	char compatible[64];	/* the device tree's first name of it: "arm,mali-bifrost" */
	char pci_address[16];
	uint32_t pci_vendor, pci_device, pci_revision;
	bool asleep;
	char node[64];		/* "/dev/dri/renderD128"; its primary node where it has no other */
	char hwmon[128];	/* the folder of its sensors in sysfs */
};

/* "card0" in /sys/class/drm, not its connectors ("card0-DP-1") and not render nodes. */
bool drm_is_card(const char *name);
/* Tells whether runtime power management has switched the card off: opening its node, or reading
 * some of its files, would wake it. */
bool drm_card_is_asleep(const struct fsroot *fs, const char *card);
/* The same of any device, by its folder in sysfs. */
bool drm_device_is_asleep(const struct fsroot *fs, const char *folder);
/* Gives the device tree's first name of a device; empty where it has none. */
void drm_device_compatible(const struct fsroot *fs, const char *folder, char *buf, size_t size);
/* Tells whether the card was pulled out, or its driver unloaded; then err says so, and what follows. */
bool drm_card_is_gone(const struct fsroot *fs, const char *card, struct err *err);
/* The folder of the card's sensors, "/sys/class/drm/card0/device/hwmon/hwmon3"; false when it has
 * none. */
bool drm_card_hwmon(const struct fsroot *fs, const char *card, char *folder, size_t size);
/* Reads an id of PCI ("vendor", "device") in a device's folder; 0: unknown. */
uint32_t pci_id(const struct fsroot *fs, const char *folder, const char *file);
/* Finds the sensor of that kind ("temp") with that label in a folder of hwmon, and writes the path
 * of its value. */
bool hwmon_find_label(const struct fsroot *fs, const char *folder, const char *kind,
	const char *label, char *path, size_t size);
void drm_card_read(struct drm_card *c, const struct fsroot *fs, const char *card);

/* Adds all cards in the order of their numbers. The first of the backends (NULL-terminated) with a
 * row that fits gets the card. Opens nothing that could wake a card. */
bool drm_cards_list(const struct backend *const *backends, const struct fsroot *fs,
	struct device_list *out, struct err *err);
/* For identify(): why the card cannot be used; the way out is that of all such cards. */
void drm_card_refuse(struct device_entry *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* For identify(): the card can be used, with the metric sets of that platform. */
void drm_card_use(struct device_entry *e, const char *platform);
/* Opens what every card has, whatever its driver: files of sysfs as the first source, then its
 * clients. e->refusal, if any, becomes the row that says why its own counters are not there. A
 * backend may add sources of its own behind these. */
bool drm_card_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err);
/* For open(): sets err to the refusal of an entry that is not usable. Returns false. */
bool drm_card_refuse_open(const struct device_entry *e, struct err *err);
