/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text files that are part of the program; build-aux/embed.awk makes them. */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define EMBEDDED_NAME_SIZE 40

/* A table of them ends with a NULL text. All that a search needs is in the table, so that pages of
 * unused texts are not touched. */
struct embedded {
	char name[EMBEDDED_NAME_SIZE];	/* file name without folder: "gen9.metrics" */
	const char *text;
	/* the words of its "platforms" lines, each between blanks; NULL: it has no such line */
	const char *platforms;
};

/* Whether a "platforms" line of the file has this platform. NULL: whether there is any such
 * line. */
static inline bool embedded_serves(const struct embedded *e, const char *platform)
{
	char word[EMBEDDED_NAME_SIZE];
	int len = platform ? snprintf(word, sizeof(word), " %s ", platform) : 0;

	return e->platforms && len < (int)sizeof(word) && (!platform || strstr(e->platforms, word));
}

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

/* Lets go of the pages of texts that were read and are not needed soon; reading them again brings
 * them back. Pages of files count as resident, and a kernel maps 16 of them for each one that is
 * touched. */
void embedded_forget(const struct embedded *files);

#endif
