/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How evenly slices of equal work run, which tells whether something else used the device. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Slices so far. The struct is plain data; zeroes are none. */
struct steady {
	uint64_t slices;
	double sum_ns, fastest_ns; /* of a launch, each slice counting once */
	double cpu_ns, wall_ns; /* of stretches whose CPU time is known */
};

/* Counts a slice whose launches took so long each. */
void steady_add(struct steady *s, double launch_ns);
/* Counts a stretch of the device's work, and the CPU time that this process used meanwhile. */
void steady_add_cpu(struct steady *s, int64_t cpu_ns, int64_t wall_ns);
/* Returns the share of the mean slice by which it is longer than the fastest one; NAN when there
 * are too few slices. */
double steady_loss(const struct steady *s);
/* Returns the share of so many processors that this process had; NAN when it is unknown. */
double steady_cpu_share(const struct steady *s, double processors);
/* Says whether the slices were uneven, or whether this process had fewer processors than it wanted
 * (0: it does not matter). */
bool steady_is_disturbed(const struct steady *s, double processors);
/* Says whether a shape that was found while that share of the trials was disturbed may be the wrong
 * one. NAN, for a shape that follows from a rule, is not. */
bool steady_tuned_busy(double disturbed_trials);
/* Says whether the tuner's shape has to be looked for again after this run, which was not disturbed:
 * it reached only that share of what is remembered, or the shape was found on a busy machine. */
bool steady_is_outdated(
	const struct steady *s, double processors, double disturbed_trials, double reached);
