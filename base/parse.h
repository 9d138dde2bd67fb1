/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strict text-to-number conversion: false unless the whole string is used and in range. Always in
 * the C locale. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parses decimal, or hexadecimal with 0x. No sign and no blanks are allowed. */
bool parse_u64(const char *s, uint64_t *out);
/* The same, for numbers from min to max, both included. */
bool parse_u64_range(const char *s, uint64_t min, uint64_t max, uint64_t *out);
/* Parses hexadecimal digits with or without 0x. */
bool parse_hex(const char *s, uint64_t *out);
/* Parses a finite decimal number. */
bool parse_double(const char *s, double *out);
/* Parses seconds as "0.5", "2", or a number with a unit, also after one blank: "500ms", "10us", "2
 * s", "1m". The result is in ns, > 0. */
bool parse_duration_ns(const char *s, int64_t *out);
/* Takes the next word between blanks of *s as pointer and length and advances *s; returns false at
 * the end of the string. */
bool parse_word(const char **s, const char **word, size_t *len);
/* Takes the next part of *s, up to separator or the end, into buf; returns false when it is empty
 * or too long. */
bool parse_until(const char **s, char separator, char *buf, size_t size);
/* Writes the value of the first "key=value" of a list to buf, cut to its size; returns false when
 * there is none. */
bool parse_pair(const char *list, char separator, const char *key, char *buf, size_t size);
