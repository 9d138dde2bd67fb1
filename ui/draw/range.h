/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole numbers kept within bounds. */
#ifndef UI_DRAW_RANGE_H
#define UI_DRAW_RANGE_H

static inline int min_of(int a, int b)
{
	return a < b ? a : b;
}

static inline int max_of(int a, int b)
{
	return a > b ? a : b;
}

/* low to high, both included; below either, low wins. */
static inline int clamp(int v, int low, int high)
{
	return max_of(low, min_of(v, high));
}

#endif
