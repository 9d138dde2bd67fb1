/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screen without a terminal: one device as a view shows it. */
#ifndef SCREEN_CONSOLE_H
#define SCREEN_CONSOLE_H

#include "session/program.h"
#include "screen/process_list.h"
#include "ui/canvas.h"
#include "ui/view.h"

/* Zero-initialised storage; console_init/console_release. */
struct console {
	struct session *session;
	struct view view;
	struct canvas canvas;
	struct view_model model;
	struct device_summary *devices;	/* heap, of app->devices */
	struct process_list procs;
	struct job_log runs;
	char message[700];
	bool message_is_error;
	int problems_seen;		/* of app->n_problems */
	int64_t message_until_ns;
	bool mouse;
	/* the driver's to set before the next call, as are the next two */
	enum view_place place;
	int of_two;			/* as the model has it */
	const struct session *other;	/* what is open beside this, NULL */
	int listed_other;		/* its entry in the list of devices as it was made, -1 */
};

void console_init(struct console *c, struct session *ses, bool ascii);
void console_release(struct console *c);
/* Fills the canvas at this size. */
void console_draw(struct console *c, int w, int h);
/* Brings the model up to now. */
void console_fill_model(struct console *c);
/* The set that shows another map of the device, NULL when there is none. */
const struct metric_set *console_map_set(const struct session *ses);
/* In settings, by enum view_units. */
extern const char *const console_units_names[UNITS_COUNT];
/* Another device in place of the open one: a row of the list of devices. */
bool console_use_device(struct console *c, int row, struct err *err);
/* Row of the devices screen that is selected, usable; -1, and where there is a reason the message
 * says it. */
int console_selected_device(struct console *c);
/* For some seconds in the message line, and in the log. */
void console_say(struct console *c, bool is_error, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void console_say_err(struct console *c, const struct err *err);
/* After each tick: recording, exports, messages, end of the data. is_new: a window is complete. */
void console_after_tick(struct console *c, bool is_new);

#endif
