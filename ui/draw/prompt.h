/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line that the user types, or a question before something that cannot be undone; it stands where
 * the keys are. */
#pragma once

#include <stdbool.h>

#include "ui/draw/key_commands.h"
#include "ui/draw/keys.h"

enum prompt_kind { PROMPT_NONE, PROMPT_FIND, PROMPT_FILTER, PROMPT_VALUE, PROMPT_QUESTION };

/* One key that answers a question. */
struct prompt_answer {
	char key;
	const char *label;	/* untranslated */
	enum command command;
};

#define PROMPT_TEXT 64

/* Plain data. A zero-initialised prompt asks nothing. */
struct prompt {
	enum prompt_kind kind;
	char label[160];		/* before the text; the whole question */
	char text[PROMPT_TEXT];
	/* PROMPT_VALUE: what Enter leads to, with the text still there */
	enum command command;
	const struct prompt_answer *answers;
	int n_answers;
	bool no_hit;			/* PROMPT_FIND: nothing has that text */
};

enum prompt_result { PROMPT_GOES_ON, PROMPT_CHANGED, PROMPT_ENTERED, PROMPT_LEFT };

void prompt_open(struct prompt *p, enum prompt_kind kind, const char *label, const char *text);
void prompt_ask(struct prompt *p, const struct prompt_answer *answers, int n, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Takes a key. ENTERED and LEFT close it; answer: the command of an answered question, else
 * CMD_NONE. */
enum prompt_result prompt_key(struct prompt *p, const struct key_event *k, enum command *answer);
