/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a row says of several runs: the texts of the one in the middle, and what must be known of any. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/load/results.h"
#include "tests/tap.h"

#define RUNS 3

static void fill(struct job_result *runs)
{
	for (int i = 0; i < RUNS; i++) {
		memset(&runs[i], 0, sizeof(runs[i]));
		runs[i].state.progress.mean_flop_per_s = NAN;
		runs[i].clock_min_hz = runs[i].clock_max_hz = NAN;
	}
}

int main(void)
{
	static const int orders[][RUNS] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
	struct job_result runs[RUNS];
	char note[200];

	for (size_t o = 0; o < sizeof(orders) / sizeof(orders[0]); o++) {
		fill(runs);
		for (int i = 0; i < RUNS; i++)
			runs[i].state.progress.mean_bytes_per_s = 1e9 * (1 + orders[o][i]);
		is_near(results_one(runs, RUNS)->state.progress.mean_bytes_per_s, 2e9, 0, "the texts are those of the middle run");
		for (int i = 0; i < RUNS; i++) {
			runs[i].state.flags = JOB_DISTURBED;
			ok(strstr(results_notes(runs, RUNS, note, sizeof(note)), "disturbed"), "the note is of run %d, too: '%s'", i, note);
			runs[i].state.flags = 0;
		}
		is_str(results_notes(runs, RUNS, note, sizeof(note)), "", "without a reason there is none");
	}
	fill(runs);
	runs[0].state.progress.mismatches = 1;
	ok(results_one(runs, RUNS) == &runs[0], "a bad run has the texts");
	fill(runs);
	is_int(results_one(runs, 1) - runs, 0, "of one run they are its own");
	return done_testing();
}
