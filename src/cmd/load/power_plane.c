/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the power of a plane from the energy counters. */
#include "config.h"

#include "cmd/load/jobs.h"

#include <math.h>
#include <string.h>

#include "cmd/load/load_options.h"

const struct power_plane_words power_plane_words[POWER_PLANE_COUNT] = {
	[PLANE_PACKAGE] = { "package_w", "package_w_min", "package_w_max", "W pkg", "package" },
	[PLANE_GPU] = { "gpu_w", "gpu_w_min", "gpu_w_max", "W GPU", "GPU plane" },
	[PLANE_DUARTE] = { "duarte_w", "duarte_w_min", "duarte_w_max", "W duarte",
		"package less cores less DRAM" },
};

enum power_plane power_plane_of(const struct options *o, const struct open_device *dev)
{
	for (int i = 0; o->load->power_plane && power_planes[i]; i++)
		if (!strcmp(power_planes[i], o->load->power_plane))
			return (enum power_plane)i;
	return dev && device_is_card(&dev->device) ? PLANE_GPU : PLANE_PACKAGE;
}

double power_plane_w(const struct window_sum *s, enum power_plane plane, enum why *why)
{
	/* The first is counted, and the others are taken off. */
	static const char *const counters[POWER_PLANE_COUNT][4] = {
		[PLANE_PACKAGE] = { "energy_package_uj" },
		[PLANE_GPU] = { "energy_gpu_uj" },
		[PLANE_DUARTE] = { "energy_package_uj", "energy_cores_uj", "energy_dram_uj" },
	};
	double whole = 0, parts = 0;

	for (int i = 0; counters[plane][i]; i++) {
		double w = window_sum_rate(s, counters[plane][i]);

		if (!isfinite(w)) {
			*why = window_sum_why(s, counters[plane][i]);
			return NAN;
		}
		*(i > 0 ? &parts : &whole) += w;
	}
	struct value rest = value_rest(whole, parts);
	*why = rest.why;
	return rest.v;
}

void power_plane_warn(enum power_plane plane)
{
	if (plane != PLANE_DUARTE)
		return;
	session_print_err(&(struct err){
		.msg = "package less cores less DRAM is an upper bound for the GPU's power: the "
			  "last-level cache, the memory controller and everything else of the "
			  "package are in it; where the package does not contain the memory, it "
			  "is too small by that much" });
}
