/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the nodes of /sys/class/accel whose drivers are known here. */
#include "config.h"

#include "backends/common/backend.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "backends/card/drm_card.h"
#include "backends/npu/npu_sources.h"
#include "base/mem.h"
#include "base/fsroot.h"

#define ACCEL_CLASS "/sys/class/accel"

void npu_folder(const char *id, char *path, size_t size)
{
	snprintf(path, size, ACCEL_CLASS "/%.31s/device", id);
}

bool npu_is_asleep(const struct fsroot *fs, const char *id)
{
	char status[32];

	return fsroot_line(fs, status, sizeof(status),
		       ACCEL_CLASS "/%.31s/device/power/runtime_status", id) &&
		!strncmp(status, "suspend", strlen("suspend"));
}

bool npu_is_gone(const struct fsroot *fs, const char *id, struct err *err)
{
	if (fsroot_has(fs, ACCEL_CLASS "/%.31s/device/driver", id))
		return false;
	err_set(err, ERR_NO_DEVICE, "%s is gone: pulled out, or its driver was unloaded", id);
	err_hint(err, "%s", "it is looked for every few seconds");
	return true;
}

/* The driver as sysfs names it. */
static const struct npu {
	const char *driver, *name, *platform;
	struct source *(*open)(struct device *d, const struct open_options *o, struct err *err);
	const char *source, *gives;
} npus[] = {
	{ "intel_vpu", "Intel NPU", "ivpu", ivpu_open, "sysfs", "busy time, clock and memory" },
	{ "amdxdna", "AMD XDNA NPU", "xdna", xdna_open, "node",
		"columns, clocks, power and commands" },
};

static const struct npu *npu_of(const char *driver)
{
	for (size_t i = 0; i < ARRAY_LEN(npus); i++)
		if (!strcmp(npus[i].driver, driver))
			return &npus[i];
	return NULL;
}

struct scan {
	const struct fsroot *fs;
	struct device_list *out;
};

static bool add_npu(void *ctx, const char *name)
{
	const struct scan *scan = ctx;
	char folder[96], path[128], driver[32];

	if (strncmp(name, "accel", 5) != 0 || !isdigit((unsigned char)name[5]))
		return true;
	npu_folder(name, folder, sizeof(folder));
	snprintf(path, sizeof(path), "%s/driver", folder);
	if (!fsroot_link_name(scan->fs, path, driver, sizeof(driver)))
		return true;
	const struct npu *n = npu_of(driver);
	if (!n)
		return true;
	struct device_entry *e = device_list_add(scan->out, &npu_backend);
	struct device *d = &e->device;
	snprintf(d->id, sizeof(d->id), "%.31s", name);
	snprintf(d->name, sizeof(d->name), "%s", n->name);
	snprintf(d->driver, sizeof(d->driver), "%.15s", driver);
	snprintf(d->platform, sizeof(d->platform), "%s", n->platform);
	fsroot_link_name(scan->fs, folder, d->pci_address, sizeof(d->pci_address));
	d->pci_vendor = pci_id(scan->fs, folder, "vendor");
	d->pci_device = pci_id(scan->fs, folder, "device");
	d->shares_memory = true;
	e->usable = true;
	return true;
}

static bool probe(const struct fsroot *fs, struct device_list *out, struct err *err)
{
	struct scan scan = { fs, out };

	/* A machine without an NPU has no such folder. */
	return !fsroot_exists(fs, ACCEL_CLASS) || fsroot_each(fs, ACCEL_CLASS, add_npu, &scan, err);
}

static bool open_npu(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	const struct npu *n = npu_of(e->device.driver);
	struct err why = { 0 };

	*dev = (struct open_device){ .device = e->device };
	struct source *s = n->open(&dev->device, o, &why);
	if (!s) {
		*err = why;
		return false;
	}
	dev->sources[dev->n_sources++] = s;
	open_device_tried(dev, "npu", n->source, n->gives, &why);
	return true;
}

const struct backend npu_backend = {
	.name = "npu",
	.description = "neural processors: Intel's under ivpu, AMD's under amdxdna",
	.never_by_default = true,
	.probe = probe,
	.open = open_npu,
};
