/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text files that are part of the program, made by build-aux/embed.awk. */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define EMBEDDED_NAME_SIZE 40

/* Tables of them end with a NULL text. What is searched stands in the table: pages of texts that
 * nobody asks for are not touched. */
struct embedded {
	char name[EMBEDDED_NAME_SIZE];	/* file name without folder: "gen9.metrics" */
	const char *text;
	/* words of its lines "platforms", each between blanks; NULL: it has none */
	const char *platforms;
};

/* Whether a line "platforms" of the file names it. NULL: whether there is any such line. */
static inline bool embedded_serves(const struct embedded *e, const char *platform)
{
	char word[EMBEDDED_NAME_SIZE];
	int len = platform ? snprintf(word, sizeof(word), " %s ", platform) : 0;

	return e->platforms && len < (int)sizeof(word) && (!platform || strstr(e->platforms, word));
}

/* The text of the file called name and suffix; NULL when there is none. */
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

#endif
