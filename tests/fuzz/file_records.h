/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine of plain files from a fuzzer's bytes. The bytes are records: a line "@LETTER", and what
 * follows until the next line that begins with '@'. A letter of the table is the content of that
 * file; what other letters mean the target says. A file that has no record is not there. */
#pragma once

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/fstree.h"

struct file_record {
	char letter;
	const char *path;
};

struct file_records {
	struct fsroot fs;
	const struct file_record *files;
	size_t n;
	const uint8_t *at; /* what has not been read yet */
	size_t left;
};

static struct file_records *file_records_kept;

static inline void file_records_remove(void)
{
	fstree_remove(&file_records_kept->fs);
}

/* Makes the folders, which stay until the program ends. Links are the caller's. */
static inline void file_records_open(
	struct file_records *r, const struct file_record *files, size_t n)
{
	*r = (struct file_records){ .files = files, .n = n };
	fstree_new(&r->fs);
	for (size_t i = 0; i < n; i++)
		fstree_put(&r->fs, files[i].path, "");
	file_records_kept = r;
	atexit(file_records_remove);
}

static inline void file_records_link(
	const struct file_records *r, const char *path, const char *target)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", r->fs.prefix, path);
	if (symlink(target, full) != 0)
		fstree_die(full);
}

/* No file is there, and the records begin. */
static inline void file_records_begin(struct file_records *r, const uint8_t *data, size_t size)
{
	char full[PATH_MAX];

	r->at = data;
	r->left = size;
	for (size_t i = 0; i < r->n; i++) {
		snprintf(full, sizeof(full), "%s%s", r->fs.prefix, r->files[i].path);
		unlink(full);
	}
}

static inline void file_records_write(
	const struct file_records *r, const char *path, const uint8_t *text, size_t len)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", r->fs.prefix, path);
	int fd = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || (len && write(fd, text, len) != (ssize_t)len))
		fstree_die(full);
	close(fd);
}

/* Writes files until a record of another kind comes: returns its letter, with its content, or 0 at
 * the end. */
static inline char file_records_next(struct file_records *r, const uint8_t **text, size_t *len)
{
	while (r->left >= 3 && r->at[0] == '@' && r->at[2] == '\n') {
		char letter = (char)r->at[1];
		const uint8_t *from = r->at + 3, *end = r->at + r->left;
		const uint8_t *next = memmem(from, (size_t)(end - from), "\n@", 2);
		bool is_file = false;

		*text = from;
		*len = (size_t)((next ? next + 1 : end) - from);
		r->at = from + *len;
		r->left = (size_t)(end - r->at);
		for (size_t i = 0; i < r->n; i++)
			if (r->files[i].letter == letter) {
				file_records_write(r, r->files[i].path, *text, *len);
				is_file = true;
			}
		if (!is_file)
			return letter;
	}
	return '\0';
}
