/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text files that are part of the program; build-aux/embed.awk makes them. */
#pragma once

#include <stddef.h>
#include <string.h>

/* A table of them ends with a NULL text. */
struct embedded {
	const char *name;	/* file name without folder: "common.cl" */
	const char *text;
};

/* Returns the text of the file whose name is name followed by suffix; NULL when there is none. */
static inline const char *embedded_text(
	const struct embedded *files, const char *name, const char *suffix)
{
	size_t len = strlen(name);

	for (; files->text; files++) {
		if (!strncmp(files->name, name, len) && !strcmp(files->name + len, suffix))
			return files->text;
	}
	return NULL;
}
