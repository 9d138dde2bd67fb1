// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What a program with sanitizers need not look through for leaks. At its end LeakSanitizer reads all of its memory that may be written, and two
 * tables of stacks, which are the sanitizer's own, are 8.5 MB of that. They hold no address of anything that was allocated, and nearly all their
 * pages were never touched before: to read them is a third of what such a program costs that ends at once. The linker lays them between the
 * beginning of .bss and depots_end (tests/depots), and whoever asks for the program's segments is shown one before the tables and one behind them.
 */
#include "config.h"

#include <dlfcn.h>
#include <link.h>

typedef int segments_fn(struct dl_phdr_info *info, size_t size, void *data);

struct asker {
	segments_fn *segments;
	void *data;
};

enum { SEGMENTS_MAX = 24 };

extern char __bss_start[];
extern char depots_end[1];
char depots_end[1];

static int split(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct asker *asker = data;
	struct dl_phdr_info shown = *info;
	ElfW(Phdr) segments[SEGMENTS_MAX + 1];
	int count = 0;

	if (info->dlpi_phnum > SEGMENTS_MAX)
		return asker->segments(info, size, asker->data);
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) whole = info->dlpi_phdr[i];
		const ElfW(Addr) before = (ElfW(Addr))__bss_start - info->dlpi_addr - whole.p_vaddr;
		const ElfW(Addr) behind = (ElfW(Addr))depots_end - info->dlpi_addr - whole.p_vaddr;
		segments[count++] = whole;
		if (whole.p_type != PT_LOAD || before >= whole.p_memsz || behind >= whole.p_memsz)
			continue;
		segments[count - 1].p_memsz = before;
		segments[count] = whole;
		segments[count].p_vaddr += behind;
		segments[count].p_memsz -= behind;
		segments[count++].p_filesz = 0;
	}
	shown.dlpi_phdr = segments;
	shown.dlpi_phnum = (ElfW(Half))count;
	return asker->segments(&shown, size, asker->data);
}

/* The C library's, by its name: nothing here asks for memory. */
int dl_iterate_phdr(segments_fn *segments, void *data)
{
	static int (*real)(segments_fn *segments, void *data);
	struct asker asker = { segments, data };

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "dl_iterate_phdr");
	return real(split, &asker);
}
