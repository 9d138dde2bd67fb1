/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks for display devices on the PCI bus. */
#include "config.h"

#include "session/devices/devices.h"

#include <stdio.h>
#include <string.h>

#include "backends/common/backend.h"
#include "base/i18n.h"
#include "base/parse.h"

#define BUS "/sys/bus/pci/devices"

struct display {
	const struct fsroot *fs;
	char address[32];
	char driver[48];	/* "" none is bound */
};

static bool read_file(
	const struct fsroot *fs, const char *address, const char *name, char *buf, size_t size)
{
	return fsroot_line(fs, buf, size, BUS "/%s/%s", address, name);
}

/* Notes a display device (class 0x03). The search is for one without a driver; if there is none,
 * the first one is reported. */
static bool note_display(void *ctx, const char *address)
{
	struct display *d = ctx;
	char path[128], class[32], driver[48] = "";

	if (strlen(address) >= sizeof(d->address) ||
		!read_file(d->fs, address, "class", class, sizeof(class)) ||
		strncmp(class, "0x03", 4) != 0)
		return true;
	snprintf(path, sizeof(path), BUS "/%s/driver", address);
	if (!fsroot_link_name(d->fs, path, driver, sizeof(driver)))
		driver[0] = '\0';
	if (*d->address && *driver)
		return true;
	snprintf(d->address, sizeof(d->address), "%s", address);
	snprintf(d->driver, sizeof(d->driver), "%s", driver);
	return *driver;
}

bool pci_display_find(const struct fsroot *fs, struct err *why)
{
	struct display d = { .fs = fs };
	char vendor[16] = "", device[16] = "";
	const struct backend *b = NULL;
	uint64_t id;

	fsroot_each(fs, BUS, note_display, &d, NULL);
	if (!*d.address)
		return err_set(why, ERR_NO_DEVICE, "%s",
			fsroot_exists(fs, "/sys/class/drm") ? _("no card in /sys/class/drm") :
						   _("no /sys/class/drm"));
	read_file(fs, d.address, "vendor", vendor, sizeof(vendor));
	read_file(fs, d.address, "device", device, sizeof(device));
	if (*d.driver) {
		err_set(why, ERR_NO_DEVICE,
			_("the display device %s [%s:%s] has the driver '%s', which makes no card "
			  "of it"),
			d.address, vendor, device, d.driver);
	} else {
		err_set(why, ERR_NO_DEVICE, _("the display device %s [%s:%s] has no driver"),
			d.address, vendor, device);
	}
	if (parse_hex(vendor, &id))
		b = backend_by_vendor((uint32_t)id);
	if (!*d.driver && b && b->driver_hint)
		err_hint(why, "%s", b->driver_hint);
	else
		err_hint(why, _("'lspci -k' shows which drivers it could have"));
	return true;
}
