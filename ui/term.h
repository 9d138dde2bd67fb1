/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal, through ncursesw: the only file that includes curses. Restores the terminal on
 * every way out. */
#ifndef UI_TERM_H
#define UI_TERM_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "ui/canvas.h"
#include "ui/keys.h"
#include "ui/style.h"

/* term NULL: $TERM. Uses newterm() on the given streams. Refuses a terminal that cannot address its
 * cursor, naming TERM and -b as the way out. Installs handlers for SIGSEGV SIGBUS SIGILL SIGFPE
 * SIGABRT (and leaves the other signals to the loop) that restore the screen with write() and
 * tcsetattr() only and raise again. */
bool term_open(const char *term, FILE *out, FILE *in, bool mouse, struct err *err);
/* Takes the mouse from the terminal or gives it back. */
void term_mouse(bool on);
void term_close(void);		/* idempotent, also from atexit */
void term_size(int *w, int *h);
/* Re-reads the size after SIGWINCH. */
void term_resized(void);
/* Sends what differs from the last frame. Skips rows that did not change. */
void term_blit(const struct canvas *c, enum scheme scheme);
void term_redraw(void);		/* next blit repaints everything */
/* Reads the next key without waiting; false when there is none. Gives KEY_EOF_ when the input ends
 * or fails. */
bool term_key(struct key_event *out);
/* ^Z: restores, stops the process group member, continues where it was after SIGCONT. */
void term_suspend(void);
int term_colors(void);		/* 0, 8, 256 */

#endif
