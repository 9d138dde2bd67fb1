/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screen without a terminal: keys go in, commands are carried out, cells come out. Driven by the monitor or by a script. */
#ifndef APP_CONSOLE_H
#define APP_CONSOLE_H

#include "app/app.h"
#include "app/procs.h"
#include "ui/canvas.h"
#include "ui/view.h"

/* Requests to the driver are flags that it clears. Zero-initialised storage; console_init/console_release. */
struct console {
	struct app *app;
	struct view view;
	struct canvas canvas;
	struct view_model model;
	struct device_summary *devices;	/* heap, of app->devices */
	struct procs procs;
	struct job_log runs;
	char message[700];
	bool message_is_error;
	int problems_seen;		/* of app->n_problems */
	int64_t message_until_ns;
	bool mouse;
	bool quit;
	bool redraw;			/* paint everything again */
	bool suspend;
	bool remouse;			/* the mouse was switched */
	bool retick;			/* the period of ticks has changed */
};

void console_init(struct console *c, struct app *a, bool ascii);
void console_release(struct console *c);
/* Fills the canvas at this size. */
void console_draw(struct console *c, int w, int h);
void console_key(struct console *c, const struct key_event *k);
/* After each tick: recording, exports, messages, end of the data. is_new: a window is complete. */
void console_after_tick(struct console *c, bool is_new);

#endif
