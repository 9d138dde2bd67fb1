/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text is taken as code points and columns: each byte that is not UTF-8 becomes U+FFFD, one column
 * wide. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes one code point of a NUL-terminated string and advances *s; returns 0 at the end. */
uint32_t text_next(const char **s);
/* Encodes into buf (at least 5 bytes, NUL terminated); returns the length. */
int text_encode(char *buf, uint32_t ch);
/* Returns the columns of a code point: 0 when it combines, 1 or 2; -1 when it cannot be shown
 * (control characters, and what the locale does not know). */
int text_columns(uint32_t ch);
/* Whether a code point is printable ASCII, as most are: one byte, one column. */
static inline bool text_is_plain(uint32_t ch)
{
	return ch >= ' ' && ch <= '~';
}

/* Our own glyphs (box drawing, blocks, geometric shapes, braille) are narrow in every locale. */
static inline bool text_is_narrow(uint32_t ch)
{
	return text_is_plain(ch) || (ch >= 0x2500 && ch <= 0x25ff) ||
		(ch >= 0x2800 && ch <= 0x28ff);
}

/* Writes the word that tells a device from others: the first of its name that has a digit and three
 * letters or more ("A770", "H100", "620"), else the last one. Returns buf. */
const char *text_model(const char *name, char *buf, size_t size);
