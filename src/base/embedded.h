/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text files that are part of the program, made by build-aux/embed.awk. */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

#include <stddef.h>
#include <string.h>

/* Tables of them end with {NULL, NULL}. */
struct embedded {
	const char *name;	/* file name without folder: "gen9.metrics" */
	const char *text;
};

/* The text of the file called name and suffix; NULL when there is none. */
static inline const char *embedded_text(const struct embedded *files, const char *name, const char *suffix)
{
	size_t len = strlen(name);

	for (; files->name; files++) {
		if (!strncmp(files->name, name, len) && !strcmp(files->name + len, suffix))
			return files->text;
	}
	return NULL;
}

#endif
