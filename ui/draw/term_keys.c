/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys and reports of the mouse from the bytes that a terminal sends. */
#include "config.h"

#include "ui/draw/term_keys.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/mem.h"

#define ESC '\033'

/* Parts of the button byte of a mouse report: xterm's "Mouse Tracking". */
#define MOUSE_BUTTON 0x43
#define MOUSE_WHEEL 0x40
#define MOUSE_MOTION 0x20

static struct key_event key_of_char(uint32_t ch)
{
	if (ch == '\r' || ch == '\n')
		return (struct key_event){ .code = KEY_ENTER_ };
	if (ch == '\t')
		return (struct key_event){ .code = KEY_TAB_ };
	if (ch == ESC)
		return (struct key_event){ .code = KEY_ESC_ };
	if (ch == 0x7f || ch == '\b')
		return (struct key_event){ .code = KEY_BACKSPACE_ };
	if (ch < ' ')
		return (struct key_event){ .code = KEY_CTRL, .ch = ch + '@' };
	return (struct key_event){ .code = KEY_CHAR, .ch = ch };
}

static size_t decode_char(const char *bytes, size_t n, struct key_event *out)
{
	mbstate_t state = { 0 };
	wchar_t ch;
	size_t len = mbrtowc(&ch, bytes, n, &state);

	if (len == (size_t)-2)
		return 0;
	if (len == (size_t)-1)
		return 1;
	*out = key_of_char((uint32_t)ch);
	return len ? len : 1;
}

/* x and y count from 1. */
static struct key_event key_of_mouse(unsigned button, unsigned x, unsigned y)
{
	struct key_event k = { .code = KEY_MOUSE_, .x = (int)x - 1, .y = (int)y - 1 };
	unsigned which = button & MOUSE_BUTTON;

	if (button & MOUSE_MOTION || (which > 0 && which < MOUSE_WHEEL) ||
		which > (MOUSE_WHEEL | 1) || x < 1 || y < 1)
		return (struct key_event){ .code = KEY_NONE_ };
	k.ch = 1;
	if (which & MOUSE_WHEEL)
		k.ch = 4 + (which & 1);
	return k;
}

/* "\033[<BUTTON;X;YM", with 'm' for a button that was let go. */
static struct key_event key_of_report(const char *bytes, size_t n)
{
	unsigned long part[3] = { 0 };
	int i = 0;

	for (size_t at = 3; at < n - 1 && i < 3; at++) {
		if (bytes[at] == ';')
			i++;
		else
			part[i] = (part[i] * 10 + (unsigned long)(bytes[at] - '0')) % 100000;
	}
	if (bytes[n - 1] != 'M' || i != 2)
		return (struct key_event){ .code = KEY_NONE_ };
	return key_of_mouse((unsigned)part[0], (unsigned)part[1], (unsigned)part[2]);
}

/* Terminals agree on these whatever their description says, in both modes of the keypad. */
static struct key_event key_of_final(char final)
{
	static const struct {
		char final;
		enum key_code code;
	} rows[] = {
		{ 'A', KEY_UP_ },
		{ 'B', KEY_DOWN_ },
		{ 'C', KEY_RIGHT_ },
		{ 'D', KEY_LEFT_ },
		{ 'H', KEY_HOME_ },
		{ 'F', KEY_END_ },
		{ 'Z', KEY_BACK_TAB_ },
		{ 'M', KEY_ENTER_ },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].final == final)
			return (struct key_event){ .code = rows[i].code };
	if (final >= 'P' && final <= 'S')
		return (struct key_event){ .code = KEY_FUNCTION, .ch = (uint32_t) final - 'P' + 1 };
	return (struct key_event){ .code = KEY_NONE_ };
}

/* "\033[NUMBER~" */
static struct key_event key_of_number(int number)
{
	static const struct {
		int number;
		enum key_code code;
		uint32_t ch;
	} rows[] = {
		{ 1, KEY_HOME_, 0 },
		{ 4, KEY_END_, 0 },
		{ 5, KEY_PAGE_UP_, 0 },
		{ 6, KEY_PAGE_DOWN_, 0 },
		{ 7, KEY_HOME_, 0 },
		{ 8, KEY_END_, 0 },
		{ 11, KEY_FUNCTION, 1 },
		{ 12, KEY_FUNCTION, 2 },
		{ 13, KEY_FUNCTION, 3 },
		{ 14, KEY_FUNCTION, 4 },
		{ 15, KEY_FUNCTION, 5 },
		{ 17, KEY_FUNCTION, 6 },
		{ 18, KEY_FUNCTION, 7 },
		{ 19, KEY_FUNCTION, 8 },
		{ 20, KEY_FUNCTION, 9 },
		{ 21, KEY_FUNCTION, 10 },
		{ 23, KEY_FUNCTION, 11 },
		{ 24, KEY_FUNCTION, 12 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].number == number)
			return (struct key_event){ .code = rows[i].code, .ch = rows[i].ch };
	return (struct key_event){ .code = KEY_NONE_ };
}

/* bytes begin with "\033[". */
static size_t decode_csi(const char *bytes, size_t n, struct key_event *out)
{
	size_t at = 2;

	if (n > 2 && bytes[2] == 'M') { /* three bytes, each with 32 added */
		const unsigned char *report = (const unsigned char *)bytes + 3;

		if (n >= 6)
			*out = key_of_mouse(report[0] - 32u, report[1] - 32u, report[2] - 32u);
		return n >= 6 ? 6 : 0;
	}
	while (at < n && bytes[at] >= ' ' && bytes[at] < '@')
		at++;
	if (at == n)
		return 0;
	if (bytes[at] < ' ' || bytes[at] > '~')
		return at; /* broken off: the byte begins something else */
	at++;
	if (bytes[2] == '<')
		*out = key_of_report(bytes, at);
	else if (bytes[at - 1] == '~')
		*out = key_of_number(atoi(bytes + 2));
	else if (at == 3)
		*out = key_of_final(bytes[2]);
	return at;
}

size_t term_key_decode(
	const struct term_key *keys, const char *bytes, size_t n, struct key_event *out)
{
	bool more = false;

	*out = (struct key_event){ .code = KEY_NONE_ };
	for (const struct term_key *k = keys; k->event.code != KEY_NONE_; k++) {
		size_t len = k->bytes ? strlen(k->bytes) : 0;

		if (!len || memcmp(k->bytes, bytes, len < n ? len : n) != 0)
			continue;
		if (len <= n) {
			*out = k->event;
			return len;
		}
		more = true;
	}
	if (bytes[0] != ESC)
		return more ? 0 : decode_char(bytes, n, out);
	if (n == 1)
		return 0;
	if (bytes[1] == '[')
		return decode_csi(bytes, n, out);
	if (bytes[1] == 'O') {
		if (n > 2)
			*out = key_of_final(bytes[2]);
		return n > 2 ? 3 : 0;
	}
	out->code = KEY_ESC_;
	return 1;
}

size_t term_key_cut(const char *bytes, size_t n, struct key_event *out)
{
	*out = (struct key_event){ .code = KEY_NONE_ };
	if (bytes[0] == ESC && n <= 2) {
		out->code = KEY_ESC_;
		return 1;
	}
	return n;
}
