/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The worker as a process: started with a socket as its fd 3, watched without blocking, and ended
 * for certain. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

/* Owns its descriptors and the process. pid 0: none. */
struct child {
	pid_t pid;		/* leads its own process group */
	int socket;		/* -1 when closed */
	int errors;		/* its standard error; -1 when closed */
	int pidfd;		/* readable when it has ended; -1 where the kernel has none */
	uint64_t oom_kills;	/* of the machine until it was started */
	uint64_t peak_bytes;	/* the most memory that it had; known when it was reaped */
};

#define CHILD_NONE { .socket = -1, .errors = -1, .pidfd = -1 }

/* argv[0] is the path. Signals are as in a fresh program; standard input and output are
 * /dev/null. */
bool child_start(struct child *c, const char *const argv[], struct err *err);
/* Reaps the child when it has ended, and then returns true with its status. Never waits. */
bool child_reap(struct child *c, int *status);
/* Says whether one that SIGKILL has ended was ended by the kernel, because memory ran out: the
 * kernel has ended some process for that since it was started. Call it after child_reap(). */
bool child_ran_out_of_memory(const struct child *c, int status);
/* Sends the signal to the child's whole process group. */
void child_signal(const struct child *c, int signo);
/* Closes everything and, if it still runs, kills and reaps it. */
void child_end(struct child *c);
