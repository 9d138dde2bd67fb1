/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A number, or the reason why there is none. */
#pragma once

#include <math.h>

/* Each row has an id, a machine name (never translated: JSON "why"), a word or two for tables, and
 * a sentence for people. Only OK must keep its place, 0. */
#define WHY_LIST(X) \
	X(OK, "ok", "", "") \
	X(NOT_YET, "not_yet", "not yet", "no complete window has been measured yet") \
	X(NO_SOURCE, "no_source", "unavailable", "not offered by this device's sources") \
	X(NOT_IN_SET, "not_in_set", "not in set", "the chosen metric set does not count it") \
	X(UNSUPPORTED, "unsupported", "unavailable", "this hardware or kernel does not have it") \
	X(DIVIDED, "divided", "divided", "the card is divided (MIG), and only its instances tell this") \
	X(UNKNOWN_CONST, "unknown_const", "unavailable", "a number of this device is not known") \
	X(DISPROVED, "disproved", "disproved", "the device exceeded this bound, so what was known of it is wrong") \
	X(PERMISSION, "permission", "permission", "it needs a permission that this process lacks") \
	X(BUSY, "busy", "in use", "another program holds it; rooftop tries again every few seconds") \
	X(ASLEEP, "asleep", "asleep", "the device sleeps and is not woken to be looked at") \
	X(GONE, "gone", "gone", "the device went away; rooftop looks for it every few seconds") \
	X(OTHER_CONTEXT, "other_context", "not run", "the chosen context did not run in this window") \
	X(NOT_BY_CONTEXT, "not_by_context", "of all", "it mixes what the chosen context counted with what is counted of everybody") \
	X(LOST, "lost", "lost", "reports were lost in this window") \
	X(STALE, "stale", "stale", "the last value is too old") \
	X(DIV_ZERO, "div_zero", "none counted", "nothing to divide by; no clock ran in this window, or nothing moved") \
	X(NO_COUNTER, "no_counter", "no counter", "no hardware counter was free for it in this window") \
	X(STANDS_STILL, "stands_still", "stands still", "its counter has not moved since the device was opened") \
	X(GAP, "gap", "gap", "the machine slept or the counter jumped in this window") \
	X(OUT_OF_RANGE, "out_of_range", "range", "the result is not a finite number, a count below zero, or a share above its ceiling") \
	X(DISAGREES, "disagrees", "disagrees", "another source of this number differs from it by a factor, so that one of them is wrong or has another unit")

enum why {
#define X(id, name, brief, text) WHY_##id,
	WHY_LIST(X)
#undef X
	WHY_COUNT
};

/* v is NAN when why is not WHY_OK. */
struct value {
	double v;
	enum why why;
};

static inline struct value value_ok(double v)
{
	return (struct value){ .v = v, .why = WHY_OK };
}

static inline struct value value_none(enum why why)
{
	return (struct value){ .v = NAN, .why = why };
}

/* Returns what a whole has beside its parts, which are told apart from it: they are read one after
 * the other, from counters of which a window has at least five steps, so less than nothing is noise
 * up to a fifth of the whole, and beyond that these are no parts of it (WHY_OUT_OF_RANGE). */
static inline struct value value_rest(double whole, double parts)
{
	return whole - parts < -whole / 5 ? value_none(WHY_OUT_OF_RANGE) : value_ok(whole - parts);
}

/* Returns the machine name, such as "div_zero". */
const char *why_name(enum why why);
/* Returns a word or two such as "none counted", untranslated, for gettext; "" for WHY_OK. */
const char *why_brief(enum why why);
/* Returns a sentence, untranslated, for gettext; "" for WHY_OK. */
const char *why_text(enum why why);
