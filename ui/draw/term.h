/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal, by its description in terminfo. term.c restores it on every way out. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/err.h"
#include "base/loop.h"
#include "ui/draw/canvas.h"
#include "ui/draw/keys.h"
#include "ui/draw/style.h"

/* Opens the terminal that term names (NULL: $TERM) on the given streams. A terminal
 * that cannot address its cursor is refused; the message names TERM, and -b as the way out.
 * Handlers for SIGSEGV SIGBUS SIGILL SIGFPE SIGABRT restore the screen with write() and tcsetattr()
 * only and raise the signal again; the other signals are left to the loop. */
bool term_open(const char *term, FILE *out, FILE *in, bool mouse, struct err *err);
/* Takes the mouse from the terminal or gives it back. */
void term_mouse(bool on);
void term_close(void);		/* may be called twice, also from atexit */
void term_size(int *w, int *h);
/* Reads the size again after SIGWINCH. */
void term_resized(void);
/* Sends what differs from the last frame, and skips rows that did not change. While the terminal
 * has not read the last frame, nothing is sent. Returns 0, or why nothing can be sent ever again
 * (errno). */
int term_blit(const struct canvas *c, enum scheme scheme);
/* The loop sends what the terminal has not read yet, and calls fn when it has. Until term_close(). */
void term_when_ready(struct loop *loop, void (*fn)(void *ctx), void *ctx);
/* Makes the next blit draw everything again, in the modes that a shell may have changed. */
void term_redraw(void);
/* Reads the next key without waiting; false when there is none. Gives KEY_EOF_ when the input ends
 * or fails. */
bool term_key(struct key_event *out);
/* Carries out ^Z: restores the terminal, stops the process group, and continues where it was after
 * SIGCONT. */
void term_suspend(void);

/* What a terminal sends for keys and the mouse, as events. */

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
