/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of keys, and the command that the table gives them. */
#include "config.h"

#include "ui/draw/keys.h"

#include <string.h>

#include "base/i18n.h"
#include "base/mem.h"
#include "base/parse.h"
#include "ui/draw/text.h"

static const struct {
	const char *name;
	enum key_code code;
	uint32_t ch;
} named_keys[] = {
	{ N_("Space"), KEY_CHAR, ' ' },
	{ N_("Up"), KEY_UP_, 0 },
	{ N_("Down"), KEY_DOWN_, 0 },
	{ N_("Left"), KEY_LEFT_, 0 },
	{ N_("Right"), KEY_RIGHT_, 0 },
	{ "PgUp", KEY_PAGE_UP_, 0 },
	{ "PgDn", KEY_PAGE_DOWN_, 0 },
	{ "Home", KEY_HOME_, 0 },
	{ "End", KEY_END_, 0 },
	{ "Tab", KEY_TAB_, 0 },
	{ "S-Tab", KEY_BACK_TAB_, 0 },
	{ "Enter", KEY_ENTER_, 0 },
	{ "Esc", KEY_ESC_, 0 },
	{ "Backspace", KEY_BACKSPACE_, 0 },
	{ "EOF", KEY_EOF_, 0 },
	{ "Click", KEY_MOUSE_, 1 },
	{ "WheelUp", KEY_MOUSE_, 4 },
	{ "WheelDown", KEY_MOUSE_, 5 },
};

bool key_parse(const char *name, struct key_event *out)
{
	const char *p = name;
	uint64_t n;

	*out = (struct key_event){ 0 };
	for (size_t i = 0; i < ARRAY_LEN(named_keys); i++)
		if (*name == *named_keys[i].name && !strcmp(name, named_keys[i].name)) {
			out->code = named_keys[i].code;
			out->ch = named_keys[i].ch;
			return true;
		}
	if (name[0] == 'F' && parse_u64_range(name + 1, 1, 12, &n)) {
		out->code = KEY_FUNCTION;
		out->ch = (uint32_t)n;
		return true;
	}
	if (name[0] == '^' && name[1] >= '@' && name[1] <= '_' && !name[2]) {
		out->code = KEY_CTRL;
		out->ch = (unsigned char)name[1];
		return true;
	}
	uint32_t ch = text_next(&p);
	if (ch <= ' ' || ch == 0x7f || *p)
		return false;
	out->code = KEY_CHAR;
	out->ch = ch;
	return true;
}

/* The next key of a command that fits into buf. False: there is none. */
static bool next_key(const char **keys, struct key_event *k, char *buf, size_t size)
{
	const char *word;
	size_t len;

	while (parse_word(keys, &word, &len)) {
		if (len >= size)
			continue;
		memcpy(buf, word, len);
		buf[len] = '\0';
		if (key_parse(buf, k))
			return true;
	}
	buf[0] = '\0';
	return false;
}

static bool has_key(const struct command_info *info, const struct key_event *k)
{
	const char *keys = info->keys;
	struct key_event e;
	char name[16];

	while (next_key(&keys, &e, name, sizeof(name)))
		if (e.code == k->code && e.ch == k->ch)
			return true;
	return false;
}

enum command key_command(const struct key_event *k)
{
	for (int i = 0; i < CMD_COUNT - 1; i++)
		if (has_key(&command_table[i], k))
			return command_table[i].id;
	return CMD_NONE;
}

const char *key_of_command(enum command cmd, bool function, char *buf, size_t size)
{
	const char *keys = command_info(cmd)->keys;
	struct key_event k;

	while (next_key(&keys, &k, buf, size))
		if ((k.code == KEY_FUNCTION) == function)
			break;
	return buf;
}

const char *key_letter_of(enum command cmd, char *buf, size_t size)
{
	const char *keys = command_info(cmd)->keys;
	struct key_event k;

	while (next_key(&keys, &k, buf, size))
		if (k.code == KEY_CHAR && !(k.ch >= '0' && k.ch <= '9'))
			break;
	return buf;
}
