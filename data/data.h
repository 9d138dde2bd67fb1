/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts as text files, embedded at build time. */
#ifndef DATA_DATA_H
#define DATA_DATA_H

#include <stddef.h>
#include <string.h>

struct embedded {
	const char *name;	/* file name without folder: "gen9.metrics" */
	const char *text;
};

/* Both end with {NULL, NULL}. metric_files also holds the files that others include. */
extern const struct embedded metric_files[];
extern const struct embedded oa_config_files[];

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
