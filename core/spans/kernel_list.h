/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of kernels as screens and files show it: what each takes, what limits those that could
 * be counted, and what is no kernel of a program that was watched. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/roofline/roofline.h"

enum kernel_kind {
	KERNEL_RUNS,
	KERNEL_OTHER, /* copies, fills, ... */
	KERNEL_NOT_OURS, /* the device worked, and none of the watched commands ran */
	KERNEL_IDLE,
};

/* Numbers that are not known are NAN. */
struct kernel_line {
	enum kernel_kind kind;
	const char *name; /* untranslated; of a kernel its own, valid until something is read */
	uint64_t items, calls; /* items: work-items of each call; 0: of several sizes, or none */
	double time_s, share, overlap; /* of all time; of the time in which its calls ran */
	double mean_s, min_s, max_s; /* of a call */
	bool counted;
	double gflops, gbytes_per_s, flop_per_byte, headroom;
	char bound[24]; /* "": not counted */
	char sentence[200]; /* what limits it, in the user's language */
	uint64_t pairs; /* of reports, that were counted */
	double counted_time, counted_calls; /* shares of its time and calls, 0 to 1 */
	char why[240]; /* why it was not counted, or not all of it, in the user's language; "": it was */
	struct roof_point points[ROOFLINE_MAX_VIEWS]; /* of a counted one, by levels of memory */
};

/* The caller owns it; zero-initialised is empty. */
struct kernel_list {
	struct kernel_line *lines; /* heap; by their time, kernels first */
	int n;
	size_t cap;
	double seconds; /* of all lines */
	bool listens; /* for programs: no device or recording tells */
	int programs; /* that have greeted */
	uint64_t lost; /* commands that are in no line: they were not told, or made no sense */
	const char *why_empty; /* untranslated; "": there are lines */
};
