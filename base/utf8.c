/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes UTF-8 without asking the locale. */
#include "config.h"

#include "base/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

size_t utf8_decode(const char *s, uint32_t *code)
{
	/* For each length: how the first byte looks, and the smallest code that needs so many
	 * bytes. */
	static const struct {
		unsigned char mask, lead;
		uint32_t min;
	} forms[] = {
		{ 0x80, 0x00, 0 },
		{ 0xe0, 0xc0, 0x80 },
		{ 0xf0, 0xe0, 0x800 },
		{ 0xf8, 0xf0, 0x10000 },
	};
	const unsigned char *p = (const unsigned char *)s;
	size_t len;

	for (len = 1; len <= 4; len++) {
		if ((p[0] & forms[len - 1].mask) == forms[len - 1].lead)
			break;
	}
	if (len > 4)
		return 0;
	uint32_t c = p[0] & (unsigned char)~forms[len - 1].mask;
	for (size_t i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < forms[len - 1].min || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*code = c;
	return len;
}

void utf8_make_plain(char *s, const char *allowed)
{
	for (unsigned char *at = (unsigned char *)s; *at; at++) {
		/* Terminals take U+0080 to U+009F for such signs, too. */
		bool is_c1 = at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0;

		if (is_c1 || (*at < ' ' && !strchr(allowed, *at)) || *at == 0x7f)
			*at = '?';
		if (is_c1)
			at[1] = '?';
	}
}

void utf8_copy_plain(char *to, size_t size, const char *from, size_t from_size)
{
	snprintf(to, size, "%.*s", (int)strnlen(from, from_size), from);
	utf8_make_plain(to, "");
}
