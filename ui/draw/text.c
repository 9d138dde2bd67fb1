/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes and encodes code points, and knows how wide they are. */
#include "config.h"

#include "ui/draw/text.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "base/utf8.h"

#define REPLACEMENT 0xfffd

uint32_t text_next(const char **s)
{
	uint32_t ch = REPLACEMENT;
	size_t len = utf8_decode(*s, &ch);

	if (len == 0) {
		ch = REPLACEMENT;
		len = 1;
	}
	if (**s)
		*s += len;
	return ch;
}

int text_encode(char *buf, uint32_t ch)
{
	int n = 0;

	if (ch > 0x10ffff || (ch >= 0xd800 && ch <= 0xdfff))
		ch = REPLACEMENT;
	if (ch < 0x80) {
		buf[n++] = (char)ch;
	} else if (ch < 0x800) {
		buf[n++] = (char)(0xc0 | ch >> 6);
		buf[n++] = (char)(0x80 | (ch & 0x3f));
	} else if (ch < 0x10000) {
		buf[n++] = (char)(0xe0 | ch >> 12);
		buf[n++] = (char)(0x80 | (ch >> 6 & 0x3f));
		buf[n++] = (char)(0x80 | (ch & 0x3f));
	} else {
		buf[n++] = (char)(0xf0 | ch >> 18);
		buf[n++] = (char)(0x80 | (ch >> 12 & 0x3f));
		buf[n++] = (char)(0x80 | (ch >> 6 & 0x3f));
		buf[n++] = (char)(0x80 | (ch & 0x3f));
	}
	buf[n] = '\0';
	return n;
}

int text_columns(uint32_t ch)
{
	if (text_is_narrow(ch) || ch == REPLACEMENT)
		return 1;
	return wcwidth((wchar_t)ch);
}

const char *text_model(const char *name, char *buf, size_t size)
{
	const char *word = name, *found = NULL;

	for (; *word && !found; word += strspn(word, " ")) {
		size_t n = strcspn(word, " ");

		if (n >= 3 && strcspn(word, "0123456789") < n)
			found = word;
		word += n;
	}
	if (!found)
		found = strrchr(name, ' ') ? strrchr(name, ' ') + 1 : name;
	snprintf(buf, size, "%.*s", (int)strcspn(found, " "), found);
	return buf;
}
