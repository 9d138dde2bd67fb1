/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the names that come nearest to a mistyped one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* The three nearest of the names that were tried, the best one first; "" behind the last. Plain
 * data. */
struct near {
	const char *word;
	struct {
		char name[80];
		int distance;
	} best[3];
};

/* Returns how many letters to insert, remove, replace or swap to make one name of the other. The
 * number is large when either is too long to be a slip. */
int near_distance(const char *a, size_t a_len, const char *b, size_t b_len);
void near_begin(struct near *n, const char *word);
/* Tries the text that a name goes by, which can be the name itself. A name that was tried before
 * counts once. Case does not matter, and a text that has the word in it is nearer than one of as
 * many other letters. What shares less than half of the word's letters, and none of its parts, is
 * not near at all. */
void near_try(struct near *n, const char *text, const char *name);
/* Says whether the best of them is so near that a slip of the fingers explains it. */
bool near_is_slip(const struct near *n);
/* Makes a hint of them: "similar: a, b; LISTS". Where none came near, it is lists alone. Returns
 * false. */
bool near_hint(const struct near *n, const char *lists, struct err *err);
