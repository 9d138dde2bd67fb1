/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and text of fixed display width. The decimal point is always that of the C locale. */
#pragma once

#include <stddef.h>

#include "base/strbuf.h"

/* Writes v in at most width columns, with as many digits as fit, up to three decimals: 4 -> "97.0",
 * "1.05", "9999", "12e3". It is not right-aligned; "--" for NAN. Returns buf. */
const char *format_number(char *buf, size_t size, double v, int width);
/* The same for people alone: what does not fit whole has a prefix and three or four digits, "541k",
 * "1.07M". */
const char *format_si(char *buf, size_t size, double v, int width);
/* Numbers of people have at most four digits; from here on they need a prefix. */
#define PEOPLE_MAX 9999.5
/* The same with at most four digits: "28.98", "1050", "33.79k". */
const char *format_people(char *buf, size_t size, double v, int width);
/* Returns the display columns of a UTF-8 string in the current locale; each byte that does not
 * decode counts as one column. */
int format_columns(const char *s);
/* Returns the length in bytes of the longest prefix of s that fits into columns. */
size_t format_clip(const char *s, int columns);
/* Returns the length of the longest beginning of a sentence that fits into columns and ends where a
 * bracket opens, at a semicolon or at a comma; 0 where that would be less than a third of them. */
size_t format_clause(const char *s, int columns);
/* Adds s, then blanks up to a width. */
void format_padded(struct strbuf *out, const char *s, int width);
