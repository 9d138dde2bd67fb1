/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of the oracle: a test goes through those that a folder holds. Without an oracle it
 * skips; an oracle whose folder has no such file is a failure, because nothing was compared. */
#pragma once

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/tap.h"

#define ORACLE_FILES 256

struct oracle_files {
	char folder[2048];
	char names[ORACLE_FILES][128];	/* without the suffix, in order */
	int n;
};

/* Fills in the files of the oracle's folder that end with suffix. False when there is no oracle at
 * all, with the reason as a skipped point. */
static inline bool oracle_list(struct oracle_files *f, const char *folder, const char *suffix)
{
	const char *oracle = getenv("ROOFTOP_ORACLE");
	struct dirent **entries = NULL;
	struct stat st;

	f->n = 0;
	if (!oracle || stat(oracle, &st) != 0) {
		skip(1, "there is no oracle: set ROOFTOP_ORACLE to its folder");
		return false;
	}
	snprintf(f->folder, sizeof(f->folder), "%s/%s", oracle, folder);
	int n = scandir(f->folder, &entries, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;
		size_t len = strlen(name), tail = strlen(suffix);

		if (len > tail && !strcmp(name + len - tail, suffix) && f->n < ORACLE_FILES)
			snprintf(f->names[f->n++], sizeof(f->names[0]), "%.*s", (int)(len - tail),
				name);
		free(entries[i]);
	}
	free(entries);
	ok(f->n > 0, "the oracle's folder %s holds %d files *%s", folder, f->n, suffix);
	return true;
}

/* strstr() for long texts. That of an address sanitizer measures all of the rest each time. */
static inline char *oracle_find(char *text, const char *word)
{
	size_t len = strlen(word);

	for (; *text; text++)
		if (*text == *word && !strncmp(text, word, len))
			return text;
	return NULL;
}
