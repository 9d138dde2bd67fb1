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

/* Zero-initialised storage; split_init/split_release. Requests to the driver are flags that it
 * clears. */
struct split {
	struct program *program;
	/* heap; the first n are there. The first one counts -n. */
	struct half *half[SPLIT_HALVES];
	int n, focus;
	struct halves layout;
	int w, h;		/* last drawn */
	bool both;		/* there are two and room for them */
	struct canvas canvas;	/* of both */
	bool quit, redraw, suspend, remouse;
};

/* Shows the first two sessions of the program, whose devices are open. The first one has the
 * focus. */
void split_init(struct split *s, struct program *p, bool ascii);
/* The sessions stay open: they are the program's. */
void split_release(struct split *s);
/* The console that gets the keys. */
struct console *split_focused(const struct split *s);
/* Opens an entry of the list of devices in a second half, or in the one that is there, and gives it
 * the focus. */
bool split_open(struct split *s, int index, struct err *err);
/* Draws at this size: both, or (only not NULL) one of them again. The picture stays the split's. */
const struct canvas *split_draw(struct split *s, const struct half *only, int w, int h);
/* May open and close halves: none of their descriptors may be in a loop meanwhile. */
void split_key(struct split *s, const struct key_event *k);

#endif
