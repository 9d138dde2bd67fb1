/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded beside the fake kernel: writes to $HEAP_LOG, at the end of the program, for each chain
 * of callers how often it allocated. What the fake kernel allocates for itself is not the
 * program's. */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define SITES (1u << 16)
#define DEPTH 10
#define OWN 2				/* frames of this file */

/* The C library's own, which stay theirs when malloc() is ours. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static struct site {
	int n;				/* frames, 0: a free row */
	void *frames[DEPTH];
	unsigned long allocations;
} sites[SITES];
static unsigned n_sites;
static bool ready;			/* backtrace() has loaded what it needs */
static __thread bool inside;		/* what noting allocates is not noted */

static const char *file_name(const Dl_info *i)
{
	const char *slash = i->dli_fname ? strrchr(i->dli_fname, '/') : NULL;

	return slash ? slash + 1 : "?";
}

/* The row of these frames, or a new one. */
static struct site *find(void **frames, int n)
{
	uint64_t hash = 0;

	for (int i = 0; i < n; i++)
		hash = (hash ^ (uintptr_t)frames[i]) * UINT64_C(0x9e3779b97f4a7c15);
	for (size_t i = hash >> 40;; i++) {
		struct site *s = &sites[i % SITES];

		if (s->n == n && !memcmp(s->frames, frames, (size_t)n * sizeof(*frames)))
			return s;
		if (s->n)
			continue;
		if (++n_sites == SITES)
			abort();
		s->n = n;
		memcpy(s->frames, frames, (size_t)n * sizeof(*frames));
		return s;
	}
}

static __attribute__((noinline)) void note(void)
{
	void *frames[OWN + DEPTH];
	Dl_info info;
	int n;

	if (!ready || inside)
		return;
	inside = true;
	n = backtrace(frames, OWN + DEPTH) - OWN;
	if (n > 0 && !(dladdr(frames[OWN], &info) && !strcmp(file_name(&info), "fakekernel.so")))
		find(frames + OWN, n)->allocations++;
	inside = false;
}

EXPORT void *malloc(size_t size)
{
	note();
	return __libc_malloc(size);
}

EXPORT void *calloc(size_t n, size_t size)
{
	note();
	return __libc_calloc(n, size);
}

EXPORT void *realloc(void *p, size_t size)
{
	note();
	return __libc_realloc(p, size);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	note();
	return __libc_memalign(alignment, size);
}

EXPORT int posix_memalign(void **p, size_t alignment, size_t size)
{
	note();
	*p = __libc_memalign(alignment, size);
	return *p ? 0 : ENOMEM;
}

static __attribute__((constructor)) void begin(void)
{
	void *frames[2];

	backtrace(frames, 2);
	ready = true;
}

static void print_site(FILE *f, const struct site *s)
{
	Dl_info info;

	fprintf(f, "%lu ", s->allocations);
	for (int i = 0; i < s->n; i++)
		if (dladdr(s->frames[i], &info))
			fprintf(f, " %s+%zx", file_name(&info),
				(size_t)((char *)s->frames[i] - (char *)info.dli_fbase));
	fputc('\n', f);
}

static __attribute__((destructor)) void end(void)
{
	const char *path = getenv("HEAP_LOG");
	FILE *f;

	ready = false;
	f = path ? fopen(path, "w") : NULL;
	for (size_t i = 0; f && i < SITES; i++)
		if (sites[i].n)
			print_site(f, &sites[i]);
	if (f && fclose(f) != 0)
		unlink(path);
}
