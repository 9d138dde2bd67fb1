/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screen without a terminal: keys go in, commands are carried out, cells come out. Driven by the monitor or by a script. */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "app/app.h"
#include "ui/canvas.h"
#include "ui/view.h"

/* Requests to the driver are flags that it clears. Zero-initialised storage; session_init/session_release. */
struct session {
	struct app *app;
	struct view view;
	struct canvas canvas;
	struct view_model model;
	struct device_summary *devices;	/* heap, of app->devices */
	char message[700];
	bool message_is_error;
	int64_t message_until_ns;
	bool mouse;
	bool quit;
	bool redraw;			/* paint everything again */
	bool suspend;
	bool retick;			/* the period of ticks has changed */
};

void session_init(struct session *s, struct app *a, bool ascii);
void session_release(struct session *s);
/* Fills the canvas at this size. */
void session_draw(struct session *s, int w, int h);
void session_key(struct session *s, const struct key_event *k);
/* After each tick: recording, messages, end of the data. */
void session_after_tick(struct session *s);
void session_say(struct session *s, bool is_error, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
