/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads /sys, /proc and /dev below a prefix, so that small copies of real trees can be replayed in
 * tests; also handles the user's files. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct slow_files;

/* prefix is "" for the real tree, otherwise a trusted command-line option. Plain data. */
struct fsroot {
	char prefix[256];
	/* NULL, or the owner's watcher of files that are slow to answer (slow_files.h) */
	struct slow_files *slow;
};

/* Tells fn every path that is asked for from now on, without the prefix; NULL ends it. For one
 * reader in the whole program. */
void fsroot_watch(void (*fn)(void *ctx, const char *path), void *ctx);
/* Writes the prefixed path to buf; returns false when it does not fit. path starts with '/'. */
bool fsroot_path(const struct fsroot *fs, char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Reads the first line of a file without its newline. Errors name the path. */
bool fsroot_read_line(
	const struct fsroot *fs, const char *path, char *buf, size_t size, struct err *err);
/* Reads all bytes of a file, which may have at most size of them (size at most SLOW_FILE_MAX of
 * slow_files.h). Errors name the path. */
bool fsroot_read_bytes(const struct fsroot *fs, const char *path, void *buf, size_t size,
	size_t *len, struct err *err);
/* Returns when the last line was read: now_ns, but earlier where the device is slow to answer and
 * has given what a thread had read. Differences of counters belong to such times. */
int64_t fsroot_answer_ns(const struct fsroot *fs, int64_t now_ns);
/* Reads the number in the first line as parse_u64() does. Errors name the path. */
bool fsroot_read_u64(const struct fsroot *fs, const char *path, uint64_t *out, struct err *err);
bool fsroot_exists(const struct fsroot *fs, const char *path);
/* The same for the file whose path is written so; the reason is not wanted. */
bool fsroot_line(const struct fsroot *fs, char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
bool fsroot_number(const struct fsroot *fs, uint64_t *out, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
bool fsroot_has(const struct fsroot *fs, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Reads the target of a symlink, last path component only ("../../drivers/i915" gives "i915"). */
bool fsroot_link_name(const struct fsroot *fs, const char *path, char *buf, size_t size);
/* Calls fn for every entry of a folder but . and .., in byte order; stops when fn returns false. */
bool fsroot_each(const struct fsroot *fs, const char *path, bool (*fn)(void *ctx, const char *name),
	void *ctx, struct err *err);
/* Finds the first entry of a folder, in byte order, whose name begins with prefix; returns false
 * when there is none. */
bool fsroot_first(
	const struct fsroot *fs, const char *folder, const char *prefix, char *buf, size_t size);
/* Makes a path below the user's folder of one kind, by the XDG base directory specification. The
 * folder is variable, "XDG_CONFIG_HOME", or below_home in the home folder, "/.config"; then comes
 * rest, "/rooftop/rooftoprc". A program with capabilities that its user lacks asks no variable.
 * Returns false when there is no such folder or buf is too small. */
bool user_path(
	char *buf, size_t size, const char *variable, const char *below_home, const char *rest);
/* Reads the first bytes of a small file below dir, NUL-terminated. Returns how many, or -1 with errno. */
long file_read_text(int dir, const char *path, char *buf, size_t size);
/* Opens a file that the user names, for reading; returns -1 when it cannot be of use. A pipe is
 * read to its end first, which has to come within 10 seconds, and can be opened again as a file
 * can. Other devices than /dev/null are refused. Nothing that is read from the descriptor makes its
 * reader wait. */
int file_open_input(const char *path, struct err *err);
/* Reads such a file into a new heap buffer with a NUL after the end; free() it. Refuses more than
 * max bytes. */
char *file_read_all(const char *path, size_t max, size_t *len, struct err *err);
/* Makes text the content of the file in one step, with a temporary file beside it and a rename, so
 * that a crash leaves the old content. A link stays a link; a device or pipe gets the text. The
 * folder must exist. */
bool file_replace(const char *path, const char *text, size_t len, struct err *err);
/* The same for a file that is old in a second: it does not wait for the disk, and replaces links
 * and whatever else somebody put there. */
bool file_refresh(const char *path, const char *text, size_t len, struct err *err);
/* Removes a file of ours, and nothing that a link of somebody else on the way leads to. */
void file_remove(const char *path);
/* The same for files that the program keeps by itself. It also makes the folders above, for this
 * user alone. */
bool file_keep(const char *path, const char *text, size_t len, struct err *err);
/* Removes what writers that were killed have left beside the file, or in the folder when path ends
 * with a slash. */
void file_drop_leftovers(const char *path);
/* Opens what results go to: what is there, a link's target too, keeps its content; a file that is
 * made anew is made at this very name. A FIFO without a reader is an error. Returns -1 with err. */
int file_open_output(const char *path, bool append, struct err *err);
/* Whether file_replace() could write there, as far as that can be known before. It removes what
 * killed writers have left there. */
bool file_has_place(const char *path, struct err *err);
/* Creates a file that grows while others may read the one that it replaces: that one loses its name
 * and keeps its bytes. Links and devices are written to. A FIFO without a reader is an error, not a
 * hang. Returns the descriptor, or -1. */
int file_create(const char *path, bool overwrite, struct err *err);
/* What a file holds, as far as its first bytes tell. */
enum file_form {
	FILE_FORM_NONE,		/* no file is written */
	FILE_FORM_TEXT,
	FILE_FORM_CSV,
	FILE_FORM_JSON,
	FILE_FORM_SVG,
	FILE_FORM_HTML,
	FILE_FORM_XML,
	FILE_FORM_OTHER,	/* a recording, a program, ... */
	FILE_FORM_NEW,		/* of something that is kept: it replaces nothing */
	FILE_FORM_OF_OUTPUT,	/* what the output's form is, only the options tell */
};
/* Refuses (ERR_USAGE) to replace a regular file that is not empty and has another form than what is
 * to be written, and a file of any form when that is FILE_FORM_NEW. Whatever else is there is
 * written into. */
bool file_may_become(const char *path, enum file_form form, struct err *err);
/* The same as file_has_place() for file_keep(); it makes the folders already. */
bool file_keep_place(const char *path, struct err *err);
/* Sets "cannot write to 'PATH'" from errno, with a hint when the folder is missing. Returns
 * false. */
bool file_cannot_write(struct err *err, const char *path);
