/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds to a metric set that is loaded already what an option asks for. */
#pragma once

#include "core/metric/metric.h"

/* A metric over plain counters. Its equations are in the set's own language: RPN for a set that was
 * imported. Strings are copied; group, ceiling and needs may be NULL. */
struct metric_extra {
	const char *name, *label, *text, *origin, *needs, *unit, *group, *file;
	const char *equation, *ceiling;
	const char *const (*counters)[2]; /* name and unit of each counter; {NULL} ends them */
	unsigned flags;
	int line;
};

/* The set of the events that a user has chosen, and its directive that says which part of the
 * device alone counts them. No file may have either. */
#define CHOSEN_SET "custom"
#define CHOSEN_IN "events_in"

/* A directive that an option adds to a set. */
struct metric_wish {
	const char *option;	/* "--boolean": stands where files have their name */
	const char *words;
};

/* Adds the metric, as the first one of its pane. Nothing may be bound to the set. Returns false,
 * with nothing added, when an equation is wrong or the name is taken. */
bool metric_set_extend(struct metric_set *set, const struct metric_extra *x, struct err *err);
/* Adds a directive behind the others; args is the set's from now on. */
void metric_set_direct(
	struct metric_set *set, const char *key, char *args, const char *file, int line);
/* metric: the index of the metric that is read, or -1. Returns the new input. */
int metric_set_add_input(struct metric_set *set, enum metric_input_kind kind, const char *name,
	int metric, const char *unit);
/* Changes the text that explains an input. */
void metric_input_describe(struct metric_set *set, int input, const char *text);
