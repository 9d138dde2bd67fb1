/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One console, or two of two devices that share the screen: which one gets the keys, what both have
 * in common. Knows no terminal; driven by the monitor or by a script. */
#ifndef SCREEN_SPLIT_H
#define SCREEN_SPLIT_H

#include "session/program.h"
#include "screen/console.h"
#include "cli/options.h"
#include "ui/canvas.h"
#include "ui/halves.h"

#define SPLIT_HALVES 2

/* A device with everything that belongs to it (library, windows, histories, loads, recording, log),
 * and how it is looked at. */
struct half {
	struct session *session;	/* the program's */
	struct console console;
};

/* What a terminal does for the screen. None is NULL. */
struct screen_driver {
	void (*quit)(void *ctx);
	void (*suspend)(void *ctx);
	/* paint everything again with the next frame */
	void (*redraw)(void *ctx);
	void (*mouse)(void *ctx, bool on);
};

/* Zero-initialised storage; split_init/split_release. */
struct split {
	struct program *program;
	const struct screen_driver *driver;
	void *driver_ctx;
	/* heap; the first n are there. The first one counts -n. */
	struct half *half[SPLIT_HALVES];
	int n, focus;
	struct halves layout;
	int w, h;		/* last drawn */
	bool both;		/* there are two and room for them */
	struct canvas canvas;	/* of both */
};

/* Shows the first two sessions of the program, whose devices are open. The first one has the
 * focus. */
void split_init(struct split *s, struct program *p, const struct screen_driver *driver, void *ctx,
	bool ascii);
/* The sessions stay open: they are the program's. */
void split_release(struct split *s);
/* The console that gets the keys. */
struct console *split_focused(const struct split *s);
/* Opens an entry of the list of devices in a second half, or in the one that is there, and gives it
 * the focus. */
bool split_open(struct split *s, int index, struct err *err);
/* Draws at this size: both, or (only not NULL) one of them again. The picture stays the split's. */
const struct canvas *split_draw(struct split *s, const struct half *only, int w, int h);
/* Tells each view where it stands, and what is open beside it. */
void split_place(struct split *s);
/* Gives a half the keys; a line that is typed in the other one is left. */
void split_focus(struct split *s, int i);
void split_turn(struct split *s);
void split_close_other(struct split *s);
/* The terminal is one: what a half says about colours, glyphs and mouse goes for all. */
void split_share_look(struct split *s, const struct console *c);

#endif
