/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a line of text at the bottom of the screen. */
#include "config.h"

#include "ui/draw/prompt.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ui/draw/text.h"

void prompt_open(struct prompt *p, enum prompt_kind kind, const char *label, const char *text)
{
	*p = (struct prompt){ .kind = kind };
	snprintf(p->label, sizeof(p->label), "%s", label);
	snprintf(p->text, sizeof(p->text), "%s", text);
}

void prompt_ask(struct prompt *p, const struct prompt_answer *answers, int n, const char *fmt, ...)
{
	va_list ap;

	*p = (struct prompt){ .kind = PROMPT_QUESTION, .answers = answers, .n_answers = n };
	va_start(ap, fmt);
	vsnprintf(p->label, sizeof(p->label), fmt, ap);
	va_end(ap);
}

static bool add_char(struct prompt *p, uint32_t ch)
{
	char utf8[8];
	size_t len = strlen(p->text), add = (size_t)text_encode(utf8, ch);

	if (text_columns(ch) < 1 || len + add >= sizeof(p->text))
		return false;
	memcpy(p->text + len, utf8, add + 1);
	return true;
}

/* A whole code point. */
static bool remove_char(struct prompt *p)
{
	size_t len = strlen(p->text);

	if (!len)
		return false;
	do
		len--;
	while (len && ((unsigned char)p->text[len] & 0xc0) == 0x80);
	p->text[len] = '\0';
	return true;
}

enum prompt_result prompt_key(struct prompt *p, const struct key_event *k, enum command *answer)
{
	*answer = CMD_NONE;
	if (p->kind == PROMPT_QUESTION) {
		p->kind = PROMPT_NONE;
		for (int i = 0; k->code == KEY_CHAR && i < p->n_answers; i++) {
			if (k->ch != (uint32_t)p->answers[i].key)
				continue;
			*answer = p->answers[i].command;
			return PROMPT_ENTERED;
		}
		return PROMPT_LEFT;
	}
	switch (k->code) {
	case KEY_CHAR:
		return add_char(p, k->ch) ? PROMPT_CHANGED : PROMPT_GOES_ON;
	case KEY_BACKSPACE_:
		return remove_char(p) ? PROMPT_CHANGED : PROMPT_GOES_ON;
	case KEY_CTRL:
		if (k->ch != 'U' && k->ch != 'C')
			return PROMPT_GOES_ON;
		p->text[0] = '\0';
		if (k->ch == 'U')
			return PROMPT_CHANGED;
		p->kind = PROMPT_NONE;
		return PROMPT_LEFT;
	case KEY_ENTER_:
		*answer = p->command;
		p->kind = PROMPT_NONE;
		return PROMPT_ENTERED;
	case KEY_ESC_:
		p->kind = PROMPT_NONE;
		return PROMPT_LEFT;
	default:
		return PROMPT_GOES_ON;
	}
}
