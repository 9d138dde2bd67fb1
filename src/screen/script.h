/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drives the screen from a file, without a terminal and with a clock that stands still between its
 * steps. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "session/program.h"
#include "ui/draw/keys.h"

#define SCRIPT_MAX_SIDE 1000
/* All waits together must end within this many ticks; a window takes at least 0.01 s. */
#define SCRIPT_MAX_TICKS 1000000

enum script_verb { SCRIPT_SIZE, SCRIPT_KEY, SCRIPT_WAIT, SCRIPT_SAVE, SCRIPT_ASCII, SCRIPT_QUIT };

/* One step. A line with several keys becomes several steps. */
struct script_step {
	enum script_verb verb;
	int line;
	int w, h;			/* SIZE */
	struct key_event key;		/* KEY */
	int64_t wait_ns;		/* WAIT */
	bool on;			/* ASCII */
	char file[1024];		/* SAVE */
};

/* A zero-initialised script is empty. */
struct script {
	struct script_step *steps;
	size_t count, cap;
};

/* Reads a script. name is for messages. Returns false with "NAME:LINE: what" (ERR_USAGE) at the
 * first bad line. */
bool script_parse(struct script *s, const char *name, const char *text, struct err *err);
void script_release(struct script *s);
/* Runs a script. The sessions must have virtual clocks and open devices. */
bool script_run(struct program *program, const struct script *s, const char *name, bool ascii,
	struct err *err);
