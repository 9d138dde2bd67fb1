/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sysfs tells of a DRM card. */
#include "config.h"

#include "backends/card/drm_card.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/card/drm_node.h"
#include "base/mem.h"
#include "base/parse.h"

#define MAX_UEVENT 8192
#define SENSORS_MAX 24 /* of one kind; xe has some more than its memory channels */

/* Drivers of the bus whose DRM driver has another name, which nothing in sysfs says. */
static const struct renamed_driver {
	const char *bus, *drm, *source;
} renamed[] = {
	{ "adreno", "msm", "Linux drivers/gpu/drm/msm/adreno/adreno_device.c, msm_drv.c" },
	{ "simple-framebuffer", "simpledrm", "Linux drivers/gpu/drm/sysfb/simpledrm.c" },
	{ "vc4-drm", "vc4", "Linux drivers/gpu/drm/vc4/vc4_drv.c" },
};

bool drm_is_card(const char *name)
{
	const char *digits = name + 4;

	return strncmp(name, "card", 4) == 0 && *digits &&
		digits[strspn(digits, "0123456789")] == '\0';
}

bool drm_device_is_asleep(const struct fsroot *fs, const char *folder)
{
	char state[32];

	return fsroot_line(fs, state, sizeof(state), "%s/power/runtime_status", folder) &&
		!strcmp(state, "suspended");
}

bool drm_card_is_asleep(const struct fsroot *fs, const char *card)
{
	char folder[96];

	snprintf(folder, sizeof(folder), "/sys/class/drm/%.40s/device", card);
	return drm_device_is_asleep(fs, folder);
}

bool drm_card_hwmon(const struct fsroot *fs, const char *card, char *folder, size_t size)
{
	char path[96], hwmon[32];

	snprintf(path, sizeof(path), "/sys/class/drm/%.40s/device/hwmon", card);
	if (!fsroot_first(fs, path, "hwmon", hwmon, sizeof(hwmon)))
		return false;
	snprintf(folder, size, "%s/%s", path, hwmon);
	return true;
}

bool hwmon_find_label(const struct fsroot *fs, const char *folder, const char *kind,
	const char *label, char *path, size_t size)
{
	char text[32];

	for (int n = 1; n <= SENSORS_MAX; n++) {
		if (!fsroot_line(fs, text, sizeof(text), "%s/%s%d_label", folder, kind, n) ||
			strcmp(text, label) != 0)
			continue;
		snprintf(path, size, "%s/%s%d_input", folder, kind, n);
		return fsroot_exists(fs, path);
	}
	return false;
}

/* The value of a line "KEY=VALUE" in a device's uevent file; empty when there is none. */
static void read_uevent(
	const struct fsroot *fs, const char *folder, const char *key, char *buf, size_t size)
{
	char path[PATH_MAX], *text = NULL;
	size_t len;

	buf[0] = '\0';
	if (fsroot_path(fs, path, sizeof(path), "%s/uevent", folder))
		text = file_read_all(path, MAX_UEVENT, &len, NULL);
	if (text && !parse_pair(text, '\n', key, buf, size))
		buf[0] = '\0';
	free(text);
}

void drm_device_compatible(const struct fsroot *fs, const char *folder, char *buf, size_t size)
{
	read_uevent(fs, folder, "OF_COMPATIBLE_0", buf, size);
}

uint32_t pci_id(const struct fsroot *fs, const char *folder, const char *file)
{
	uint64_t v;

	return fsroot_number(fs, &v, "%s/%s", folder, file) && v <= UINT32_MAX ? (uint32_t)v : 0;
}

/* The driver that sysfs names is the one of the bus. A virtio device stands below the PCI or
 * platform device of the driver that carries it. All faux devices have one driver, so that the card
 * itself is asked; it is software, which opening cannot wake. A user who may not open it gets the
 * device's name, which is "vkms" or "vgem" there, unless somebody chose another one. */
static void read_driver(
	struct drm_card *c, const struct fsroot *fs, const char *folder, const char *device)
{
	char path[192], virtio[32];

	snprintf(path, sizeof(path), "%s/driver", folder);
	if (!fsroot_link_name(fs, path, c->driver, sizeof(c->driver))) {
		c->driver[0] = '\0';
		return;
	}
	if (!strncmp(c->driver, "virtio-", 7) &&
		fsroot_first(fs, folder, "virtio", virtio, sizeof(virtio))) {
		snprintf(path, sizeof(path), "%s/%s/driver", folder, virtio);
		fsroot_link_name(fs, path, c->driver, sizeof(c->driver));
	}
	if (!strcmp(c->driver, "faux_driver") &&
		!drm_node_driver(fs, c->name, c->driver, sizeof(c->driver)))
		snprintf(c->driver, sizeof(c->driver), "%s", device);
	for (size_t i = 0; i < ARRAY_LEN(renamed); i++)
		if (!strcmp(renamed[i].bus, c->driver))
			snprintf(c->driver, sizeof(c->driver), "%s", renamed[i].drm);
}

void drm_card_read(struct drm_card *c, const struct fsroot *fs, const char *card)
{
	char folder[96], device[64] = "";

	*c = (struct drm_card){ .asleep = drm_card_is_asleep(fs, card) };
	snprintf(c->name, sizeof(c->name), "%.31s", card);
	snprintf(folder, sizeof(folder), "/sys/class/drm/%.31s/device", card);
	if (!fsroot_link_name(fs, folder, device, sizeof(device)))
		device[0] = '\0';
	read_driver(c, fs, folder, device);
	drm_device_compatible(fs, folder, c->compatible, sizeof(c->compatible));
	drm_node_path(fs, card, c->node, sizeof(c->node));
	drm_card_hwmon(fs, card, c->hwmon, sizeof(c->hwmon));
	/* The ids in a virtio device's own folder are not those of PCI. */
	if (!strncmp(device, "virtio", 6)) {
		snprintf(folder, sizeof(folder), "/sys/class/drm/%.31s/device/..", card);
		read_uevent(fs, folder, "PCI_SLOT_NAME", device, sizeof(device));
	}
	c->pci_vendor = pci_id(fs, folder, "vendor");
	c->pci_device = pci_id(fs, folder, "device");
	c->pci_revision = pci_id(fs, folder, "revision");
	if (c->pci_vendor)
		snprintf(c->pci_address, sizeof(c->pci_address), "%.15s", device);
}

bool drm_card_is_gone(const struct fsroot *fs, const char *card, struct err *err)
{
	if (fsroot_has(fs, "/sys/class/drm/%s/device", card))
		return false;
	err_set(err, ERR_NO_DEVICE, "%s: the GPU is gone", card);
	err_hint(err, "%s", "it is looked for every few seconds");
	return true;
}
