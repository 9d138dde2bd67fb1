/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text for people goes through _(); text in tables is marked with N_() and translated where it is
 * shown. */
#pragma once

#include <libintl.h>
#include <stdbool.h>

/* i18n_open() sets it. Without a catalogue, gettext would look for its file again at every text of
 * every frame. */
extern bool i18n_has_catalogue;

/* Opens the catalogue of the user's language below folder, if there is one, with text in the
 * encoding of the locale. Call it after setlocale(). */
void i18n_open(const char *folder);

__attribute__((format_arg(1)))
static inline const char *i18n_text(const char *s)
{
	return i18n_has_catalogue ? gettext(s) : s;
}

/* Translates a text; returns "" when it is NULL or empty, since gettext answers an empty text with
 * the head of its catalogue. */
static inline const char *i18n_optional(const char *s)
{
	return s && *s ? i18n_text(s) : "";
}

#define _(s) i18n_text(s)
#define N_(s) s
