/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which hardware contexts have run on the open device, so that a chosen one that never ran is told
 * from one that waits. */
#ifndef SESSION_WINDOW_CONTEXT_WATCH_H
#define SESSION_WINDOW_CONTEXT_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/value/sample.h"

#define CONTEXT_WATCH_IDS 8

/* A struct of zeros has seen nothing. */
struct context_watch {
	bool saw_chosen;
	uint32_t id[CONTEXT_WATCH_IDS]; /* the first ones that ran */
	int n;
	bool saw_more;
};

/* Notes what ran in a window of the first source. It allocates nothing. */
void context_watch_note(struct context_watch *w, const struct sample *s);
/* Writes that the chosen context has not run, and which ones have. */
void context_watch_sentence(const struct context_watch *w, uint32_t chosen, char *buf, size_t size);

#endif
