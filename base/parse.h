/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strict text-to-number conversion: the whole string must be used and in range, or false. C locale
 * always. */
#ifndef BASE_PARSE_H
#define BASE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal, or hexadecimal with 0x. No sign, no blanks. */
bool parse_u64(const char *s, uint64_t *out);
/* The same, and from min to max, both included. */
bool parse_u64_range(const char *s, uint64_t min, uint64_t max, uint64_t *out);
/* Hexadecimal digits with or without 0x. */
bool parse_hex(const char *s, uint64_t *out);
/* A finite decimal number. */
bool parse_double(const char *s, double *out);
/* Seconds as "0.5", "2", or with a unit, also behind one blank, "500ms", "10us", "2 s", "1m";
 * result in ns, > 0. */
bool parse_duration_ns(const char *s, int64_t *out);
/* Next blank-separated word of *s as pointer and length; advances *s; false at the end of the
 * string. */
bool parse_word(const char **s, const char **word, size_t *len);
/* Takes the next part before separator, or up to the end, off *s into buf; false when it is empty
 * or too long. */
bool parse_until(const char **s, char separator, char *buf, size_t size);
/* The value of the first "key=value" of a list into buf, cut to its size; false when there is
 * none. */
bool parse_pair(const char *list, char separator, const char *key, char *buf, size_t size);

#endif
