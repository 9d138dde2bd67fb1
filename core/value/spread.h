/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a number moves from window to window, and from run to run, and whether two groups of runs
 * differ by more than that. */
#pragma once

#include <stddef.h>

/* Values that follow each other, added up as they come. A zero-initialised struct is empty. */
struct series {
	unsigned long long n;
	/* all relative to first, so that nothing is lost where values are large beside their
	 * spread; lagged is the sum of products of neighbours */
	double first, last, sum, squares, lagged;
};

/* Adds the next value; one that is no number is left out. */
void series_add(struct series *s, double v);

struct spread {
	double mean;
	double deviation;	/* standard deviation; NAN with fewer than two values */
	/* How many independent values are worth as much: neighbours in time resemble each other. As
	 * for a process of first order, n (1 - r) / (1 + r) with the correlation r of neighbours,
	 * corrected for its bias in short series (Kendall 1954, Marriott and Pope 1954). */
	double independent;
	/* How far the mean of a run like this one may lie from it: the deviation, or the 95 %
	 * interval of the mean (Student's t with independent - 1 degrees of freedom) where that is
	 * wider. NAN where fewer than two independent values do not tell it. */
	double half;
};

/* NAN everywhere in an empty series. */
struct spread series_spread(const struct series *s);

/* No counter and no clock of a machine is trusted to repeat better than this share of a mean. */
#define SPREAD_FLOOR 0.001

/* Welch's t test of two groups of at least two values each, two-sided. A deviation smaller than
 * SPREAD_FLOOR of the larger mean counts as that much. Returns p; NAN where a group is too
 * small. */
double spread_welch(const double *a, size_t n_a, const double *b, size_t n_b);
/* The two-sided p of Student's t with that many degrees of freedom, which need not be whole. */
double spread_student_p(double t, double degrees);
/* Corrects p values for their number, in place (Benjamini and Hochberg 1995): of those that are
 * below a limit afterwards, that share is wrong on average. NANs stay, and do not count. */
void spread_adjust(double *p, size_t n);
