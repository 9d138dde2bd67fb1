/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units as a scale and exponents of base dimensions, so that an equation's unit can be checked and
 * converted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Base dimensions. Threads, pixels, texels, messages, events and plain counts are dimensionless. */
enum unit_dim {
	UNIT_SECOND,
	UNIT_CYCLE,
	UNIT_TICK,
	UNIT_BYTE,
	UNIT_FLOP,
	UNIT_JOULE,
	UNIT_KELVIN,
	UNIT_DIMS
};

/* A value in this unit, multiplied by scale, is the value in base units. Plain data. */
struct unit {
	double scale;
	signed char exp[UNIT_DIMS];
};

/* Parses "GB/s", "FLOP/cycle", "%", "Hz" (= cycle/s), "GFLOP/s/W", "B", "ns", "threads/s" (or
 * "thr/s"), "1". Products with '*', quotients with '/', left to right. SI prefixes n u m k M G T on
 * s, Hz, B, FLOP, W, J and their kin; Ki Mi Gi on B. */
bool unit_parse(const char *text, size_t len, struct unit *out, struct err *err);
/* Returns the unit of plain numbers; the others return products and quotients of units, scales
 * included. */
struct unit unit_one(void);
struct unit unit_mul(struct unit a, struct unit b);
struct unit unit_div(struct unit a, struct unit b);
/* Whether both have the same dimensions, whatever the scale. */
bool unit_same_dims(const struct unit *a, const struct unit *b);
/* Writes the dimensions in words for messages: "B/s", "1", "cycle*FLOP/s". Returns buf. */
const char *unit_dims_text(const struct unit *u, char *buf, size_t size);
/* How people are shown values of a unit: multiplied by factor, in another unit. */
struct unit_form {
	double factor;
	const char *unit;
};
/* Returns the unit in which the largest value, which is a roof's where there is one, has at most
 * four digits: 1070531 GFLOP/s are 1071 TFLOP/s. What has no prefix keeps its unit. */
struct unit_form unit_for_people(const char *unit, double largest);
/* Returns how people write a unit of metric files: "C" for "degC"; "" for NULL. */
const char *unit_word(const char *unit_text);
