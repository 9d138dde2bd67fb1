/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the work-groups of one launch ran: slice, subslice and EU, as the launch itself told. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define PLACEMENT_SLICES 16
#define PLACEMENT_SUBSLICES 16	/* of a slice; dual subslices and Xe-cores count as subslices */
#define PLACEMENT_EUS 32	/* of a subslice; numbers may have holes */
#define PLACEMENT_MAX 64

/* A subslice in which a group ran. Numbers are the hardware's: parts that are fused off are left
 * out of the count, but keep their numbers. */
struct placement_cell {
	int slice, subslice;
	uint64_t groups;
	uint64_t items[PLACEMENT_EUS];	/* work-items that ran on each EU */
};

/* Plain data. */
struct placement {
	int n;				/* 0: nothing is known */
	struct placement_cell cells[PLACEMENT_MAX];	/* by slice, then by subslice */
	char reason[160];		/* why nothing is known; "" when something is */
};

/* Returns the cell of a subslice, which is added with zeros where there is none yet; NULL when
 * there is no room. */
struct placement_cell *placement_cell(struct placement *p, int slice, int subslice);
/* Returns how many EUs a row needs: those up to the last one that ran anything in any cell. */
int placement_eus(const struct placement *p);
/* Writes the names of the subslices that have more groups than the one with the fewest: "S0SS0
 * S0SS1"; "" where all have as many. n_subslices says how many the device has, because one without
 * a group is none of the cells. Names that do not fit are cut with "...". Returns buf. */
const char *placement_busiest(
	const struct placement *p, int n_subslices, char *buf, size_t size);
