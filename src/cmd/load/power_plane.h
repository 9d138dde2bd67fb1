/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes of power: whose watts a measured result has. */
#ifndef CMD_LOAD_POWER_PLANE_H
#define CMD_LOAD_POWER_PLANE_H


#include "cli/options.h"
#include "session/window/window_sum.h"

/* In the order of power_planes. */
enum power_plane {
	PLANE_PACKAGE,
	PLANE_GPU,
	/* package less cores less DRAM: equation 4.3 of H. Duarte's thesis (2018) */
	PLANE_DUARTE,
	POWER_PLANE_COUNT
};

/* How a plane is called in outputs. */
struct power_plane_words {
	const char *w, *w_min, *w_max;	/* keys of columns */
	const char *head;		/* of w in the text form */
	const char *power_title, *efficiency_title;	/* of pictures */
	const char *power_axis, *efficiency_axis;
};

extern const struct power_plane_words power_plane_words[POWER_PLANE_COUNT];

/* Returns the plane that the options choose, else that of the device: a card is no part of the
 * package. dev may be NULL. */
enum power_plane power_plane_of(const struct options *o, const struct open_device *dev);
/* Returns the mean power over the joined windows in W. It needs window_sum_eval() first. Where the
 * power is not known it returns NAN and sets why. */
double power_plane_w(const struct window_sum *s, enum power_plane plane, enum why *why);
/* Says on standard error what the chosen plane does not mean, where that is easily mistaken. */
void power_plane_warn(enum power_plane plane);

#endif
