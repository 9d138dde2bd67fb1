/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watches calls of drivers that may take long: says which one is waited for, and ends the program where
 * a signal asks for that and the call does not return. */
#ifndef BASE_CALL_WATCH_H
#define BASE_CALL_WATCH_H

/* A driver may hold a call for as long as it likes, in a sleep that no signal ends. These two stand
 * around each call of one, on the program's first thread; name is that of the call ("ioctl
 * DRM_IOCTL_I915_PERF_OPEN"), path the file's, or NULL and fd tells it. Both must stay until call_end().
 * errno stays as it is. */
void call_begin(const char *name, const char *path, int fd);
void call_end(void);

/* Who has the terminal says what is waited for there, and gives the terminal back when the program ends
 * during a call. NULL: messages go to standard error, and nothing is given back. Both are called from
 * another thread, while the first one is in the call. */
void call_watch_terminal(void (*say)(const char *line), void (*give_back)(void));

#endif
