/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screen without a terminal: it shows one device in a view, with the lists that its screens
 * need. */
#pragma once

#include <stdbool.h>

#include "session/session.h"
#include "ui/frame/view.h"
#include "session/program.h"
#include "ui/draw/canvas.h"

/* A zero-initialised struct is an empty list. */
struct set_list {
	struct set_summary *summary;		/* heap, [n] */
	const struct metric_set **set;		/* heap, [n] */
	int n;
};

/* Lists the sets that the device can count, which it reads whole. */
void set_list_make(struct set_list *l, struct session *ses);
void set_list_release(struct set_list *l);

/* A zero-initialised struct is valid. */
struct process_list {
	struct client_list list;	/* as the screen wants it */
	struct client_list all;		/* by process, for the past */
	struct client_tracks tracks;
	int64_t pushed_ns;		/* scan that is in tracks */
};

/* Brings everything up to the newest scan and puts it into the model. */
void process_list_update(struct process_list *p, const struct session *ses,
	const struct client_choice *choice, struct view_model *m);
/* These read the order and choice of rows from the settings, and write them there. False: the order
 * is none that there is. */
bool process_list_load(const struct settings *s, struct client_choice *choice);
void process_list_save(struct settings *s, const struct client_choice *choice);
/* Sends the signal of a CMD_SIGNAL_ command to the process. Returns false with err when no signal
 * was sent. */
bool process_list_signal(const struct session *ses, enum command cmd, int64_t pid, struct err *err);
void process_list_release(struct process_list *p);

/* A zero-initialised struct is an empty list. */
struct all_devices {
	struct device_line *line;	/* heap, [n] */
	int *entry;			/* heap, [n] of the program's list of devices */
	struct session **session;	/* heap, [n] the open device, NULL */
	int n;
	size_t cap;
};

/* Fills the lines: open devices as they were named or found, then the others. No value changes the
 * order. shown is the session of the half that asks. *row stays that of the same device. */
void all_devices_update(struct all_devices *a, const struct session *shown, int *row);
void all_devices_release(struct all_devices *a);

/* The storage must begin zeroed. console_init() sets it up; console_release() ends it. */
struct console {
	struct session *session;
	struct view view;
	struct canvas canvas;
	bool is_drawn;			/* it shows the place of the view */
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
	bool told_key;			/* that a key has no meaning */
	bool says_old;			/* it is true until the next window */
	bool was_ended;			/* at the last tick, the recording */
	struct kernel_list kernels;	/* of the model */
	unsigned kernels_of;		/* which beginning of the session's watch they are of */
	unsigned kernels_read; /* its reads, as of the list */
	bool mouse, map_refused, kernels_refused;
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
