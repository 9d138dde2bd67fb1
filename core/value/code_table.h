/* SPDX-License-Identifier: GPL-3.0-or-later */
/* At which instructions something was counted: a bounded table of addresses. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define CODE_PLACES 64		/* that are told */
#define CODE_COUNTS 12		/* counters that are told by place, at most */
#define CODE_TABLE_PLACES 4096	/* that are told apart within a window */

/* counts[i] belongs to counter i of the feed. */
struct code_place {
	uint64_t address;
	uint64_t sum; /* of counts */
	uint64_t counts[CODE_COUNTS];
};

/* The places with the most, the fullest first, and what all others have together. A place that is
 * not listed has at most the rest. exact: no listed place has a part in the rest, so that none that
 * is not listed has more than one that is. */
struct code_list {
	struct code_place places[CODE_PLACES];
	int n;
	struct code_place rest; /* without address */
	bool exact;
};

/* Use code_table_init() and code_table_release(). What is added and what a list has in all are the
 * same. When there is no more room the emptier half of the places goes into the rest. */
struct code_table {
	int n_counts;
	struct code_place *places; /* heap, [CODE_TABLE_PLACES] */
	int n;
	uint16_t *index; /* heap, open addressing: their numbers plus 1; 0 is free */
	struct code_place rest;
	bool inexact;
};

void code_table_init(struct code_table *t, int n_counts);
void code_table_release(struct code_table *t);
/* Forgets what was added. */
void code_table_clear(struct code_table *t);
/* Adds what was counted at an address: counts[n_counts]. This and the next three allocate nothing. */
void code_table_add(struct code_table *t, uint64_t address, const uint64_t *counts);
/* Adds the list of a window, where several are joined. */
void code_table_join(struct code_table *t, const struct code_list *l);
/* The same with all of another table of as many counts, which is empty then. */
void code_table_move(struct code_table *t, struct code_table *from);
/* Lists what was added. */
void code_table_list(const struct code_table *t, struct code_list *out);
