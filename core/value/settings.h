/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings file, key=value. Unknown keys and the order are kept when it is written again. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct setting {
	char *key;		/* NULL: a comment or blank line, kept in value */
	char *value;
};

/* A zero-initialised struct is empty. */
struct settings {
	struct setting *lines;
	size_t count, cap;
};

/* Writes $XDG_CONFIG_HOME/rooftop/rooftoprc, else ~/.config/rooftop/rooftoprc, to buf; returns
 * false when neither variable is usable. */
bool settings_default_path(char *buf, size_t size);
/* Loads a file; one that does not exist is empty. Lines without '=' are kept and reported through
 * err, and loading goes on. */
bool settings_load(struct settings *s, const char *path, struct err *err);
/* Fills err: the value of the key is none that it may have. */
void settings_refuse(const char *key, const char *value, struct err *err);
/* Calls fn for every key that no part of the program asks for, with path, line and, where one is
 * near, the key that was meant. Only for settings that have just been loaded from rooftoprc. */
void settings_check(const struct settings *s, const char *path,
	void (*fn)(void *ctx, const struct err *err), void *ctx);
/* Writes to a temporary file beside it and renames that; makes the folders. */
bool settings_save(const struct settings *s, const char *path, struct err *err);
/* Returns NULL when the key is not set; the text is valid until the key is set again. */
const char *settings_get(const struct settings *s, const char *key);
void settings_set(struct settings *s, const char *key, const char *value);
void settings_release(struct settings *s);
