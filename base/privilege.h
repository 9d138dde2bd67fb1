/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Capabilities that the program has and its user may lack: in force only around what needs them, so
 * that whatever the user names is opened with the user's own rights. */
#pragma once

#include <stdbool.h>

/* Takes all capabilities out of force; the first thing that the program does. For root, whose files
 * are everybody's, and without capabilities it does nothing. */
void privilege_drop(void);
/* Puts them in force and takes them out again, around perf events, ioctls of devices, the mapping
 * of registers and the walk through /proc. Pairs may be nested; errno stays as it is. */
void privilege_raise(void);
void privilege_lower(void);
/* Gives them up for good: nothing of this run needs them, or somebody else than the kernel says
 * what /proc and /sys hold. */
void privilege_forget(void);
/* Whether the process may put that right in force that privilege_leave_processes() gives up. */
bool privilege_sees_processes(void);
/* Nobody asks for processes in this run: the right to look into them, which is that to become root,
 * is given up for good. */
void privilege_leave_processes(void);
/* The same for the calling thread alone: each thread of a process has capabilities of its own. The
 * first thing that a helper thread does. */
void privilege_forget_thread(void);
