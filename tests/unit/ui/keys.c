/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of keys, and the table's keys: all known, none used twice, every function key
 * with a letter. */
#include "config.h"

#include "ui/draw/keys.h"

#include <locale.h>

#include "base/mem.h"
#include "base/parse.h"
#include "tests/tap.h"

static void test_names(void)
{
	static const struct {
		const char *name;
		enum key_code code;
		uint32_t ch;
	} rows[] = {
		{ "a", KEY_CHAR, 'a' }, { "Z", KEY_CHAR, 'Z' }, { "?", KEY_CHAR, '?' }, { "^", KEY_CHAR, '^' }, { "F", KEY_CHAR, 'F' },
		{ "\xc3\xa4", KEY_CHAR, 0xe4 }, { "Space", KEY_CHAR, ' ' }, { "^L", KEY_CTRL, 'L' }, { "^C", KEY_CTRL, 'C' },
		{ "F1", KEY_FUNCTION, 1 }, { "F10", KEY_FUNCTION, 10 }, { "F12", KEY_FUNCTION, 12 }, { "Enter", KEY_ENTER_, 0 },
		{ "S-Tab", KEY_BACK_TAB_, 0 }, { "Tab", KEY_TAB_, 0 }, { "PgUp", KEY_PAGE_UP_, 0 }, { "Esc", KEY_ESC_, 0 },
		{ "Home", KEY_HOME_, 0 }, { "EOF", KEY_EOF_, 0 }, { "WheelUp", KEY_MOUSE_, 4 },
	};
	static const char *const unknown[] = { "", "F0", "F13", "F1x", "^", "^l", "^LL", "ab",
		"space", " ", "\x80\x80", "\x1b", "^\xc3\xa4" };
	struct key_event k;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		ok(key_parse(rows[i].name, &k) && k.code == rows[i].code && k.ch == rows[i].ch,
			"'%s' is known", rows[i].name);
	for (size_t i = 0; i < ARRAY_LEN(unknown); i++)
		if (strcmp(unknown[i], "^"))
			ok(!key_parse(unknown[i], &k), "'%s' is no key", unknown[i]);
}

struct used {
	char name[128][16];
	int n;
};

static bool used_before(struct used *u, const char *name)
{
	for (int i = 0; i < u->n; i++)
		if (!strcmp(u->name[i], name))
			return true;
	snprintf(u->name[u->n++], sizeof(u->name[0]), "%s", name);
	return false;
}

/* Checks the keys of one command; returns 1 for a function key without a letter beside it. */
static int check_command(const struct command_info *info, struct used *used)
{
	const char *p = info->keys, *word;
	bool function = false, other = false;
	struct key_event k;
	char name[16];
	size_t len;

	while (parse_word(&p, &word, &len)) {
		snprintf(name, sizeof(name), "%.*s", (int)len, word);
		if (!ok(key_parse(name, &k), "%s: key '%s' is known", info->name, name))
			continue;
		is_int(key_command(&k), info->id,
			"%s: '%s' leads to it", info->name, name);
		ok(!used_before(used, name),
			"%s: '%s' belongs to nothing else", info->name, name);
		function |= k.code == KEY_FUNCTION;
		other |= k.code != KEY_FUNCTION;
	}
	return function && !other;
}

int main(void)
{
	struct key_event k = { .code = KEY_CHAR, .ch = 0x2603 };
	struct used used = { .n = 0 };
	int lonely = 0;

	setlocale(LC_ALL, "");
	test_names();
	for (int i = 0; i < CMD_COUNT - 1; i++)
		lonely += check_command(&command_table[i], &used);
	is_int(lonely, 0, "every function key has a letter for terminals that keep theirs");
	is_int(key_command(&k), CMD_NONE, "a key without a command is none");
	return done_testing();
}
