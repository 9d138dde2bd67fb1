/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes UTF-8 without asking the locale. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Reads the character at s and returns its length in bytes, 1 to 4, or 0 when the bytes are not
 * valid UTF-8 (overlong forms, surrogates and codes above U+10FFFF are not). s is NUL terminated;
 * the NUL itself decodes to 0 with length 1. */
size_t utf8_decode(const char *s, uint32_t *code);
/* Makes signs that command a terminal question marks, but for those that are allowed. */
void utf8_make_plain(char *s, const char *allowed);
/* Copies text of a file or of another program, and makes it plain. */
void utf8_copy_plain(char *to, size_t size, const char *from, size_t from_size);
