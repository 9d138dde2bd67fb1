/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the verdict of a window and turns it into words. */
#pragma once

#include <stddef.h>

#include "base/strbuf.h"
#include "core/snapshot/verdict_types.h"

struct snapshot;

/* Returns the number, its name of files ("idle"), and what it is for, untranslated. */
double verdict_threshold(enum verdict_threshold t);
const char *verdict_threshold_name(enum verdict_threshold t);
const char *verdict_threshold_text(enum verdict_threshold t);

/* Whether only a full queue could tell what limits the device: its threads wait, and the memory
 * itself moves something and has no roof, or a level is not counted. Queues of the snapshot are not
 * asked. */
bool verdict_needs_queue(const struct snapshot *s, struct verdict_pace *pace);
/* Whether the device still does what it did, so that a queue is as full as it was. */
bool verdict_same_pace(const struct verdict_pace *a, const struct verdict_pace *b);
/* Fills *out from the values of a window; s->verdict itself is not read. The memory is of the same
 * device and may be NULL: then every window stands for itself. */
void verdict_make(const struct snapshot *s, struct verdict_memory *memory, struct verdict *out);
/* Fills a verdict of a kind that needs no window: lost, measuring, asleep, permission,
 * no_counters. */
void verdict_state(struct verdict *out, enum verdict_kind kind);
/* Fills the verdict of what is over and was too short to be measured, so that no result comes. */
void verdict_too_short(struct verdict *out);

/* Says which set of the device counts the level that is missing (missing is VERDICT_MISSING_SET);
 * NULL: none does. is_same: it is the one that is counted, whose source gives nothing. */
void verdict_name_set(struct verdict *v, const char *set, bool is_same);
/* Returns in words when the rule holds that held, untranslated; "" when none was asked. */
const char *verdict_rule_text(const struct verdict *v);
/* Appends lines that say how the verdict of a snapshot came about, in the user's language: the
 * rule, everything that was compared, the counters, and the thresholds. */
void verdict_explain(const struct verdict *v, const struct snapshot *s, struct strbuf *out);

/* Returns the name of files and exports: "bandwidth". */
const char *verdict_kind_name(enum verdict_kind kind);
/* Returns the spelling of exports: "roof", "set", "window"; NULL when nothing is missing. */
const char *verdict_missing_name(enum verdict_missing missing);
/* Returns the name of one flag (a single bit): "at_most". */
const char *verdict_flag_name(enum verdict_flag flag);

/* The functions below return buf, which they cut to its size. english: for files and exports; else
 * the user's language. */
/* Writes the headline: "MEMORY-BOUND", "PIPE FULL". */
const char *verdict_headline(const struct verdict *v, bool english, char *buf, size_t size);
/* Writes what stands behind the headline; brief: at most 40 columns. */
const char *verdict_line(
	const struct verdict *v, bool brief, bool english, char *buf, size_t size);
/* Writes "headroom 1.18x", "headroom ~1.18x", "at most 1.22x" or "headroom --". */
const char *verdict_headroom(const struct verdict *v, bool english, char *buf, size_t size);
/* Writes reason number i, "" when there are fewer. */
const char *verdict_because(
	const struct verdict *v, int i, bool english, char *buf, size_t size);
/* Writes the step that helps, "" when there is none. */
const char *verdict_try(const struct verdict *v, bool english, char *buf, size_t size);
/* Writes everything of the first line in one sentence: "MEMORY-BOUND: DRAM 476 of 560 GB/s, 85 %
 * (data sheet), headroom 1.18x". */
const char *verdict_sentence(const struct verdict *v, bool english, char *buf, size_t size);
/* Writes one such text by itself, for candidates. */
const char *verdict_text(
	const struct verdict_text *t, bool english, char *buf, size_t size);
