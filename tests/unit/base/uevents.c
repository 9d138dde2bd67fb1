/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of the kernel's messages say that a device came or went, or that a GPU was reset. */
#include "config.h"

#include "base/uevents.h"

#include "tests/tap.h"

#define CARD "DEVPATH=/devices/pci0000:00/0000:00:02.0/drm/card0\0"

/* clang-format off */
static const struct row {
	const char *what, *message;
	size_t len;
	enum uevent_kind want;
} rows[] = {
#define ROW(what, text, want) { what, text, sizeof(text) - 1, want }
	ROW("a card that comes", "add@/devices/x/drm/card0\0ACTION=add\0" CARD "SUBSYSTEM=drm\0SEQNUM=9\0", UEVENT_CHANGED),
	ROW("a card that goes", "remove@/devices/x/drm/card0\0ACTION=remove\0SUBSYSTEM=drm\0", UEVENT_CHANGED),
	ROW("a card that gets a driver", "bind@/devices/x\0ACTION=bind\0SUBSYSTEM=pci\0", UEVENT_CHANGED),
	ROW("a card that loses its driver", "unbind@/devices/x\0ACTION=unbind\0SUBSYSTEM=pci\0", UEVENT_CHANGED),
	ROW("names in another order", "add@/devices/x\0SUBSYSTEM=drm\0ACTION=add\0", UEVENT_CHANGED),
	ROW("a monitor that is plugged", "change@/devices/x/drm/card0\0ACTION=change\0SUBSYSTEM=drm\0HOTPLUG=1\0", UEVENT_OTHER),
	ROW("a GPU that hangs", "change@/devices/x/drm/card0\0ACTION=change\0" CARD "SUBSYSTEM=drm\0ERROR=1\0", UEVENT_ERROR),
	ROW("  ... that is about to be reset", "change@/devices/x/drm/card0\0ACTION=change\0" CARD "SUBSYSTEM=drm\0RESET=1\0", UEVENT_OTHER),
	ROW("  ... that was reset", "change@/devices/x/drm/card0\0ACTION=change\0" CARD "SUBSYSTEM=drm\0ERROR=0\0", UEVENT_RESET),
	ROW("  ... that amdgpu has reset", "change@/devices/x/drm/card0\0ACTION=change\0" CARD "SUBSYSTEM=drm\0WEDGED=none\0PID=7\0", UEVENT_RESET),
	ROW("  ... that was given up", "change@/devices/x/drm/card0\0ACTION=change\0" CARD "SUBSYSTEM=drm\0WEDGED=rebind,bus-reset\0", UEVENT_WEDGED),
	ROW("an error of another device", "change@/devices/x/block/sda\0ACTION=change\0SUBSYSTEM=block\0ERROR=1\0", UEVENT_OTHER),
	ROW("a disk", "add@/devices/x/block/sda\0ACTION=add\0SUBSYSTEM=block\0", UEVENT_OTHER),
	ROW("a subsystem that begins like one", "add@/devices/x\0ACTION=add\0SUBSYSTEM=drm_dp_aux_dev\0", UEVENT_OTHER),
	ROW("no action", "add@/devices/x\0SUBSYSTEM=drm\0", UEVENT_OTHER),
	ROW("no subsystem", "add@/devices/x\0ACTION=add\0", UEVENT_OTHER),
	ROW("udev's own header", "libudev\0\376\355\312\376ACTION=add", UEVENT_OTHER),
	ROW("a word that does not end", "add@/devices/x\0ACTION=add\0SUBSYSTEM=drm", UEVENT_OTHER),
	ROW("nothing", "", UEVENT_OTHER),
};
/* clang-format on */

int main(void)
{
	static const char *const subsystems[] = { "drm", "pci", NULL };
	static const char lost[] = "change@x\0ACTION=change\0" CARD "SUBSYSTEM=drm\0WEDGED=rebind";
	struct uevent e;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		is_int(uevent_of(rows[i].message, rows[i].len, subsystems).kind, rows[i].want, "%s",
			rows[i].what);
	e = uevent_of(lost, sizeof(lost), subsystems);
	is_str(e.card, "card0", "a card has its name");
	is_str(e.recovery, "rebind", "  ... and what brings it back");
	is_int(uevents_next(-1, subsystems, &e), false, "a socket that is closed says nothing");
	return done_testing();
}
