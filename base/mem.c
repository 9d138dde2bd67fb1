/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation that never returns NULL. */
#include "config.h"

#include "base/mem.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define LARGE_BLOCK_BYTES (64 << 10)

/* This is the one piece of state that cannot be in a struct: malloc has no context either. */
static void (*oom_hook)(void);

void mem_set_oom_hook(void (*hook)(void))
{
	oom_hook = hook;
}

void mem_large_blocks_apart(void)
{
	/* Other C libraries do so anyway, or have no such limit. */
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES);
	/* More would be cut for large blocks, which calloc() would have to clear. */
	mallopt(M_TOP_PAD, 120 << 10);
#endif
}

/* Pages of files count as resident, and a kernel maps 16 of them for each one that is touched. A
 * mapping with pages of its own is left alone: relocations or a debugger wrote to it. */
static void forget_files(FILE *smaps)
{
	char line[512], perms[5] = "";
	unsigned long begin = 0, end = 0, resident_kb = 0, anonymous_kb;
	bool of_file = false;

	while (fgets(line, sizeof(line), smaps)) {
		int name = 0;

		/* Some twenty lines are about each mapping. */
		if (*line == 'R' && sscanf(line, "Rss: %lu", &resident_kb) == 1)
			continue;
		if (*line == 'A' && sscanf(line, "Anonymous: %lu", &anonymous_kb) == 1) {
			/* An emulator of processors tells zeros of all mappings. */
			if (of_file && perms[1] == '-' && resident_kb && !anonymous_kb)
				madvise((void *)begin, end - begin, MADV_DONTNEED);
		} else if (!isupper((unsigned char)*line) && sscanf(line, "%lx-%lx %4s %*s %*s %*s %n", &begin,
			&end, perms, &name) == 3) {
			/* Devices are shared mappings, too, but lie in no such folder. */
			of_file = name > 0 && line[name] == '/' &&
				(perms[3] == 'p' || !strncmp(line + name, "/usr/", 5));
		}
	}
}

void mem_forget_start(void)
{
	FILE *smaps = fopen("/proc/self/smaps", "re");

	if (smaps) {
		forget_files(smaps);
		fclose(smaps);
	}
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

static void __attribute__((noreturn)) out_of_memory(void)
{
	static const char text[] = "rooftop: out of memory\n";
	void (*hook)(void) = oom_hook;

	oom_hook = NULL;
	if (hook)
		hook();
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		abort();
	abort();
}

void *xmalloc(size_t size)
{
	return xreallocarray(NULL, 1, size);
}

/* The check is here because sanitizers stop at an overflow inside calloc(), before we can restore
 * the terminal. */
static size_t product(size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		out_of_memory();
	return bytes ? bytes : 1;
}

void *xcalloc(size_t count, size_t size)
{
	void *p = calloc(1, product(count, size));

	if (!p)
		out_of_memory();
	return p;
}

void *xreallocarray(void *p, size_t count, size_t size)
{
	void *q = realloc(p, product(count, size));

	if (!q)
		out_of_memory();
	return q;
}

char *xstrdup(const char *s)
{
	return xstrndup(s, strlen(s));
}

char *xstrdup_or_null(const char *s)
{
	if (!s)
		return NULL;
	return xstrdup(s);
}

char *xstrndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *p = xmalloc(len + 1);

	memcpy(p, s, len);
	p[len] = '\0';
	return p;
}

char *xasprintf(const char *fmt, ...)
{
	char *s = NULL;
	va_list ap;

	va_start(ap, fmt);
	int len = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (len < 0)
		out_of_memory();
	return s;
}

void *array_grow(void *array, size_t count, size_t *cap, size_t size)
{
	if (array && count < *cap)
		return array;
	if (*cap > SIZE_MAX / 2 || count == SIZE_MAX)
		out_of_memory();
	*cap = *cap < 8 ? 8 : *cap * 2;
	if (*cap <= count)
		*cap = count + 1;
	return xreallocarray(array, *cap, size);
}
