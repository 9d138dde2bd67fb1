// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What a program with sanitizers need not look through for leaks. At its end LeakSanitizer reads all of its memory that may be written, and two
 * tables of stacks, which are the sanitizer's own, are 8.5 MB of that. They hold no address of anything that was allocated, and nearly all their
 * pages were never touched before: to read them is a third of what such a program costs that ends at once. The linker lays them between the
 * beginning of .bss and depots_end (tests/depots), and whoever asks for the program's segments is shown two instead of that one: up to the tables,
 * and from behind them on.
 */
#include "config.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

typedef int segments_fn(struct dl_phdr_info *info, size_t size, void *data);

struct asker {
	segments_fn *segments;
	void *data;
};

enum { SEGMENTS_MAX = 24 };

extern char __bss_start[];
extern char depots_end[1];
char depots_end[1];

/* The segment of a module that the tables are in, -1 where they are in none. */
static int segment_of_tables(const struct dl_phdr_info *info)
{
	for (int i = 0; i < info->dlpi_phnum && i < SEGMENTS_MAX; i++) {
		const ElfW(Phdr) *s = &info->dlpi_phdr[i];
		ElfW(Addr) begin = info->dlpi_addr + s->p_vaddr;

		if (s->p_type == PT_LOAD && (ElfW(Addr))__bss_start - begin < s->p_memsz && (ElfW(Addr))depots_end - begin < s->p_memsz)
			return i;
	}
	return -1;
}

/* The C library calls it for one module after the other, in one thread at a time. */
static int show(struct dl_phdr_info *info, size_t size, void *data)
{
	static ElfW(Phdr) segments[SEGMENTS_MAX + 1];	/* who asked may look at them later */
	const struct asker *asker = data;
	struct dl_phdr_info shown = *info;
	int at = segment_of_tables(info), n = info->dlpi_phnum;

	if (at < 0 || n > SEGMENTS_MAX)
		return asker->segments(info, size, asker->data);
	memcpy(segments, info->dlpi_phdr, (size_t)(at + 1) * sizeof(*segments));
	memcpy(segments + at + 1, info->dlpi_phdr + at, (size_t)(n - at) * sizeof(*segments));
	ElfW(Phdr) *behind = &segments[at + 1];
	segments[at].p_memsz = (ElfW(Addr))__bss_start - info->dlpi_addr - behind->p_vaddr;
	behind->p_memsz += behind->p_vaddr;
	behind->p_vaddr = (ElfW(Addr))depots_end - info->dlpi_addr;
	behind->p_memsz -= behind->p_vaddr;
	behind->p_filesz = 0;
	shown.dlpi_phdr = segments;
	shown.dlpi_phnum = (ElfW(Half))(n + 1);
	return asker->segments(&shown, size, asker->data);
}

/* Asks the C library's function of that name; nothing here allocates memory. */
int dl_iterate_phdr(segments_fn *segments, void *data)
{
	static int (*real)(segments_fn *segments, void *data);
	struct asker asker = { segments, data };

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "dl_iterate_phdr");
	return real(show, &asker);
}
