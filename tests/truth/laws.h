/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The laws of answers, in two files. */
#pragma once

#include "core/metric/metric.h"

struct snapshot;
struct verdict;

/* The largest value that a window has of such metrics, in base units; NAN: none. Bounds from below do not count. */
double largest_value(const struct snapshot *s, enum limit_role role);

/* Counts a case that breaks a law, and prints it. */
void wrong(const char *law, const char *what, const struct verdict *v, const char *why);
/* Holds what an answer says: no part contradicts or repeats another one, and no step needs what is full. */
void hold_advice(const char *what, const struct verdict *v);

/* A share of the thread slots that is an estimate is said with ~, threads gain no more than there are slots for, and no sentence names waits of
 * 0 %; no two metrics of a step of the way to the answer have one name. */
void hold_explained(const char *what, const struct snapshot *s, const struct verdict *v);
