/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a terminal sends for keys and the mouse, as events. */
#ifndef UI_DRAW_TERM_KEYS_H
#define UI_DRAW_TERM_KEYS_H

#include <stddef.h>

#include "ui/draw/keys.h"

/* A key by the sequence that a terminal's description gives for it; NULL when it gives none. */
struct term_key {
	const char *bytes;
	struct key_event event;
};

/* Decodes the first of n > 0 bytes: first by keys (whose end has no event), then by what terminals have
 * in common. Returns how many bytes it takes, or 0 when its rest is missing. KEY_NONE_: what came is
 * no key that we know. */
size_t term_key_decode(
	const struct term_key *keys, const char *bytes, size_t n, struct key_event *out);
/* Decodes bytes whose rest did not come: Esc, or a sequence that is dropped. */
size_t term_key_cut(const char *bytes, size_t n, struct key_event *out);

#endif
