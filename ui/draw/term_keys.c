/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys and reports of the mouse from the bytes that a terminal sends. */
#include "config.h"

#include "ui/draw/term.h"

#include <stdbool.h>
#include <string.h>
#include <wchar.h>

#include "base/mem.h"

#define ESC '\033'

/* Parts of the button byte of a mouse report: xterm's "Mouse Tracking". */
#define MOUSE_BUTTON 0x43
#define MOUSE_WHEEL 0x40
#define MOUSE_MOTION 0x20

/* What a key is called in terminfo(5), and what follows Esc and [ or O for it on most terminals. */
static const struct {
	const char *capability, *tail;
	enum key_code code;
	uint32_t ch;
} rows[TERM_KEYS] = {
	{ "kcuu1", "A", KEY_UP_, 0 },
	{ "kcud1", "B", KEY_DOWN_, 0 },
	{ "kcub1", "D", KEY_LEFT_, 0 },
	{ "kcuf1", "C", KEY_RIGHT_, 0 },
	{ "kpp", "5~", KEY_PAGE_UP_, 0 },
	{ "knp", "6~", KEY_PAGE_DOWN_, 0 },
	{ "khome", "H", KEY_HOME_, 0 },
	{ "kfnd", "1~", KEY_HOME_, 0 },
	{ NULL, "7~", KEY_HOME_, 0 },
	{ "kend", "F", KEY_END_, 0 },
	{ "kslt", "4~", KEY_END_, 0 },
	{ NULL, "8~", KEY_END_, 0 },
	{ "kcbt", "Z", KEY_BACK_TAB_, 0 },
	{ "kent", "M", KEY_ENTER_, 0 },
	{ "kbs", NULL, KEY_BACKSPACE_, 0 },
	{ "kf1", "P", KEY_FUNCTION, 1 },
	{ "kf2", "Q", KEY_FUNCTION, 2 },
	{ "kf3", "R", KEY_FUNCTION, 3 },
	{ "kf4", "S", KEY_FUNCTION, 4 },
	{ "kf5", "15~", KEY_FUNCTION, 5 },
	{ "kf6", "17~", KEY_FUNCTION, 6 },
	{ "kf7", "18~", KEY_FUNCTION, 7 },
	{ "kf8", "19~", KEY_FUNCTION, 8 },
	{ "kf9", "20~", KEY_FUNCTION, 9 },
	{ "kf10", "21~", KEY_FUNCTION, 10 },
	{ "kf11", "23~", KEY_FUNCTION, 11 },
	{ "kf12", "24~", KEY_FUNCTION, 12 },
	{ NULL, "11~", KEY_FUNCTION, 1 },
	{ NULL, "12~", KEY_FUNCTION, 2 },
	{ NULL, "13~", KEY_FUNCTION, 3 },
	{ NULL, "14~", KEY_FUNCTION, 4 },
};

void term_keys_find(struct term_keys *keys, const char *(*string)(const char *name))
{
	for (size_t i = 0; i < TERM_KEYS; i++)
		keys->bytes[i] = rows[i].capability ? string(rows[i].capability) : NULL;
}

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

/* The event of what follows "\033[" or "\033O"; terminals agree on these whatever they describe. */
static struct key_event key_of_tail(const char *tail, size_t n)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].tail && strlen(rows[i].tail) == n && !memcmp(rows[i].tail, tail, n))
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
	else
		*out = key_of_tail(bytes + 2, at - 2);
	return at;
}

size_t term_key_decode(
	const struct term_keys *keys, const char *bytes, size_t n, struct key_event *out)
{
	bool more = false;

	*out = (struct key_event){ .code = KEY_NONE_ };
	for (size_t i = 0; i < TERM_KEYS; i++) {
		size_t len = keys->bytes[i] ? strlen(keys->bytes[i]) : 0;

		if (!len || memcmp(keys->bytes[i], bytes, len < n ? len : n) != 0)
			continue;
		if (len <= n) {
			*out = (struct key_event){ .code = rows[i].code, .ch = rows[i].ch };
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
			*out = key_of_tail(bytes + 2, 1);
		return n > 2 ? 3 : 0;
	}
	out->code = KEY_ESC_;
	return 1;
}

/* Esc alone is a key, and most terminals send a sequence in one piece; lines may be slow. */
int term_key_wait_ms(const char *bytes, size_t n)
{
	return n == 1 && bytes[0] == ESC ? 25 : 250;
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
