/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a terminal sends for keys and the mouse, as events. */
#ifndef UI_DRAW_TERM_KEYS_H
#define UI_DRAW_TERM_KEYS_H

#include <stddef.h>

#include "ui/draw/keys.h"

#define TERM_KEYS 31

/* The sequence of each key in the terminal's description; NULL where it has none. */
struct term_keys {
	const char *bytes[TERM_KEYS];
};

/* string looks up a capability of terminfo(5). */
void term_keys_find(struct term_keys *keys, const char *(*string)(const char *name));
/* Decodes the first of n > 0 bytes: first by keys, then by what terminals have in common. Returns
 * how many bytes it takes, or 0 when its rest is missing. KEY_NONE_: what came is no key that we
 * know. */
size_t term_key_decode(
	const struct term_keys *keys, const char *bytes, size_t n, struct key_event *out);
/* How long the rest of n > 0 bytes may take. */
int term_key_wait_ms(const char *bytes, size_t n);
/* Decodes bytes whose rest did not come: Esc, or a sequence that is dropped. */
size_t term_key_cut(const char *bytes, size_t n, struct key_event *out);

#endif
