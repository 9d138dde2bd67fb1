/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the files of one device in a thread of their own once they have been seen to be slow, so
 * that a driver that takes long to answer delays nobody else. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct slow_files;

/* Of larger files nothing is read but their first line. */
#define SLOW_FILE_MAX 8192

/* Returns a watcher that does not watch yet: all reads are plain ones, unless slow ones have taken
 * more than two seconds in all. */
struct slow_files *slow_files_new(void);
/* From now on reads are timed. When two of them had to wait for long, a thread does all later
 * ones. */
void slow_files_watch(struct slow_files *s);
/* Reads the first line of a file without its newline, as fsroot_read_line() does. While the thread
 * reads, this gives what it has read after the last call for the same path, and makes it read
 * again. It fails with ERR_BUSY for a path that has no answer yet, and where the last answer is
 * older than five seconds. */
bool slow_files_read_line(
	struct slow_files *s, const char *path, char *buf, size_t size, struct err *err);
/* Reads all bytes of a file that has at most size of them (size at most SLOW_FILE_MAX), in the same
 * way. */
bool slow_files_read_bytes(struct slow_files *s, const char *path, void *buf, size_t size,
	size_t *len, struct err *err);
/* Returns when the thread had read what the last call gave; 0 while the thread does not read. */
int64_t slow_files_answer_ns(const struct slow_files *s);
/* Gives up the watcher; NULL is allowed. A thread that hangs in a read ends when the read does. */
void slow_files_release(struct slow_files *s);
