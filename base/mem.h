/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation that never returns NULL: when memory runs out it runs the registered hook (terminal
 * restore) and aborts. */
#pragma once

#include <stddef.h>

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* The text, or the other one where it is NULL or empty. */
static inline const char *text_or(const char *text, const char *other)
{
	return text && *text ? text : other;
}

/* These never return NULL: when memory runs out they run the hook and abort. */
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
/* Does an overflow-checked realloc of count elements of size bytes. */
void *xreallocarray(void *p, size_t count, size_t size);
char *xstrdup(const char *s);
/* As xstrdup; NULL stays NULL. */
char *xstrdup_or_null(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Makes room for one more element of size bytes in a heap array: *cap doubles when count reaches
 * it. */
void *array_grow(void *array, size_t count, size_t *cap, size_t size);
/* Gives large blocks pages of their own from now on, so that what of them is never written takes no
 * memory, and what is freed goes back. */
void mem_large_blocks_apart(void);
/* Gives back what starting took and nothing uses now: free pages of the heap, and pages of the
 * files of the program and its libraries, as far as nothing was written to their mappings. Code and
 * tables that are needed again come back by themselves. */
void mem_forget_start(void);
/* hook runs once, before abort(), when memory is exhausted. */
void mem_set_oom_hook(void (*hook)(void));
