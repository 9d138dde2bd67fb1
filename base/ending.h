/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the program ends by a signal: by that signal itself, after everything was put back. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* The signals that end the program, and that loops of the program take: a 0-terminated list may
 * begin with them. */
#define ENDING_SIGNALS SIGINT, SIGTERM, SIGHUP, SIGQUIT

/* Whether the program was started with that signal ignored, as nohup does. */
bool ending_is_ignored(int signo);
/* Those of them that are not ignored. */
void ending_set(sigset_t *set);
/* Blocks these signals from now until the program ends, so that none of them ends it between two
 * loops, or while something is being put back. Those that are ignored stay so (nohup). Before this
 * call, while nothing has to be put back, they end the program at once. */
void ending_hold(void);
/* Tells of a signal that was taken, by a loop for instance; those that do not end the program are
 * passed over. */
void ending_take(int signo);
/* When the first signal came that ends the program, by the machine's clock; those that are held
 * back count from this call. 0: none has come. */
int64_t ending_asked_ns(void);
/* Which signal has come that ends the program, taken or held back; 0: none. For any thread. */
int ending_signal(void);
/* The signal that was taken last is another program's: it ends no call and no wait of ours before
 * the status is decided. */
void ending_pass_on(void);
/* The status of the program is decided, so signals that come from now on change nothing. */
void ending_decided(void);
/* Ends the program by signo; with 0, by a signal that is held back. Returns when there is none. */
void ending_finish(int signo);
