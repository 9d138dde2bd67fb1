/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the processes screen needs in addition to the table of clients: order, past, signals. */
#ifndef SCREEN_PROCESS_LIST_H
#define SCREEN_PROCESS_LIST_H

#include <stdbool.h>

#include "session/program.h"
#include "ui/frame/view.h"

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
/* These read the order and choice of rows from the settings, and write them there. */
void process_list_load(const struct settings *s, struct client_choice *choice);
void process_list_save(struct settings *s, const struct client_choice *choice);
/* Sends the signal of a CMD_SIGNAL_ command to the process. Returns false with err when no signal
 * was sent. */
bool process_list_signal(const struct session *ses, enum command cmd, int64_t pid, struct err *err);
void process_list_release(struct process_list *p);

#endif
