/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing string. A zero-initialised struct is valid and empty; s is NUL terminated as soon as
 * text was added. */
#pragma once

#include <stddef.h>

struct strbuf {
	char *s;
	size_t len, cap;
};

void strbuf_release(struct strbuf *b);
void strbuf_clear(struct strbuf *b);
/* These append; the text stays NUL terminated. */
void strbuf_add(struct strbuf *b, const char *s);
void strbuf_addn(struct strbuf *b, const char *s, size_t n);
void strbuf_addc(struct strbuf *b, char c);
void strbuf_addf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Adds a word of a list: sep stands before it, unless b is empty. */
void strbuf_add_word(struct strbuf *b, const char *sep, const char *word);
/* Adds s as a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void strbuf_add_json(struct strbuf *b, const char *s);
/* Adds s as a CSV field, quoted only where RFC 4180 asks for it. */
void strbuf_add_csv(struct strbuf *b, const char *s);
/* Adds s as the content of an XML element or attribute; what XML does not allow becomes '?'. */
void strbuf_add_xml(struct strbuf *b, const char *s);
/* Adds the shortest decimal text that reads back as the same double; "null" when it is not finite.
 * Always in the C locale. */
void strbuf_add_double(struct strbuf *b, double v);
/* Removes what was added after the first len bytes. */
void strbuf_cut(struct strbuf *b, size_t len);
/* Hands the heap string over (never NULL) and leaves b empty. */
char *strbuf_take(struct strbuf *b);
/* Returns the text, or "" when nothing was ever added. */
const char *strbuf_str(const struct strbuf *b);
