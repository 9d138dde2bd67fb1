/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One device after the other or two side by side, and what keys and clicks do to them. */
#pragma once

#include "session/program.h"
#include "screen/console.h"
#include "cli/options.h"
#include "ui/draw/canvas.h"
#include "ui/frame/halves.h"
#include "ui/draw/keys.h"

#define SPLIT_HALVES 2

/* A device with everything that belongs to it (library, windows, histories, loads, recording, log),
 * and the way it is shown. */
struct half {
	struct session *session;	/* the program's */
	struct console console;
};

/* What a terminal does for the screen. No member may be NULL. */
struct screen_driver {
	void (*quit)(void *ctx);
	void (*suspend)(void *ctx);
	/* paint everything again with the next frame */
	void (*redraw)(void *ctx);
	void (*mouse)(void *ctx, bool on);
};

/* The storage must begin zeroed. split_init() sets it up; split_release() ends it. */
struct split {
	struct program *program;
	const struct screen_driver *driver;
	void *driver_ctx;
	/* heap; the first n exist. The windows of the first one count for -n. */
	struct half *half[SPLIT_HALVES];
	int n, focus;
	struct halves layout;
	int w, h;		/* last drawn */
	bool both;		/* two halves exist and both fit */
	struct canvas canvas;	/* of both */
};

/* Shows the sessions of the program, whose devices are open: two in halves, of which the first one
 * has the focus, or one with the list of all when there are more or -D all asks for it. */
void split_init(struct split *s, struct program *p, const struct screen_driver *driver, void *ctx,
	bool ascii);
/* Releases the split. The sessions stay open, because they belong to the program. */
void split_release(struct split *s);
/* Returns the console that gets the keys. */
struct console *split_focused(const struct split *s);
/* Opens an entry of the list of devices in the second half, which it makes where there is none, and
 * gives that half the focus. */
bool split_open(struct split *s, int index, struct err *err);
/* Shows an open session in the half with the focus, or beside it; the session that was there goes
 * on unseen. May free the console that had the focus. */
void split_show(struct split *s, struct session *ses, bool beside);
/* Draws at this size: both halves, or only the one given when only is not NULL. The split owns the
 * picture. */
const struct canvas *split_draw(struct split *s, const struct half *only, int w, int h);
/* Tells each view where it stands, and what is open beside it. */
void split_place(struct split *s);
/* Gives a half the keys. A line that is being typed in the other half is left. */
void split_focus(struct split *s, int i);
void split_turn(struct split *s);
void split_close_other(struct split *s);
/* Takes what a half says about colours, glyphs and mouse for both, because they share one
 * terminal. */
void split_share_look(struct split *s, const struct console *c);

/* Carries out a key. It may open and close halves, so none of their descriptors may be in a loop
 * meanwhile. */
void dispatch_key(struct split *s, const struct key_event *k);
