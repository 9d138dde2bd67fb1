/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and text of fixed display width. Always the C locale's decimal point. */
#ifndef BASE_FORMAT_H
#define BASE_FORMAT_H

#include <stddef.h>

#include "base/strbuf.h"

/* v in at most width columns, most digits that fit up to three decimals: 4 -> "97.0", "1.05",
 * "9999", "12e3". Not right-aligned; "--" for NAN. Returns buf. */
const char *format_number(char *buf, size_t size, double v, int width);
/* Display columns of a UTF-8 string in the current locale; bytes that do not decode count one
 * column each. */
int format_columns(const char *s);
/* Length in bytes of the longest prefix of s that fits into columns. */
size_t format_clip(const char *s, int columns);
/* Adds s, and blanks up to a width. */
void format_padded(struct strbuf *out, const char *s, int width);

#endif
