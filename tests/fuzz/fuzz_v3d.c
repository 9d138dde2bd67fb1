/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as v3d's table of queues, and as the kernel's name of a counter. */
#include "config.h"

#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backends/v3d/v3d_sources.h"
#include "base/mem.h"

#define NAME_BYTES 32

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What has no row has no numbers, and a table without rows is none. */
static void try_table(const char *text)
{
	struct v3d_queue_stats stats;
	bool good = v3d_queue_parse(text, &stats);
	bool any = false;

	for (int q = 0; q < V3D_QUEUES; q++) {
		any |= stats.has[q];
		if (!stats.has[q] && (stats.jobs[q] || stats.busy_ns[q]))
			abort();
	}
	if (good && !any)
		abort();
}

/* A name is a word of an equation, and fits. */
static void try_name(const char *text)
{
	char name[NAME_BYTES];

	v3d_counter_name(text, name, sizeof(name));
	if (strnlen(name, sizeof(name)) == sizeof(name))
		abort();
	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xcalloc(size + 1, 1);

	if (size)
		memcpy(text, data, size);
	try_table(text);
	try_name(text);
	free(text);
	return 0;
}
