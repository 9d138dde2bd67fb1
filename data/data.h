/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts as text files, embedded at build time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/embedded.h"

/* A text of which a device needs a few among hundreds: it is unpacked when it is asked for. The
 * last one of a table has no name. */
struct packed_file {
	const char *name;
	const unsigned char *packed;	/* as gzip makes it, or a short text as it is; a 0 follows */
	size_t packed_bytes;
	const char *platforms;		/* what its sets serve, each between blanks; NULL without a set */
};

/* metric_files also holds the files that others include. */
extern const struct packed_file metric_files[];
extern const struct packed_file oa_config_files[];
extern const struct embedded figure_files[];

/* Whether the file has a set for the platform (NULL: any set). */
bool packed_serves(const struct packed_file *f, const char *platform);
/* Returns the text, which stays until packed_forget(). */
const char *packed_text(const struct packed_file *f);
/* The same for the file whose name is name followed by suffix; NULL when there is none. */
const char *packed_find(const struct packed_file *files, const char *name, const char *suffix);
/* Frees the texts that were unpacked. */
void packed_forget(void);
