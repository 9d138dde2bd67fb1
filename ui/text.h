/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text as code points and columns: bytes that are not UTF-8 become U+FFFD, one column each. */
#ifndef UI_TEXT_H
#define UI_TEXT_H

#include <stdint.h>

/* Decodes one code point of a NUL-terminated string and advances *s; 0 at the end. */
uint32_t text_next(const char **s);
/* Encodes into buf (at least 5 bytes, NUL terminated); returns the length. */
int text_encode(char *buf, uint32_t ch);
/* Columns of a code point: 0 combining, 1 or 2; -1 when it cannot be shown (control characters,
 * unknown to the locale). */
int text_columns(uint32_t ch);

#endif
