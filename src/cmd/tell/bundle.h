/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the owner of a machine can send: what was read there, without what names it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "session/session.h"
#include "base/redact.h"
#include "base/strbuf.h"

/* A file or a link in the bundle. */
struct bundle_entry {
	char *path;		/* heap, below the bundle's folder */
	char *data;		/* heap: its content, or where the link leads */
	size_t len, redacted;	/* bytes; of them overwritten */
	bool is_link;
};

/* What a driver answered to an ioctl: its argument, or a buffer that the argument named. */
struct bundle_answer {
	char node[64];		/* "renderD128" */
	unsigned long request;
	int result;		/* negative errno where it was refused */
	bool is_buffer;
	void *data;		/* heap, len bytes; NULL: none */
	size_t len;
};

struct bundle {
	struct redactor names;
	struct bundle_answer *answers;
	size_t n_answers, cap_answers, answers_left_out;
	char **seen;		/* paths that were asked for, heap */
	size_t n_seen, cap_seen;
	struct bundle_entry *entries;
	size_t n, cap, passed_over, too_long;
};

/* Notes every file of the machine that is asked for from now on. */
void bundle_begin(struct bundle *b);
/* Notes every answer of a driver from now on, each once. */
void bundle_answers_begin(struct bundle *b);
/* Adds them as a text, redacted. Nothing is noted from then on. */
void bundle_answers_add(struct bundle *b);
void bundle_answers_release(struct bundle *b);
/* Adds the files that were asked for. Nothing is asked from then on. */
void bundle_collect(struct bundle *b, const struct fsroot *fs);
/* Adds a file, redacted; the bundle owns data from now on. A path that is there already, or that has
 * itself something to redact, or is too long for an archive, is passed over. */
void bundle_add(struct bundle *b, const char *path, char *data, size_t len, bool is_link);
void bundle_release(struct bundle *b);
/* Appends the entries as an archive of POSIX.1-1988 (ustar), in order of their paths. */
void bundle_write(struct bundle *b, struct strbuf *out);

/* Writes the bundle of --bundle, after doctor() has looked at the machine: its report, the devices,
 * five seconds of them, and the files. Lists what goes into it first. */
enum status bundle_cmd(struct session *ses, struct bundle *b, struct strbuf *report);
