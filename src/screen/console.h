/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screen without a terminal: it shows one device in a view. */
#ifndef SCREEN_CONSOLE_H
#define SCREEN_CONSOLE_H

#include "session/program.h"
#include "screen/all_devices.h"
#include "screen/process_list.h"
#include "screen/set_list.h"
#include "ui/draw/canvas.h"
#include "ui/frame/view.h"

/* The storage must begin zeroed. console_init() sets it up; console_release() ends it. */
struct console {
	struct session *session;
	struct view view;
	struct canvas canvas;
	struct view_model model;
	struct device_summary *devices;	/* heap, of the program's devices */
	struct all_devices all;
	struct process_list procs;
	struct job_log runs;
	struct playback playback;	/* of the model */
	struct set_list sets;		/* while the menu of sets is open */
	char message[700];
	bool message_is_error;
	int problems_seen;		/* how many of session->n_problems */
	int64_t message_until_ns;
	bool says_old;			/* it is true until the next window */
	bool mouse, map_refused;
	/* split.c sets these three before each call */
	enum view_place place;
	int of_two;			/* as in the model */
	const struct session *other;	/* what is open beside this, NULL */
	unsigned listed_changes;	/* program.device_changes when devices was filled */
	int listed_other;		/* the entry of other when devices was filled, -1 */
};

void console_init(struct console *c, struct session *ses, bool ascii);
void console_release(struct console *c);
/* Draws on the canvas at this size. */
void console_draw(struct console *c, int w, int h);
/* Brings the model up to date. */
void console_fill_model(struct console *c);
/* The map has a set of its own while its screen is shown: has to follow each key and tick. */
void console_follow_screen(struct console *c);
/* The words of settings, by enum view_units. */
extern const char *const console_units_names[UNITS_COUNT];
/* Opens the device of a row of the list in place of the open one. */
bool console_use_device(struct console *c, int row, struct err *err);
/* Returns the entry of the device that is selected on its screen or on that of all devices, and
 * its session when it is open there. Returns -1 when there is none, or when its device is not
 * usable; the message then says why. */
int console_selected_device(struct console *c, struct session **open);
/* Shows a text in the message line for some seconds, and adds it to the log. */
void console_say(struct console *c, bool is_error, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void console_say_err(struct console *c, const struct err *err);
/* Names the device and the set that are open now. */
void console_say_device(struct console *c);
/* Has to follow each tick: serves the recording and the exports, and shows messages. is_new: a
 * window is complete. */
void console_after_tick(struct console *c, bool is_new);

#endif
