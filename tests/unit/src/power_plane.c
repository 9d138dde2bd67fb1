/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose watts a result is divided by: those of the plane that is named, which is one that the device has. */
#include "config.h"

#include "cmd/load/load_options.h"
#include "cmd/load/jobs.h"
#include "base/mem.h"
#include "tests/tap.h"

static const struct {
	const char *address;
	bool shares_memory, simulated;
	enum power_plane plane;
} devices[] = {
	{ "", false, false, PLANE_PACKAGE },
	{ "", true, false, PLANE_PACKAGE },
	{ "", true, true, PLANE_PACKAGE },
	{ "", false, true, PLANE_GPU },
	{ "0000:00:02.0", true, false, PLANE_PACKAGE },
	{ "0000:03:00.0", false, false, PLANE_GPU },
};

int main(void)
{
	for (size_t d = 0; d < ARRAY_LEN(devices); d++) {
		struct open_device dev = { .device.shares_memory = devices[d].shares_memory,
			.device.simulated = devices[d].simulated };
		struct load_options load = { 0 };
		const struct options o = { .load = &load };

		snprintf(dev.device.pci_address, sizeof(dev.device.pci_address), "%s", devices[d].address);
		is_int(power_plane_of(&o, &dev), devices[d].plane, "the plane of '%s'", devices[d].address);
		for (int p = 0; p < POWER_PLANE_COUNT; p++) {
			load.power_plane = power_planes[p];
			is_int(power_plane_of(&o, &dev), p, "  ... the user chooses '%s'", power_planes[p]);
		}
	}
	is_int(power_plane_of(&(struct options){ .load = &(struct load_options){ 0 } }, NULL), PLANE_PACKAGE,
		"without a device it is the package");
	return done_testing();
}
