/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A number, or the reason why there is none. */
#ifndef CORE_VALUE_VALUE_H
#define CORE_VALUE_VALUE_H

#include <math.h>

#include "base/i18n.h"

/* Each row has an id, a machine name (never translated: JSON "why"), a word or two for tables, and
 * a sentence for people. Only OK must keep its place, 0. */
#define WHY_LIST(X) \
	X(OK, "ok", "", "") \
	X(NOT_YET, "not_yet", N_("not yet"), N_("no complete window has been measured yet")) \
	X(NO_SOURCE, "no_source", N_("unavailable"), N_("no source in use has a counter that it needs")) \
	X(NOT_IN_SET, "not_in_set", N_("not in set"), N_("the chosen metric set does not count it")) \
	X(UNSUPPORTED, "unsupported", N_("unavailable"), N_("this hardware or kernel does not have it")) \
	X(UNKNOWN_CONST, "unknown_const", N_("unavailable"), N_("nothing says a number of this device that it needs")) \
	X(DISPROVED, "disproved", N_("disproved"), N_("the device exceeded this bound, so what was known of it is wrong")) \
	X(PERMISSION, "permission", N_("permission"), N_("it needs a permission that this process lacks")) \
	X(BUSY, "busy", N_("in use"), N_("another program holds it; rooftop tries again every few seconds")) \
	X(ASLEEP, "asleep", N_("asleep"), N_("the device sleeps and is not woken to be looked at")) \
	X(GONE, "gone", N_("gone"), N_("the device went away; rooftop looks for it every few seconds")) \
	X(OTHER_CONTEXT, "other_context", N_("not run"), N_("the chosen context did not run in this window")) \
	X(NOT_BY_CONTEXT, "not_by_context", N_("of all"), N_("it mixes what the chosen context counted with what is counted of everybody")) \
	X(LOST, "lost", N_("lost"), N_("reports were lost in this window")) \
	X(STALE, "stale", N_("stale"), N_("the last value is too old")) \
	X(DIV_ZERO, "div_zero", N_("none counted"), N_("nothing was counted that it could be divided by: no clock ran in this window, or nothing moved")) \
	X(NO_COUNTER, "no_counter", N_("no counter"), N_("no hardware counter was free for it in this window")) \
	X(STANDS_STILL, "stands_still", N_("stands still"), N_("its counter has not moved since the device was opened")) \
	X(GAP, "gap", N_("gap"), N_("the machine slept or the counter jumped in this window")) \
	X(OUT_OF_RANGE, "out_of_range", N_("range"), N_("the result is not a finite number, a count below zero, or a share above its ceiling"))

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

/* Returns the machine name, such as "div_zero". */
const char *why_name(enum why why);
/* Returns a word or two such as "none counted", untranslated, for gettext; "" for WHY_OK. */
const char *why_brief(enum why why);
/* Returns a sentence, untranslated, for gettext; "" for WHY_OK. */
const char *why_text(enum why why);

#endif
