/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripts and command lines of any bytes: read or refused, never more. */
#include "config.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "tasks.h"
#include "screen/script.h"
#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_WORDS 16

/* The lines of the input as arguments. */
static void try_options(char *text)
{
	char *argv[MAX_WORDS + 2] = { text };
	struct options o;
	struct err err = { 0 };
	int argc = 1;

	for (char *p = text; *p && argc <= MAX_WORDS; p++) {
		if (*p == '\n') {
			*p = '\0';
			argv[argc++] = p + 1;
		}
	}
	if (!options_parse(&o, &command_line, argc, argv, &err) && err.code != ERR_USAGE)
		abort();
	options_release(&o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xstrndup((const char *)data, size);
	struct script s = { 0 };
	struct err err = { 0 };

	if (!script_parse(&s, "fuzz", text, &err) && err.code != ERR_USAGE)
		abort();
	script_release(&s);
	try_options(text);
	free(text);
	return 0;
}
