/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys as names, and names as commands. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/draw/key_commands.h"

enum key_code {
	KEY_NONE_ = 0,
	KEY_CHAR, /* ch holds the code point; control characters arrive as KEY_CTRL */
	KEY_CTRL, /* ch is the letter, upper case: ^C is {KEY_CTRL, 'C'} */
	KEY_UP_,
	KEY_DOWN_,
	KEY_LEFT_,
	KEY_RIGHT_,
	KEY_PAGE_UP_,
	KEY_PAGE_DOWN_,
	KEY_HOME_,
	KEY_END_,
	KEY_TAB_,
	KEY_BACK_TAB_,
	KEY_ENTER_,
	KEY_ESC_,
	KEY_BACKSPACE_,
	KEY_FUNCTION, /* ch is 1 to 12 */
	KEY_EOF_,
	KEY_MOUSE_, /* x, y: cell; ch: 1 left click, 4 wheel up, 5 wheel down */
};

struct key_event {
	enum key_code code;
	uint32_t ch;
	int x, y;
};

/* "Enter", "^L", "F10", "S-Tab", "Space", "a": as command.h writes them. False when the name is
 * unknown. */
bool key_parse(const char *name, struct key_event *out);
/* Looks in the table of ui/draw/key_commands.h; CMD_NONE when no command has this key. */
enum command key_command(const struct key_event *k);
/* The first function key of a command, or the first of its other keys; "" when it has none. Returns
 * buf. */
const char *key_of_command(enum command cmd, bool function, char *buf, size_t size);
/* The letter that stands for a function key, "" without one; the digit of a tab is none. Returns
 * buf. */
const char *key_letter_of(enum command cmd, char *buf, size_t size);
