/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of a line "rooftop-cl 1 SHA256" and the bytes that have this sum. */
#include "config.h"

#include "kernels/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/i18n.h"
#include "base/mem.h"

#define MAGIC "rooftop-cl 1 "
#define HEADER_BYTES (sizeof(MAGIC) - 1 + SHA256_HEX)
#define MAX_BYTES (64 << 20)

static bool make_folders(char *path)
{
	for (char *p = path + 1; ; p++) {
		char c = *p;

		if (c != '/' && c != '\0')
			continue;
		*p = '\0';
		if (mkdir(path, 0700) < 0 && errno != EEXIST)
			return false;
		*p = c;
		if (c == '\0')
			return true;
	}
}

bool cache_open(struct cache *c, const char *folder, struct err *err)
{
	struct stat st;
	int len;

	c->folder[0] = '\0';
	if (!*folder)
		return true;
	len = snprintf(c->folder, sizeof(c->folder), "%s/cl", folder);
	if (len >= (int)sizeof(c->folder) - 128) {
		c->folder[0] = '\0';
		return err_set(err, ERR_USAGE, _("the path '%.200s' is too long"), folder);
	}
	if (!make_folders(c->folder) || lstat(c->folder, &st) < 0) {
		err_sys(err, _("cannot make the folder '%.200s'"), c->folder);
		c->folder[0] = '\0';
		return false;
	}
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 022) {
		err_set(err, ERR_PERMISSION, _("'%.200s' is not a folder that only this user can write to; compiled kernels are not kept"),
			c->folder);
		c->folder[0] = '\0';
		return false;
	}
	return true;
}

static void file_name(const struct cache *c, const char *key, const char *suffix, char *path, size_t size)
{
	snprintf(path, size, "%s/%s%s", c->folder, key, suffix);
}

static void remove_entry(const struct cache *c, const char *key)
{
	char path[4224];

	file_name(c, key, ".bin", path, sizeof(path));
	unlink(path);
	file_name(c, key, ".trying", path, sizeof(path));
	unlink(path);
}

static bool read_all(int fd, char *buf, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t n = read(fd, buf + len, size - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		len += (size_t)n;
	}
	return true;
}

static bool is_sealed(const char *file, size_t size)
{
	struct sha256 sum;
	char hex[SHA256_HEX];

	sha256_init(&sum);
	sha256_add(&sum, file + HEADER_BYTES, size - HEADER_BYTES);
	sha256_hex(&sum, hex);
	return !memcmp(file, MAGIC, sizeof(MAGIC) - 1) && !memcmp(file + sizeof(MAGIC) - 1, hex, SHA256_HEX - 1) &&
		file[HEADER_BYTES - 1] == '\n';
}

void *cache_load(const struct cache *c, const char key[SHA256_HEX], size_t *size)
{
	char path[4224];
	char *file = NULL;
	struct stat st;
	int fd;

	if (!c->folder[0])
		return NULL;
	file_name(c, key, ".trying", path, sizeof(path));
	if (access(path, F_OK) == 0) {
		remove_entry(c, key);
		return NULL;
	}
	file_name(c, key, ".bin", path, sizeof(path));
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > (off_t)HEADER_BYTES && st.st_size <= MAX_BYTES) {
		file = xmalloc((size_t)st.st_size);
		if (!read_all(fd, file, (size_t)st.st_size) || !is_sealed(file, (size_t)st.st_size)) {
			free(file);
			file = NULL;
		}
	}
	close(fd);
	if (!file) {
		remove_entry(c, key);
		return NULL;
	}
	*size = (size_t)st.st_size - HEADER_BYTES;
	memmove(file, file + HEADER_BYTES, *size);
	return file;
}

static bool write_all(int fd, const char *s, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, s, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		s += n;
		len -= (size_t)n;
	}
	return true;
}

bool cache_save(const struct cache *c, const char key[SHA256_HEX], const void *data, size_t size, struct err *err)
{
	char path[4224], temporary[4224], header[HEADER_BYTES + 1], hex[SHA256_HEX];
	struct sha256 sum;
	bool good = false;
	int fd;

	if (!c->folder[0] || size > MAX_BYTES - HEADER_BYTES)
		return true;
	sha256_init(&sum);
	sha256_add(&sum, data, size);
	sha256_hex(&sum, hex);
	snprintf(header, sizeof(header), MAGIC "%s\n", hex);
	file_name(c, key, ".bin", path, sizeof(path));
	file_name(c, "new", ".XXXXXX", temporary, sizeof(temporary));
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return err_sys(err, _("cannot write into '%.200s'"), c->folder);
	good = write_all(fd, header, HEADER_BYTES) && write_all(fd, data, size);
	good = close(fd) == 0 && good;
	good = good && rename(temporary, path) == 0;
	if (good)
		return true;
	err_sys(err, _("cannot write '%.200s'"), path);
	unlink(temporary);
	return false;
}

void cache_begin(const struct cache *c, const char key[SHA256_HEX])
{
	char path[4224];
	int fd;

	if (!c->folder[0])
		return;
	file_name(c, key, ".trying", path, sizeof(path));
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0)
		close(fd);
}

void cache_end(const struct cache *c, const char key[SHA256_HEX])
{
	char path[4224];

	if (!c->folder[0])
		return;
	file_name(c, key, ".trying", path, sizeof(path));
	unlink(path);
}
