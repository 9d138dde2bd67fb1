/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A growing string, and the three ways to write a value into a file: JSON, CSV and round-trip
 * numbers. */
#include "config.h"

#include "base/strbuf.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/numeric.h"
#include "base/utf8.h"

/* Makes room for extra bytes and the NUL. */
static void make_room(struct strbuf *b, size_t extra)
{
	size_t need = b->len + extra + 1, cap = b->cap;

	if (need <= cap)
		return;
	cap = cap ? cap : 32;
	while (cap < need && cap <= SIZE_MAX / 2)
		cap *= 2;
	if (cap < need)
		cap = need;
	b->s = xreallocarray(b->s, cap, 1);
	b->cap = cap;
	b->s[b->len] = '\0';
}

void strbuf_release(struct strbuf *b)
{
	if (!b)
		return;
	free(b->s);
	*b = (struct strbuf){ 0 };
}

void strbuf_cut(struct strbuf *b, size_t len)
{
	b->len = len;
	if (b->s)
		b->s[len] = '\0';
}

void strbuf_clear(struct strbuf *b)
{
	strbuf_cut(b, 0);
}

void strbuf_add(struct strbuf *b, const char *s)
{
	strbuf_addn(b, s, strlen(s));
}

void strbuf_add_word(struct strbuf *b, const char *sep, const char *word)
{
	if (b->len > 0)
		strbuf_add(b, sep);
	strbuf_add(b, word);
}

void strbuf_addn(struct strbuf *b, const char *s, size_t n)
{
	make_room(b, n);
	if (n)
		memcpy(b->s + b->len, s, n);
	b->len += n;
	b->s[b->len] = '\0';
}

void strbuf_addc(struct strbuf *b, char c)
{
	if (b->len + 2 > b->cap)
		make_room(b, 1);
	b->s[b->len++] = c;
	b->s[b->len] = '\0';
}

void strbuf_addf(struct strbuf *b, const char *fmt, ...)
{
	va_list ap;

	make_room(b, 0);
	size_t room = b->cap - b->len;
	va_start(ap, fmt);
	int n = vsnprintf(b->s + b->len, room, fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n >= room) {
		make_room(b, (size_t)n);
		va_start(ap, fmt);
		n = vsnprintf(b->s + b->len, (size_t)n + 1, fmt, ap);
		va_end(ap);
	}
	if (n >= 0)
		b->len += (size_t)n;
	else
		b->s[b->len] = '\0';
}

void strbuf_add_json(struct strbuf *b, const char *s)
{
	strbuf_addc(b, '"');
	while (*s) {
		unsigned char c = (unsigned char)*s;
		uint32_t code;
		size_t len = utf8_decode(s, &code);

		if (len == 0) {
			strbuf_add(b, "\xef\xbf\xbd");
			s++;
			continue;
		}
		if (c == '"' || c == '\\')
			strbuf_addf(b, "\\%c", c);
		else if (c == '\n')
			strbuf_add(b, "\\n");
		else if (c == '\t')
			strbuf_add(b, "\\t");
		else if (c < 0x20 || c == 0x7f)
			strbuf_addf(b, "\\u%04x", c);
		else
			strbuf_addn(b, s, len);
		s += len;
	}
	strbuf_addc(b, '"');
}

void strbuf_add_csv(struct strbuf *b, const char *s)
{
	if (!strpbrk(s, ",\"\r\n")) {
		strbuf_add(b, s);
		return;
	}
	strbuf_addc(b, '"');
	for (; *s; s++) {
		if (*s == '"')
			strbuf_addc(b, '"');
		strbuf_addc(b, *s);
	}
	strbuf_addc(b, '"');
}

void strbuf_add_xml(struct strbuf *b, const char *s)
{
	uint32_t code;

	for (size_t len; *s; s += len + !len) {
		len = utf8_decode(s, &code);
		if (*s == '&')
			strbuf_add(b, "&amp;");
		else if (*s == '<')
			strbuf_add(b, "&lt;");
		else if (*s == '"')
			strbuf_add(b, "&quot;");
		else if (!len || (code < ' ' && !strchr("\n\t", *s)))
			strbuf_addc(b, '?');
		else
			strbuf_addn(b, s, len);
	}
}

void strbuf_add_double(struct strbuf *b, double v)
{
	char text[40];

	if (!isfinite(v)) {
		strbuf_add(b, "null");
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		numeric_print(text, sizeof(text), "%.*g", digits, v);
		if (digits == 17 || numeric_scan(text, NULL) == v)
			break;
	}
	strbuf_add(b, text);
}

char *strbuf_take(struct strbuf *b)
{
	make_room(b, 0);
	char *s = xreallocarray(b->s, b->len + 1, 1);
	*b = (struct strbuf){ 0 };
	return s;
}

const char *strbuf_str(const struct strbuf *b)
{
	return b->s ? b->s : "";
}
