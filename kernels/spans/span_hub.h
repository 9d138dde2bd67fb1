/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes spans of other programs: a socket at which they greet, and the memory of each. Nothing that
 * they say is trusted, and nothing waits for them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "core/spans/span.h"

/* Programs at once; others are refused and counted. */
#define SPAN_PROGRAMS_MAX 64

struct span_hub; /* opaque */

/* Makes a private folder with the socket in it, below XDG_RUNTIME_DIR, or below TMPDIR where there
 * is none. is_live: programs that others start may greet, too. NULL: err says why not. */
struct span_hub *span_hub_open(const struct span_sink *sink, bool is_live, struct err *err);
const char *span_hub_path(const struct span_hub *h);
/* Returns the paths of the socket and of those of live ones of this user, between colons, on the
 * heap; the variable of the environment in which makers look for them. */
char *span_hub_paths(const struct span_hub *h);
const char *span_hub_variable(void);
/* For poll(): readable when a program greets; -1: it would be readable all the time. */
int span_hub_fd(const struct span_hub *h);
/* Takes programs that greet, and the spans that all have written. Returns the moment of the host's
 * clock up to which every command that has ended was told; now_ns where none is under way. */
int64_t span_hub_read(struct span_hub *h, int64_t now_ns);
/* The same without an end of patience: what is under way is waited for as long as it takes. */
int64_t span_hub_told_ns(const struct span_hub *h);
/* How many programs have greeted, and how many were refused. */
int span_hub_programs(const struct span_hub *h, int *refused);
/* Commands that were handed to drivers and not seen to end. */
uint64_t span_hub_unended(const struct span_hub *h);
void span_hub_close(struct span_hub *h);

/* For tests: takes a memory as of a program that has greeted; the descriptor stays the caller's.
 * Returns false with err when it is none. */
bool span_hub_take(struct span_hub *h, int memory, pid_t pid, struct err *err);
