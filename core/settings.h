/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings file, key=value: unknown keys and their order are kept when it is written again. */
#ifndef CORE_SETTINGS_H
#define CORE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct setting {
	char *key;		/* NULL: a comment or blank line, kept in value */
	char *value;
};

/* Zero-initialised is empty. */
struct settings {
	struct setting *lines;
	size_t count, cap;
};

/* $XDG_CONFIG_HOME/rooftop/rooftoprc, else ~/.config/rooftop/rooftoprc; false when neither variable
 * is usable. */
bool settings_default_path(char *buf, size_t size);
/* A file that does not exist is an empty one. Lines without '=' are kept and reported through err,
 * loading goes on. */
bool settings_load(struct settings *s, const char *path, struct err *err);
/* Writes to a temporary file beside it and renames; makes the folders. */
bool settings_save(const struct settings *s, const char *path, struct err *err);
/* NULL when the key is not set; the text is valid until it is set again. */
const char *settings_get(const struct settings *s, const char *key);
void settings_set(struct settings *s, const char *key, const char *value);
void settings_release(struct settings *s);

#endif
