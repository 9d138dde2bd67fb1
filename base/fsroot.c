/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads small files, links and folders below a prefix. */
#include "config.h"

#include "base/fsroot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/call_watch.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/slow_files.h"

static const char *prefix_of(const struct fsroot *fs)
{
	return fs ? fs->prefix : "";
}

static bool join(const struct fsroot *fs, char *buf, size_t size, const char *path, struct err *err)
{
	if (fsroot_path(fs, buf, size, "%s", path))
		return true;
	return err_set(err, ERR_USAGE, "the path '%.60s...%.200s' is too long",
		prefix_of(fs), path);
}

static void (*watch_fn)(void *ctx, const char *path);
static void *watch_ctx;

void fsroot_watch(void (*fn)(void *ctx, const char *path), void *ctx)
{
	watch_fn = fn;
	watch_ctx = ctx;
}

bool fsroot_path(const struct fsroot *fs, char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;

	if (!size)
		return false;
	int head = snprintf(buf, size, "%s", prefix_of(fs));
	if (head < 0 || (size_t)head >= size)
		return false;
	va_start(ap, fmt);
	int tail = vsnprintf(buf + head, size - (size_t)head, fmt, ap);
	va_end(ap);
	if (tail < 0 || (size_t)tail >= size - (size_t)head)
		return false;
	if (watch_fn)
		watch_fn(watch_ctx, buf + head);
	return true;
}

/* Reads until the buffer is full or the file ends. */
static ssize_t read_full(int fd, char *buf, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t n = read(fd, buf + len, size - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

/* Opening a pipe without a writer must not block, but one with a writer is a file like any
 * other. */
static int open_to_read(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0) {
		err_sys(err, "cannot open '%s'", path);
		return -1;
	}
	int flags = fcntl(fd, F_GETFL);
	if (flags >= 0)
		fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
	return fd;
}

/* Reads the first bytes of a file, which a driver may have to make. Returns how many; -1 with err. */
static ssize_t read_head(const char *path, char *buf, size_t size, bool *has_more, struct err *err)
{
	char more;
	ssize_t rest = 0;

	call_begin("read", path, -1);
	int fd = open_to_read(path, err);
	ssize_t len = fd < 0 ? -1 : read_full(fd, buf, size);
	if (len == (ssize_t)size)
		rest = read_full(fd, &more, 1);
	if (fd >= 0 && (len < 0 || rest < 0))
		err_sys(err, "cannot read '%s'", path);
	if (fd >= 0)
		close(fd);
	call_end();
	*has_more = rest > 0;
	return rest < 0 ? -1 : len;
}

bool fsroot_read_line(
	const struct fsroot *fs, const char *path, char *buf, size_t size, struct err *err)
{
	char full[PATH_MAX];
	bool has_more;
	size_t end;

	if (!size || !join(fs, full, sizeof(full), path, err))
		return false;
	if (fs && fs->slow)
		return slow_files_read_line(fs->slow, full, buf, size, err);
	ssize_t len = read_head(full, buf, size, &has_more, err);
	if (len < 0)
		return false;
	for (end = 0; end < (size_t)len && buf[end] != '\n'; end++)
		;
	if (end == size)
		return err_set(err, ERR_PARSE, "the first line of '%s' is longer than %zu bytes",
			full, size - 1);
	buf[end] = '\0';
	return true;
}

bool fsroot_read_bytes(const struct fsroot *fs, const char *path, void *buf, size_t size,
	size_t *len, struct err *err)
{
	char full[PATH_MAX];
	bool has_more;

	if (!join(fs, full, sizeof(full), path, err))
		return false;
	if (fs && fs->slow)
		return slow_files_read_bytes(fs->slow, full, buf, size, len, err);
	ssize_t got = read_head(full, buf, size, &has_more, err);
	*len = got > 0 ? (size_t)got : 0;
	if (has_more)
		return err_set(err, ERR_PARSE, "'%s' has more than %zu bytes", full, size);
	return got >= 0;
}

int64_t fsroot_answer_ns(const struct fsroot *fs, int64_t now_ns)
{
	if (fs->slow && slow_files_answer_ns(fs->slow))
		return slow_files_answer_ns(fs->slow);
	return now_ns;
}

bool fsroot_read_u64(const struct fsroot *fs, const char *path, uint64_t *out, struct err *err)
{
	char line[64], word[64];
	const char *s = line, *start;
	size_t len;

	if (!fsroot_read_line(fs, path, line, sizeof(line), err))
		return false;
	if (!parse_word(&s, &start, &len) || s[strspn(s, " \t\r")])
		goto bad;
	memcpy(word, start, len);
	word[len] = '\0';
	if (parse_u64(word, out))
		return true;
bad:
	return err_set(err, ERR_PARSE, "'%s%s' holds '%s', which is not a number",
		prefix_of(fs), path, line);
}

bool fsroot_exists(const struct fsroot *fs, const char *path)
{
	char full[PATH_MAX];

	return join(fs, full, sizeof(full), path, NULL) && access(full, F_OK) == 0;
}

__attribute__((format(printf, 2, 0)))
static bool write_path(char path[PATH_MAX], const char *fmt, va_list ap)
{
	int len = vsnprintf(path, PATH_MAX, fmt, ap);

	return len >= 0 && len < PATH_MAX;
}

bool fsroot_line(const struct fsroot *fs, char *buf, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	bool fits = write_path(path, fmt, ap);
	va_end(ap);
	return fits && fsroot_read_line(fs, path, buf, size, NULL);
}

bool fsroot_number(const struct fsroot *fs, uint64_t *out, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	bool fits = write_path(path, fmt, ap);
	va_end(ap);
	return fits && fsroot_read_u64(fs, path, out, NULL);
}

bool fsroot_has(const struct fsroot *fs, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	bool fits = write_path(path, fmt, ap);
	va_end(ap);
	return fits && fsroot_exists(fs, path);
}

bool fsroot_link_name(const struct fsroot *fs, const char *path, char *buf, size_t size)
{
	char full[PATH_MAX], target[PATH_MAX];

	if (!join(fs, full, sizeof(full), path, NULL))
		return false;
	ssize_t len = readlink(full, target, sizeof(target));
	if (len < 0 || (size_t)len >= sizeof(target))
		return false;
	target[len] = '\0';
	const char *name = strrchr(target, '/');
	if (name)
		name++;
	else
		name = target;
	if (!*name || strlen(name) >= size)
		return false;
	memcpy(buf, name, strlen(name) + 1);
	return true;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

bool fsroot_each(const struct fsroot *fs, const char *path, bool (*fn)(void *ctx, const char *name),
	void *ctx, struct err *err)
{
	char full[PATH_MAX];
	char **names = NULL;
	size_t count = 0, cap = 0;
	struct dirent *entry;

	if (!join(fs, full, sizeof(full), path, err))
		return false;
	DIR *dir = opendir(full);
	if (!dir)
		return err_sys(err, "cannot list '%s'", full);
	while ((entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		names = array_grow(names, count, &cap, sizeof(*names));
		names[count++] = xstrdup(entry->d_name);
	}
	closedir(dir);
	if (count)
		qsort(names, count, sizeof(*names), compare_names);
	for (size_t i = 0; i < count; i++) {
		if (!fn(ctx, names[i]))
			break;
	}
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
	return true;
}

struct first_search {
	const char *prefix;
	char *buf;
	size_t size;
};

static bool keep_first(void *ctx, const char *name)
{
	struct first_search *s = ctx;

	if (strncmp(name, s->prefix, strlen(s->prefix)))
		return true;
	snprintf(s->buf, s->size, "%s", name);
	return false;
}

bool fsroot_first(
	const struct fsroot *fs, const char *folder, const char *prefix, char *buf, size_t size)
{
	struct first_search s = { prefix, buf, size };

	buf[0] = '\0';
	fsroot_each(fs, folder, keep_first, &s, NULL);
	return buf[0] != '\0';
}

bool user_path(
	char *buf, size_t size, const char *variable, const char *below_home, const char *rest)
{
	/* Whoever gave the program capabilities did not say where its files are; the user did. */
	const char *folder = secure_getenv(variable), *home = secure_getenv("HOME");
	const struct passwd *user = getauxval(AT_SECURE) ? getpwuid(getuid()) : NULL;
	int n = -1;

	if (user)
		home = user->pw_dir;
	/* The specification says that relative paths are ignored. */
	if (folder && folder[0] == '/')
		n = snprintf(buf, size, "%s%s", folder, rest);
	else if (home && home[0] == '/')
		n = snprintf(buf, size, "%s%s%s", home, below_home, rest);
	return n >= 0 && (size_t)n < size;
}

long file_read_text(int dir, const char *path, char *buf, size_t size)
{
	call_begin("read", path, -1);
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read_full(fd, buf, size - 1);
	int error = errno;
	if (fd >= 0)
		close(fd);
	call_end();
	errno = error;
	buf[len > 0 ? len : 0] = '\0';
	return len;
}

#define FIRST_READ_BYTES 4096	/* most files of sysfs and /proc end in it */

char *file_read_all(const char *path, size_t max, size_t *len, struct err *err)
{
	size_t count = 0, cap = FIRST_READ_BYTES;
	int fd = file_open_input(path, err);
	bool good = true;

	if (fd < 0)
		return NULL;
	char *data = xmalloc(cap);
	call_begin("read", path, -1);
	/* One byte beyond max shows whether a file is too long or just fits. */
	for (;;) {
		data = array_grow(data, count + 1, &cap, 1);
		size_t want = cap - count - 1;
		if (want > max - count)
			want = max - count + 1;
		ssize_t n = read_full(fd, data + count, want);
		if (n < 0) {
			good = err_sys(err, "cannot read '%s'", path);
			break;
		}
		count += (size_t)n;
		if (count > max)
			good = err_set(err, ERR_PARSE, "'%s' is longer than %zu bytes", path, max);
		if (count > max || (size_t)n < want)
			break;
	}
	close(fd);
	call_end();
	data[count] = '\0';
	if (len)
		*len = count;
	if (good)
		return data;
	free(data);
	return NULL;
}
