/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of the kernel's messages say that a device came or went. */
#include "config.h"

#include "base/uevents.h"

#include "tests/tap.h"

#define CARD "DEVPATH=/devices/pci0000:00/0000:00:02.0/drm/card0\0"

/* clang-format off */
static const struct row {
	const char *what, *message;
	size_t len;
	bool want;
} rows[] = {
#define ROW(what, text, want) { what, text, sizeof(text) - 1, want }
	ROW("a card that comes", "add@/devices/x/drm/card0\0ACTION=add\0" CARD "SUBSYSTEM=drm\0SEQNUM=9\0", true),
	ROW("a card that goes", "remove@/devices/x/drm/card0\0ACTION=remove\0SUBSYSTEM=drm\0", true),
	ROW("a card that gets a driver", "bind@/devices/x\0ACTION=bind\0SUBSYSTEM=pci\0", true),
	ROW("a card that loses its driver", "unbind@/devices/x\0ACTION=unbind\0SUBSYSTEM=pci\0", true),
	ROW("names in another order", "add@/devices/x\0SUBSYSTEM=drm\0ACTION=add\0", true),
	ROW("a monitor that is plugged", "change@/devices/x/drm/card0\0ACTION=change\0SUBSYSTEM=drm\0HOTPLUG=1\0", false),
	ROW("a disk", "add@/devices/x/block/sda\0ACTION=add\0SUBSYSTEM=block\0", false),
	ROW("a subsystem that begins like one", "add@/devices/x\0ACTION=add\0SUBSYSTEM=drm_dp_aux_dev\0", false),
	ROW("no action", "add@/devices/x\0SUBSYSTEM=drm\0", false),
	ROW("no subsystem", "add@/devices/x\0ACTION=add\0", false),
	ROW("udev's own header", "libudev\0\376\355\312\376ACTION=add", false),
	ROW("a word that does not end", "add@/devices/x\0ACTION=add\0SUBSYSTEM=drm", false),
	ROW("nothing", "", false),
};
/* clang-format on */

int main(void)
{
	static const char *const subsystems[] = { "drm", "pci", NULL };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		is_int(uevent_concerns(rows[i].message, rows[i].len, subsystems), rows[i].want, "%s",
			rows[i].what);
	is_int(uevents_read(-1, subsystems), false, "a socket that is closed says nothing");
	return done_testing();
}
