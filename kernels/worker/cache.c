/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps compiled programs in files. A file has a line "rooftop-cl 2 HASH" and then the bytes that
 * have this hash. */
#include "config.h"

#include "kernels/worker/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/mem.h"
#include "base/strbuf.h"

#define MAGIC "rooftop-cl 2 "
#define HEADER_BYTES (sizeof(MAGIC) - 1 + HASH_HEX)
#define MAX_BYTES (64 << 20)

bool cache_open(struct cache *c, const char *folder, struct err *err)
{
	struct stat st;
	char inside[sizeof(c->folder) + 1];

	*c = (struct cache){ .max_bytes = CACHE_MAX_BYTES };
	if (!*folder)
		return true;
	int len = snprintf(c->folder, sizeof(c->folder), "%s/cl", folder);
	if (len >= (int)sizeof(c->folder) - 128) {
		c->folder[0] = '\0';
		return err_set(err, ERR_USAGE, "the path '%.200s' is too long", folder);
	}
	if (lstat(c->folder, &st) < 0)
		return true;
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 022) {
		err_set(err, ERR_PERMISSION,
			"'%.200s' is not a folder that only this user can write to; compiled "
			"kernels are not kept",
			c->folder);
		c->folder[0] = '\0';
		return false;
	}
	snprintf(inside, sizeof(inside), "%s/", c->folder);
	file_drop_leftovers(inside);
	return true;
}

static void file_name(
	const struct cache *c, const char *key, const char *suffix, char *path, size_t size)
{
	snprintf(path, size, "%s/%s%s", c->folder, key, suffix);
}

static void remove_file(const struct cache *c, const char *key, const char *suffix)
{
	char path[4224];

	file_name(c, key, suffix, path, sizeof(path));
	unlink(path);
}

static void remove_entry(const struct cache *c, const char *key)
{
	remove_file(c, key, ".bin");
	remove_file(c, key, ".trying");
}

/* Writes the first line of a file with these bytes behind it. */
static void make_header(const void *data, size_t size, char header[HEADER_BYTES + 1])
{
	snprintf(header, HEADER_BYTES + 1, MAGIC "%016" PRIx64 "\n",
		hash_add(HASH_START, data, size));
}

static bool is_sealed(const char *file, size_t size)
{
	char header[HEADER_BYTES + 1];

	make_header(file + HEADER_BYTES, size - HEADER_BYTES, header);
	return !memcmp(file, header, HEADER_BYTES);
}

void *cache_load(const struct cache *c, const char key[HASH_HEX], size_t *size)
{
	char path[4224];
	size_t len = 0;

	if (!c->folder[0])
		return NULL;
	file_name(c, key, ".trying", path, sizeof(path));
	if (access(path, F_OK) == 0) {
		remove_entry(c, key);
		return NULL;
	}
	file_name(c, key, ".bin", path, sizeof(path));
	char *file = file_read_all(path, MAX_BYTES, &len, NULL);
	if (file && (len <= HEADER_BYTES || !is_sealed(file, len))) {
		free(file);
		file = NULL;
		remove_entry(c, key);
	}
	if (!file)
		return NULL;
	/* An entry that is used does not count as old. */
	utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
	*size = len - HEADER_BYTES;
	memmove(file, file + HEADER_BYTES, *size);
	return file;
}

/* Stands for a file of the cache, or what a killed writer left of one. */
struct old_file {
	char *name;
	uint64_t bytes;
	struct timespec used;
};

static int older_first(const void *a, const void *b)
{
	const struct timespec *x = &((const struct old_file *)a)->used,
			      *y = &((const struct old_file *)b)->used;

	if (x->tv_sec != y->tv_sec)
		return (x->tv_sec > y->tv_sec) - (x->tv_sec < y->tv_sec);
	return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Removes the oldest files. The newest entry always stays; files whose names do not begin with a
 * key are not ours to remove. Another worker may trim at the same time, so a file may be gone. */
static void trim(const struct cache *c)
{
	struct old_file *files = NULL;
	size_t n = 0, cap = 0;
	uint64_t bytes = 0;
	DIR *dir = opendir(c->folder);
	const struct dirent *e;
	struct stat st;

	if (!dir)
		return;
	while ((e = readdir(dir))) {
		size_t digits = strspn(e->d_name, "0123456789abcdef");

		/* Those of earlier releases have longer names. */
		if (digits < HASH_HEX - 1 || e->d_name[digits] != '.' ||
			fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
			!S_ISREG(st.st_mode))
			continue;
		files = array_grow(files, n, &cap, sizeof(*files));
		files[n++] = (struct old_file){ xstrdup(e->d_name), (uint64_t)st.st_size,
			st.st_mtim };
		bytes += (uint64_t)st.st_size;
	}
	if (n)
		qsort(files, n, sizeof(*files), older_first);
	for (size_t i = 0; i + 1 < n && bytes > c->max_bytes; i++) {
		if (files[i].bytes && unlinkat(dirfd(dir), files[i].name, 0) == 0)
			bytes -= files[i].bytes;
	}
	for (size_t i = 0; i < n; i++)
		free(files[i].name);
	free(files);
	closedir(dir);
}

bool cache_save(const struct cache *c, const char key[HASH_HEX], const void *data, size_t size,
	struct err *err)
{
	char path[4224], header[HEADER_BYTES + 1];
	struct strbuf file = { 0 };

	if (!c->folder[0] || size > MAX_BYTES - HEADER_BYTES)
		return true;
	make_header(data, size, header);
	strbuf_add(&file, header);
	strbuf_addn(&file, data, size);
	file_name(c, key, ".bin", path, sizeof(path));
	/* In the place of a link, and not behind it. */
	bool good = file_keep_place(path, err) && file_refresh(path, file.s, file.len, err);
	strbuf_release(&file);
	if (good)
		trim(c);
	return good;
}

void cache_begin(const struct cache *c, const char key[HASH_HEX])
{
	char path[4224];

	if (!c->folder[0])
		return;
	file_name(c, key, ".trying", path, sizeof(path));
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0)
		close(fd);
}

void cache_end(const struct cache *c, const char key[HASH_HEX])
{
	if (c->folder[0])
		remove_file(c, key, ".trying");
}
