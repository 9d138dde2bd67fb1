/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command diff: what was measured before a change, and after it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "session/session.h"
#include "core/value/spread.h"

/* A number of a run, by its name: a metric, the time of a command, a result of a kernel. All
 * strings are on the heap. */
struct diff_figure {
	char *key, *label, *unit;
	double value;
	/* how far it may lie from other runs like this one, as struct spread has it; NAN: one run
	 * does not tell it */
	double half;
	bool estimated;
};

/* What limited the device, in all of a run or under one kernel (key; "" for all of it). */
struct diff_limit {
	char *key, *kind, *bound, *sentence;
	double headroom;
	int count;		/* how often the run was limited by it: windows have one each */
};

/* A run: a recording, one of the runs of a command, one pass of a stress test. */
struct diff_run {
	struct diff_figure *figures;	/* in the order of their first side */
	size_t n, cap;
	struct diff_limit *limits;
	size_t n_limits, cap_limits;
	unsigned long long windows;	/* 0: it has none */
};

/* All runs of one side. Strings are on the heap; "" where files do not tell. */
struct diff_side {
	struct diff_run *runs;
	size_t n, cap;
	char *device, *set;
	bool by_id;			/* device is the id by which it was opened, not its name */
	size_t quotients;		/* figures of windows that were left out */
	size_t wrong;			/* kernels whose results were wrong */
	double counted;			/* least share of the time that an amount is of; 0: none */
	double window_s;		/* length of windows; 0: there are none */
	bool simulated;
	/* files of one side that are of different devices or sets */
	bool mixed_devices, mixed_sets, mixed_windows;
};

/* These add to a side and copy their texts. diff_add_run() returns the new run, which stays where
 * it is until the next one is added. diff_add_figure() returns NULL where the value is no number,
 * or the run has that key. */
struct diff_run *diff_add_run(struct diff_side *side);
struct diff_figure *diff_add_figure(struct diff_run *run, const char *key, const char *label,
	const char *unit, double value, double half);
void diff_add_limit(struct diff_run *run, const char *key, const char *kind, const char *bound,
	const char *sentence, double headroom);
/* Notes what a file is of; NULL and NAN: it does not tell. */
void diff_note(struct diff_side *side, const char *device, const char *set, double window_s,
	bool simulated);
/* Returns a figure by its key, NULL when the run has none. */
const struct diff_figure *diff_find(const struct diff_run *run, const char *key);
void diff_run_release(struct diff_run *run);
void diff_side_release(struct diff_side *side);

/* Reads a file that commands have written: JSON lines of run, stress, sweep or windows, or CSV of
 * run, stress or sweep. */
bool diff_read_results(struct diff_side *side, char *text, const char *path, struct err *err);
/* Plays a recording to its end, in a session of its own. */
bool diff_read_recording(
	struct diff_side *side, struct session *first, const char *path, struct err *err);

/* One figure on both sides. */
struct diff_row {
	const char *key, *label, *unit;
	double value[2];		/* means of the runs */
	double spread[2];		/* as struct diff_figure.half, or the deviation of runs */
	int runs[2];
	double p, p_adjusted;		/* NAN: not tested */
	bool estimated;
	enum { DIFF_STAYED, DIFF_MOVED, DIFF_UNKNOWN } moved;
};

struct diff {
	struct diff_side side[2];
	struct diff_row *rows;
	size_t n, cap;
	size_t only[2];			/* figures that only one side has */
	bool tested;			/* rows have p values */
};

#define DIFF_ALPHA 0.05

/* Fills in the rows from both sides. */
void diff_compare(struct diff *d);
/* Returns the limit under a key that most runs of a side have, and how many do; NULL when none has
 * one. */
const struct diff_limit *diff_usual_limit(
	const struct diff_side *side, const char *key, int *runs, int *of);

/* Returns whether a run from the first on, before the end, has a limit under that key. */
bool diff_has_limit(const struct diff_side *side, size_t from, size_t end, const char *key);

int diff_cmd(struct session *ses, enum output_form form);
