/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts programs, foremost those of rooftop's own that load a library which must not live in its
 * process: they write lines of text to their standard output, as often as the last line of their
 * standard input says in milliseconds (helpers/pace.h), and end when that does. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

#define SPAWN_FILES 4
#define SPAWN_SAME -1	/* a descriptor stays as it is here */
#define SPAWN_NULL -2	/* it is /dev/null */

/* What a program that is started gets. */
struct spawn {
	int fd[SPAWN_FILES];	/* what becomes its descriptors 0, 1, ... */
	bool own_group;		/* the terminal's signals do not reach it */
	sigset_t defaults;	/* the signals that it does not ignore where we do */
};

/* Starts the program with no signal blocked; a file without '/' is looked for in the folders of
 * PATH. Returns 0 or an errno. */
int spawn_program(const struct spawn *how, const char *file, char *const argv[], pid_t *pid);

#define HELPER_LINE_MAX 4096

struct helper {
	pid_t pid;		/* 0: it does not run */
	int output;		/* what it writes, readable when there is something new; -1: none */
	int write_end;		/* the other end of it, until the program is started */
	int input;		/* takes periods; closed, it ends */
	int error;		/* its standard error */
	size_t len;
	char line[HELPER_LINE_MAX];
	char said[160];		/* the last line of its standard error, for messages */
};

/* Makes the pipe of its output, so that output can be waited for before the program is started. */
bool helper_open(struct helper *h, struct err *err);
/* Starts the program, which stands beside rooftop's own file (a build folder) or where it is
 * installed. argv is NULL-terminated, argv[0] its name. It runs outside our process group, so that
 * the terminal's signals do not reach it. After a failure, or after its end, helper_close() and
 * helper_open() come before another try. */
bool helper_start(struct helper *h, char *const argv[], struct err *err);
/* Hands over each whole line that has come, without its newline. Never blocks. Lines that are
 * longer than HELPER_LINE_MAX are dropped. Returns false at the end of its output. */
bool helper_lines(struct helper *h, void (*take)(void *ctx, const char *line), void *ctx);
/* Asks it to tell something so often. */
void helper_set_period(struct helper *h, int period_ms);
/* Ends it at once. One that hangs in a driver is killed and left alone. */
void helper_close(struct helper *h);

/* Child processes that do one thing for rooftop and put it right after rooftop ends, however it
 * ended. */

/* Call it first in the child of a fork(). The child gets a session of its own, so that it does not
 * hear what ends rooftop (keys of the terminal, signals to its group), and its own name in lists
 * of processes. It closes all descriptors but these two (-1: one alone), so that it holds nothing
 * open longer than rooftop lives. name: at most 15 bytes. */
void detached_begin(const char *name, int fd, int other);

/* In rooftop: a child that was killed, or told to end, and hangs in the kernel is left alone; it is
 * only reaped when that lets it go, by the next call of detached_reap(). */
void detached_leave(pid_t pid);
void detached_reap(void);
